"""The last night against earlier nights: changes within and beyond the noise."""

import datetime
import math

import duckdb
import numpy as np
import polars as pl
import pytest

from headroom.release.acknowledge import acknowledge, mark_acknowledged
from headroom.release.changes import described_changes, detect_changes
from headroom.release.history import prepare_history
from headroom.release.last_night import described_last_night, judge_last_night
from headroom.warehouse import WarehouseError

FIRST_NIGHT = datetime.datetime(2026, 1, 1, 2)


def measured_nights(series: dict[str, list[float]], metric: str = "iops") -> pl.DataFrame:
    """One value per night."""
    return pl.DataFrame(
        {
            "series_id": name, "series_name": name, "metric": metric,
            "measured_at": FIRST_NIGHT + datetime.timedelta(days=night), "value": float(value),
            "measurement_id": f"{name}-{night}", "source_path": "path", "version_change": None,
        }
        for name, values in series.items()
        for night, value in enumerate(values)
    )  # fmt: skip


def _measured(points: pl.DataFrame) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    prepare_history(connection)
    connection.execute("create schema marts")
    connection.register("points", points)
    connection.execute("create table marts.fct_repeated_measurements as from points")
    connection.execute(
        "create table marts.measurements as select measurement_id, 'p' as profile_id from points"
    )
    return connection


def built(points: pl.DataFrame) -> duckdb.DuckDBPyConnection:
    connection = _measured(points)
    detect_changes(connection)
    judge_last_night(connection)
    mark_acknowledged(connection)
    return connection


def test_band_follows_the_formula() -> None:
    """Nights of 100, 110 and 90 before one of 40.

    Their logarithms 4.60517, 4.70048, 4.49981 have a mean of 4.60182 and a standard deviation of
    0.10038; t(2) is 9.925, so the margin is 9.925 x 0.10038 x sqrt(4/3) = 1.15037 and the band
    e^(4.60182 -+ 1.15037) = 31.55 to 314.9.
    """
    with built(measured_nights({"s": [100, 110, 90, 40]})) as connection:
        row = connection.execute(
            "select night_count, previous_value, value, usual_value, low_value, high_value, "
            "is_outside from quality.last_night"
        ).fetchone()
    assert row is not None
    assert row[:3] == (4, 90, 40)
    assert row[3:6] == pytest.approx((99.666, 31.55, 314.9), rel=1e-3)
    assert row[6] is False


def test_only_worse_nights_are_listed() -> None:
    usual = [100, 101, 99, 100, 101, 99]
    with built(measured_nights({"fell": [*usual, 80], "rose": [*usual, 120]})) as connection:
        first, *lines = described_last_night(connection)
        assert first == (
            "last night (2026-01-07): 2 judged, 2 outside their tolerance band "
            "(by noise alone: fewer than 1)"
        )
        assert len(lines) == 1
        assert "fell: iops 80.0, band 96" in lines[0]
    with built(measured_nights({"rose": [*usual, 120]}, "latency_p99_us")) as connection:
        assert len(described_last_night(connection)) == 2


def test_small_change_is_within_the_band() -> None:
    with built(measured_nights({"s": [100.0] * 6 + [98.5]})) as connection:
        assert "): 1 judged, 0 outside" in described_last_night(connection)[0]


@pytest.mark.parametrize("count", [0, 1, 2])
def test_too_few_nights_are_reported(count: int) -> None:
    points = (
        measured_nights({"s": [100.0, 50.0][:count]})
        if count
        else measured_nights({"s": [1.0]}).clear()
    )
    with built(points) as connection:
        told = f"last night: too few nights to judge ({count} of 3)"
        assert described_last_night(connection) == [told]
        assert described_changes(connection) == [
            f"changes: not judged, the longest series has {count} of 14 measurements"
        ]


