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
_LINE = re.compile(r"\d+, ?\d+, ?[012], ?\d+(, ?(0x)?[0-9a-f]+){0,3}\r?$")
_FILE_NAME = re.compile(r"(?P<stem>.+)_(?P<quantity>bw|iops|lat|clat|slat)(\.(?P<job>\d+))?\.log$")
_COLUMNS = ("elapsed_ms", "value", "direction", "block_bytes", "offset", "priority", "issued")
TABLES: dict[str, dict[str, pl.DataType]] = {
    "fio_logs": {
        "quantity": pl.String(),
        "stem": pl.String(),
        "job_number": pl.Int64(),
        "sample_count": pl.Int64(),
    },
    "fio_log_samples": {
        "elapsed_ms": pl.Int64(),
        "value": pl.Int64(),
        "direction": pl.String(),
        "block_bytes": pl.Int64(),
        "offset_bytes": pl.Int64(),
    },
}


def members(path: Path) -> list[Path]:
    return [path]


def matches(head: str) -> bool:
    return _LINE.match(head.splitlines()[0]) is not None


def source_key(path: Path) -> None:
    return None


def parse(path: Path, data: bytes) -> dict[str, list[tuple[Any, ...]]]:
    """Read a log: what its name says of it, and its samples.

    Raises:
        InputError: the name does not say which quantity it is, or a line is none of a log.
    """
    name = _FILE_NAME.match(path.name)
    if name is None:
        known = "_bw.log, _iops.log, _lat.log, _clat.log or _slat.log, with .<job> before .log"
        raise InputError(path, f"looks like a log of fio, but its name does not end in {known}")
    samples = _samples(path, data)
    job = name["job"]
    log = (name["quantity"], name["stem"], int(job) if job else None, len(samples))
    return {"fio_logs": [log], "fio_log_samples": samples}


def _samples(path: Path, data: bytes) -> list[tuple[Any, ...]]:
    text = data.replace(b" ", b"")
    width = text.split(b"\n", 1)[0].count(b",") + 1
    try:
        frame = pl.read_csv(
            text,
            has_header=False,
            new_columns=list(_COLUMNS[:width]),
            schema_overrides=[pl.Int64()] * 4 + [pl.String()] * (width - 4),
        )
        frame = frame.with_columns(
            pl.col("direction").replace_strict(dict(enumerate(DIRECTIONS)), return_dtype=pl.String),
            (pl.col("offset") if width > 4 else pl.lit(None)).cast(pl.Int64).alias("offset_bytes"),
        )
        whole = frame.select(TABLES["fio_log_samples"].keys())
        if whole.select(pl.exclude("offset_bytes")).null_count().sum_horizontal().item():
            raise pl.exceptions.ComputeError("a line is torn")
        return whole.rows()
    except pl.exceptions.PolarsError as error:
        raise _first_bad_line(path, data) or InputError(path, str(error)) from error


def _first_bad_line(path: Path, data: bytes) -> InputError | None:
    for number, line in enumerate(data.decode(errors="replace").splitlines(), start=1):
        if not _LINE.match(line):
            reason = f"{line[:80]!r} is no line of a fio log: time, value, direction, block, ..."
            return InputError(path, f"{reason}; a torn file?", line=number)
    return None
