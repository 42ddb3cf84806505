"""Makes results from fio's output about jobs."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ingest.parsers.fio_text.lines import Entry, Header, Part, Run, short
from ingest.parsers.generic import Result
from ingest.parsers.values import common, known, time_ms, total, weighted_mean

_ONE_IO = (
    "sync", "psync", "vsync", "pvsync", "pvsync2", "mmap", "splice", "falloc", "ftruncate",
    "e4defrag", "filecreate", "filestat", "filedelete", "libpmem", "dev-dax", "mtd",
)  # fmt: skip
"""Engines with one I/O in flight at any iodepth."""
_ALL_CLIENTS = "All clients"
_LAST_BIN_US = 16_600_000
_BIN_WIDTH = 1 + 1 / 64
_USED = {"read": (0,), "write": (1,), "trim": (2,), "rw": (0, 1), "trimwrite": (1, 2)}
_ROUNDED = "rounded to the printed digits"
_COUNTED = "rates of the I/Os issued: fio 2.17 to 2.19 prints remainders instead of decimals"
_WITH_REMAINDERS = ("2.17", "2.18", "2.19")  # a printed rate may be off by 9 %


class _Settings:
    """Finds a run's headers by its entries."""

    def __init__(self, run: Run) -> None:
        self.first = run.headers[:1]
        self.by_job: dict[tuple[str, int], list[Header]] = {}
        self.by_group: dict[int, list[Header]] = {}
        for header in run.headers:
            self.by_job.setdefault((header.name, header.group), []).append(header)
            self.by_group.setdefault(header.group, []).append(header)
        names = {(one.group, one.name) for printed in run.prints for one in printed}
        self.name_count = Counter(group for group, _ in names)

    def of_job(self, entry: Entry) -> list[Header]:
        """The job's headers; a prompt or a line without its end may precede the first header."""
        return self.by_job.get((entry.name, entry.group)) or [
            one for one in self.first if one.group == entry.group and one.name.endswith(entry.name)
        ]

    def of(self, entry: Entry) -> list[Header]:
        """The job's headers, or its group's if group_reporting merged the group into this entry."""
        of_group = self.by_group.get(entry.group, [])
        is_alone = self.name_count[entry.group] == 1
        is_merged = is_alone and (entry.member_count or 1) >= len(of_group) > 1
        return of_group if is_merged else self.of_job(entry)


def results(run: Run) -> Iterator[Result]:
    """A result for each job with all its processes, and for each job that printed none. Of the
    prints of one run the last counts: all of them follow the same settings, and the job's count of
    I/Os never falls."""
    settings = _Settings(run)
    found: dict[tuple[str, int, str], list[list[Entry]]] = {}
    for printed in run.prints:
        earlier = set(found)
        for members in _jobs(settings, printed):
            first = members[0]
            key = (first.name, first.group, first.pid)
            is_again = key in earlier and settings.of_job(first)
            if key in found and not (is_again and _goes_on(found[key][-1], members)):
                key = (first.name, first.group, f"{first.pid} line {first.line}")
            found.setdefault(key, []).append(members)
    is_alone = all(name == _ALL_CLIENTS for name, _, _ in found)
    told: set[Header] = set()
    for (name, _, _), prints in found.items():
        headers = settings.of(prints[-1][0])
        told.update(headers)
        if is_alone or name != _ALL_CLIENTS:
            yield _result(run, prints[-1], headers, len(prints))
    yield from (_without_result(run, header) for header in run.headers if header not in told)


def _goes_on(before: list[Entry], after: list[Entry]) -> bool:
    earlier, later = (
        _issued([part for one in jobs for part in one.parts]) for jobs in (before, after)
    )
    return earlier is not None and later is not None and earlier <= later


def _jobs(settings: _Settings, printed: list[Entry]) -> Iterable[list[Entry]]:
    """The entries of each job; without group_reporting each of its processes has one. Without
    settings, processes that ended in the same second are one job."""
    jobs: dict[tuple[object, ...], list[Entry]] = {}
    for entry in printed:
        headers = settings.of_job(entry)
        is_process = entry.member_count == 1 and len(set(map(_load_of, headers))) <= 1
        place = entry.line if not is_process else entry.ended if not headers else None
        jobs.setdefault((entry.name, entry.group, place), []).append(entry)
    return jobs.values()


def _load_of(header: Header) -> tuple[str, str, str, int]:
    return header.rw, header.sizes, header.engine, header.depth


