"""The shape of results that need no raw tables and no SQL of their own.

A parser returns `rows(results, samples)` and uses TABLES of this module. Units are those of the
warehouse: seconds, bytes, microseconds, ratios from 0 to 1. A value that a file does not report
stays None: nothing is assumed.
"""

from collections.abc import Iterable
from typing import Any, get_type_hints

import msgspec
import polars as pl


class Result(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One load, measured once: I/Os of all its targets, workers and directions together.

    `position` locates it in the file, and is the same in each repeat of the run, but for a leading
    'line 12 ': 'line 12 rd=oltp threads=8'. `measured_at_ms` counts from 1970; the host's local
    time if the file does not report its zone. `outstanding_io_count` counts the I/Os of all workers
    and targets. `job_name` is the name in fio's job files. `rate_limit` is a limit on the load,
    such as '500 IOPS'; a limited result is no maximum. `condition` is anything else that sets the
    load apart. `fault` is why the result is not valid. `io_count` and `error_count` cover the
    measurement. `file_count` files or devices of `file_size_bytes` each are the range under test.
    `is_rounded` marks rates that are printed with fewer digits than they were measured. `cpu_ratio`
    is the use of the host's processors. `percentile_ratios` (0.5, 0.99) belong to
    `percentile_latencies_us`. Among results in one folder with the same `tool_name` and `run_key`,
    the one with the lowest `precedence` counts: a tool may write several files of one run.
    """

    position: str
    tool_name: str
    tool_version: str | None = None
    measured_at_ms: int | None = None
    run_key: str | None = None
    precedence: int | None = None

    job_name: str | None = None
    target: str | None = None
    random_ratio: float | None = None
    read_ratio: float | None = None
    block_bytes: int | None = None
    outstanding_io_count: int | None = None
    worker_count: int | None = None
    io_engine: str | None = None
    is_direct: bool | None = None
    file_size_bytes: int | None = None
    file_count: int | None = None
    requested_runtime_seconds: float | None = None
    ramp_seconds: float | None = None
    rate_limit: str | None = None
    condition: str | None = None

    runtime_seconds: float | None = None
    iops: float | None = None
    read_iops: float | None = None
    write_iops: float | None = None
    bytes_per_second: float | None = None
    read_bytes_per_second: float | None = None
    write_bytes_per_second: float | None = None
    latency_mean_us: float | None = None
    latency_min_us: float | None = None
    latency_max_us: float | None = None
    percentile_ratios: list[float] | None = None
    percentile_latencies_us: list[float] | None = None
    io_count: int | None = None
    error_count: int | None = None
    cpu_ratio: float | None = None
    is_rounded: bool | None = None
    fault: str | None = None
    note: str | None = None


class Sample(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The rates of one interval; `result_index` counts the results of its file from 0.

    `elapsed_seconds` is the end of the interval since the start of the measurement. Intervals of a
    warm-up are no samples.
    """

    result_index: int
    elapsed_seconds: float
    interval_seconds: float
    iops: float | None = None
    read_bytes_per_second: float | None = None
    write_bytes_per_second: float | None = None
    bytes_per_second: float | None = None


TABLES: dict[str, dict[str, pl.DataType]] = {
    "generic_results": {"result_index": pl.Int64(), **pl.Schema(get_type_hints(Result))},
    "generic_samples": dict(pl.Schema(get_type_hints(Sample))),
}


def rows(
    results: Iterable[Result], samples: Iterable[Sample] = ()
) -> dict[str, list[tuple[Any, ...]]]:
    """The rows that `parse` returns."""
    return {
        "generic_results": [
            (index, *msgspec.structs.astuple(result)) for index, result in enumerate(results)
        ],
        "generic_samples": [msgspec.structs.astuple(sample) for sample in samples],
    }