def test_runs_of_one_night_count_as_one_value() -> None:
    """Their median counts: 10 nights of 100, and a last night of 99, 100 and 10."""
    points = measured_nights({"s": [100.0] * 11})
    again = pl.concat(
        points.tail(1).with_columns(
            pl.col("measured_at") + datetime.timedelta(hours=hour), value=pl.lit(value),
            measurement_id=pl.lit(f"again-{hour}"),
        )
        for hour, value in ((1, 99.0), (2, 10.0))
    )  # fmt: skip
    with built(pl.concat([points, again])) as connection:
        rows = connection.execute("select value, run_count, is_outside from quality.last_night")
        assert rows.fetchall() == [(99.0, 3, False)]


def test_a_series_that_was_not_measured_last_night_is_not_judged() -> None:
    with built(measured_nights({"old": [100.0] * 5, "new": [100.0] * 6})) as connection:
        rows = connection.execute("select series_id from quality.last_night").fetchall()
        assert rows == [("new",)]


@pytest.mark.parametrize("value", [0.0, -1.0, math.inf])
def test_invalid_values_do_not_stop_a_night(value: float) -> None:
    with built(measured_nights({"s": [100.0, value, 100.0, value]})) as connection:
        assert described_last_night(connection)


@pytest.mark.parametrize("nights", [3, 4, 7, 15, 40])
def test_one_percent_of_noise_is_outside_the_band(nights: int) -> None:
    """Of 5,000 series with 5 % noise alone, 1 % are outside; by chance 0.6 % to 1.4 %."""
    count = 5000
    values = np.exp(np.random.default_rng(1).normal(math.log(1000), 0.05, (count, nights)))
    points = pl.DataFrame(
        {
            "series_id": [f"s{number}" for number in range(count) for _ in range(nights)],
            "night": list(range(nights)) * count,
            "value": values.ravel(),
        }
    ).with_columns(
        series_name="series_id", metric=pl.lit("iops"), source_path=pl.lit("path"),
        measured_at=pl.lit(FIRST_NIGHT) + pl.duration(days="night"),
        measurement_id=pl.format("{}-{}", "series_id", "night"),
    )  # fmt: skip
    with _measured(points) as connection:
        connection.execute(
            "create table quality.change_points (series_id text, metric text, changed_at timestamp)"
        )
        judge_last_night(connection)
        ((share,),) = connection.execute(
            "select count(*) filter (is_outside) / count(*) from quality.last_night"
        ).fetchall()
    assert 0.006 <= share <= 0.014


def _stepped() -> dict[str, list[float]]:
    chance = np.random.default_rng(2)
    return {"s": [*chance.normal(1000, 5, 20), *chance.normal(900, 5, 20)]}


def test_acknowledged_change_is_not_reported_again() -> None:
    with built(measured_nights(_stepped())) as connection:
        (line,) = (line for line in described_changes(connection) if "since" in line)
        change = line.split()[0]
        with pytest.raises(WarehouseError, match="matches no changes; unacknowledged changes"):
            acknowledge(connection, "nothing", "why")
        assert "s: iops since 2026-01-21" in acknowledge(connection, change[:4], "firmware")
        told = "changes: 1, regressions: 1, acknowledged: 1"
        assert described_changes(connection) == [told]
        detect_changes(connection)
        mark_acknowledged(connection)
        assert described_changes(connection) == [told], "also after the next check"


@pytest.mark.parametrize(("moved", "is_known"), [(0, True), (2, True), (3, False)])
def test_change_that_moves_slightly_stays_acknowledged(moved: int, is_known: bool) -> None:
    """The acknowledged date is this many measurements earlier."""
    with built(measured_nights(_stepped())) as connection:
        ((change,),) = connection.execute("select change_id from quality.change_points").fetchall()
        acknowledge(connection, change, "firmware")
        connection.execute(
            "update quality.acknowledged_changes set changed_at = changed_at - to_days($1)", [moved]
        )
        detect_changes(connection)
        mark_acknowledged(connection)
        rows = connection.execute(
            "select acknowledged_reason, is_recent from quality.change_points"
        )
        assert rows.fetchall() == [("firmware" if is_known else None, not is_known)]