def _without_result(run: Run, header: Header) -> Result:
    said = f"; fio says {run.trouble[:200]!r}" if run.trouble else ""
    return Result(
        position=_position(header),
        tool_name="fio",
        tool_version=run.version,
        job_name=header.name,
        random_ratio=_random_ratio(header),
        block_bytes=_block_bytes(header),
        io_engine=header.engine,
        fault=f"fio printed no result of it: it did no I/O, or the text is incomplete{said}",
    )


def _result(run: Run, members: list[Entry], headers: list[Header], print_count: int) -> Result:
    parts, is_verified = _load(members, common(one.rw for one in headers))
    workers = total(entry.member_count for entry in members)
    engine = common(one.engine for one in headers)
    depth = 1 if engine in _ONE_IO else common(one.depth for one in headers)
    latencies = [_total_latency(part) for part in parts]
    percentiles = _percentiles(members, parts)
    block_bytes = common(map(_block_bytes, headers))
    has_remainders = bool(run.headers) and (run.version or "").startswith(_WITH_REMAINDERS)
    if has_remainders:
        parts = _by_count(parts, block_bytes or 0)
    iops, bandwidth = _rates(parts, "iops"), _rates(parts, "bytes_per_second")
    conditions = [
        "several jobs reported as one" if len(set(map(_load_of, headers))) > 1 else "",
        "trims" if any(part.direction == "trim" for part in parts) else "",
        "verify reads left out" if is_verified else "",
        *(entry.condition for entry in members),
    ]
    times = [part.runtime_ms for part in parts]
    return Result(
        position=_position(members[0]),
        tool_name="fio",
        tool_version=run.version,
        job_name=headers[0].name if headers else members[0].name,
        # When fio printed it: `Mon Nov 23 06:13:37 2026`.
        measured_at_ms=time_ms((members[-1].ended or "").strip(), "%a %b %d %H:%M:%S %Y"),
        random_ratio=common(map(_random_ratio, headers)),
        read_ratio=_read_ratio(parts),
        block_bytes=block_bytes,
        outstanding_io_count=depth * workers if depth and workers else None,
        worker_count=workers,
        io_engine=engine,
        condition="; ".join(filter(None, conditions)) or None,
        runtime_seconds=max(times) / 1000 if times else None,
        iops=total(filter(None, iops.values())),
        read_iops=iops.get("read"),
        write_iops=iops.get("write"),
        bytes_per_second=total(filter(None, bandwidth.values())),
        read_bytes_per_second=bandwidth.get("read"),
        write_bytes_per_second=bandwidth.get("write"),
        latency_mean_us=_mean([one[2] for one in latencies], parts),
        latency_min_us=min(known(one[0] for one in latencies), default=None),
        latency_max_us=max(known(one[1] for one in latencies), default=None),
        percentile_ratios=list(percentiles) or None,
        percentile_latencies_us=list(percentiles.values()) or None,
        io_count=_issued(parts),
        error_count=total(entry.error_count for entry in members),
        cpu_ratio=_cpu_ratio(members),
        is_rounded=not has_remainders,
        fault="; ".join(dict.fromkeys(_faults(members))) or None,
        note="; ".join(
            [_COUNTED if has_remainders else _ROUNDED, *_notes(members, times, print_count)]
        ),
    )


def _faults(members: list[Entry]) -> Iterator[str]:
    yield from (fault for entry in members for fault in entry.faults)
    if not all(entry.parts for entry in members):
        yield "fio printed no rate of it"
    if not all(entry.is_whole for entry in members):
        yield "ends before its line 'issued': cut off"


def _position(one: Entry | Header) -> str:
    return f"line {one.line} {one.name} group={one.group}"


def _notes(members: list[Entry], times: list[int], print_count: int) -> Iterator[str]:
    if print_count > 1:
        yield f"the last of {print_count} prints of the run"
    if times and min(times) < 0.9 * max(times):
        yield f"its parts ran for {min(times) / 1000:g} to {max(times) / 1000:g} s"
    yield from (note for entry in members for note in entry.notes)


def _load(members: list[Entry], rw: str | None) -> tuple[list[Part], bool]:
    """The parts that are the load, and whether others verify it. With unified_rw_reporting=both
    'mixed' repeats the reads and writes."""
    parts = [part for entry in members for part in entry.parts]
    pure = [part for part in parts if part.direction != "mixed"] or parts
    is_writer = rw in ("write", "randwrite")
    load = [part for part in pure if not (is_writer and part.direction == "read")]
    return (load, len(load) < len(pure)) if load else (pure, False)


def _by_count(parts: list[Part], block_bytes: int) -> list[Part]:
    """The parts with rates of the I/Os issued; 0 unless all counts are known."""
    counts = known(part.io_count for part in parts) or [0] * len(parts)
    rates = [1000 * n / (part.runtime_ms or 1) for n, part in zip(counts, parts, strict=True)]
    return [
        replace(part, iops=iops, bytes_per_second=iops * block_bytes)
        for part, iops in zip(parts, rates, strict=True)
    ]


