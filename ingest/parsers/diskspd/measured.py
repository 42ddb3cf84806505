"""The code that DiskSpd's text and XML share: a timespan's load, rates and latencies."""

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from ingest.parsers.values import common, known, ratio, scaled, time_ms, total

_WHOLE = re.compile(r"[0-9]{1,18}")
_DECIMAL = re.compile(r"[0-9]{1,18}\.[0-9]{2,3}")
# Without I/Os there is no latency; C++ prints the mean in these ways.
_NO_NUMBERS = ("N/A", "nan", "-nan", "-nan(ind)", "nan(ind)", "-1.#IND", "1.#QNAN", "1.#INF", "inf")
_ROUNDING = 0.0051
_LEAST_OF_DURATION = 0.95
PORTS, ROUTINES, MAPPED = "I/O completion ports", "completion routines", "memory mapped"
_SYNCHRONOUS = "synchronous"
LIMIT = "{} {} per thread and target"
INTERRUPTED = "the test was interrupted before the measurements began"

Fields = dict[str, Any]
"""Fields of a Result."""


@dataclass
class Measured:
    """A timespan: the fields of its Result, and its intervals."""

    fields: Fields
    line: int
    samples: list[dict[str, float]] = field(default_factory=list)
    is_unread: bool = False


class Damage(ValueError):
    """Damage in a line of a timespan, counted from the timespan's first line."""

    def __init__(self, reason: object, line: int) -> None:
        self.line = line
        super().__init__(reason)


@dataclass(frozen=True, kw_only=True)
class Target:
    """A target and the load that each of its threads puts on it; None is not reported."""

    path: str | None
    block_bytes: int | None
    write_percent: int | None
    random_percent: int | None
    depth: int | None
    thread_count: int | None
    is_direct: bool | None
    engine: str | None
    rate_limit: str | None
    think_ms: int | None
    burst: int | None
    has_remote_cache: bool
    is_write_through: bool
    written: str | None
    is_interlocked: bool
    spacing_bytes: int | None
    thread_stride: int | None
    first_byte: int | None
    last_byte: int | None
    has_distribution: bool
    priority: str | None

    @property
    def conditions(self) -> tuple[str, ...]:
        """The other settings of its load that are not DiskSpd's defaults."""
        has_writes = self.write_percent != 0
        spacing, block = self.spacing_bytes, self.block_bytes
        return tuple(
            words
            for words, holds in (
                (f"think time {self.think_ms} ms", self.think_ms),
                (f"burst size {self.burst}", self.think_ms and self.burst),
                ("remote cache", self.has_remote_cache),
                ("write-through", self.is_write_through and has_writes),
                (f"writes {self.written}", self.written and has_writes),
                ("interlocked sequential", self.is_interlocked),
                (
                    f"offsets at multiples of {spacing} bytes",
                    spacing and block and spacing != block,
                ),
                (f"thread stride {self.thread_stride} bytes", self.thread_stride),
                (f"from byte {self.first_byte}", self.first_byte),
                (f"up to byte {self.last_byte}", self.last_byte),
                ("uneven distribution of offsets", self.has_distribution),
                (f"I/O priority {self.priority}", self.priority),
            )
            if holds
        )


@dataclass(frozen=True, kw_only=True)
class Profile:
    """A requested timespan. `pool_depth` is the depth of each pool thread's one queue for all
    targets (-F and -O); with a pool each thread works on each target."""

    duration_seconds: int | None = None
    warmup_seconds: int | None = None
    has_pool: bool = False
    pool_depth: int | None = None
    targets: tuple[Target, ...] = ()

    @property
    def thread_count(self) -> int | None:
        return None if self.has_pool else total(one.thread_count for one in self.targets)


# The fields of targets that may differ, as a condition names them.
_WORDS = {
    "block_bytes": "block size", "write_percent": "read share", "random_percent": "random share",
    "depth": "queue depth", "is_direct": "caching", "engine": "engine", "rate_limit": "rate limit",
    "conditions": "other settings",
}  # fmt: skip


def timespan(number: int, line: int, fields: Fields, read: Callable[[], Fields]) -> Measured:
    """Read the timespan that begins in this line; damage affects no other timespan."""
    fields = fields | {"position": f"timespan {number}"}
    try:
        found = fields | read()
        _refuse_huge(found)
    except ValueError as error:
        line += getattr(error, "line", 0)
        return Measured(fields | {"fault": f"timespan {number}: {error}"}, line, is_unread=True)
    samples = found.pop("samples", [])
    return Measured(found, line, samples)


def _refuse_huge(fields: Fields) -> None:
    for name, value in fields.items():
        if isinstance(value, int) and value >= 1 << 63:
            raise ValueError(f"{name} {value} is impossible")


