"""fio's JSON result (`--output-format=json`), of fio 3.2 and later.

Units as fio writes them (stat.c, HOWTO "JSON output"): `bw_bytes` bytes/s, `iops` 1/s, `runtime`
ms, `slat_ns`, `clat_ns` and `lat_ns` ns, `timestamp_ms` ms since the epoch at the time of printing.
`lat` is submission to completion, `clat` without the submission. A job's section holds only its own
options; those of [global] stand once in "global options" and lose against the job's.
"""

import json
from pathlib import Path
from typing import Any

import msgspec
import polars as pl

from ingest.errors import InputError

NAME = "fio"
DIRECTIONS = ("read", "write", "trim")
LATENCY_KINDS = ("slat", "clat", "lat")
_JOB_KEY: dict[str, pl.DataType] = {"job_index": pl.Int64()}
_LATENCY_STATISTICS = ("min", "max", "mean", "stddev")
TABLES: dict[str, dict[str, pl.DataType]] = {
    "fio_jobs": {
        **_JOB_KEY,
        "job_name": pl.String(),
        "group_id": pl.Int64(),
        "error": pl.Int64(),
        "fio_version": pl.String(),
        "printed_at_ms": pl.Int64(),
        "job_runtime_ms": pl.Int64(),
        "usr_cpu_percent": pl.Float64(),
        "sys_cpu_percent": pl.Float64(),
        "options": pl.String(),
    },
    "fio_directions": {
        **_JOB_KEY,
        "direction": pl.String(),
        "io_bytes": pl.Int64(),
        "bw_bytes_per_second": pl.Float64(),
        "iops": pl.Float64(),
        "runtime_ms": pl.Int64(),
        "total_ios": pl.Int64(),
        "short_ios": pl.Int64(),
        "drop_ios": pl.Int64(),
        **{
            f"{kind}_{statistic}_ns": pl.Float64()
            for kind in LATENCY_KINDS
            for statistic in _LATENCY_STATISTICS
        },
    },
    "fio_percentiles": {
        **_JOB_KEY,
        "direction": pl.String(),
        "latency_kind": pl.String(),
        "percentile": pl.Float64(),
        "latency_ns": pl.Float64(),
    },
}


class _Latency(msgspec.Struct):
    min: float = 0
    max: float = 0
    mean: float = 0
    stddev: float = 0
    percentile: dict[str, float] = {}


class _Direction(msgspec.Struct):
    io_bytes: int
    bw_bytes: float
    iops: float
    runtime: int
    total_ios: int
    short_ios: int
    drop_ios: int
    slat_ns: _Latency
    clat_ns: _Latency
    lat_ns: _Latency


class _Job(msgspec.Struct):
    jobname: str
    groupid: int
    error: int
    usr_cpu: float
    sys_cpu: float
    read: _Direction
    write: _Direction
    trim: _Direction
    job_runtime: int | None = None  # from 3.9
    options: dict[str, str] = msgspec.field(default_factory=dict, name="job options")


class _Run(msgspec.Struct):
    fio_version: str = msgspec.field(name="fio version")
    timestamp_ms: int
    jobs: list[_Job]
    global_options: dict[str, str] = msgspec.field(default_factory=dict, name="global options")


def members(path: Path) -> list[Path]:
    return [path]


def matches(head: str) -> bool:
    return '"fio version"' in head


def source_key(path: str, frames: dict[str, pl.DataFrame]) -> str:
    return path


def parse(path: Path) -> dict[str, pl.DataFrame]:
    """Read one run: its jobs, their directions that did I/O, and those directions' percentiles.

    Raises:
        InputError: not one JSON document, or a field that fio 3.2 and later write is missing.
    """
    try:
        run = msgspec.json.decode(path.read_bytes(), type=_Run)
    except msgspec.DecodeError as error:
        raise InputError(path, f"not a fio 3.2+ JSON result: {error}") from error
    rows: dict[str, list[dict[str, Any]]] = {table: [] for table in TABLES}
    for index, job in enumerate(run.jobs):
        rows["fio_jobs"].append(_job_row(run, job, index))
        for direction in DIRECTIONS:
            result: _Direction = getattr(job, direction)
            if result.total_ios == 0:
                continue  # fio writes unused directions full of zeros
            key = {"job_index": index, "direction": direction}
            rows["fio_directions"].append(key | _direction_row(result))
            rows["fio_percentiles"] += [key | row for row in _percentile_rows(result)]
    return {table: pl.DataFrame(rows[table], schema=schema) for table, schema in TABLES.items()}


def _job_row(run: _Run, job: _Job, index: int) -> dict[str, Any]:
    return {
        "job_index": index,
        "job_name": job.jobname,
        "group_id": job.groupid,
        "error": job.error,
        "fio_version": run.fio_version,
        "printed_at_ms": run.timestamp_ms,
        "job_runtime_ms": job.job_runtime,
        "usr_cpu_percent": job.usr_cpu,
        "sys_cpu_percent": job.sys_cpu,
        "options": json.dumps(run.global_options | job.options, sort_keys=True),
    }


def _direction_row(result: _Direction) -> dict[str, Any]:
    return {
        "io_bytes": result.io_bytes,
        "bw_bytes_per_second": result.bw_bytes,
        "iops": result.iops,
        "runtime_ms": result.runtime,
        "total_ios": result.total_ios,
        "short_ios": result.short_ios,
        "drop_ios": result.drop_ios,
        **{
            f"{kind}_{statistic}_ns": getattr(getattr(result, f"{kind}_ns"), statistic)
            for kind in LATENCY_KINDS
            for statistic in _LATENCY_STATISTICS
        },
    }


def _percentile_rows(result: _Direction) -> list[dict[str, Any]]:
    return [
        {"latency_kind": kind, "percentile": float(percentile), "latency_ns": latency_ns}
        for kind in LATENCY_KINDS
        for percentile, latency_ns in getattr(result, f"{kind}_ns").percentile.items()
    ]