def _rates(parts: list[Part], name: str) -> dict[str, float | None]:
    """By direction: the work of all processes over the longest runtime. fio truncates rates below
    one I/O per second to 0: 0 is not reported."""
    found: dict[str, float | None] = {}
    for direction in dict.fromkeys(part.direction for part in parts):
        own = [part for part in parts if part.direction == direction]
        longest = max(part.runtime_ms for part in own) or 1
        rates = [getattr(part, name) * (part.runtime_ms / longest) for part in own]
        found[direction] = _clean(sum(rates)) or None
    return found


def _total_latency(part: Part) -> list[float | None]:
    """Minimum, maximum and mean; without submission latency, completion latency is the total."""
    clat = None if "slat" in part.latencies else part.latencies.get("clat")
    return part.latencies.get("lat") or clat or [None, None, None]


def _mean(means: list[float | None], parts: list[Part]) -> float | None:
    if len(parts) == 1:
        return means[0]
    mean = weighted_mean(means, (part.io_count for part in parts))
    return None if mean is None else _clean(mean)


def _percentiles(members: list[Entry], parts: list[Part]) -> dict[float, float]:
    """The percentiles of a single part; several parts have none, unless fio printed those of their
    mix. Total latency takes precedence over completion latency."""
    mixed = [part for part in members[0].parts if part.direction == "mixed"]
    whole = mixed if len(members) == 1 and mixed else parts
    if len(whole) != 1:
        return {}
    (part,) = whole
    kind = "lat" if "lat" in part.percentiles else "clat"
    limit = _limit_us([part.latencies[one] for one in (kind, "lat") if one in part.latencies])
    return {rank: us for rank, us in part.percentiles.get(kind, {}).items() if us <= limit}


def _limit_us(latencies: list[list[float | None]]) -> float:
    """The highest valid percentile: the maximum latency plus a bin's width, and below the last bin,
    which is open. -1 if completion took longer than the whole I/O: the clock was wrong."""
    means = known(one[2] for one in latencies)
    if means and means[0] > 1.01 * means[-1]:
        return -1
    highs = [one[1] * _BIN_WIDTH + 1 for one in latencies if one[1] is not None]
    return min([*highs, _LAST_BIN_US])


def _issued(parts: list[Part]) -> int | None:
    return total(part.io_count for part in parts)


def _read_ratio(parts: list[Part]) -> float | None:
    """From the I/Os issued: fio does not print rwmixread."""
    directions = {part.direction for part in parts}
    if len(directions) == 1:
        return {"read": 1.0, "write": 0.0}.get(parts[0].direction)
    reads = _issued([part for part in parts if part.direction == "read"])
    count = _issued(parts)
    if directions != {"read", "write"} or reads is None or not count:
        return None
    ratio = round(reads / count, 2)
    return ratio if 0 < ratio < 1 else None


def _cpu_ratio(members: list[Entry]) -> float | None:
    """The share of a process's time; for several processes, which ran at once, the mean."""
    shares = known(entry.cpu_ratio for entry in members)
    return _clean(sum(shares) / len(shares)) if shares else None


def _random_ratio(header: Header) -> float | None:
    return float(header.rw.startswith("rand")) if _used(header) else None


def _used(header: Header) -> tuple[int, ...]:
    rw = header.rw.removeprefix("rand").replace("readwrite", "rw")
    return _USED.get(rw, ())


def _block_bytes(header: Header) -> int | None:
    """The size that all directions in use share. None with bs_is_seq_rand, whose sizes are those of
    sequential and random I/Os."""
    pairs = re.findall(r"([\d.]+[A-Za-z]*)-([\d.]+[A-Za-z]*)", header.sizes)
    used = [pairs[place] for place in _used(header) if place < len(pairs)]
    sizes = {size for pair in used for size in pair}
    is_one = len(sizes) == 1 and len(used) == len(_used(header))
    return _size(sizes.pop()) if is_one and "bs_is_seq_rand" not in header.sizes else None


def _size(text: str) -> int | None:
    """Exact up to 2.16 (`4K`); since then four digits: a size with decimals is rounded, unless it
    is whole sectors."""
    try:
        size = short(text, None if text.endswith("B") else 1024)
    except ValueError:
        return None
    is_exact = size == int(size) and ("." not in text or size % 512 == 0)
    return int(size) if is_exact and size < 1 << 60 else None


def _clean(number: float) -> float:
    """The number without the last bits of sums and products."""
    return float(f"{number:.12g}")
