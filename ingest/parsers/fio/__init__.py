"""fio's JSON results (`--output-format=json`), of every version since 2.0.10.

Units stay fio's: a number goes into the column whose name has its unit, latencies carry theirs in
`latency_unit`. Nothing is summed: each job of each document is a row, an "All clients" row of
client/server runs is marked as the total it is, and the documents that --status-interval prints
before the last are marked as snapshots, since their numbers are contained in it.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl

from ingest.errors import InputError
from ingest.parsers.fio.documents import Document, Note, read_documents
from ingest.parsers.fio.schema import Direction, Job, Latency, Run

NAME = "fio"
DIRECTIONS = ("read", "write", "trim", "mixed")
LATENCY_KINDS = ("slat", "clat", "lat")
TOTAL_NAME = "All clients"
_LATENCY_STATISTICS = ("min", "max", "mean", "stddev")
TABLES: dict[str, dict[str, pl.DataType]] = {
    "fio_jobs": {
        "job_index": pl.Int64(),
        "document_line": pl.Int64(),
        "document_job_index": pl.Int64(),
        "is_snapshot": pl.Boolean(),
        "is_total": pl.Boolean(),
        "job_name": pl.String(),
        "group_id": pl.Int64(),
        "sibling_count": pl.Int64(),
        "hostname": pl.String(),
        "error": pl.Int64(),
        "fio_version": pl.String(),
        "printed_at_ms": pl.Int64(),
        "job_runtime_ms": pl.Int64(),
        "usr_cpu_percent": pl.Float64(),
        "sys_cpu_percent": pl.Float64(),
        "options": pl.String(),
    },
    "fio_directions": {
        "job_index": pl.Int64(),
        "direction": pl.String(),
        "io_kib": pl.Int64(),
        "io_bytes": pl.Int64(),
        "bw_kib_per_second": pl.Float64(),
        "bw_bytes_per_second": pl.Float64(),
        "iops": pl.Float64(),
        "runtime_ms": pl.Int64(),
        "total_ios": pl.Int64(),
        "short_ios": pl.Int64(),
        "drop_ios": pl.Int64(),
        "latency_unit": pl.String(),
        **{
            f"{kind}_{statistic}": pl.Float64()
            for kind in LATENCY_KINDS
            for statistic in _LATENCY_STATISTICS
        },
    },
    "fio_percentiles": {
        "job_index": pl.Int64(),
        "direction": pl.String(),
        "latency_kind": pl.String(),
        "percentile": pl.Float64(),
        "latency": pl.Float64(),
        "latency_unit": pl.String(),
    },
    "fio_notes": {"line": pl.Int64(), "text": pl.String()},
}
Row = dict[str, Any]


def members(path: Path) -> list[Path]:
    return [path]


def matches(head: str) -> bool:
    """A document's first key, or what fio says before its first document."""
    return '"fio version"' in head or head.startswith(("fio: ", "hostname="))


def source_key(path: Path) -> None:
    return None


def parse(path: Path, data: bytes) -> dict[str, list[tuple[Any, ...]]]:
    """Read a result file: its jobs, their directions that did I/O, their percentiles, and notes.

    Raises:
        InputError: a document is torn, or is none of fio's.
    """
    try:
        documents, notes = read_documents(data)
        rows = _rows(documents, notes)
    except ValueError as error:
        raise InputError(path, f"not a fio JSON result: {error}") from error
    return {
        table: [tuple(row.get(name) for name in schema) for row in rows[table]]
        for table, schema in TABLES.items()
    }


def _rows(documents: list[Document], notes: list[Note]) -> dict[str, list[Row]]:
    rows: dict[str, list[Row]] = {table: [] for table in TABLES}
    rows["fio_notes"] = [{"line": note.line, "text": note.text} for note in notes]
    for number, document in enumerate(documents):
        jobs = _jobs(document)
        is_snapshot = any(_is_later(document, other) for other in documents[number + 1 :])
        siblings = Counter((job.jobname, job.groupid, job.hostname) for job in jobs)
        for index, job in enumerate(jobs):
            key = {"job_index": len(rows["fio_jobs"])}
            rows["fio_jobs"].append(
                key
                | _job_row(document.run, job)
                | {
                    "document_line": document.line,
                    "document_job_index": index,
                    "is_snapshot": is_snapshot,
                    "sibling_count": siblings[job.jobname, job.groupid, job.hostname],
                }
            )
            for direction in DIRECTIONS:
                result = getattr(job, direction)
                if result is None or not _did_io(result):
                    continue  # fio writes unused directions full of zeros
                place = key | {"direction": direction}
                rows["fio_directions"].append(place | _direction_row(result))
                rows["fio_percentiles"] += [place | row for row in _percentile_rows(result)]
    return rows


