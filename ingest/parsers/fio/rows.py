"""Converts a document to rows of the raw tables: cells in the order of their columns."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from operator import attrgetter
from typing import Annotated, Any

import msgspec

from ingest.parsers.fio.bins import Bins, read_bins
from ingest.parsers.fio.documents import Document
from ingest.parsers.fio.schema import (
    DIRECTIONS,
    IGNORED,
    LATENCIES,
    Direction,
    Job,
    Latency,
    Run,
    Unknown,
    columns,
)

TOTAL_NAME = "All clients"
Row = tuple[Any, ...]
Rows = dict[str, list[Row]]
_SORTED = msgspec.json.Encoder(order="sorted")
_PERCENTS = msgspec.json.Decoder(dict[str, Annotated[float, msgspec.Meta(ge=0)]])
_EDGE = re.compile(r"(>=)?([0-9]{1,18})")
_NANOSECONDS = {"ns": 1, "us": 1000, "ms": 1_000_000}
# Reading all cells of a row at once takes half the time of reading them one by one.
_directions = attrgetter(*DIRECTIONS)
_latencies = attrgetter(*LATENCIES)
_host_and_errors = attrgetter("hostname", "error", "total_err", "first_error")
_times = attrgetter("job_start", "job_runtime", "elapsed", "eta", "usr_cpu", "sys_cpu", "ctx")
_steady_state = attrgetter("ss", "attained", "criterion", "slope", "duration")
_transfer = attrgetter(*columns(Direction))
_statistics = attrgetter(*columns(Latency))


def add_document(rows: Rows, document: Document, *, is_snapshot: bool) -> None:
    """Append a document's rows; job numbers continue."""
    run = document.run
    jobs = run.all_jobs
    printed_at_ms = run.timestamp_ms
    if printed_at_ms is None and run.timestamp is not None:
        printed_at_ms = run.timestamp * 1000
    siblings = Counter((job.jobname, job.groupid, job.hostname) for job in jobs)
    for index, job in enumerate(jobs):
        job_index = len(rows["fio_jobs"])
        unknown = document.unknown.get(index)
        count = siblings[job.jobname, job.groupid, job.hostname]
        place = (job_index, document.line, index, is_snapshot)
        rows["fio_jobs"].append(place + _job_row(run, job, count, printed_at_ms, unknown))
        results: tuple[Direction | None, ...] = _directions(job)
        for direction, result in zip(DIRECTIONS, results, strict=True):
            if result is None or not _is_used(result):
                continue  # fio writes unused directions full of zeros
            rows["fio_directions"].append((job_index, direction, *_transferred(result)))
            rows["fio_latencies"] += _latency_rows(job_index, direction, result)
    rows["fio_disks"] += [
        (document.line, is_snapshot, *msgspec.structs.astuple(disk)) for disk in run.disk_util or ()
    ]


def _is_used(result: Direction) -> bool:
    """Whether it did any I/O; of syncs fio counts only fsync, but times all."""
    syncs = result.lat_ns
    return bool(result.total_ios or result.io_bytes or (syncs is not None and syncs.latency_mean))


def _job_row(
    run: Run, job: Job, sibling_count: int, printed_at_ms: int | None, unknown: Unknown | None
) -> Row:
    steady = job.steadystate
    return (
        job.jobname == TOTAL_NAME and run.client_stats is not None,
        job.jobname,
        job.groupid,
        sibling_count,
        *_host_and_errors(job),
        run.fio_version,
        printed_at_ms,
        *_times(job),
        _options(run, job),
        run.global_options is not None,
        None if job.iodepth_level is IGNORED else _percents(bytes(job.iodepth_level))[0],
        _histogram(job),
        *(_steady_state(steady) if steady else (None,) * 5),
        steady and steady.data and steady.data.iops,
        _json(unknown),
    )


def _options(run: Run, job: Job) -> str | None:
    """The job's own options over those of [global]; None where the file has neither (before 2.3).

    The global options of several servers are a list of one object per server, without names; an
    option holds for this job if all servers have the same value.
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
    own = job.options or {}
    options = {name: value for name, value in shared.items() if name not in own} | own
    # kb_base applies to the sizes that fio reads after it: keep the printed order
    return msgspec.json.encode(options).decode() if "kb_base" in options else _json(options)


def _histogram(job: Job) -> str | None:
    """fio's coarse histogram, in percent of all I/Os below each edge, by the edges' unit."""
    by_unit = (("ns", job.latency_ns), ("us", job.latency_us), ("ms", job.latency_ms))
    found = [(unit, *_percents(bytes(raw))) for unit, raw in by_unit if raw is not IGNORED]
    _require_edges(tuple((unit, edges, text.count(":")) for unit, text, edges in found))
    parts = [f'"{unit}": {text}' for unit, text, _ in found]
    return "{" + ", ".join(parts) + "}" if parts else None


@lru_cache(maxsize=1024)
def _require_edges(histograms: tuple[tuple[str, tuple[str, ...], int], ...]) -> None:
    """Check that each bin has its own upper edge, and at most one has none.

    Args:
        histograms: unit, different edges and number of bins of each.

    Raises:
        ValueError: two bins have the same edge; it is unknown which one is right.
    """
    edges = {
        None if edge[1] else int(edge[2]) * _NANOSECONDS[unit]
        for unit, names, _ in histograms
        for edge in map(_EDGE.fullmatch, names)
        if edge
    }
    if len(edges) < sum(count for _, _, count in histograms):
        raise ValueError(
            "a latency histogram has the same edge twice, or an edge that is not a number"
        )


def _transferred(result: Direction) -> Row:
    """The amount, in KiB or in bytes, and the rates; `io_bytes` without `io_kbytes` are KiB."""
    _, amount, *rates = _transfer(result)
    return (amount, None, *rates) if result.io_kib is None else (None, amount, *rates)


def _latency_rows(job_index: int, direction: str, result: Direction) -> Iterator[Row]:
    """A row for each kind of latency; keys have the unit in every version."""
    latencies: tuple[Latency | None, ...] = _latencies(result)
    for (kind, unit), latency in zip(LATENCIES.values(), latencies, strict=True):
        if latency is not None:
            histograms = (*_percentiles(latency), *read_bins(latency.bins))
            yield job_index, direction, kind, unit, *_statistics(latency), *histograms


def _percentiles(latency: Latency) -> Bins:
    """The real percentiles: up to 3.17 a latency without samples has zeros, and up to 3.3 the list
    is padded with 0.00."""
    taken = latency.percentile
    if not taken:
        return None, None
    if 0 in taken or not all(taken.values()):
        taken = {p: value for p, value in taken.items() if value and p > 0}
    return ([*taken], [*taken.values()]) if taken else (None, None)


def _json(value: Any) -> str | None:
    return None if value is None else _SORTED.encode(value).decode()


@lru_cache(maxsize=1024)
def _percents(text: bytes) -> tuple[str, tuple[str, ...]]:
    """Percents by level or edge: their text with white space squeezed, and their names.

    Cached: most of them are full of zeros, and the same in each job.

    Raises:
        ValueError: not percents; otherwise SQL would fail later, for all files at once.
    """
    try:
        names = (*_PERCENTS.decode(text),)
    except msgspec.DecodeError as error:
        raise ValueError(f"a histogram is not of percents: {error}") from error
    return " ".join(text.decode().split()), names
