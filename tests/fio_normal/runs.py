"""The values that the marts must have for a run, by fio's normal output."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from tests.fio_normal import US, Numbers
from tests.fio_normal.printed import Interval, fixed

Expected = Iterator[tuple[str, Interval]]
PARTS = ("read", "write", "trim")
RANKS = {"p50": "p50", "p95": "p95", "p99": "p99", "p999": "p99.9"}


class Run:
    """The numbers that fio printed for the entries of a measurement, and for their group."""

    def __init__(self, printed: Numbers, position: str) -> None:
        found = re.search(r"jobs\[(\d+)(?:\.\.(\d+))?\] (\S+)", position)
        assert found
        first, last, self.name = found.groups(default=found[1])
        self.printed = printed
        self.jobs = range(int(first), int(last) + 1)
        self.group = f"group {printed[first, 'group_id'].low:.0f}"
        self.error = printed[first, "error"].low
        found_parts = [part for part in PARTS if (f"{first} {part}", "iops") in printed]
        self.parts = found_parts or ["mixed"]
        self.places = [(job, part) for job in self.jobs for part in self.parts]

    def rates(self) -> Expected:
        """Bandwidth and runtime are the group's; IOPS are all entries' I/Os over that time."""
        yield "bytes_per_second", _sum(self._bandwidth(part) for part in self.parts)
        yield "iops", _sum(self._iops(part) for part in self.parts)
        yield "runtime_seconds", max(self._runtime_ms(part) for part in self.parts).times(1e-3)
        for part in {"read", "write"}.intersection(self.parts):
            yield f"{part}_bytes_per_second", self._bandwidth(part)
            yield f"{part}_iops", self._iops(part)
        for name in ("min", "max", "stddev"):
            sampled = self._each(f"iops_{name}")
            if len(sampled) == len(self.places) == 1:
                yield f"{name}_sampled_iops", sampled[0]

    def latencies(self) -> Expected:
        """A mean is of all I/Os; a percentile of several parts lies between theirs, unless fio
        prints the percentile of their mix."""
        issued = [self._issued(job, part) for job, part in self.places]
        means = zip(self._each("lat mean"), issued, strict=True)
        yield "latency_mean_us", _sum(mean.times(count / sum(issued)) for mean, count in means)
        yield "latency_min_us", _least(self._each("lat min"))
        yield "latency_max_us", _most(self._each("lat max"))
        for name, rank in RANKS.items():
            mixed = self.printed.get((f"{self.jobs[0]} mixed", f"clat {rank}"))
            each = self._each(f"lat {rank}") or self._each(f"clat {rank}")
            if mixed:
                yield f"latency_{name}_us", mixed
            elif len(set(each)) == 1:
                yield f"latency_{name}_us", each[0]
            elif each:
                yield f"min_latency_{name}_us", _least(each)
                yield f"max_latency_{name}_us", _most(each)

    def load(self) -> Expected:
        workers = _sum(self.printed[f"{job}", "member_count"] for job in self.jobs)
        yield "worker_count", workers
        depth = self.printed[f"asked {self.name}", "iodepth"].low
        yield "requested_outstanding_io_count", workers.times(depth)
        block, *others = set(self._blocks())
        if block and not others:
            yield "block_bytes", block
        reached = [
            share
            for (place, name), share in self.printed.items()
            if place == f"{self.jobs[0]}"
            and name.startswith("depth ")
            and 2 * int(name.split()[-1].strip(">=")) > depth
        ]
        if len(self.jobs) == 1:
            yield "io_depth_reached_ratio", min(_sum(reached).times(0.01), Interval(1, 1))
        busy = [one for (_, name), one in self.printed.items() if name == "util_percent"]
        groups = {value.low for (_, name), value in self.printed.items() if name == "group_id"}
        if busy and len(groups) == 1:
            yield "device_busy_ratio", _most(busy).times(0.01)

    def ranks(self) -> Iterator[tuple[tuple[Any, ...], Interval]]:
        """Percentiles by direction, latency kind and ratio; fio prints none for several entries."""
        for (place, name), latency in self.printed.items():
            if len(self.jobs) == 1 and re.fullmatch(r"\w+ p[\d.]+", name):
                job, part = place.split()
                kind, rank = name.split(" p")
                if int(job) == self.jobs[0]:
                    ratio = round(float(rank) / 100, 12)
                    yield (part, "lat" if part == "sync" else kind, ratio), latency

    def shares(self) -> Iterator[tuple[float | None, Interval]]:
        """Shares by upper edge in microseconds; the last has no edge."""
        for (place, name), share in self.printed.items():
            unit, _, edge = name.partition(" ")
            if place == f"{self.jobs[0]}" and unit in US:
                yield None if ">" in edge else round(int(edge) * US[unit], 6), share.times(0.01)

    def _blocks(self) -> Iterator[Interval | None]:
        """The block size of each part; None for a range of sizes."""
        for part in self.parts:
            name = "bs_read" if part == "mixed" else f"bs_{part}"
            least, most = (
                self.printed[f"asked {self.name}", end] for end in (name, f"most_{name}")
            )
            yield least if least == most else None

    def _each(self, name: str) -> list[Interval]:
        keys = [(f"{job} {part}", name) for job, part in self.places]
        return [self.printed[key] for key in keys if key in self.printed]

    def _bandwidth(self, part: str) -> Interval:
        return self.printed[f"{self.group} {part}", "bw_bytes_per_second"]

    def _runtime_ms(self, part: str) -> Interval:
        return self.printed[f"{self.group} {part}", "runtime_ms"]

    def _iops(self, part: str) -> Interval:
        issued = sum(self._issued(job, part) for job in self.jobs)
        return fixed(f"{1000 * issued / self._runtime_ms(part).low:.5f}")

    def _issued(self, job: int, part: str) -> float:
        of_all = "read" if part == "mixed" else part
        return self.printed[f"{job}", f"{of_all} total_ios"].low


def _sum(intervals: Iterable[Interval]) -> Interval:
    low, high = map(sum, zip(*intervals, strict=True))
    return Interval(low, high)


def _least(intervals: Iterable[Interval]) -> Interval:
    return Interval(*map(min, zip(*intervals, strict=True)))


def _most(intervals: Iterable[Interval]) -> Interval:
    return Interval(*map(max, zip(*intervals, strict=True)))
