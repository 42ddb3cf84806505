"""Steps in repeated measurements are found with their direction; noise raises no alarm."""

import datetime
import random

import duckdb
import polars as pl
import pytest

from headroom.release.changes import Change, detect_changes, find_changes

FIRST_NIGHT = datetime.datetime(2026, 1, 1, 2)
FAR_AHEAD = datetime.datetime(2190, 1, 1, 2)


def noisy_nights(count: int, seed: int = 0, factor: float = 1, since: int = 40) -> list[float]:
    """Nights with 1 % of noise; from night `since` on, the level changes by `factor`."""
    chance = random.Random(seed)
    return [
        1000 * chance.gauss(1, 0.01) * (factor if night >= since else 1) for night in range(count)
    ]


def _fill(
    connection: duckdb.DuckDBPyConnection,
    series: dict[str, list[float]],
    ahead: dict[str, list[float]] | None = None,
    new_kernel: int | None = None,
) -> None:
    schema = dict.fromkeys(("series_id", "series_name", "metric"), pl.String())
    schema |= {"measured_at": pl.Datetime("us"), "value": pl.Float64()}
    schema |= dict.fromkeys(("measurement_id", "source_path", "version_change"), pl.String())
    rows = [
        (
            "s", "series", metric, first + datetime.timedelta(days=night), value,
            f"night-{night}", "path", "os kernel 6.1 -> 6.8" if night == new_kernel else None,
        )
        for first, some in ((FIRST_NIGHT, series), (FAR_AHEAD, ahead or {}))
        for metric, values in some.items()
        for night, value in enumerate(values)
    ]  # fmt: skip
    connection.register("points", pl.DataFrame(rows, schema=schema, orient="row"))
    connection.execute("create or replace table marts.fct_repeated_measurements as from points")


def _detected(
    ahead: dict[str, list[float]] | None = None,
    new_kernel: int | None = None,
    **series: list[float],
) -> dict[str, tuple[object, ...]]:
    """is_regression, is_recent and measurement_id by metric; with a new kernel also the reason."""
    with duckdb.connect() as connection:
        connection.execute("create schema marts; create schema quality")
        _fill(connection, series, ahead, new_kernel)
        detect_changes(connection)
        columns = "metric, is_regression, is_recent, measurement_id"
        columns += ", likely_reason" * (new_kernel is not None)
        query = f"select {columns} from quality.change_points"
        return {metric: tuple(rest) for metric, *rest in connection.execute(query).fetchall()}


@pytest.mark.parametrize("metric", ["iops", "bytes_per_second", "latency_p99_us"])
@pytest.mark.parametrize("factor", [0.9, 1.1])
def test_a_step_is_found_with_its_direction(metric: str, factor: float) -> None:
    is_regression = (factor > 1) == (metric == "latency_p99_us")
    found = _detected(**{metric: noisy_nights(60, factor=factor)})
    assert found == {metric: (is_regression, True, "night-40")}


@pytest.mark.parametrize(("new_kernel", "reason"), [
    (40, "os kernel 6.1 -> 6.8"), (42, "os kernel 6.1 -> 6.8"), (43, None), (37, None),
])  # fmt: skip
def test_version_change_near_a_step_is_its_likely_reason(
    new_kernel: int, reason: str | None
) -> None:
    found = _detected(new_kernel=new_kernel, iops=noisy_nights(60, factor=0.9))
    assert found == {"iops": (True, True, "night-40", reason)}


def test_future_dated_results_hide_no_change() -> None:
    """A result dated far ahead does not make last week's changes old ones."""
    ahead = {"latency_p99_us": [1000.0] * 20}
    assert _detected(ahead=ahead, iops=noisy_nights(60, factor=0.9)) == {
        "iops": (True, True, "night-40")
    }


def test_change_has_the_means_before_and_after() -> None:
    (change,) = find_changes(noisy_nights(60, factor=0.9))
    assert change.mean_before == pytest.approx(1000, rel=0.01)
    assert change.mean_after == pytest.approx(900, rel=0.01)
    assert change.p_value < 1e-6


def test_old_change_or_ended_series_is_not_recent() -> None:
    ended = noisy_nights(60, factor=1.1)
    found = _detected(iops=noisy_nights(100, factor=0.9), latency_p99_us=ended)
    assert found == {"iops": (True, False, "night-40"), "latency_p99_us": (True, False, "night-40")}


def test_noise_raises_no_alarm() -> None:
    assert [seed for seed in range(50) if find_changes(noisy_nights(90, seed))] == []


@pytest.mark.parametrize("bad_nights", [{50}, {59}, {20, 58, 59}])
def test_single_bad_nights_are_no_change(bad_nights: set[int]) -> None:
    values = noisy_nights(60)
    assert find_changes([v / 2 if n in bad_nights else v for n, v in enumerate(values)]) == []


def test_bad_nights_do_not_hide_a_step() -> None:
    values = [v / 2 if n % 15 == 7 else v for n, v in enumerate(noisy_nights(60, factor=0.95))]
    assert [change.position for change in find_changes(values)] == [40]


def test_too_few_nights_find_no_change() -> None:
    assert _detected(iops=noisy_nights(9, factor=0.5, since=5)) == {}
    assert find_changes(noisy_nights(44, factor=0.5)) == []


def test_step_is_found_without_noise() -> None:
    assert find_changes([100.0] * 20) == []
    assert [change.position for change in find_changes([100.0] * 10 + [90.0] * 10)] == [10]


def test_unchanged_series_are_not_analysed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    analysed = []

    def find(values: list[float]) -> list[Change]:
        analysed.append(values)
        return find_changes(values)

    monkeypatch.setattr("headroom.release.changes.find_changes", find)
    steps = noisy_nights(60, factor=0.9)
    with duckdb.connect() as connection:
        connection.execute("create schema marts; create schema quality")
        for series in ({"a": steps}, {"a": steps, "b": steps[:50]}, {"b": steps}, {}):
            _fill(connection, series)
            detect_changes(connection)
            query = "select metric, point_count from quality.change_points order by all"
            found = connection.execute(query).fetchall()
            assert found == [(metric, len(values)) for metric, values in series.items()]
    assert analysed == [steps, steps[:50], steps]
