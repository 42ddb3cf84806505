"""What the nights before say: nothing lost, nothing twice, nothing stale."""

from great_expectations.expectations.expectation import Expectation

from expectations.rules import rule

# Nights that were published before the one that is being checked, the last first.
_LAST = "order by started_at desc limit 1"
_BEFORE = f"from quality.nightly_runs where status = 'published' {_LAST}"
_FELL = (
    f"with before as (select run_id, measurement_count, source_retired_count {_BEFORE}), "
    "now as (select count(*) as measurement_count_now, (select count(*) from raw.sources "
    "where not is_current) as source_retired_count_now from {batch}) "
    "select before.*, now.* from before cross join now "
    "where measurement_count_now < (1 - $max_loss_ratio) * measurement_count and "
)


def measurements_kept() -> Expectation:
    return rule(
        "measurements_kept",
        "no measurements are lost since the last published night, with nothing forgotten",
        _FELL + "source_retired_count_now = source_retired_count",
        bounds="volume",
        is_critical=True,
    )


def measurements_forgotten() -> Expectation:
    return rule(
        "measurements_forgotten",
        "what was forgotten or replaced since the last published night is only a small part",
        _FELL + "source_retired_count_now is distinct from source_retired_count",
        bounds="volume",
    )


def files_seen() -> Expectation:
    seen = "file_loaded_count + file_unchanged_count"
    return rule(
        "files_seen",
        "the night finds as many files as the last published one",
        f"with before as (select run_id, {seen} as file_count from quality.nightly_runs "
        f"where status = 'published' and file_loaded_count is not null {_LAST}), "
        f"now as (select {seen} as file_count_now from {{batch}} "
        "where is_latest and status = 'running') "
        "select before.*, now.* from before cross join now "
        "where file_count_now < (1 - $max_loss_ratio) * file_count",
        bounds="volume",
    )


def same_run_twice() -> Expectation:
    numbers = "measured_at, profile_id, iops, bytes_per_second, latency_mean_us, latency_max_us"
    of_tools = f"select *, hash({numbers}) as run from {{batch}} " + (
        "where source_format != 'white_paper' and latency_mean_us is not null"
    )
    return rule(
        "same_run_twice",
        "no run is there twice, under two names or in one file",
        # By its hash: the group of each of ten million runs has to be kept until the last is read.
        f"with runs as ({of_tools}), "
        "again as (select run from runs group by run having count(*) > 1) "
        "select min(source_path) as source_path, min(source_position) as source_position, "
        "max(source_path) as other_source_path, max(source_position) as other_source_position, "
        f"{numbers} from runs semi join again using (run) "
        f"group by {numbers} having count(*) > 1",
    )


def not_in_the_future() -> Expectation:
    return rule(
        "not_in_the_future",
        "nothing was measured after now",
        "select source_path, source_position, measured_at from {batch} where measured_at "
        "> cast(now() at time zone 'UTC' as timestamp) + $tolerance_hours * interval 1 hour",
        bounds="clock",
    )


def results_keep_coming() -> Expectation:
    return rule(
        "results_keep_coming",
        "where results came on many days, new ones do",
        "with days as (select cast(measured_at as date) as measured_on, max(source_path) as "
        "source_path from {batch} where source_format != 'white_paper' "
        "and measured_at <= now() at time zone 'UTC' + interval 1 day group by measured_on), "
        "newest as (select max(measured_on) as newest_on, max_by(source_path, measured_on) "
        "as source_path from days) "
        "select any_value(newest_on) as newest_on, any_value(newest.source_path) as source_path, "
        "count(*) as day_count from newest inner join days "
        "on measured_on > newest_on - $window_days "
        "having count(*) >= $min_days and any_value(newest_on) between "
        "current_date - $window_days and current_date - $max_age_days - 1",
        bounds="freshness",
    )
