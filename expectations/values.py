"""What one result says: values that can be, and that agree with each other."""

import itertools

from great_expectations.expectations.expectation import Expectation

from expectations.rules import rule, sampled, with_source

_PLACE = "source_path, source_position"


def measurements() -> list[Expectation]:
    return [
        _within_bounds("iops", "iops", "min_iops", "max_iops"),
        _within_bounds("bytes_per_second", "bytes_per_second", "max_bytes_per_second"),
        _within_bounds("latency_mean_us", "latency_mean_us", "latency_p50_us", "latency_p99_us"),
        _not_negative(),
        _measures_something(),
        _units_agree(),
        _throughput_is_iops_times_block(),
        _directions_add_up(),
        _reads_are_the_profiles(),
        _latencies_rise(),
        _within_their_ranges(),
        _littles_law_holds(),
        _below_theoretical_ceiling(),
        _below_derived_ceiling(),
    ]


def _within_bounds(check_id: str, *columns: str) -> Expectation:
    outside = " or ".join(f"{column} not between $min and $max" for column in columns)
    return rule(
        f"{check_id}_within_bounds",
        f"{', '.join(columns)}: physically possible",
        f"select {_PLACE}, {', '.join(columns)} from {{batch}} where is_valid and ({outside})",
        bounds=check_id,
        is_critical=True,
    )


def _not_negative() -> Expectation:
    parts = "read_iops, write_iops, read_bytes_per_second, write_bytes_per_second"
    depths = "outstanding_io_count, worker_count, runtime_seconds, io_depth_reached_ratio"
    return rule(
        "not_negative",
        "no part, count or duration is below 0, no depth reached above 1",
        f"select {_PLACE}, {parts}, {depths} from {{batch}} "
        f"where least({parts}, {depths}) < 0 or io_depth_reached_ratio > 1",
        is_critical=True,
    )


def _measures_something() -> Expectation:
    values = (
        "iops, read_iops, write_iops, bytes_per_second, read_bytes_per_second, "
        "write_bytes_per_second, latency_mean_us, latency_p50_us, latency_p95_us, latency_p99_us, "
        "latency_p999_us, latency_max_us, "
    )
    ranges = "min_iops, min_bytes_per_second, min_latency_mean_us"
    return rule(
        "measures_something",
        "a valid measurement has a rate or a latency",
        f"select {_PLACE} from {{batch}} where is_valid and coalesce({values}{ranges}) is null",
        is_critical=True,
    )


def _units_agree() -> Expectation:
    return rule(
        "units_agree",
        "IOPS x block size and throughput are of one magnitude: else one has another unit",
        f"select {_PLACE}, iops, block_bytes, bytes_per_second from {{batch}} where is_valid "
        "and iops * block_bytes / nullif(bytes_per_second, 0) not between 1 / $max_ratio "
        "and $max_ratio",
        bounds="units",
        is_critical=True,
    )


def _throughput_is_iops_times_block() -> Expectation:
    return rule(
        "throughput_is_iops_times_block",
        "a tool's IOPS x block size is its throughput",
        f"select {_PLACE}, iops, block_bytes, bytes_per_second from {{batch}} "
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
        f"select {_PLACE}, read_iops, write_iops, iops, read_bytes_per_second, "
        f"write_bytes_per_second, bytes_per_second from {{batch}} where {broken}",
        bounds="directions_identity",
    )


def _reads_are_the_profiles() -> Expectation:
    return rule(
        "reads_are_the_profiles",
        "the share of reads is the load profile's",
        f"select {_PLACE}, read_ratio, read_iops, write_iops, iops from {{batch}} "
        "where is_valid and coalesce(read_iops, write_iops) is not null "
        "and abs(coalesce(read_iops, 0) / nullif(iops, 0) - read_ratio) > $tolerance",
        bounds="read_share",
    )


def _latencies_rise() -> Expectation:
    rising = ["latency_p50_us", "latency_p95_us", "latency_p99_us", "latency_p999_us"]
    broken = [f"{low} > {high}" for low, high in itertools.pairwise(rising)]
    broken.append("latency_mean_us > latency_max_us * (1 + $tolerance_ratio)")
    broken.append(f"greatest({', '.join(rising)}) > latency_max_us * (1 + $tolerance_ratio)")
    return rule(
        "latencies_rise",
        "p50 <= p95 <= p99 <= p99.9 <= maximum, mean <= maximum",
        f"select {_PLACE}, latency_mean_us, {', '.join(rising)}, latency_max_us from {{batch}} "
        f"where is_valid and ({' or '.join(broken)})",
        bounds="latency_order",
    )


