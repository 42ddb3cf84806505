"""What the text and the XML of a timespan have in common."""

import datetime
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

_STAMP = re.compile(r"[0-9]{4}/[0-9]{1,2}/[0-9]{1,2} [0-9]{2}:[0-9]{2}:[0-9]{2} UTC")
_WHOLE = re.compile(r"[0-9]{1,18}")
_DECIMAL = re.compile(r"[0-9]{1,18}\.[0-9]{2,3}")
# 0 I/Os have no latency; C++ prints their mean in these ways.
_NO_NUMBERS = ("N/A", "nan", "-nan", "-nan(ind)", "nan(ind)", "-1.#IND", "1.#QNAN", "1.#INF", "inf")
_ROUNDING = 0.0051
_LEAST_OF_DURATION = 0.95
PORTS, ROUTINES, MAPPED = "I/O completion ports", "completion routines", "memory mapped"
SYNCHRONOUS = "synchronous"
INTERRUPTED = "the test was interrupted before the measurements began"


@dataclass
class Measured:
    """A timespan: the fields of its Result, and its intervals."""

    fields: dict[str, Any]
    line: int
    samples: list[dict[str, float]] = field(default_factory=list)
    is_unread: bool = False


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
    conditions: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Profile:
    """A timespan as asked for. `pool_depth` is that of a pool of threads with one queue each for
    all targets (-F and -O); with a pool each thread works on each target."""

    duration_seconds: int | None
    warmup_seconds: int | None
    has_pool: bool
    pool_depth: int | None
    targets: list[Target]


# The fields of targets that may differ, as a condition names them.
_WORDS = {
    "block_bytes": "block size", "write_percent": "read share", "random_percent": "random share",
    "depth": "queue depth", "is_direct": "caching", "engine": "engine", "rate_limit": "rate limit",
    "conditions": "other settings",
}  # fmt: skip


def profile_fields(profile: Profile, thread_count: int | None, pairs: int) -> dict[str, Any]:
    """The load of all targets; `pairs` is the number of targets of each thread, added up."""
    same = {name: _common(getattr(one, name) for one in profile.targets) for name in _WORDS}
    words = [*(same["conditions"] or ()), *_differences(profile.targets)]
    depth = _depth(profile, thread_count, pairs)
    is_single = depth is not None and depth == thread_count
    paths = dict.fromkeys(one.path for one in profile.targets if one.path)
    write = same["write_percent"]
    return {
        "target": ", ".join(paths) or None,
        "file_count": len(paths) or None,
        "random_ratio": _ratio(same["random_percent"]),
        "read_ratio": None if write is None else _ratio(100 - write),
        "block_bytes": same["block_bytes"],
        "outstanding_io_count": depth,
        "worker_count": thread_count,
        # IORequestGenerator.cpp: a thread with one I/O waits for it.
        "io_engine": SYNCHRONOUS if is_single and same["engine"] != MAPPED else same["engine"],
        "is_direct": same["is_direct"],
        "requested_runtime_seconds": _seconds(profile.duration_seconds),
        "ramp_seconds": _seconds(profile.warmup_seconds),
        "rate_limit": same["rate_limit"],
        "condition": ", ".join(words) or None,
        "note": _contradiction(profile, thread_count),
    }


def _common(values: Iterable[Any]) -> Any:
    found = set(values)
    return found.pop() if len(found) == 1 else None


def _seconds(count: int | None) -> float | None:
    return None if count is None else float(count)


def _ratio(percent: int | None) -> float | None:
    return None if percent is None or not 0 <= percent <= 100 else percent / 100


def _differences(targets: list[Target]) -> Iterator[str]:
    names = [
        word for name, word in _WORDS.items() if len({getattr(one, name) for one in targets}) > 1
    ]
    if names:
        yield f"targets differ in {' and '.join(names)}"


def _depth(profile: Profile, thread_count: int | None, pairs: int) -> int | None:
    """The queue depth is per thread and target; a thread outside a pool has one target."""
    depths = [one.depth for one in profile.targets if one.depth is not None]
    if thread_count and profile.has_pool and profile.pool_depth:
        return thread_count * profile.pool_depth
    if not thread_count or not depths or len(depths) < len(profile.targets):
        return None
    if profile.has_pool:  # unless a profile gives targets threads of their own
        return thread_count * sum(depths) if pairs == thread_count * len(depths) else None
    if len(set(depths)) == 1:
        return thread_count * depths[0]
    is_sound = asked_threads(profile) == thread_count
    return (
        sum((t.depth or 0) * (t.thread_count or 0) for t in profile.targets) if is_sound else None
    )


