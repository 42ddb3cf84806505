"""A phase of elbencho as a result, from the cells of its CSV's columns, names in lower case.

MiB/s are of 2^20 bytes and, like all of elbencho's numbers, cut to whole ones. In a mix the main
columns are the writes and those of 'rwmix read' the reads. Before 2.0.7 the main columns were all
I/Os and the reads a part of them (LocalWorker.cpp, `atomicLiveOps`); from then on the reads have a
latency of their own, by which the versions are told apart.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from ingest.parsers.elbencho import options
from ingest.parsers.elbencho.options import Options
from ingest.parsers.generic import Result

Cells = Mapping[str, str]
READ_LATENCY = "rwmix read io lat us [avg]"
MEBIBYTE = 1 << 20
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WHOLE = re.compile(r"[0-9]{1,18}")
_LOAD = re.compile(r"(READ|WRITE|RWMIX([0-9]{1,3})|MIX-T([0-9]{1,9}))((?:\+[sr])*)")
_INLINE = {"s": "statinline", "r": "readinline"}
_LONG_RUN_MS = 3_600_000  # from an hour on, the text has whole seconds


class Sides(NamedTuple):
    """A quantity of all I/Os, the reads and the writes."""

    all: int | None
    read: int | None
    write: int | None


def is_load(operation: str) -> bool:
    """Whether it reads or writes data of storage."""
    return _LOAD.fullmatch(operation) is not None


def damaged(line: int, operation: str, reason: str) -> Result:
    """A result that cannot be read; those beside it can."""
    remedy = "use the file as elbencho wrote it"
    return Result(
        position=f"line {line} {operation}".rstrip(),
        tool_name="elbencho",
        fault=f"line {line}: {reason}: {remedy}",
    )


def whole(cells: Cells, name: str) -> int | None:
    """Raises ValueError."""
    text = cells.get(name, "").strip()
    if text and not _WHOLE.fullmatch(text):
        raise ValueError(f"{name} is {text[:80]!r}, not a whole number")
    return int(text) if text else None


def read_result(cells: Cells, command: str, line: int, precedence: int) -> Result | None:
    """None if the operation has no throughput.

    Raises:
        ValueError: a cell is damaged.
    """
    if not is_load(cells["operation"]):
        return None
    if not _has_throughput(cells):
        if cells.get("iops [last]") or cells.get("rwmix read iops [last]"):
            raise ValueError("has IOPS and no throughput: cut")
        return None
    given = options.read_command(command)
    rates, last = _sides(cells, "iops", "first"), _sides(cells, "iops", "last")
    depth, workers = whole(cells, "io depth") or None, _product(cells, "threads", "hosts")
    latency, rate = _latencies(cells, last), _bytes_per_second(cells, "first")
    return Result(
        position=_position(cells, line),
        tool_name="elbencho",
        tool_version=cells.get("version") or None,
        measured_at_ms=instant_ms(cells.get("iso date", "")),
        run_key=_run_key(cells),
        precedence=precedence,
        target=options.target(command),
        random_ratio=_ratio(whole(cells, "random")),
        read_ratio=_read_ratio(cells, rates),
        block_bytes=whole(cells, "block size") or None,
        outstanding_io_count=_product(cells, "threads", "hosts", "io depth"),
        worker_count=workers,
        io_engine=options.io_engine(given, cells.get("path type", "file"), depth),
        is_direct=_flag(whole(cells, "direct io")),
        file_size_bytes=whole(cells, "file size") or None,
        file_count=_file_count(cells),
        requested_runtime_seconds=options.time_limit(given),
        rate_limit=options.rate_limit(given),
        condition=_condition(cells, given),
        runtime_seconds=_seconds(cells, "first"),
        iops=_float(rates.all),
        read_iops=_float(rates.read),
        write_iops=_float(rates.write),
        bytes_per_second=_float(rate.all),
        read_bytes_per_second=_float(rate.read),
        write_bytes_per_second=_float(rate.write),
        latency_mean_us=latency["avg"] or None,
        latency_min_us=latency["min"],
        latency_max_us=latency["max"],
        io_count=_sides(cells, "i/os", "first").all,
        cpu_ratio=_percent(whole(cells, "cpu% [first]")),
        fault=_fault(cells),
        note=_note(cells, last),
    )


def _file_count(cells: Cells) -> int | None:
    """Those in directories are told by several options of the command."""
    is_of_paths = cells.get("path type") in ("file", "blockdev")
    return whole(cells, "paths") or None if is_of_paths else None


def _has_throughput(cells: Cells) -> bool:
    names = [f"{mix}{unit} [last]" for mix in ("", "rwmix read ") for unit in ("mib/s", "mb/s")]
    return any(cells.get(name) for name in names)


def _sides(cells: Cells, what: str, done: str) -> Sides:
    main, read = whole(cells, f"{what} [{done}]"), whole(cells, f"rwmix read {what} [{done}]")
    operation = cells["operation"]
    if operation.startswith("READ"):
        return Sides(main, main, None)
    if operation.startswith("WRITE"):
        return Sides(main, None, main)
    if main is None and read is None:
        return Sides(None, None, None)
    if READ_LATENCY in cells:  # what a direction did not do is blank
        return Sides((main or 0) + (read or 0), read or 0, main or 0)
    return Sides(main, read, None if main is None or read is None else max(main - read, 0))


def _bytes_per_second(cells: Cells, done: str) -> Sides:
    """A rate below 1 MiB/s is printed as 0: not reported."""
    is_decimal = any(f"{mix}mb/s [{done}]" in cells for mix in ("", "rwmix read "))
    unit, size = ("mb/s", 10**6) if is_decimal else ("mib/s", MEBIBYTE)
    return Sides(*(rate * size if rate else None for rate in _sides(cells, unit, done)))


def _latencies(cells: Cells, iops: Sides) -> dict[str, float | None]:
    """Of all I/Os; those of writes and reads are apart, and are weighted by their counts."""
    found: dict[str, float | None] = {}
    for name, combine in (("min", min), ("avg", None), ("max", max)):
        pair = [whole(cells, f"{mix}io lat us [{name}]") for mix in ("", "rwmix read ")]
        write, read = pair
        known = [float(one) for one in pair if one is not None]
        if len(known) < 2 or combine:
            found[name] = (combine or min)(known, default=None)
        elif iops.all and iops.read is not None and iops.write is not None:
            total = (write or 0) * iops.write + (read or 0) * iops.read
            found[name] = float(round(total / iops.all))
        else:
            found[name] = None
    return found


def _read_ratio(cells: Cells, rates: Sides) -> float | None:
    """RWMIX70 says it; that of separate readers (MIX-T4) is what they reached."""
    named = named_read_ratio(cells["operation"])
    if named is not None or not rates.all or rates.read is None:
        return named
    return rates.read / rates.all


def named_read_ratio(operation: str) -> float | None:
    if operation.startswith(("READ", "WRITE")):
        return float(operation.startswith("READ"))
    mix = _LOAD.fullmatch(operation)
    return _percent(int(mix[2])) if mix and mix[2] else None


def _condition(cells: Cells, given: Options) -> str | None:
    found = options.conditions(given)
    mix = _LOAD.fullmatch(cells["operation"])
    if mix and mix[3]:
        found.append(f"{mix[3]} reader threads per host")
    if mix:
        found += [_INLINE[one] for one in mix[4] if one != "+" and _INLINE[one] not in found]
    if cells.get("path type") == "dir":
        found.append("files in directories")
    if whole(cells, "random aligned") == 0:
        found.append("random offsets not aligned")
    return ", ".join(found) or None


def _position(cells: Cells, line: int) -> str:
    label, operation = cells.get("label", "")[:80], cells["operation"]
    names = {"block": "block size", "threads": "threads", "depth": "io depth", "random": "random"}
    load = [f"{short}={cells[name]}" for short, name in names.items() if cells.get(name)]
    return " ".join([f"line {line}", *([f"label={label}"] if label else []), operation, *load])


def _run_key(cells: Cells) -> str | None:
    """What CSV, text and console print alike: times to the millisecond and the data moved. Their
    dates differ: the CSV's is the phase's, the text's that of the whole command.
    """
    times = [whole(cells, f"time ms [{done}]") for done in ("first", "last")]
    if None in times:
        return None
    printed = [f"{ms // 1000} s" if ms and ms >= _LONG_RUN_MS else f"{ms} ms" for ms in times]
    moved = [_moved(cells, done) for done in ("first", "last")]
    return " ".join([cells["operation"], *printed, *(f"{mebibytes} MiB" for mebibytes in moved)])


def _moved(cells: Cells, done: str) -> int | None:
    main = whole(cells, f"mib [{done}]")
    return whole(cells, f"rwmix read mib [{done}]") if main is None else main


def _fault(cells: Cells) -> str | None:
    """elbencho itself warns of this: its rates of first done are 0 then."""
    if whole(cells, "time ms [first]"):
        return None
    return "the first worker was done within 1 ms: the rates of first done are worth nothing"


def _note(cells: Cells, iops: Sides) -> str | None:
    rate, seconds = _bytes_per_second(cells, "last").all, _seconds(cells, "last")
    rates = [] if iops.all is None else [f"{iops.all} IOPS"]
    rates += [f"{rate} bytes/s"] if rate else []
    return f"last done: {', '.join(rates)} after {seconds} s" if rates and seconds else None


def _seconds(cells: Cells, done: str) -> float | None:
    ms = whole(cells, f"time ms [{done}]")
    return None if ms is None else ms / 1000


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
    product = 1
    for name in names:
        product *= whole(cells, name) or 0
    if product >= 1 << 63:
        raise ValueError(f"{' x '.join(names)} is {product}, which no load has")
    return product or None


def _float(number: int | None) -> float | None:
    return None if number is None else float(number)


def _percent(percent: int | None) -> float | None:
    return None if percent is None or percent > 100 else percent / 100


def _ratio(flag: int | None) -> float | None:
    return float(flag) if flag in (0, 1) else None


def _flag(flag: int | None) -> bool | None:
    return bool(flag) if flag in (0, 1) else None
