"""`quality.change_points`: changes of level in series of repeated measurements.

Apache Otava finds them: E-divisive splits that pass a t-test and a minimum size (Fleming et al.
2023, https://doi.org/10.1145/3578244.3583719). Outliers are clipped first: one at the end of a
series would look like a change, one elsewhere would hide changes. See docs/changes.md.
"""

import hashlib
import warnings
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import NamedTuple

import duckdb
import polars as pl

from expectations import BOUNDS

_BOUNDS = BOUNDS["changes"]
_ANALYSED = """
    create schema if not exists built;
    create table if not exists built.analysed_series (
        series_id varchar, metric varchar, fingerprint ubigint,
        position bigint, mean_before double, mean_after double, p_value double
    )
"""
_SERIES = """
    create or replace temp table series as
    select
        series_id, metric,
        list(value order by measured_at, measurement_id) as series_values,
        hash(series_values, $method) as fingerprint
    from marts.fct_repeated_measurements
    group by series_id, metric having count(*) >= 2 * $min_points
"""
_NEW_SERIES = "from series anti join built.analysed_series using (series_id, metric, fingerprint)"
_KEEP = """
    create or replace table built.analysed_series as
    from built.analysed_series semi join series using (series_id, metric, fingerprint)
    union all from found
"""
_CHANGE_POINTS = """
    create or replace table quality.change_points as
    with points as (
        select
            *,
            row_number() over (series order by measured_at, measurement_id) - 1 as position,
            count(*) over series as point_count,
            max(measured_at) over series as last_measured_at,
            string_agg(version_change, '; ') over (
                series order by measured_at, measurement_id
                rows between $reason_points preceding and $reason_points following
            ) as likely_reason,
            (
                select max(measured_at) from marts.fct_repeated_measurements where measured_at
                    <= now() at time zone 'UTC' + $tolerance_hours * interval 1 hour
            ) as newest_measured_at
        from marts.fct_repeated_measurements
        window series as (partition by series_id, metric)
    )
    select
        left(md5(concat_ws(' ', series_id, metric, measurement_id)), 8) as change_id,
        series_id, series_name, metric, measured_at as changed_at, measurement_id, source_path,
        mean_before, mean_after, mean_after / mean_before - 1 as change_ratio, p_value, point_count,
        (mean_after > mean_before) = (metric like 'latency%') as is_regression,
        point_count - position <= $recent_points
        and newest_measured_at - last_measured_at <= to_days($recent_days) as is_recent,
        likely_reason, cast(null as varchar) as acknowledged_reason,
        now() at time zone 'UTC' as detected_at
    from points inner join built.analysed_series using (series_id, metric, position)
    order by changed_at, series_name, metric
"""

_LONGEST = """
    select coalesce(max(point_count), 0) from (
        select count(*) as point_count
        from marts.fct_repeated_measurements group by series_id, metric
    )
"""
_COUNTS = """
    select
        count(*), count(*) filter (is_regression),
        count(*) filter (acknowledged_reason is not null)
    from quality.change_points
"""
_RECENT = """
    select
        change_id, series_name, metric, mean_before, mean_after, change_ratio, changed_at,
        likely_reason
    from quality.change_points where is_regression and is_recent
    order by changed_at desc, series_name, metric
"""


_NO_CHANGE = (None, None, None, None)


class Change(NamedTuple):
    """A new level from this position on, counted from 0; means of the clipped values."""

    position: int
    mean_before: float
    mean_after: float
    p_value: float


def detect_changes(connection: duckdb.DuckDBPyConnection) -> None:
    """Write `quality.change_points`.

    Unchanged series are not analysed again: `built.analysed_series` has their changes, or a row
    without a position.
    """
    connection.execute(_ANALYSED)
    connection.execute(_SERIES, {"min_points": _BOUNDS["min_points"], "method": _method()})
    rows = [
        (series_id, metric, fingerprint, *change)
        for series_id, metric, values, fingerprint in connection.execute(_NEW_SERIES).fetchall()
        for change in find_changes(values) or (_NO_CHANGE,)
    ]
    schema = {"series_id": pl.String(), "metric": pl.String(), "fingerprint": pl.UInt64()}
    schema |= {"position": pl.Int64()} | dict.fromkeys(Change._fields[1:], pl.Float64())
    connection.register("found", pl.DataFrame(rows, schema=schema, orient="row"))
    connection.execute(_KEEP)
    names = ("recent_points", "recent_days", "reason_points")
    recent = {name: _BOUNDS[name] for name in names} | BOUNDS["clock"]
    connection.execute(_CHANGE_POINTS, recent)


def _method() -> str:
    """Identifies the method: bounds, Otava's version and this module."""
    code = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
    return f"{_BOUNDS} {version('apache-otava')} {code}"


def find_changes(values: list[float]) -> list[Change]:
    """The changes of one series, oldest first."""
    from otava.analysis import compute_change_points  # its scipy takes a second to import

    # Where there is no noise at all, the test divides by zero.
    with warnings.catch_warnings(action="ignore", category=RuntimeWarning):
        found, _ = compute_change_points(
            _without_outliers(values),
            window_len=_BOUNDS["window_points"],
            max_pvalue=_BOUNDS["max_p_value"],
            min_magnitude=_BOUNDS["min_change_ratio"],
        )
    margin = _BOUNDS["min_points"]
    return [
        Change(point.index, point.stats.mean_1, point.stats.mean_2, point.stats.pvalue)
        for point in found
        if margin <= point.index <= len(values) - margin
    ]


def _without_outliers(values: list[float]) -> list[float]:
    """Clip values that lie far from the median of their neighbours."""
    series = pl.Series(values)
    level = series.rolling_median(_BOUNDS["outlier_points"], center=True, min_samples=1)
    noise = 1.4826 * median((series - level).abs()) * _BOUNDS["outlier_deviations"]
    return series.clip(level - noise, level + noise).to_list()


def described_changes(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Lines with the number of changes and each recent regression, or why there are none."""
    ((longest,),) = connection.execute(_LONGEST).fetchall()
    if longest < 2 * _BOUNDS["min_points"]:
        needed = f"{longest} of {2 * _BOUNDS['min_points']}"
        return [f"changes: not judged, the longest series has {needed} measurements"]
    ((count, regressions, known),) = connection.execute(_COUNTS).fetchall()
    acknowledged = f", acknowledged: {known}" if known else ""
    lines = [f"changes: {count}, regressions: {regressions}{acknowledged}"]
    rows = connection.execute(_RECENT).fetchall()
    for change_id, name, metric, before, after, ratio, changed_at, reason in rows:
        means = f"{before:,.1f} -> {after:,.1f} ({ratio:+.1%})"
        why = f": {reason}" if reason else ""
        since = f"since {changed_at:%Y-%m-%d %H:%M}{why}"
        lines.append(f"  {change_id} {name}: {metric} {means} {since}")
    return lines
