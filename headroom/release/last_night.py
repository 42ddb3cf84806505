"""`quality.last_night`: last night's measurements compared with earlier nights.

A change of level shows after a week (`changes.py`). A single night is tested against the prediction
interval of the earlier ones: Student's t of the logarithms, whose rate of false alarms is known for
any number of nights.
"""

import duckdb
from scipy.special import stdtrit

from expectations import BOUNDS

_BOUNDS = BOUNDS["last_night"]
# A night is a day (UTC) on which runs ended; several runs of a night count by their median.
_LAST_NIGHT = """
    create or replace table quality.last_night as
    with nights as (
        select
            series_id, series_name, metric, cast(measured_at as date) as night,
            median(value) as value, count(*) as run_count,
            arg_max(measurement_id, (measured_at, measurement_id)) as measurement_id,
            max(measured_at) as measured_at
        from marts.fct_repeated_measurements
        where
            value > 0 and isfinite(value)
            and measured_at <= now() at time zone 'UTC' + $tolerance_hours * interval 1 hour
        group by all
    ),

    -- only nights since the last change of level
    of_level as (
        select
            nights.*, row_number() over (series order by night desc) as place
        from nights left join (
            select series_id, metric, max(cast(changed_at as date)) as changed_night
            from quality.change_points group by all
        ) using (series_id, metric)
        where coalesce(night >= changed_night, true)
        window series as (partition by series_id, metric)
    ),

    series as (
        select
            series_id, any_value(series_name) as series_name, metric, count(*) as night_count,
            max(night) as night, max(night) filter (place = 2) as previous_night,
            any_value(value) filter (place = 1) as value,
            any_value(value) filter (place = 2) as previous_value,
            any_value(run_count) filter (place = 1) as run_count,
            any_value(run_count) filter (place = 2) as previous_run_count,
            any_value(measurement_id) filter (place = 1) as measurement_id,
            any_value(measured_at) filter (place = 1) as measured_at,
            avg(ln(value)) filter (place > 1) as usual,
            stddev_samp(ln(value)) filter (place > 1) as noise
        from of_level where place <= len($quantiles) + 2
        group by series_id, metric having max(night) = (select max(night) from of_level)
    )

    select
        left(md5(concat_ws(' ', series_id, metric, measurement_id)), 8) as change_id,
        series.* exclude (usual, noise), profile_id,
        if(
            night_count >= $min_nights,
            greatest(
                noise * $quantiles[night_count - 2]
                * sqrt(1 + 1 / (night_count - 1)),
                ln(1 + $min_change_ratio)
            ), null
        ) as margin,
        exp(usual) as usual_value, exp(usual - margin) as low_value,
        exp(usual + margin) as high_value,
        value not between low_value and high_value as is_outside,
        is_outside and (value > usual_value) = (metric like 'latency%') as is_regression,
        case
            when is_outside is null
                then 'too few nights to judge (' || night_count || ' of ' || $min_nights || ')'
            when not is_outside then 'within noise'
            when is_regression then 'regression'
            else 'better'
        end as verdict,
        cast(null as varchar) as acknowledged_reason
    from series left join (
        select measurement_id, profile_id from marts.measurements
    ) using (measurement_id)
    order by series_name, metric
"""
_SUMMARY = """
    select
        max(night), coalesce(max(night_count), 0), count(is_outside),
        count(*) filter (is_outside and acknowledged_reason is null)
    from quality.last_night
"""
_OUTSIDE = """
    select change_id, series_name, metric, value, low_value, high_value
    from quality.last_night where is_outside and is_regression and acknowledged_reason is null
    order by abs(ln(value / usual_value)) desc limit 20
"""


def judge_last_night(connection: duckdb.DuckDBPyConnection) -> None:
    """Write `quality.last_night`."""
    given = {
        "min_nights": _BOUNDS["min_nights"],
        "quantiles": _quantiles(),
        "min_change_ratio": BOUNDS["changes"]["min_change_ratio"],
        **BOUNDS["clock"],
    }
    connection.execute(_LAST_NIGHT, given)


def _quantiles() -> list[float]:
    """Two-sided quantiles of Student's t for 1, 2, ... degrees of freedom."""
    degrees = range(1, _BOUNDS["most_earlier_nights"])
    return [float(stdtrit(degree, 1 - _BOUNDS["max_p_value"] / 2)) for degree in degrees]


def described_last_night(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Lines with the counts and each regression, or why no series was judged."""
    ((night, nights, judged, outside),) = connection.execute(_SUMMARY).fetchall()
    if not judged:
        return [f"last night: too few nights to judge ({nights} of {_BOUNDS['min_nights']})"]
    by_noise = judged * _BOUNDS["max_p_value"]
    expected = f"about {by_noise:.0f}" if by_noise >= 1 else "fewer than 1"
    lines = [
        f"last night ({night}): {judged} judged, {outside} outside their tolerance band "
        f"(by noise alone: {expected})"
    ]
    for change_id, name, metric, value, low, high in connection.execute(_OUTSIDE).fetchall():
        lines.append(f"  {change_id} {name}: {metric} {value:,.1f}, band {low:,.1f} to {high:,.1f}")
    return lines
