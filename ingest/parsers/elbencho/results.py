"""A phase of elbencho as a result, from the cells of its CSV's columns, names in lower case.

MiB/s are of 2^20 bytes and, like all of elbencho's numbers, truncated to whole numbers. In a mix
the main columns are the writes and the 'rwmix read' columns the reads. Before 2.0.7 the main
columns were all I/Os and the reads a part of them (LocalWorker.cpp, `atomicLiveOps`); from then on
the reads have their own latency, which distinguishes the versions.
"""

import math
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from ingest.parsers.elbencho import options
from ingest.parsers.elbencho.options import Options
from ingest.parsers.generic import Result
from ingest.parsers.values import ratio, scaled, weighted_mean

Cells = Mapping[str, str]
READ_LATENCY = "rwmix read io lat us [avg]"
MEBIBYTE = 1 << 20
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WHOLE = re.compile(r"[0-9]{1,18}")
_LOAD = re.compile(r"(READ|WRITE|RWMIX([0-9]{1,3})|MIX-T([0-9]{1,9}))((?:\+[sr])*)")
_INLINE = {"s": "statinline", "r": "readinline"}
_MIXES = ("", "rwmix read ")
_LONG_RUN_MS = 3_600_000  # from an hour on, the text has whole seconds
_LONGEST_TARGET = 200


class Sides(NamedTuple):
    """A quantity of all I/Os, the reads and the writes."""

    all: int | None
    read: int | None
    write: int | None


def is_load(operation: str) -> bool:
    """Whether it reads or writes data of storage."""
    return _LOAD.fullmatch(operation) is not None


def damaged(line: int, operation: str, reason: object) -> Result:
    """A placeholder for an unreadable result; other results of the file are kept."""
    return Result(
        position=f"line {line} {operation}".rstrip(),
        tool_name="elbencho",
        fault=f"line {line}: {reason}: use the file as elbencho wrote it",
    )


def whole(cells: Cells, name: str) -> int | None:
    """Raises ValueError."""
    text = cells.get(name, "").strip()
    if text and not _WHOLE.fullmatch(text):
        raise ValueError(f"{name} is {text[:80]!r}, not a whole number")
    return int(text) if text else None


def read_result(
    cells: Cells,
    given: Options,
    line: int,
    precedence: int,
    percentiles: Sequence[tuple[float, float]] = (),
) -> Result | None:
    """None if the operation has no throughput. `percentiles` are of ratios, in microseconds.

    Raises:
        ValueError: a cell is damaged.
    """
    if not is_load(cells["operation"]):
        return None
    if not any(cells.get(f"{mix}{unit} [last]") for mix in _MIXES for unit in ("mib/s", "mb/s")):
        if any(cells.get(f"{mix}iops [last]") for mix in _MIXES):
            raise ValueError("has IOPS and no throughput: cut")
        return None
    iops, rate = _sides(cells, "iops", "first"), _bytes_per_second(cells, "first")
    path_type, target = cells.get("path type", ""), given.get("", "")
    # The number of files in directories follows from several options.
    file_count = whole(cells, "paths") if path_type in ("file", "blockdev") else None
    return Result(
        position=_position(cells, line),
        tool_name="elbencho",
        tool_version=cells.get("version") or None,
        measured_at_ms=instant_ms(cells.get("iso date", "")),
        run_key=_run_key(cells),
        precedence=precedence,
        target=target if 0 < len(target) <= _LONGEST_TARGET else None,
        random_ratio=scaled(_flag(cells, "random")),
        read_ratio=_read_ratio(cells, iops),
        block_bytes=whole(cells, "block size") or None,
        outstanding_io_count=_product(cells, "threads", "hosts", "io depth"),
        worker_count=_product(cells, "threads", "hosts"),
        io_engine=options.io_engine(given, path_type, whole(cells, "io depth")),
        is_direct=_flag(cells, "direct io"),
        file_size_bytes=whole(cells, "file size") or None,
        file_count=file_count or None,
        requested_runtime_seconds=options.time_limit(given),
        rate_limit=options.rate_limit(given),
        condition=_condition(cells, given),
        runtime_seconds=scaled(whole(cells, "time ms [first]"), 0.001),
        iops=scaled(iops.all),
        read_iops=scaled(iops.read),
        write_iops=scaled(iops.write),
        bytes_per_second=scaled(rate.all),
        read_bytes_per_second=scaled(rate.read),
        write_bytes_per_second=scaled(rate.write),
        latency_mean_us=_mean_latency(cells) or None,
        latency_min_us=min(_latencies(cells, "min"), default=None),
        latency_max_us=max(_latencies(cells, "max"), default=None),
        percentile_ratios=[ratio for ratio, _ in percentiles] or None,
        percentile_latencies_us=[us for _, us in percentiles] or None,
        io_count=_sides(cells, "i/os", "first").all,
        cpu_ratio=ratio(whole(cells, "cpu% [first]")),
        fault=_fault(cells),
        note=_note(cells),
    )