def asked_threads(profile: Profile) -> int | None:
    counts = [one.thread_count for one in profile.targets if one.thread_count is not None]
    return sum(counts) if len(counts) == len(profile.targets) and not profile.has_pool else None


def _contradiction(profile: Profile, thread_count: int | None) -> str | None:
    asked = asked_threads(profile)
    if asked is None or thread_count in (asked, None):
        return None
    return f"{thread_count} threads ran, where the profile has {asked}: queue depth by the former"


def conditions(**found: Any) -> tuple[str, ...]:
    """What else sets the load of a target apart: the settings that are not DiskSpd's defaults."""
    written = found["write_percent"] != 0
    spacing, block = found["spacing_bytes"], found["block_bytes"]
    return tuple(
        words
        for words, holds in (
            (f"think time {found['think_ms']} ms", found["think_ms"]),
            (f"burst size {found['burst']}", found["think_ms"] and found["burst"]),
            ("remote cache", found["has_remote_cache"]),
            ("write-through", found["is_write_through"] and written),
            (f"writes {found['written']}", found["written"] and written),
            ("interlocked sequential", found["is_interlocked"]),
            (f"offsets at multiples of {spacing} bytes", spacing and block and spacing != block),
            (f"thread stride {found['thread_stride']} bytes", found["thread_stride"]),
            (f"from byte {found['first_byte']}", found["first_byte"]),
            (f"up to byte {found['last_byte']}", found["last_byte"]),
            ("uneven distribution of offsets", found["has_distribution"]),
            (f"I/O priority {found['priority']}", found["priority"]),
        )
        if holds
    )


def limit(printed: str | int, unit: str) -> str:
    return f"{printed} {unit} per thread and target"


def rates(totals: dict[str, tuple[int, int, float]]) -> dict[str, Any]:
    """From bytes, I/Os and IOPS of total, read and write."""
    fields: dict[str, Any] = {}
    for name, (byte_count, io_count, iops) in totals.items():
        prefix = "" if name == "total" else f"{name}_"
        fields[f"{prefix}iops"] = iops
        mean_bytes = byte_count / io_count if io_count else 0
        fields[f"{prefix}bytes_per_second"] = mean_bytes * iops
    fields["io_count"] = totals["total"][1]
    return fields


def latencies(printed: Iterable[tuple[float, float]]) -> dict[str, Any]:
    """From ratios and milliseconds; ratio 0 is the minimum, 1 the maximum."""
    by_ratio = dict(printed)
    inner = {ratio: ms for ratio, ms in by_ratio.items() if 0 < ratio < 1}
    fields = {"latency_min_us": by_ratio.get(0), "latency_max_us": by_ratio.get(1)}
    return {name: micros(ms) for name, ms in fields.items()} | {
        "percentile_ratios": [*inner] or None,
        "percentile_latencies_us": [micros(ms) for ms in inner.values()] or None,
    }


def micros(milliseconds: float | None) -> float | None:
    return None if milliseconds is None else round(milliseconds * 1000, 3)


def fault_of(fields: dict[str, Any]) -> str | None:
    asked, runtime = fields["requested_runtime_seconds"], fields["runtime_seconds"]
    if not fields["io_count"]:
        return "no I/O was done"
    if asked and runtime < asked * _LEAST_OF_DURATION:
        return f"the test was stopped after {runtime:g} of {asked:g} s"
    return None


def refuse_other_rate(name: str, rate: float | None, count: float, seconds: float | None) -> None:
    """A rate is a count over the time, both rounded to two decimals; what is not was changed."""
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


def percent_ratio(printed: str) -> float | None:
    """A processor's use; differences of clocks may leave 0 to 100 % by a little."""
    value = float(printed) / 100 if _DECIMAL.fullmatch(printed) else -1
    return round(value, 6) if 0 <= value <= 1 else None


def started_ms(printed: str) -> int | None:
    if not (found := _STAMP.search(printed)):
        return None
    try:
        started = datetime.datetime.strptime(found[0], "%Y/%m/%d %H:%M:%S UTC")
    except ValueError:
        return None
    return int(started.replace(tzinfo=datetime.UTC).timestamp()) * 1000


def refuse_huge(fields: dict[str, Any]) -> None:
    for name, value in fields.items():
        if isinstance(value, int) and value >= 1 << 63:
            raise ValueError(f"{name} {value} is impossible")