def load(profile: Profile, thread_count: int | None, pairs: int) -> Fields:
    """The load of all targets; `pairs` is the number of pairs of a thread and a target."""
    found = {name: {getattr(one, name) for one in profile.targets} for name in _WORDS}
    same = {name: common(values) for name, values in found.items()}
    conditions = [*(same["conditions"] or ())]
    if differing := [_WORDS[name] for name, values in found.items() if len(values) > 1]:
        conditions.append(f"targets differ in {' and '.join(differing)}")
    depth = _depth(profile, thread_count, pairs)
    is_single = depth is not None and depth == thread_count
    paths = dict.fromkeys(one.path for one in profile.targets if one.path)
    write, asked = same["write_percent"], profile.thread_count
    note = f"{thread_count} threads ran, where the profile has {asked}: queue depth by the former"
    return {
        "target": ", ".join(paths) or None,
        "file_count": len(paths) or None,
        "random_ratio": ratio(same["random_percent"]),
        "read_ratio": None if write is None else ratio(100 - write),
        "block_bytes": same["block_bytes"],
        "outstanding_io_count": depth,
        "worker_count": thread_count,
        # IORequestGenerator.cpp: a thread with one I/O waits for it.
        "io_engine": _SYNCHRONOUS if is_single and same["engine"] != MAPPED else same["engine"],
        "is_direct": same["is_direct"],
        "requested_runtime_seconds": scaled(profile.duration_seconds),
        "ramp_seconds": scaled(profile.warmup_seconds),
        "rate_limit": same["rate_limit"],
        "condition": ", ".join(conditions) or None,
        "note": None if None in (asked, thread_count) or asked == thread_count else note,
    }


def _depth(profile: Profile, thread_count: int | None, pairs: int) -> int | None:
    """The queue depth is per thread and target; a thread outside a pool has one target."""
    if thread_count and profile.has_pool and profile.pool_depth:
        return thread_count * profile.pool_depth
    depths = known(one.depth for one in profile.targets)
    if not thread_count or not depths:
        return None
    if profile.has_pool:  # unless a profile gives targets threads of their own
        return thread_count * sum(depths) if pairs == thread_count * len(depths) else None
    if len(set(depths)) == 1:
        return thread_count * depths[0]
    counts = known(one.thread_count for one in profile.targets)
    if sum(counts) != thread_count:
        return None
    return sum(depth * count for depth, count in zip(depths, counts, strict=True))


def rates(totals: dict[str, tuple[int, int, float]]) -> Fields:
    """The rate fields, from bytes, I/Os and IOPS of total, read and write."""
    fields: Fields = {"io_count": totals["total"][1]}
    for name, (byte_count, io_count, iops) in totals.items():
        prefix = "" if name == "total" else f"{name}_"
        fields[f"{prefix}iops"] = iops
        fields[f"{prefix}bytes_per_second"] = (byte_count / io_count if io_count else 0) * iops
    return fields


def latencies(mean_ms: float | None, distribution: Iterable[tuple[float, float]]) -> Fields:
    """The latency fields, from milliseconds by ratio: 0 is the minimum, 1 the maximum."""
    by_ratio = {ratio: scaled(ms, 1000) for ratio, ms in distribution}
    fields = {
        "latency_mean_us": scaled(mean_ms, 1000),
        "latency_min_us": by_ratio.pop(0, None),
        "latency_max_us": by_ratio.pop(1, None),
    }
    return fields | {
        "percentile_ratios": [*by_ratio] or None,
        "percentile_latencies_us": [*by_ratio.values()] or None,
    }


def fault_of(fields: Fields) -> str | None:
    asked, runtime = fields["requested_runtime_seconds"], fields["runtime_seconds"]
    if not fields["io_count"]:
        return "no I/O was done"
    if asked and runtime < asked * _LEAST_OF_DURATION:
        return f"the test was stopped after {runtime:g} of {asked:g} s"
    return None


def refuse_other_rate(name: str, rate: float | None, count: float, seconds: float | None) -> None:
    """A rate is a count over the time, both rounded to two decimals; any other was changed."""
    if rate is None or seconds is None:
        raise ValueError(f"{name} or the actual test time is not a number")
    least = count / (seconds + _ROUNDING) - _ROUNDING
    most = count / (seconds - _ROUNDING) + _ROUNDING if seconds > _ROUNDING else math.inf
    if not least <= rate <= most:
        raise ValueError(f"{name} {rate:g} is not {count:g} over {seconds:g} s: changed or damaged")


def whole(printed: str) -> int:
    if not _WHOLE.fullmatch(printed.strip()):
        raise ValueError(f"{printed.strip()[:40]!r} is no whole number")
    return int(printed)


def decimal(printed: str) -> float | None:
    """DiskSpd always prints `.` and two or three decimals: anything else is cut off or damaged."""
    printed = printed.strip()
    if printed in _NO_NUMBERS:
        return None
    if not _DECIMAL.fullmatch(printed):
        raise ValueError(f"{printed[:40]!r} is no number with decimals after a point")
    return float(printed)


def cpu_ratio(printed: str) -> float | None:
    """None outside 0 to 100 %, which differences of clocks may exceed by a little."""
    return ratio(float(printed)) if _DECIMAL.fullmatch(printed) else None


def started_ms(printed: str) -> int | None:
    return time_ms(printed.strip(), "%Y/%m/%d %H:%M:%S UTC")
