"""Each corruption of a copied warehouse fails its checks and no others."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from expectations.run import run_checks
from expectations.suite import Check, checks

M = "marts.measurements."
KEPT, UNITS, THROUGHPUT = M + "measurements_kept", M + "units_agree", M + (
    "throughput_is_iops_times_block"
)  # fmt: skip
SHARE, LITTLE, ADD_UP = (
    M + "reads_are_the_profiles",
    M + "littles_law_holds",
    M + "directions_add_up",
)
MEASURED = "raw.files.are_measured"
BOUND = {name: f"{M}{name}_within_bounds" for name in ("iops", "bytes_per_second")}
LATENCY_BOUND, RISE = M + "latency_mean_us_within_bounds", M + "latencies_rise"
# Predictions were computed from the printed values before these were corrupted.
ABOVE_PRINT = "marts.fct_predictions.predictions_not_above_print"
FIO = "where source_format = 'fio'"
ONE = f"where measurement_id = (select min(measurement_id) from marts.measurements {FIO})"
UPDATE = "update marts.measurements set "
AGAIN = (
    "insert into marts.measurements select * replace (measurement_id || '-again' "
    "as measurement_id, 'copy-of-' || source_path as source_path) from marts.measurements "
)
# A slow run whose throughput is too low by {} bytes per second.
FEW = (
    UPDATE + "read_iops = null, write_iops = null, read_bytes_per_second = null, "
    "write_bytes_per_second = null, iops = 10, bytes_per_second = 10 * block_bytes - {}"
)
NIGHT = (
    "insert into quality.nightly_runs by name select 'tonight' as run_id, now() at time zone 'UTC' "
    "as started_at, '{}' as status, 0 as file_loaded_count, {} as file_unchanged_count, "
    "true as is_latest, (select max(paths) from quality.nightly_runs) as paths"
)
FILES = "(select max(file_loaded_count + file_unchanged_count) from quality.nightly_runs)"
BINS = (
    "insert into raw.iometer_results by name select min(file_id) as file_id, 9 as line, "
    "3 as read_io_count, 2 as write_io_count from raw.sources;"
    "insert into raw.iometer_latency_bins by name select min(file_id) as file_id, 9 as line, "
    "0 as bin_index, {} as io_count from raw.sources"
)

CORRUPTIONS: dict[str, tuple[str, set[str]]] = {
    # no rows, or fewer than before
    "no files": ("delete from raw.files", {"raw.files.has_rows"}),
    "no measurements": ("delete from marts.measurements", {M + "has_rows", MEASURED, KEPT}),
    "half of the rows lost": (
        "delete from marts.measurements where hash(measurement_id) % 2 = 0",
        {MEASURED, KEPT},
    ),
    "half of the rows forgotten": (
        "delete from marts.measurements where hash(measurement_id) % 2 = 0;"
        "update raw.sources set is_current = false where path like '%.json'",
        {KEPT, "raw.files.are_measured"},  # a paper of few values loses them all
    ),
    "half of the files not there": (
        NIGHT.format("running", 10),
        {"quality.nightly_runs.files_seen"},
    ),
    # duplicates, and dates in the future or long ago
    # the copy has no note that its value above the ceiling was read again
    "rows doubled": (AGAIN, {M + "same_run_twice", M + "below_derived_ceiling"}),
    "a job doubled in its file": (
        AGAIN.replace("'copy-of-' || source_path as source_path", "'jobs[9]' as source_position")
        + ONE, {M + "same_run_twice"},
    ),
    "one run under two names": (AGAIN + ONE, {M + "same_run_twice"}),
    "a clock ahead": (
        f"{UPDATE} measured_at = now() + interval 3 days {ONE}", {M + "not_in_the_future"},
    ),
    "no results for a month": (
        f"{UPDATE} measured_at = current_date - to_days(cast(30 + iops % 15 as int)) {FIO}",
        {M + "results_keep_coming"},
    ),
    # units and columns
    "IOPS x 1000": (
        f"{UPDATE} iops = iops * 1000 {FIO}", {UNITS, THROUGHPUT, SHARE, ADD_UP},
    ),
    "bytes as bits": (
        f"{UPDATE} bytes_per_second = bytes_per_second * 8 {FIO}", {THROUGHPUT, ADD_UP},
    ),
    "KiB as bytes": (
        f"{UPDATE} bytes_per_second = bytes_per_second / 1024 {ONE}", {UNITS, THROUGHPUT},
    ),
    "MB and MiB swapped": (
        f"{UPDATE} bytes_per_second = bytes_per_second / 1048576 * 1000000 {FIO}",
        {THROUGHPUT, ADD_UP},
    ),
    "microseconds as seconds": (
        f"{UPDATE} latency_mean_us = latency_mean_us / 1000000", {LATENCY_BOUND, RISE},
    ),
    "nanoseconds as microseconds": (
        f"{UPDATE} latency_mean_us = latency_mean_us * 1000, "
        f"littles_law_ratio = littles_law_ratio * 1000 {FIO}",
        {RISE, LITTLE, M + "latency_units_agree"},
    ),
    "columns shifted by one": (
        f"{UPDATE} iops = outstanding_io_count, read_iops = iops, write_iops = read_iops, "
        f"bytes_per_second = write_iops, read_bytes_per_second = bytes_per_second {FIO}",
        {UNITS, THROUGHPUT, SHARE, ADD_UP},
    ),
    "rates and latencies swapped": (
        f"{UPDATE} iops = latency_mean_us, latency_mean_us = iops {FIO}",
        {UNITS, THROUGHPUT, SHARE, ADD_UP, RISE},
    ),
    # reads and writes
    "reads and writes swapped": (
        f"{UPDATE} read_iops = write_iops, write_iops = read_iops {FIO}", {SHARE},
    ),
    "a reader that wrote": (
        f"{UPDATE} write_iops = iops, read_iops = null {FIO} and read_ratio = 1", {SHARE},
    ),
    "reads a little more than their share of the total": (
        f"{UPDATE} read_iops = 1.005 * read_iops {FIO}", {ADD_UP},
    ),
    "a rate of 1.5 KB/s too little": (f"{FEW.format(1500)} {ONE}", {THROUGHPUT}),
    "writes counted twice": (f"{UPDATE} write_iops = write_iops * 2", {ADD_UP}),
    "reads are not in the total": (
        f"{UPDATE} bytes_per_second = write_bytes_per_second {FIO} and read_iops is not null",
        {THROUGHPUT, ADD_UP},
    ),
    # impossible
    "zero IOPS": (f"{UPDATE} iops = 0 {ONE}", {BOUND["iops"], THROUGHPUT}),
    "1e12 IOPS": (
        f"{UPDATE} iops = 1e12 where document_id is not null and read_iops is null "
        "and bytes_per_second is null and min_iops is null and max_iops is null",
        {BOUND["iops"]},
    ),
    "low values that cover too few": (
        "update marts.fct_prediction_errors set low_coverage_ratio = 0.6 "
        "where worst_ratio is not null",
        {"marts.fct_prediction_errors.low_values_cover"},
    ),
    "negative throughput": (
        f"{UPDATE} bytes_per_second = -1 where document_id is not null",
        {BOUND["bytes_per_second"], ADD_UP, M + "within_their_ranges", ABOVE_PRINT},
    ),
    "a result that cannot be": (
        f"{UPDATE} is_valid = false, is_plausible = false, validity_note = '0.001 IOPS cannot be', "
        f"iops = 0.001 {ONE}",
        {M + "implausible_results"},
    ),
    "a version whose results cannot be": (
        f"{UPDATE} is_valid = false, is_plausible = false {FIO}",
        {M + "implausible_results", M + "implausible_results_are_few"},
    ),
    "a paper of what cannot be": (
        f"{UPDATE} is_valid = false, is_plausible = false where document_id is not null",
        {M + "implausible_results"},
    ),
    "negative reads": (f"{UPDATE} read_bytes_per_second = -1 {ONE}", {M + "not_negative"}),
    "a depth above what was asked for": (
        f"{UPDATE} io_depth_reached_ratio = 1.5 {ONE}", {M + "not_negative"},
    ),
    "no values": (
        f"{UPDATE} iops = null, bytes_per_second = null where page = 18",
        {M + "measures_something"},
    ),
    "too many I/Os in flight": (
        f"{UPDATE} littles_law_ratio = 2 where littles_law_ratio is not null", {LITTLE},
    ),
    "fifty times too many I/Os in flight": (f"{UPDATE} littles_law_ratio = 50 {ONE}", {LITTLE}),
    "two hundred times too many I/Os in flight": (
        f"{UPDATE} littles_law_ratio = 200 {ONE}", {LITTLE, M + "latency_units_agree"},
    ),
    "faster than its link": (
        f"{UPDATE} attained_ratio = 1.2 where binding_ceiling = 'host interface'",
        {M + "below_theoretical_ceiling"},
    ),
    "faster than its drives": (
        f"{UPDATE} attained_ratio = 1.2 where binding_ceiling = 'drives'",
        {M + "below_derived_ceiling"},
    ),
    **{
        f"{value} {wrong}": (f"{UPDATE} {change} {ONE}", {M + "within_their_ranges"})
        for value in ("iops", "bytes_per_second", "latency_mean_us")
        for wrong, change in (
            ("above its own range", f"max_{value} = {value} / 2"),
            ("below its own range", f"min_{value} = 2 * {value}"),
            ("in a range upside down", f"min_{value} = {value}, max_{value} = {value} / 2, "
             f"{value} = null"),
        )
    },
    # order of latencies
    "p95 below p50": (f"{UPDATE} latency_p95_us = latency_p50_us / 2 {ONE}", {RISE}),
    "p99.9 below p99": (f"{UPDATE} latency_p999_us = latency_p99_us / 2 {ONE}", {RISE}),
    "p99 below p95": (f"{UPDATE} latency_p99_us = latency_p50_us / 2", {RISE}),
    "minimum above the mean": (f"{UPDATE} latency_min_us = latency_mean_us * 2 {FIO}", {RISE}),
    "maximum below the mean": (f"{UPDATE} latency_max_us = latency_mean_us / 2", {RISE}),
    **{
        f"{name} by {percent} %": (f"{UPDATE} {change} * (1 + {percent} / 100) {ONE}", found)
        for percent, found in ((1, set[str]()), (3, {RISE}))
        for name, change in (
            ("minimum above the mean", "latency_min_us = latency_mean_us"),
            ("mean above the maximum", "latency_mean_us = latency_max_us"),
            ("p99.9 above the maximum", "latency_p999_us = latency_max_us"),
        )
    },
    "percentiles out of order": (
        "update marts.fct_latency_percentiles set latency_us = 1 where percentile_ratio = 0.99",
        {"marts.fct_latency_percentiles.percentiles_rise"},
    ),
    "minimum and maximum swapped": (
        "update raw.fio_latencies set latency_min = latency_max, latency_max = latency_min",
        {"raw.fio_latencies.minimum_mean_maximum"},
    ),
    "samples out of order": (
        "update raw.fio_directions set iops_min = iops_max, iops_max = iops_min",
        {"raw.fio_directions.minimum_mean_maximum"},
    ),
    "more I/Os in bins than were timed": (
        "update raw.fio_latencies set sample_count = 1 where len(bin_counts) > 1",
        {"raw.fio_latencies.bins_are_ios"},
    ),
    "more I/Os in bins than were done": (
        BINS.format(6),
        {"raw.iometer_latency_bins.bins_are_ios"},
    ),
    # systems and papers
    "a wrong drive count": (
        f"{UPDATE} drive_count = 40 where controller = 'PRAID EP420i' and drive_count = 8",
        {M + "drives_fit_controller"},
    ),
    "a drive more than ports": (
        "update marts.dim_controllers set disk_interfaces = 'SATA 6G', disk_port_count = 7 "
        "where controller = 'MegaRAID 9265-8i'",
        {M + "drives_fit_controller"},
    ),
    "RAID 10 of an odd number": (
        f"{UPDATE} drive_count = 7 where raid_level = 'RAID 10'", {M + "drives_fit_raid_level"},
    ),
    "RAID 6 on a controller without it": (
        f"{UPDATE} raid_level = 'RAID 6' where controller = 'PRAID CP400i'",
        {M + "controller_has_raid_level"},
    ),
    "no sidecar": (
        "insert into marts.fct_sources_without_sidecar "
        "values ('file', 'lab/run.json', 'lab', 'fio')",
        {"marts.fct_sources_without_sidecar.has_sidecar"},
    ),
    "a misprinted limit": (
        "update marts.fct_findings set excess_ratio = 0.5 where unit = 'bytes_per_second'",
        {"marts.fct_findings.printed_as_derived"},
    ),
    "a prediction above print": (
        "update marts.fct_predictions set bytes_per_second = 1.01 * bytes_per_second "
        "where controller = 'PRAID EP400i' and raid_level = 'RAID 0' "
        "and evidence = 'printed limit'",
        {ABOVE_PRINT},
    ),
    "RAID 6 above RAID 5": (
        "update marts.fct_predictions set bytes_per_second = 1.6 * bytes_per_second "
        "where raid_level = 'RAID 6' and drive = 'SAS-12G-HDD'",
        {"marts.fct_predictions.predictions_not_above_cheaper_level"},
    ),
    "a digit wrong in one edition": (
        "update raw.white_paper_measurements set number = 845 "
        "where number = 844 and edition = 'de'",
        {"raw.white_paper_measurements.editions_agree"},
    ),
    # nothing wrong
    "a drive by itself on a controller without JBOD": (
        f"{UPDATE} raid_level = 'RAID 0', drive_count = 1 where controller = 'ioDrive2'", set(),
    ),
    "expanders that nobody describes": (
        f"{UPDATE} drive_count = 32 where controller = 'MegaRAID 9265-8i'", set(),
    ),
    "as many I/Os in bins as were done": (BINS.format(5), set()),
    "fewer files in other folders": (
        NIGHT.format("running", 10) + "; update quality.nightly_runs set paths = '/elsewhere' "
        "where is_latest and status = 'running'", set(),
    ),
    "nearly all of the files": (NIGHT.format("running", f"ceil(0.95 * {FILES})"), set()),
    "a larger night long ago": (
        NIGHT.format("running", FILES) + ";"
        "insert into quality.nightly_runs by name select 'long ago' as run_id, "
        "timestamp '2020-01-01' as started_at, 'published' as status, 1000 as file_loaded_count, "
        "(select max(paths) from quality.nightly_runs) as paths, "
        "0 as file_unchanged_count, 1000000 as measurement_count, 0 as source_retired_count",
        set(),
    ),
    "a larger night long ago, and something forgotten since": (
        "update raw.sources set is_current = false where path like '%.json';"
        "insert into quality.nightly_runs by name select 'long ago' as run_id, "
        "timestamp '2020-01-01' as started_at, 'published' as status, "
        "1000000 as measurement_count, 0 as source_retired_count",
        set(),
    ),
    "a night that failed at its start": (NIGHT.format("failed", 10), set()),
    "one measurement forgotten": (
        f"delete from marts.measurements {ONE};"
        "update raw.sources set is_current = false where path like '%.json'",
        set(),
    ),
    "a lab that ended two years ago": (
        f"{UPDATE} measured_at = current_date - to_days(cast(700 + iops % 15 as int)) {FIO}", set(),
    ),
    "a paper that prints a run twice": (
        AGAIN + "where document_id is not null and latency_mean_us is not null", set(),
    ),
    "reads rounded in their total": (f"{UPDATE} read_iops = 1.0005 * read_iops {FIO}", set()),
    "a rate of 1.3 KB/s too little": (f"{FEW.format(1300)} {ONE}", set()),
    "a few runs, long ago": (f"{UPDATE} measured_at = '2015-05-08' {FIO}", set()),
    "one measurement less": (f"delete from marts.measurements {ONE}", {MEASURED}),
    "a run that is not valid": (
        f"{UPDATE} is_valid = false, iops = 0, bytes_per_second = 0 {ONE}", set(),
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def copy(warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corrupted")
    return shutil.copyfile(warehouse / "headroom.duckdb", folder / "copy.duckdb")


@pytest.fixture(scope="module")
def readers(copy: Path) -> Iterator[dict[str, list[Check]]]:
    """The checks that read each table. None of them fails before a corruption.

    The copy stays open: DuckDB takes longer to open it than the checks take.
    """
    found: dict[str, list[Check]] = {}
    with duckdb.connect(copy) as connection:
        for check in checks():
            assert connection.execute(check.failing_rows).fetchall() == [], check.check_id
            for table in {*re.findall(r"\b(?:raw|marts|quality)\.\w+", check.failing_rows)}:
                found.setdefault(table, []).append(check)
        yield found


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_a_corruption_fails_its_checks_and_no_others(
    copy: Path, readers: dict[str, list[Check]], name: str
) -> None:
    corruption, expected = CORRUPTIONS[name]
    changed = {*re.findall(r"(?:insert into|update|delete from) (\w+\.\w+)", corruption)}
    with duckdb.connect(copy) as connection:
        connection.begin()
        assert connection.execute(corruption).fetchall()[0][0] > 0
        failed = {
            check.check_id
            for check in {one.check_id: one for t in changed for one in readers.get(t, [])}.values()
            if connection.execute(check.failing_rows).fetchall()
        }
        connection.rollback()
    assert failed == expected


def test_great_expectations_agrees_with_the_queries(copy: Path, tmp_path: Path) -> None:
    corrupted = shutil.copyfile(copy, tmp_path / "corrupted.duckdb")
    with duckdb.connect(corrupted) as connection:
        for corruption, expected in CORRUPTIONS.values():
            is_update = "update marts.measurements" in corruption
            if expected and is_update and "is_valid" not in corruption:  # checks skip invalid rows
                connection.execute(corruption)
        rows = {
            check.check_id: connection.execute(check.failing_rows).fetchall() for check in checks()
        }
    found = {row["check_id"]: row for row in run_checks(corrupted).to_dicts()}
    assert {name: row["failing_row_count"] for name, row in found.items()} == {
        name: len(failing) for name, failing in rows.items()
    }
    assert sum(not row["is_passed"] for row in found.values()) > 10
    assert all(row["is_passed"] == (row["sample_rows"] is None) for row in found.values())


def test_every_check_is_failed_by_a_corruption() -> None:
    expected = {check for _, checks in CORRUPTIONS.values() for check in checks}
    assert expected == {check.check_id for check in checks()}
