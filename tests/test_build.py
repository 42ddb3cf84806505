"""`headroom build` runs the unit tests; a night skips them and, if it can, dbt as a whole."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import pytest

from expectations.suite import checks
from headroom.engines.duckdb.build import _show_progress, bring_up_to_date, build
from headroom.engines.duckdb.build_state import (
    find_changes,
    mark_inconsistent,
    models_fingerprint,
    note_release,
    read_nodes,
    release_of,
)
from headroom.engines.duckdb.dbt_process import _report
from headroom.release.checks import unchanged_results
from headroom.warehouse import Warehouse, WarehouseError
from ingest.records.raw_tables import make_tables
from tests.conftest import ROOT, copy_warehouse, program, run_headroom


def test_the_models_pass_their_unit_tests(warehouse: Path) -> None:
    """`headroom build` made the warehouse and ran the unit tests; exposures are no-ops."""
    results = json.loads((warehouse / "dbt/run_results.json").read_text())["results"]
    assert {result["status"] for result in results} <= {"success", "pass", "no-op"}
    assert "unit_test" in {result["unique_id"].split(".")[0] for result in results}


def _refuse(_: Warehouse, *arguments: str, dbt: object) -> None:
    raise WarehouseError(" ".join(arguments))


@pytest.mark.parametrize("with_unit_tests", [True, False])
def test_a_night_leaves_the_unit_tests_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, with_unit_tests: bool
) -> None:
    folder = Warehouse(tmp_path)
    with folder.open_building(must_exist=False) as connection:
        make_tables(connection)
    monkeypatch.setattr("headroom.engines.duckdb.build._run_dbt", _refuse)
    with pytest.raises(WarehouseError) as given:
        build(folder, with_unit_tests=with_unit_tests)
    without = "" if with_unit_tests else " --exclude-resource-type unit_test"
    assert str(given.value) == f"build --full-refresh{without}"


def test_a_night_with_nothing_new_keeps_the_marts(warehouse: Path, tmp_path: Path) -> None:
    copy = copy_warehouse(warehouse, tmp_path / "warehouse")
    night = run_headroom(copy, "nightly", "data")
    assert night.returncode == 0, night.stdout + night.stderr
    assert "nothing new since the last build" in night.stdout
    release = (copy / "headroom.duckdb").resolve().name
    assert "nothing new to publish" in night.stdout
    assert re.search(rf"^night \w+ published after \d+ s: {release}$", night.stdout, re.MULTILINE)
    assert release == (warehouse / "headroom.duckdb").resolve().name
    assert f"checks: {len(checks())} passed, 0 failed" in night.stdout
    query = "select * exclude (attained_ratio) from marts.measurements order by measurement_id"
    with duckdb.connect(copy / "headroom.duckdb", read_only=True) as before:
        kept = before.execute(query).fetchall()
    with duckdb.connect(warehouse / "headroom.duckdb", read_only=True) as after:
        assert kept == after.execute(query).fetchall()


CHANGES = {
    "a new content": "insert into raw.files (file_id, parser) values ('b', 'fio')",
    "one read anew": "update raw.files set parser_version = 'newer' where parser = 'white_paper'",
    "a new revision": "update raw.sources set revision = 2",
    "one forgotten": "update raw.sources set is_current = false",
    "one moved": "update raw.sources set path = 'elsewhere' || path",
    "another system": "insert into raw.sidecars (source_key, raid_level) "
    "select source_key, 'RAID 6' from raw.sources",
    "a controller": "insert into raw.sidecar_controllers (controller) values ('C')",
    "another drive": "insert into raw.sidecar_drives (drive) values ('D2')",
    "a captured fact": "insert into raw.system_facts (source_key, value) values ('/a', '6')",
}


@pytest.fixture(scope="module")
def copied(warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = Warehouse(tmp_path_factory.mktemp("copied"))
    shutil.copy(warehouse / "building.duckdb", folder.building)
    return folder


@pytest.fixture
def built(copied: Warehouse) -> Iterator[duckdb.DuckDBPyConnection]:
    with copied.open_building() as connection:
        connection.execute("begin")
        yield connection
        connection.execute("rollback")


@pytest.mark.parametrize("change", CHANGES)
def test_changes_to_the_marts_are_found(built: duckdb.DuckDBPyConnection, change: str) -> None:
    assert not any(find_changes(built, read_nodes(built)))
    built.execute(CHANGES[change])
    assert any(find_changes(built, read_nodes(built)))


def test_updating_seen_as_changes_nothing(built: duckdb.DuckDBPyConnection) -> None:
    built.execute("update raw.sources set seen_as = 'now'")
    assert not any(find_changes(built, read_nodes(built)))


def test_change_of_parser_refreshes_tables_of_both(built: duckdb.DuckDBPyConnection) -> None:
    built.execute("update raw.files set parser = 'iometer' where parser = 'fio'")
    assert find_changes(built, read_nodes(built)).file_tables > {
        "raw.fio_jobs", "raw.iometer_blocks", "raw.sources"
    }  # fmt: skip


def test_checks_that_read_more_than_results_run_again(built: duckdb.DuckDBPyConnection) -> None:
    results = unchanged_results(built, "again")
    assert results is not None and results.height == len(checks())
    found = "select distinct run_id from quality.check_results where is_latest"
    assert built.execute(found).fetchall() == [("again",)]
    built.execute("update marts.measurements set measured_at = now() + interval 9 days")
    assert unchanged_results(built, "tomorrow") is None, "not_in_the_future finds more now"


def test_broken_check_is_left_to_great_expectations(
    built: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = [replace(check, failing_rows="select now() from nowhere") for check in checks()]
    monkeypatch.setattr("headroom.release.checks.all_checks", lambda: broken)
    assert unchanged_results(built, "again") is None


def test_release_is_outdated_after_checks_quarantine_or_build_change(
    built: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    note_release(built, "headroom-1.duckdb", tmp_path)
    assert release_of(built, tmp_path) == "headroom-1.duckdb"
    (tmp_path / "check.sql").write_text("-- a rule")
    assert release_of(built, tmp_path) is None
    note_release(built, "headroom-2.duckdb", tmp_path)
    built.execute("insert into quality.quarantined_files (path) values ('torn')")
    assert release_of(built, tmp_path) is None
    note_release(built, "headroom-3.duckdb", tmp_path)
    mark_inconsistent(built)
    assert release_of(built, tmp_path) is None


def test_changed_models_change_the_fingerprint(tmp_path: Path) -> None:
    before = models_fingerprint(tmp_path)
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds/interfaces.csv").write_text("interface\n")
    assert models_fingerprint(tmp_path) != before


@pytest.mark.parametrize(
    ("node", "query", "reason"),
    [
        ("marts.dim_arrays", "select null as array_id, 'A' as array_label", "NOT NULL"),
        ("assert_block_shares_are_whole", "select 1", "shares_are_whole failed, rows: 1"),
    ],
)
def test_broken_constraint_or_test_is_left_to_dbt(
    copied: Warehouse, tmp_path: Path, capsys: pytest.CaptureFixture[str], node: str, query: str,
    reason: str,
) -> None:  # fmt: skip
    folder = Warehouse(tmp_path)
    shutil.copy(copied.building, folder.building)
    with folder.open_building() as connection:
        connection.execute("update built.nodes set query = $1 where name = $2", [query, node])
        connection.execute("update raw.sources set is_current = false")
    assert bring_up_to_date(folder) is None
    assert reason in capsys.readouterr().err
    assert bring_up_to_date(folder) is None, "of marts that are half refreshed nothing is known"


def test_tables_downstream_of_unchanged_rows_are_skipped(copied: Warehouse, tmp_path: Path) -> None:
    folder = Warehouse(tmp_path)
    shutil.copy(copied.building, folder.building)
    with folder.open_building() as connection:
        connection.execute("update raw.files set parser_version = 'newer' where parser = 'fio'")
        connection.execute(
            "update built.nodes set query = 'select error(name)' where name = 'marts.measurements'"
        )
    assert bring_up_to_date(folder) == 0


def test_incremental_model_rebuilds_only_changed_files(copied: Warehouse, tmp_path: Path) -> None:
    """Rows of other files stay as they are, here deliberately wrong."""
    folder = Warehouse(tmp_path)
    shutil.copy(copied.building, folder.building)
    rows = "from intermediate.int_fio__percentiles where latency_us = 1"
    with folder.open_building() as connection:
        connection.execute("update intermediate.int_fio__percentiles set latency_us = 1")
        count = connection.sql(rows).shape[0]
        file_id, of_file = connection.sql(f"select file_id, count(*) {rows} group by 1").fetchall()[
            0
        ]
        connection.execute(
            "update raw.files set parser_version = 'newer' where file_id = $1", [file_id]
        )
    assert bring_up_to_date(folder)
    with folder.open_building() as connection:
        assert connection.sql(rows).shape[0] == count - of_file > 0


def test_failed_build_forces_a_full_build(
    warehouse: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Warehouse(tmp_path)
    shutil.copy(warehouse / "building.duckdb", folder.building)
    assert bring_up_to_date(folder) == 0
    monkeypatch.setattr("headroom.engines.duckdb.build._run_dbt", _refuse)
    with pytest.raises(WarehouseError):
        build(folder, with_unit_tests=False)
    assert bring_up_to_date(folder) is None


def test_dbt_errors_are_shown(capfd: pytest.CaptureFixture[str]) -> None:
    _show_progress(["2\n", ".\n", "2 of 2 ERROR\n", ".\n", "Traceback (most recent call last):\n"])
    assert capfd.readouterr().err == "2 of 2 ERROR\nTraceback (most recent call last):\n"


def test_dbt_event_counts_and_errors_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    faults: list[str] = []

    def event(name: str, level: str = "info") -> Any:
        info = SimpleNamespace(name=name, level=level, msg=f"{name} of a model")
        return SimpleNamespace(info=info, data=SimpleNamespace(node_count=2))

    for each in (
        event("ConcurrencyLine"), event("LogStartLine"), event("NodeFinished", "debug"),
        event("LogModelResult", "error"), event("SQLQuery", "debug"),
    ):  # fmt: skip
        _report(faults, each)
    assert capsys.readouterr().out == "2\n.\nLogModelResult of a model\n"
    assert faults == ["LogModelResult of a model"]


def test_dbt_startup_error_is_shown() -> None:
    options = ["--project-dir", ROOT / "dbt_project", "--profiles-dir", ROOT / "dbt_project"]
    dbt = [program().with_name("python"), "-P", "-m", "headroom.engines.duckdb.dbt_process"]
    run = subprocess.run(
        [*dbt, *options],
        env=os.environ | {"DBT_LOG_PATH": "/proc/no folder"}, stdin=subprocess.DEVNULL,
        capture_output=True, text=True,
    )  # fmt: skip
    assert run.returncode == 1
    assert run.stdout == "[Errno 2] No such file or directory: '/proc/no folder'\n"
