"""fio's logs (`write_bw_log`, `write_iops_log`, `write_lat_log`): a series of one quantity; and its
histogram logs (`write_hist_log`), which count completion latencies over each interval.

A line is time in ms, value, direction, block size in bytes; newer versions add offset, priority
and, with log_issue_time, the time of issue (HOWTO, "Log File Formats"; iolog.c flush_samples). The
value is KiB/s, I/Os per second or a latency: only the file's name tells which. A latency is in
nanoseconds from fio 2.99 on and in microseconds before: only the run beside the log tells which.

A line of a histogram log is time, direction, block size, then a count for each bin of fio's
histogram (stat.c plat_idx_to_val), or for each 2^log_hist_coarseness adjacent bins (iolog.c
flush_hist_samples). The number of counts gives the coarseness and the unit: with nanoseconds fio
has more groups of 64 bins.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars as pl

from ingest.common.errors import InputError
from ingest.parsers.fio.bins import lower_edge

NAME = "fio_log"
VERSION = 3
_BLOCK_BYTES = 8 << 20
_SMALL_BYTES = 64 << 10  # a frame takes the time of a hundred lines
_NO_LINE = "is not a line of a fio log: time, value, direction, block, ..."
_NUMBER = r"([0-9]{1,18})"
_LINE = re.compile(
    rf"{_NUMBER}, ?{_NUMBER}, ?([012]), ?{_NUMBER}(?:, ?{_NUMBER})?(?:, ?(?:0x)?[0-9a-f]+){{0,2}}"
)
_WHOLE_LINE = f"^(?:{_LINE.pattern})$"
_FILE_NAME = re.compile(r".+_(bw|iops|lat|clat|slat|clat_hist)(\.\d+)?\.log")
_HISTOGRAM_START = re.compile(rf"{_NUMBER}, ?[012], ?{_NUMBER}(?:, ?[0-9]{{1,20}}){{16}}")
DIRECTIONS = ("read", "write", "trim")
_HISTOGRAM_LINE = re.compile(rf"{_NUMBER}, ?([012]), ?{_NUMBER}((?:, ?{_NUMBER}){{19,}})")
_BINS = {"ns": 29 * 64, "us": 19 * 64}  # stat.h FIO_IO_U_PLAT_GROUP_NR, from 2.99 on and before
_STRIDES = {
    bins >> coarseness: (unit, 1 << coarseness)
    for unit, bins in _BINS.items()
    for coarseness in range(7)
}
TABLES: dict[str, dict[str, pl.DataType]] = {
    "fio_log_samples": {
        "elapsed_ms": pl.Int64(),
        "value": pl.Int64(),
        "direction": pl.String(),
        "block_bytes": pl.Int64(),
        "offset_bytes": pl.Int64(),
    },
    "fio_histogram_samples": {
        "elapsed_ms": pl.Int64(),
        "direction": pl.String(),
        "block_bytes": pl.Int64(),
        "latency_unit": pl.String(),
        "bin_lower_latencies": pl.List(pl.Int64()),
        "bin_upper_latencies": pl.List(pl.Int64()),
        "bin_counts": pl.List(pl.Int64()),
    },
}


def matches(head: str) -> bool:
    if not head[:1].isdigit():
        return False
    line = head.splitlines()[0]
    return _LINE.fullmatch(line) is not None or _HISTOGRAM_START.match(line) is not None


def is_log_name(name: str) -> bool:
    """Whether a file is a log by its name; an empty log has no line to identify it."""
    return _FILE_NAME.fullmatch(name) is not None


def parse(path: Path, data: bytes) -> dict[str, list[tuple[Any, ...]] | pl.DataFrame]:
    """Read the samples of a log. Only its name tells their quantity; staging takes it from the
    path, since equal contents may be different logs.

    Raises:
        InputError: the name does not tell the quantity, or a line is not a log's.
    """
    name = _FILE_NAME.fullmatch(path.name)
    if name is None:
        known = "_bw.log, _iops.log, _lat.log, _clat.log, _slat.log or _clat_hist.log"
        reason = "looks like a fio log, but its name does not end in"
        raise InputError(path, f"{reason} {known}, with .<job> before .log")
    if data and not data.endswith(b"\n"):
        raise InputError(path, "ends inside a line: truncated file", line=data.count(b"\n") + 1)
    is_histogram = name[1] == "clat_hist"
    read = _histogram if is_histogram else _sample
    rows: list[tuple[Any, ...]] = []
    frames: list[pl.DataFrame] = []
    first_line = 1
    for block in _blocks(data):
        lines = block.decode(errors="replace").splitlines()
        if is_histogram or len(data) <= _SMALL_BYTES:
            rows += _by_line(path, lines, first_line, read)
        else:
            frames.append(_samples(path, lines, first_line))
        first_line += len(lines)
    if not is_histogram:
        _require_equal_columns(path, data)
    table = "fio_histogram_samples" if is_histogram else "fio_log_samples"
    return {name: [] for name in TABLES} | {table: pl.concat(frames) if frames else rows}


def _blocks(data: bytes) -> Iterator[bytes]:
    """Whole lines, some MiB at once: a log may have ten million of them."""
    at = 0
    while at < len(data):
        end = data.find(b"\n", at + _BLOCK_BYTES) + 1 or len(data)
        yield data[at:end]
        at = end


def _require_equal_columns(path: Path, data: bytes) -> None:
    """Two joined lines would pass for one with more columns and a huge block."""
    count = data[: data.find(b"\n")].count(b",")
    if data.count(b",") != count * data.count(b"\n"):
        for number, line in enumerate(data.decode(errors="replace").splitlines(), start=1):
            if line.count(",") != count:
                reason = f"has {line.count(',') + 1} columns, line 1 has {count + 1}"
                raise _not_read(path, line, number, ValueError(reason))


def _samples(path: Path, lines: list[str], first_line: int) -> pl.DataFrame:
    texts = pl.DataFrame({"line": lines}).select(pl.col("line").str.extract_groups(_WHOLE_LINE))
    cells = texts.unnest("line")
    is_none = cells.to_series().is_null()
    if is_none.any():
        number = is_none.arg_max() or 0
        raise _not_read(path, lines[number], first_line + number, ValueError(_NO_LINE))
    numbers = dict(zip(TABLES["fio_log_samples"], cells.cast(pl.Int64()), strict=True))
    names = pl.Series(DIRECTIONS)
    return pl.DataFrame(numbers | {"direction": names.gather(numbers["direction"])})


def _by_line(
    path: Path, lines: list[str], first_line: int, read: Callable[[str], tuple[Any, ...]]
) -> Iterator[tuple[Any, ...]]:
    for number, line in enumerate(lines, start=first_line):
        try:
            yield read(line)
        except ValueError as error:
            raise _not_read(path, line, number, error) from error


def _not_read(path: Path, line: str, number: int, error: ValueError) -> InputError:
    return InputError(path, f"{line[:80]!r} {error}; truncated file?", line=number)


def _sample(line: str) -> tuple[Any, ...]:
    match = _LINE.fullmatch(line)
    if match is None:
        raise ValueError(_NO_LINE)
    elapsed, value, direction, block, offset = match.groups()
    offset_bytes = None if offset is None else int(offset)
    return int(elapsed), int(value), DIRECTIONS[int(direction)], int(block), offset_bytes


def _histogram(line: str) -> tuple[Any, ...]:
    """A line's non-empty bins: their lower and upper latencies, and their counts of I/Os."""
    match = _HISTOGRAM_LINE.fullmatch(line)
    if match is None:
        raise ValueError("is not a line of a histogram log: time, direction, block, count, ...")
    elapsed, direction, block, text, _ = match.groups()
    counts = [int(count) for count in text.split(",")[1:]]
    if len(counts) not in _STRIDES:
        raise ValueError(f"has {len(counts)} bins; fio writes {', '.join(map(str, _STRIDES))}")
    unit, stride = _STRIDES[len(counts)]
    filled = [index for index, count in enumerate(counts) if count]
    lower = [lower_edge(index * stride) for index in filled]
    upper = [lower_edge((index + 1) * stride) for index in filled]
    bins = (lower, upper, [counts[index] for index in filled])
    return int(elapsed), DIRECTIONS[int(direction)], int(block), unit, *bins