def _jobs(document: Document) -> list[Job]:
    jobs = document.run.jobs or document.run.client_stats
    if not jobs:
        raise ValueError(f"the document at line {document.line} has no jobs")
    return jobs


def _is_later(document: Document, other: Document) -> bool:
    """Whether `other` is a later print of the same running process, and no run of its own.

    Both then started at the same second, give or take the rounding of fio's clock; before 2.2.9,
    which prints no `elapsed`, the later print has run longer.
    """
    names = [(job.jobname, job.groupid) for job in _jobs(document)]
    if names != [(job.jobname, job.groupid) for job in _jobs(other)]:
        return False
    starts = [_started_at_seconds(one) for one in (document, other)]
    if starts[0] is None or starts[1] is None:
        return _runtime(document) < _runtime(other)
    return abs(starts[0] - starts[1]) <= 1


def _started_at_seconds(document: Document) -> int | None:
    elapsed = [job.elapsed for job in _jobs(document) if job.elapsed is not None]
    if not elapsed or document.run.timestamp is None:
        return None
    return document.run.timestamp - max(elapsed)


def _runtime(document: Document) -> int:
    results = [getattr(job, name) for job in _jobs(document) for name in DIRECTIONS]
    return sum(result.runtime or 0 for result in results if result is not None)


def _did_io(result: Direction) -> bool:
    return bool(result.total_ios or result.io_bytes)


def _job_row(run: Run, job: Job) -> Row:
    printed_at_ms = run.timestamp_ms
    if printed_at_ms is None and run.timestamp is not None:
        printed_at_ms = run.timestamp * 1000
    return {
        "is_total": job.jobname == TOTAL_NAME and run.client_stats is not None,
        "job_name": job.jobname,
        "group_id": job.groupid,
        "hostname": job.hostname,
        "error": job.error,
        "fio_version": run.fio_version,
        "printed_at_ms": printed_at_ms,
        "job_runtime_ms": job.job_runtime,
        "usr_cpu_percent": job.usr_cpu,
        "sys_cpu_percent": job.sys_cpu,
        "options": _options(run, job),
    }


def _options(run: Run, job: Job) -> str | None:
    """The job's own options over those of [global]; None where the file has neither (before 2.3).

    The global options of several servers are a list of one object a server, without names; they
    hold for this job where they are all alike.
    """
    shared = run.global_options or {}
    if isinstance(shared, list):
        shared = {
            name: value
            for name, value in (shared[0] if shared else {}).items()
            if all(other.get(name) == value for other in shared)
        }
    if job.options is None and run.global_options is None:
        return None
    return json.dumps(shared | (job.options or {}), sort_keys=True)


def _latencies(result: Direction) -> tuple[dict[str, Latency], str]:
    """The latencies by kind and their unit: the keys say which, whatever the version."""
    in_ns = {kind: getattr(result, f"{kind}_ns") for kind in LATENCY_KINDS}
    in_us = {kind: getattr(result, kind) for kind in LATENCY_KINDS}
    found, unit = (in_ns, "ns") if any(in_ns.values()) else (in_us, "us")
    return {kind: latency or Latency() for kind, latency in found.items()}, unit


def _direction_row(result: Direction) -> Row:
    has_bytes = result.io_kbytes is not None
    row: Row = {
        "io_kib": None if has_bytes else result.io_bytes,
        "io_bytes": result.io_bytes if has_bytes else None,
        "bw_kib_per_second": result.bw,
        "bw_bytes_per_second": result.bw_bytes,
        "iops": result.iops,
        "runtime_ms": result.runtime,
        "total_ios": result.total_ios,
        "short_ios": result.short_ios,
        "drop_ios": result.drop_ios,
    }
    latencies, row["latency_unit"] = _latencies(result)
    for kind, latency in latencies.items():
        row |= {f"{kind}_{name}": getattr(latency, name) for name in _LATENCY_STATISTICS}
    return row


def _percentile_rows(result: Direction) -> list[Row]:
    """Percentiles that were taken: up to 3.17 a latency without samples has zeros, and up to 3.3
    the list is padded with 0.00."""
    latencies, unit = _latencies(result)
    return [
        {
            "latency_kind": kind,
            "percentile": float(percentile),
            "latency": value,
            "latency_unit": unit,
        }
        for kind, latency in latencies.items()
        for percentile, value in (latency.percentile or {}).items()
        if value and float(percentile) > 0
    ]