def _sides(cells: Cells, what: str, done: str) -> Sides:
    main, read = (whole(cells, f"{mix}{what} [{done}]") for mix in _MIXES)
    operation = cells["operation"]
    if operation.startswith("READ"):
        return Sides(main, main, None)
    if operation.startswith("WRITE"):
        return Sides(main, None, main)
    if main is None and read is None:
        return Sides(None, None, None)
    if READ_LATENCY in cells:  # a direction without I/Os is blank
        return Sides((main or 0) + (read or 0), read or 0, main or 0)
    return Sides(main, read, None if main is None or read is None else max(main - read, 0))


def _bytes_per_second(cells: Cells, done: str) -> Sides:
    """A rate below 1 MiB/s is printed as 0: not reported."""
    is_decimal = any(f"{mix}mb/s [{done}]" in cells for mix in _MIXES)
    unit, size = ("mb/s", 10**6) if is_decimal else ("mib/s", MEBIBYTE)
    return Sides(*(rate * size if rate else None for rate in _sides(cells, unit, done)))


def _latencies(cells: Cells, name: str) -> list[float]:
    """The latencies of the writes and of the reads, or of all I/Os."""
    found = (scaled(whole(cells, f"{mix}io lat us [{name}]")) for mix in _MIXES)
    return [one for one in found if one is not None]


def _mean_latency(cells: Cells) -> float | None:
    means = _latencies(cells, "avg")
    if len(means) < 2:
        return means[0] if means else None
    iops = _sides(cells, "iops", "last")
    mean = weighted_mean(means, [iops.write, iops.read])
    return None if mean is None else float(round(mean))


def _read_ratio(cells: Cells, iops: Sides) -> float | None:
    """RWMIX70 names the ratio; separate readers (MIX-T4) have the ratio that they reached."""
    named = named_read_ratio(cells["operation"])
    if named is not None or not iops.all or iops.read is None:
        return named
    return iops.read / iops.all


def named_read_ratio(operation: str) -> float | None:
    if operation.startswith(("READ", "WRITE")):
        return float(operation.startswith("READ"))
    mix = _LOAD.fullmatch(operation)
    return ratio(int(mix[2])) if mix and mix[2] else None


def _condition(cells: Cells, given: Options) -> str | None:
    found = options.conditions(given)
    if mix := _LOAD.fullmatch(cells["operation"]):
        found += [f"{mix[3]} reader threads per host"] if mix[3] else []
        found += [_INLINE[one] for one in mix[4] if one != "+" and _INLINE[one] not in found]
    if cells.get("path type") == "dir":
        found.append("files in directories")
    if whole(cells, "random aligned") == 0:
        found.append("random offsets not aligned")
    return ", ".join(found) or None


def _position(cells: Cells, line: int) -> str:
    names = {"block": "block size", "threads": "threads", "depth": "io depth", "random": "random"}
    load = [f"{short}={cells[name]}" for short, name in names.items() if cells.get(name)]
    return " ".join([f"line {line}", *label_words(cells.get("label")), cells["operation"], *load])


def label_words(label: str | None) -> list[str]:
    return [f"label={label[:80]}"] if label else []


def _run_key(cells: Cells) -> str | None:
    """The values that CSV, text and console share: times to the millisecond and the data moved.
    Their dates differ: the CSV has the phase's, the text that of the whole command.
    """
    times, moved = [], []
    for done in ("first", "last"):
        ms = whole(cells, f"time ms [{done}]")
        if ms is None:
            return None
        times.append(f"{ms // 1000} s" if ms >= _LONG_RUN_MS else f"{ms} ms")
        moved.append(f"{_moved_mebibytes(cells, done)} MiB")
    return " ".join([cells["operation"], *times, *moved])


def _moved_mebibytes(cells: Cells, done: str) -> int | None:
    main = whole(cells, f"mib [{done}]")
    return whole(cells, f"rwmix read mib [{done}]") if main is None else main


def _fault(cells: Cells) -> str | None:
    """elbencho itself warns of this: its rates of first done are 0 then."""
    if whole(cells, "time ms [first]"):
        return None
    return "the first worker was done within 1 ms: the rates of first done are worth nothing"


def _note(cells: Cells) -> str | None:
    iops, rate = _sides(cells, "iops", "last").all, _bytes_per_second(cells, "last").all
    seconds = scaled(whole(cells, "time ms [last]"), 0.001)
    rates = [] if iops is None else [f"{iops} IOPS"]
    rates += [f"{rate} bytes/s"] if rate else []
    return f"last done: {', '.join(rates)} after {seconds} s" if rates and seconds else None


def instant_ms(text: str) -> int | None:
    """Raises ValueError."""
    if not text.strip():
        return None
    try:
        time = datetime.fromisoformat(text.strip())
    except ValueError:
        raise ValueError(f"ISO date is {text[:80]!r}, not a date and time") from None
    aware = time if time.tzinfo else time.replace(tzinfo=UTC)
    return (aware - _EPOCH) // timedelta(milliseconds=1)


def _product(cells: Cells, *names: str) -> int | None:
    product = math.prod(whole(cells, name) or 0 for name in names)
    if product >= 1 << 63:
        raise ValueError(f"{' x '.join(names)} is {product}, which no load has")
    return product or None


def _flag(cells: Cells, name: str) -> bool | None:
    flag = whole(cells, name)
    return bool(flag) if flag in (0, 1) else None
