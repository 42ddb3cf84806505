"""fio's logs (`write_bw_log`, `write_iops_log`, `write_lat_log`): a series of one quantity.

A line is time in ms, value, direction, block size in bytes; newer versions add offset, priority
and, with log_issue_time, the time of issue (HOWTO, "Log File Formats"; iolog.c flush_samples). The
value is KiB/s, I/Os per second or a latency, of which only the file's name knows; a latency is in
nanoseconds from fio 2.99 on and in microseconds before, which only the run beside it knows.
"""

import re
from pathlib import Path
from typing import Any

import polars as pl

from ingest.errors import InputError

NAME = "fio_log"
DIRECTIONS = ("read", "write", "trim")
_NUMBER = r"([0-9]{1,18})"
_LINE = re.compile(
    rf"{_NUMBER}, ?{_NUMBER}, ?([012]), ?{_NUMBER}(?:, ?{_NUMBER})?(?:, ?(?:0x)?[0-9a-f]+){{0,2}}"
)
_FILE_NAME = re.compile(r".+_(bw|iops|lat|clat|slat)(\.\d+)?\.log")
TABLES: dict[str, dict[str, pl.DataType]] = {
    "fio_log_samples": {
        "elapsed_ms": pl.Int64(),
        "value": pl.Int64(),
        "direction": pl.String(),
        "block_bytes": pl.Int64(),
        "offset_bytes": pl.Int64(),
    },
}


def matches(head: str) -> bool:
    return _LINE.fullmatch(head.splitlines()[0]) is not None


def is_log_name(name: str) -> bool:
    return _FILE_NAME.fullmatch(name) is not None


def source_key(path: Path) -> None:
    return None


def parse(path: Path, data: bytes) -> dict[str, list[tuple[Any, ...]]]:
    """Read the samples of a log. What they are of, its name says: staging takes that from the path,
    since logs of the same content are different logs.

    Raises:
        InputError: the name does not say which quantity it is, or a line is none of a log.
    """
    if not is_log_name(path.name):
        known = "_bw.log, _iops.log, _lat.log, _clat.log or _slat.log, with .<job> before .log"
        raise InputError(path, f"looks like a log of fio, but its name does not end in {known}")
    if data and not data.endswith(b"\n"):
        raise InputError(path, "ends within a line: a torn file", line=data.count(b"\n") + 1)
    return {"fio_log_samples": _samples(path, data)}


def _samples(path: Path, data: bytes) -> list[tuple[Any, ...]]:
    samples = []
    for number, line in enumerate(data.decode(errors="replace").splitlines(), start=1):
        match = _LINE.fullmatch(line)
        if match is None:
            reason = f"{line[:80]!r} is no line of a fio log: time, value, direction, block, ..."
            raise InputError(path, f"{reason}; a torn file?", line=number)
        elapsed, value, direction, block, offset = match.groups()
        offset_bytes = None if offset is None else int(offset)
        samples.append(
            (int(elapsed), int(value), DIRECTIONS[int(direction)], int(block), offset_bytes)
        )
    return samples
