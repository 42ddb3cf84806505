"""What a storage engineer would doubt in a result: the checks, by table, as Great Expectations.

Shape and types belong to the parsers, keys, types and relations to dbt. Here is what a source says
that cannot be, or what hardly is. `critical` holds the publication back: a value that is
impossible, or nothing at all. `warning` is reported: a result that contradicts itself is its tool's
or its file's fault, and one odd file does not keep a night's results from their readers.
"""

import tomllib
from pathlib import Path

import great_expectations.expectations as gxe
from great_expectations.expectations.expectation import Expectation

_CURRENT = (
    "file_id in (select sources.file_id from raw.sources as sources where sources.is_current)"
)
BOUNDS = tomllib.loads((Path(__file__).parent / "bounds.toml").read_text())


def suites() -> dict[tuple[str, str], list[Expectation]]:
    """The checks of each (schema, table)."""
    return {
        ("raw", "files"): [_has_rows("ingest has loaded something")],
        ("raw", "fio_jobs"): [_not_in_the_future()],
        ("raw", "white_paper_measurements"): [_editions_agree()],
        ("marts", "fct_latency_percentiles"): [_percentiles_rise()],
        ("marts", "measurements"): [
            _has_rows("there are measurements"),
            _within_bounds("iops"),
            _within_bounds("latency_mean_us"),
            _within_bounds("bytes_per_second"),
            _throughput_is_iops_times_block(),
            _directions_add_up(),
            _measures_something(),
            _littles_law_holds(),
            _below_theoretical_ceiling(),
        ],
    }


def _rule(
    check_id: str, description: str, failing_rows: str, severity: str, bounds: str = ""
) -> Expectation:
    """A rule in SQL: `failing_rows` selects what breaks it from {batch}, by `bounds` of BOUNDS."""
    used = ", ".join(f"{name} = {value:g}" for name, value in BOUNDS.get(bounds, {}).items())
    return gxe.UnexpectedRowsExpectation(
        unexpected_rows_query=failing_rows,
        description=description,
        severity=severity,
        meta={"check_id": check_id, "bound": used or None},
    )


def _has_rows(description: str) -> Expectation:
    return gxe.ExpectTableRowCountToBeBetween(
        min_value=1,
        description=description,
        severity="critical",
        meta={"check_id": "has_rows", "bound": "min = 1"},
    )


def _within_bounds(column: str) -> Expectation:
    bounds = BOUNDS[column]
    return _rule(
        f"{column}_within_bounds",
        f"{column} is physically possible",
        f"select source_path, source_position, {column} from {{batch}} "
        f"where is_valid and {column} not between {bounds['min']} and {bounds['max']}",
        "critical",
        column,
    )


def _not_in_the_future() -> Expectation:
    hours = BOUNDS["clock"]["tolerance_hours"]
    return _rule(
        "not_in_the_future",
        "no run was printed after now",
        f"select * from {{batch}} where {_CURRENT} and printed_at_ms > "
        f"epoch_ms(cast(now() as timestamptz) + interval {hours} hours)",
        "warning",
        "clock",
    )


def _editions_agree() -> Expectation:
    same = (
        "document_id, page, server, controller, raid_level, drive, drive_count, profile, "
        "outstanding_io_count, queue_depth_per_drive, worker_count, condition, metric"
    )
    return _rule(
        "editions_agree",
        "two editions of a paper print the same value",
        f"select {same}, string_agg(edition || ' line ' || line || ': ' || as_printed, ' | ') as "
        f"printed from {{batch}} where {_CURRENT} group by {same} "
        "having count(distinct edition) > 1 "
        "and count(distinct (number, low_number, high_number)) > 1",
        "warning",
    )


def _percentiles_rise() -> Expectation:
    window = (
        "lag(latency_us) over (partition by measurement_id, direction, latency_kind "
        "order by percentile_ratio)"
    )
    return _rule(
        "percentiles_rise",
        "a higher percentile is no shorter latency",
        f"select *, {window} as lower_percentile_us from {{batch}} qualify latency_us < {window}",
        "warning",
    )


def _throughput_is_iops_times_block() -> Expectation:
    tolerance = BOUNDS["throughput_identity"]["tolerance_ratio"]
    return _rule(
        "throughput_is_iops_times_block",
        "a tool's IOPS x block size is its throughput",
        "select source_path, source_position, iops, block_bytes, bytes_per_second from {batch} "
        "where source_format != 'white_paper' and is_valid "
        f"and abs(iops * block_bytes - bytes_per_second) > {tolerance} * bytes_per_second + 1024",
        "warning",
        "throughput_identity",
    )


def _directions_add_up() -> Expectation:
    tolerance = BOUNDS["directions_identity"]["tolerance_ratio"]
    return _rule(
        "directions_add_up",
        "read + write is the total",
        "select source_path, source_position, read_iops, write_iops, iops from {batch} "
        "where read_iops + write_iops is not null "
        f"and abs(read_iops + write_iops - iops) > {tolerance} * iops",
        "warning",
        "directions_identity",
    )


def _measures_something() -> Expectation:
    values = (
        "iops, read_iops, write_iops, bytes_per_second, read_bytes_per_second, "
        "write_bytes_per_second, latency_mean_us, latency_p50_us, latency_p95_us, latency_p99_us, "
        "latency_p999_us, latency_max_us, "
    )
    ranges = "min_iops, min_bytes_per_second, min_latency_mean_us"
    return _rule(
        "measures_something",
        "a valid measurement has a rate or a latency",
        "select source_path, source_position from {batch} "
        f"where is_valid and coalesce({values}{ranges}) is null",
        "critical",
    )


def _littles_law_holds() -> Expectation:
    bound = BOUNDS["littles_law"]["max_ratio"]
    return _rule(
        "littles_law_holds",
        "IOPS x mean latency is no more than the outstanding I/Os",
        "select source_path, source_position, iops, latency_mean_us, outstanding_io_count "
        "from {batch} where is_valid and value_qualifier = 'exact' "
        f"and littles_law_ratio > {bound}",
        "warning",
        "littles_law",
    )


def _below_theoretical_ceiling() -> Expectation:
    bound = BOUNDS["attained_ratio"]["max"]
    return _rule(
        "below_theoretical_ceiling",
        "nothing is above what its links carry in theory; see marts.fct_findings",
        "select source_path, source_position, binding_ceiling, attained_ratio from {batch} "
        f"where is_valid and binding_ceiling like '%interface' and attained_ratio > {bound}",
        "warning",
        "attained_ratio",
    )
