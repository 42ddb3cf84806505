"""The checks find what they are for: each corruption of a built file fails its check alone."""

import shutil
from pathlib import Path

import duckdb
import pytest

from expectations.run import run_checks

CORRUPTIONS = {
    "marts.measurements.throughput_is_iops_times_block": (
        "update marts.measurements set bytes_per_second = bytes_per_second / 1048576 * 1000000 "
        "where source_format = 'fio'"
    ),
    "marts.measurements.directions_add_up": (
        "update marts.measurements set write_iops = write_iops * 2 where write_iops is not null"
    ),
    "marts.fct_latency_percentiles.percentiles_rise": (
        "update marts.fct_latency_percentiles set latency_us = 1 where percentile_ratio = 0.99"
    ),
    "marts.measurements.latency_mean_us_within_bounds": (
        "update marts.measurements set latency_mean_us = latency_mean_us / 1000000"
    ),
    "marts.measurements.iops_within_bounds": (
        "update marts.measurements set iops = 1e12 "
        "where document_id is not null and read_iops is null"
    ),
    "marts.measurements.bytes_per_second_within_bounds": (
        "update marts.measurements set bytes_per_second = -1 where document_id is not null"
    ),
    "marts.measurements.littles_law_holds": (
        "update marts.measurements set littles_law_ratio = 2 where littles_law_ratio is not null"
    ),
    "marts.measurements.below_theoretical_ceiling": (
        "update marts.measurements set attained_ratio = 1.2 "
        "where binding_ceiling = 'host interface'"
    ),
    "marts.measurements.measures_something": (
        "update marts.measurements set iops = null, bytes_per_second = null where page = 18"
    ),
    "raw.white_paper_measurements.editions_agree": (
        "update raw.white_paper_measurements set number = 845 where number = 844 and edition = 'de'"
    ),
    "raw.fio_jobs.not_in_the_future": (
        "update raw.fio_jobs set printed_at_ms = 4102444800000"
    ),
    "raw.files.has_rows": "delete from raw.files",
}  # fmt: skip


@pytest.fixture(scope="module")
def failed_by_corruption(warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> (
    dict[str, dict[str, tuple[str, str | None]]]
):  # fmt: skip
    """For each corruption the checks that fail, with severity and sample rows."""
    folder = tmp_path_factory.mktemp("corrupted")
    failed = {}
    for number, (check_id, corruption) in enumerate(CORRUPTIONS.items()):
        copy = shutil.copy(warehouse / "building.duckdb", folder / f"{number}.duckdb")
        with duckdb.connect(copy) as connection:
            assert connection.execute(corruption).fetchall()[0][0] > 0
        results = run_checks(Path(copy))
        failed[check_id] = {
            row["check_id"]: (row["severity"], row["sample_rows"])
            for row in results.iter_rows(named=True)
            if not row["is_passed"]
        }
    return failed


@pytest.mark.parametrize("check_id", CORRUPTIONS)
def test_a_corruption_fails_its_check_alone(
    failed_by_corruption: dict[str, dict[str, tuple[str, str | None]]], check_id: str
) -> None:
    failed = failed_by_corruption[check_id]
    assert list(failed) == [check_id]
    assert failed[check_id][1] or check_id.endswith("has_rows")


def test_a_check_that_cannot_run_has_failed(warehouse: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(warehouse / "building.duckdb", tmp_path / "copy.duckdb"))
    with duckdb.connect(copy) as connection:
        connection.execute("alter table marts.measurements drop column latency_mean_us")
    results = run_checks(copy)
    failed = results.filter(~results["is_passed"])
    assert "marts.measurements.latency_mean_us_within_bounds" in failed["check_id"].to_list()
    assert all(failed["observed"])
