"""What one result says of its latencies: order, and no more I/Os in its bins than were done."""

import itertools

from great_expectations.expectations.expectation import Expectation

from expectations.rules import PLACE, rule, sampled, with_source


def latencies_rise() -> Expectation:
    rising = ["latency_p50_us", "latency_p95_us", "latency_p99_us", "latency_p999_us"]
    broken = [f"{low} > {high}" for low, high in itertools.pairwise(rising)]
    ends = ("latency_min_us > latency_mean_us", "latency_mean_us > latency_max_us")
    broken += [f"{end} * (1 + $tolerance_ratio)" for end in ends]
    broken.append(f"greatest({', '.join(rising)}) > latency_max_us * (1 + $tolerance_ratio)")
    return rule(
        "latencies_rise",
        "p50 <= p95 <= p99 <= p99.9 <= maximum, minimum <= mean <= maximum",
        f"select {PLACE}, latency_min_us, latency_mean_us, "
        f"{', '.join(rising)}, latency_max_us from {{batch}} "
        f"where is_valid and ({' or '.join(broken)})",
        bounds="latency_order",
    )


def percentiles_rise() -> Expectation:
    # By its hash: sorting by the texts themselves takes three times as long.
    order = "(partition by hash(measurement_id, direction, latency_kind) order by percentile_ratio)"
    return rule(
        "percentiles_rise",
        "a higher percentile is no shorter latency",
        f"with failing as (select *, lag(latency_us) over {order} as lower_percentile_us "
        f"from {{batch}} where {sampled('measurement_id')} "
        "qualify latency_us < lower_percentile_us) "
        f"select {PLACE}, failing.* exclude (measurement_id) "
        "from failing inner join marts.measurements using (measurement_id)",
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