def _within_their_ranges() -> Expectation:
    columns = ("iops", "bytes_per_second", "latency_mean_us")
    broken = (f"{c} < min_{c} or {c} > max_{c} or min_{c} > max_{c}" for c in columns)
    listed = ", ".join(f"min_{c}, {c}, max_{c}" for c in columns)
    return rule(
        "within_their_ranges",
        "a value is between its minimum and its maximum",
        f"select {_PLACE}, {listed} from {{batch}} where {' or '.join(broken)}",
    )


def _littles_law_holds() -> Expectation:
    return rule(
        "littles_law_holds",
        "IOPS x mean latency is no more than the outstanding I/Os",
        f"select {_PLACE}, iops, latency_mean_us, outstanding_io_count "
        "from {batch} where is_valid and value_qualifier = 'exact' "
        "and littles_law_ratio > $max_ratio",
        bounds="littles_law",
    )


def _below_theoretical_ceiling() -> Expectation:
    return rule(
        "below_theoretical_ceiling",
        "nothing is above what its links carry in theory; see marts.fct_findings",
        f"select {_PLACE}, binding_ceiling, attained_ratio from {{batch}} "
        "where is_valid and binding_ceiling like '%interface' and attained_ratio > $max",
        bounds="attained_ratio",
    )


def _below_derived_ceiling() -> Expectation:
    return rule(
        "below_derived_ceiling",
        "nothing is above what its drives or its controller do; see marts.fct_findings",
        f"select {_PLACE}, binding_ceiling, attained_ratio from {{batch}} "
        "where is_valid and binding_ceiling not like '%interface' and attained_ratio > $max",
        bounds="attained_ratio_of_drives",
    )


def percentiles_rise() -> Expectation:
    order = "(partition by measurement_id, direction, latency_kind order by percentile_ratio)"
    return rule(
        "percentiles_rise",
        "a higher percentile is no shorter latency",
        f"with failing as (select *, lag(latency_us) over {order} as lower_percentile_us "
        f"from {{batch}} where {sampled('measurement_id')} "
        "qualify latency_us < lower_percentile_us) "
        f"select {_PLACE}, failing.* exclude (measurement_id) "
        "from failing inner join marts.fct_measurements using (measurement_id)",
    )


def minimum_mean_maximum() -> Expectation:
    return rule(
        "minimum_mean_maximum",
        "fio's mean latency is between its minimum and its maximum",
        with_source(
            "select file_id, job_index, direction, latency_kind, latency_unit, latency_min, "
            "latency_mean, latency_max from {batch} "
            "where latency_min > latency_mean or latency_mean > latency_max"
        ),
    )


def samples_minimum_mean_maximum() -> Expectation:
    statistics = "iops_min, iops_mean, iops_max"
    bandwidths = "bw_min_kib_per_second, bw_mean_kib_per_second, bw_max_kib_per_second"
    return rule(
        "minimum_mean_maximum",
        "the mean of fio's samples of IOPS and bandwidth is between minimum and maximum",
        with_source(
            f"select file_id, job_index, direction, {statistics}, {bandwidths} from {{batch}} "
            "where iops_min > iops_mean or iops_mean > iops_max "
            "or bw_min_kib_per_second > bw_mean_kib_per_second "
            "or bw_mean_kib_per_second > bw_max_kib_per_second"
        ),
    )


def fio_bins_are_ios() -> Expectation:
    return rule(
        "bins_are_ios",
        "fio's latency bins hold no more I/Os than were timed",
        with_source(
            "select file_id, job_index, direction, latency_kind, sample_count, "
            "list_sum(bin_counts) as binned_io_count from {batch} "
            "where list_sum(bin_counts) > sample_count"
        ),
    )


def iometer_bins_are_ios() -> Expectation:
    return rule(
        "bins_are_ios",
        "Iometer's latency bins hold no more I/Os than were done",
        with_source(
            "select bins.file_id, bins.line, sum(bins.io_count) as binned_io_count, "
            "any_value(results.read_io_count + results.write_io_count) as io_count "
            "from {batch} as bins inner join raw.iometer_results as results using (file_id, line) "
            f"where {sampled('bins.file_id')} "
            "group by bins.file_id, bins.line having binned_io_count > io_count"
        ),
    )
