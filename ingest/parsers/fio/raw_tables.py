"""The raw tables of fio's results.

Units stay fio's: a number goes into the column whose name has its unit; a latency's unit is in
`latency_unit`, since older versions print microseconds and newer ones nanoseconds. The columns
options, io_depth_level_percent, latency_histogram_percent and unknown_keys have JSON as text.
"""

import polars as pl

from ingest.parsers.fio.schema import Direction, Disk, Latency, columns

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
        "total_error_count": pl.Int64(),
        "first_error": pl.Int64(),
        "fio_version": pl.String(),
        "printed_at_ms": pl.Int64(),
        "job_start_ms": pl.Int64(),
        "job_runtime_ms": pl.Int64(),
        "elapsed_s": pl.Int64(),
        "eta_seconds": pl.Float64(),
        "usr_cpu_percent": pl.Float64(),
        "sys_cpu_percent": pl.Float64(),
        "context_switch_count": pl.Int64(),
        "options": pl.String(),
        "has_global_options": pl.Boolean(),
        "io_depth_level_percent": pl.String(),
        "latency_histogram_percent": pl.String(),
        "steady_state": pl.String(),
        "steady_state_attained": pl.Int64(),
        "steady_state_criterion": pl.String(),
        "steady_state_slope": pl.Float64(),
        "steady_state_duration_s": pl.Int64(),
        "steady_state_iops": pl.List(pl.Float64()),
        "unknown_keys": pl.String(),
    },
    "fio_directions": {
        "job_index": pl.Int64(),
        "direction": pl.String(),
        **columns(Direction),
    },
    "fio_latencies": {
        "job_index": pl.Int64(),
        "direction": pl.String(),
        "latency_kind": pl.String(),
        "latency_unit": pl.String(),
        **columns(Latency),
        "percentiles": pl.List(pl.Float64()),
        "percentile_latencies": pl.List(pl.Float64()),
        "bin_latencies": pl.List(pl.Int64()),
        "bin_counts": pl.List(pl.Int64()),
    },
    "fio_disks": {
        "document_line": pl.Int64(),
        "is_snapshot": pl.Boolean(),
        "disk": pl.String(),
        **columns(Disk),
    },
    "fio_notes": {"line": pl.Int64(), "text": pl.String()},
}
