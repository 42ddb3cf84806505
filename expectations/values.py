"""What one result says: values that can be, and that agree with each other."""

from great_expectations.expectations.expectation import Expectation

from expectations import BOUNDS
from expectations.rules import PLACE, rule


def measurements() -> list[Expectation]:
    return [
        _within_bounds("iops", "iops", "min_iops", "max_iops"),
        _within_bounds("bytes_per_second", "bytes_per_second", "max_bytes_per_second"),
        _within_bounds("latency_mean_us", "latency_mean_us"),
        _not_negative(),
        _measures_something(),
        _units_agree(),
        _throughput_is_iops_times_block(),
        _directions_add_up(),
        _reads_are_the_profiles(),
        _within_their_ranges(),
        _littles_law_holds(),
        _latency_units_agree(),
        _below_theoretical_ceiling(),
        _below_derived_ceiling(),
    ]


def _within_bounds(check_id: str, *columns: str) -> Expectation:
    outside = " or ".join(f"{column} not between $min and $max" for column in columns)
    return rule(
        f"{check_id}_within_bounds",
        f"{check_id} is physically possible",
        f"select {PLACE}, {', '.join(columns)} from {{batch}} where is_valid and ({outside})",
        bounds=check_id,
        is_critical=True,
    )


def _not_negative() -> Expectation:
    parts = "read_iops, write_iops, read_bytes_per_second, write_bytes_per_second"
    depths = "outstanding_io_count, worker_count, runtime_seconds, io_depth_reached_ratio"
    return rule(
        "not_negative",
        "no part, count or duration is below 0, no depth reached above 1",
        f"select {PLACE}, {parts}, {depths} from {{batch}} "
        f"where least({parts}, {depths}) < 0 or io_depth_reached_ratio > 1",
        is_critical=True,
    )


def _measures_something() -> Expectation:
    values = (
        "iops, read_iops, write_iops, bytes_per_second, read_bytes_per_second, "
        "write_bytes_per_second, latency_mean_us, latency_p50_us, latency_p95_us, latency_p99_us, "
        "latency_p999_us, latency_min_us, latency_max_us, "
    )
    ranges = "min_iops, min_bytes_per_second, min_latency_mean_us"
    return rule(
        "measures_something",
        "a valid measurement has a rate or a latency",
        f"select {PLACE} from {{batch}} where is_valid and coalesce({values}{ranges}) is null",
        is_critical=True,
    )


def _units_agree() -> Expectation:
    possible = " and ".join(
        f"{rate} between {BOUNDS[rate]['min']} and {BOUNDS[rate]['max']}"
        for rate in ("iops", "bytes_per_second")
    )
    return rule(
        "units_agree",
        "IOPS x block size and throughput are of one magnitude: else one has another unit",
        f"select {PLACE}, iops, block_bytes, bytes_per_second from {{batch}} "
        f"where is_valid and {possible} "
        "and iops * block_bytes / bytes_per_second not between 1 / $max_ratio and $max_ratio",
        bounds="units",
        is_critical=True,
    )


def _throughput_is_iops_times_block() -> Expectation:
    return rule(
        "throughput_is_iops_times_block",
        "a tool's IOPS x block size is its throughput",
        f"select {PLACE}, iops, block_bytes, bytes_per_second from {{batch}} "
        "where source_format != 'white_paper' and is_valid "
        "and abs(iops * block_bytes - bytes_per_second) "
        "> $tolerance_ratio * bytes_per_second + 1024",
        bounds="throughput_identity",
    )


def _directions_add_up() -> Expectation:
    broken = " or ".join(
        f"abs(read_{rate} + write_{rate} - {rate}) > $tolerance_ratio * {rate}"
        for rate in ("iops", "bytes_per_second")
    )
    return rule(
        "directions_add_up",
        "read + write is the total",
        f"select {PLACE}, read_iops, write_iops, iops, read_bytes_per_second, "
        f"write_bytes_per_second, bytes_per_second from {{batch}} where {broken}",
        bounds="directions_identity",
    )


def _reads_are_the_profiles() -> Expectation:
    return rule(
        "reads_are_the_profiles",
        "the share of reads is the load profile's",
        f"select {PLACE}, read_ratio, read_iops, write_iops, iops from {{batch}} "
        "where is_valid and coalesce(read_iops, write_iops) is not null "
        "and abs(coalesce(read_iops, 0) / nullif(iops, 0) - read_ratio) > $tolerance",
        bounds="read_share",
    )


def _within_their_ranges() -> Expectation:
    columns = ("iops", "bytes_per_second", "latency_mean_us")
    broken = (f"{c} < min_{c} or {c} > max_{c} or min_{c} > max_{c}" for c in columns)
    listed = ", ".join(f"min_{c}, {c}, max_{c}" for c in columns)
    return rule(
        "within_their_ranges",
        "a value is between its minimum and its maximum",
        f"select {PLACE}, {listed} from {{batch}} where {' or '.join(broken)}",
    )


def _littles_law_holds() -> Expectation:
    return rule(
        "littles_law_holds",
        "IOPS x mean latency is no more than the outstanding I/Os",
        f"select {PLACE}, iops, latency_mean_us, outstanding_io_count "
        "from {batch} where is_valid and value_qualifier = 'exact' "
        "and littles_law_ratio > $max_ratio",
        bounds="littles_law",
    )


def _latency_units_agree() -> Expectation:
    return rule(
        "latency_units_agree",
        "IOPS x mean latency is not a hundred times the outstanding I/Os",
        f"select {PLACE}, iops, latency_mean_us, outstanding_io_count from {{batch}} "
        "where is_valid and value_qualifier = 'exact' and littles_law_ratio > $max_unit_ratio "
        f"and latency_mean_us <= {BOUNDS['latency_mean_us']['max']} "
        f"and iops <= {BOUNDS['iops']['max']}",
        bounds="littles_law",
        is_critical=True,
    )


def _below_theoretical_ceiling() -> Expectation:
    return rule(
        "below_theoretical_ceiling",
        "nothing is above what its links carry in theory; see marts.fct_findings",
        f"select {PLACE}, binding_ceiling, attained_ratio from {{batch}} "
        "where is_valid and binding_ceiling like '%interface' and attained_ratio > $max",
        bounds="attained_ratio",
    )


def _below_derived_ceiling() -> Expectation:
    return rule(
        "below_derived_ceiling",
        "nothing is above what its drives or its controller do; see marts.fct_findings",
        f"select {PLACE}, binding_ceiling, attained_ratio from {{batch}} "
        "where is_valid and not has_own_processor "
        "and binding_ceiling not like '%interface' and attained_ratio > $max",
        bounds="attained_ratio_of_drives",
    )
