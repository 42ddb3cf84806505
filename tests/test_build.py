"""`headroom build`: what it does once more than a night, and when a night does without it."""

import json
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from expectations.suite import checks
from headroom.build import build, is_current
from headroom.state import fingerprint
from headroom.warehouse import Warehouse, WarehouseError
from ingest.records.tables import prepare
from tests.conftest import run_headroom


def test_the_models_pass_their_unit_tests(warehouse: Path) -> None:
    """`headroom build` made the warehouse, the unit tests with it."""
    assert passed_nodes(warehouse)["unit_test"] > 0


def passed_nodes(warehouse: Path) -> Counter[str]:
    """How many of each kind of node the last build had, all of them well; exposures are no-ops."""
    results = json.loads((warehouse / "dbt/run_results.json").read_text())["results"]
    assert {result["status"] for result in results} <= {"success", "pass", "no-op"}
    return Counter(result["unique_id"].split(".")[0] for result in results)


def test_a_night_with_nothing_new_keeps_the_marts(warehouse: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(warehouse, tmp_path / "warehouse", symlinks=True)
    night = run_headroom(copy, "nightly", "data")
    assert night.returncode == 0, night.stdout + night.stderr
    assert "nothing new since the last build" in night.stdout
    assert f"{len(checks())} of {len(checks())} checks passed" in night.stdout
    query = "select * exclude (attained_ratio) from marts.measurements order by measurement_id"
    with duckdb.connect(copy / "headroom.duckdb") as before:
        kept = before.execute(query).fetchall()
    with duckdb.connect(warehouse / "headroom.duckdb", read_only=True) as after:
        assert kept == after.execute(query).fetchall()


CHANGES = {
    "a new content": "insert into raw.files (file_id, parser) values ('b', 'fio')",
    "one read anew": "update raw.files set code_sha256 = 'newer'",
    "a new revision": "update raw.sources set revision = 2",
    "one forgotten": "update raw.sources set is_current = false",
    "one moved": "update raw.sources set path = 'elsewhere'",
    "another system": "update raw.sidecars set raid_level = 'RAID 6'",
    "a controller": "insert into raw.sidecar_controllers (controller) values ('C')",
    "another drive": "update raw.sidecar_drives set drive = 'D2'",
    "a captured fact": "insert into raw.system_facts (source_key, value) values ('/a', '6')",
}


@pytest.fixture
def loaded() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        prepare(connection)
        connection.execute(
            """
            insert into raw.files (file_id, parser, code_sha256) values ('a', 'fio', 'old');
            insert into raw.sources (source_key, revision, is_current, file_id, path, seen_as)
            values ('/a', 1, true, 'a', 'a', 'then');
            insert into raw.sidecars (source_key, raid_level) values ('/a', 'RAID 5');
            insert into raw.sidecar_drives (drive) values ('D');
            """
        )
        yield connection


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_changes_the_marts_has_them_built(
    loaded: duckdb.DuckDBPyConnection, tmp_path: Path, change: str
) -> None:
    before = fingerprint(loaded, tmp_path)
    loaded.execute(CHANGES[change])
    assert fingerprint(loaded, tmp_path) != before


def test_other_models_have_the_marts_built(
    loaded: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    before = fingerprint(loaded, tmp_path)
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds/interfaces.csv").write_text("interface\n")
    assert fingerprint(loaded, tmp_path) != before


def test_a_look_alone_has_nothing_built(loaded: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    before = fingerprint(loaded, tmp_path)
    loaded.execute("update raw.sources set seen_as = 'now'")
    assert fingerprint(loaded, tmp_path) == before


def test_a_build_that_broke_is_done_again(
    warehouse: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Warehouse(tmp_path)
    shutil.copy(warehouse / "building.duckdb", folder.building)
    assert is_current(folder)
    with monkeypatch.context() as patched, pytest.raises(WarehouseError):
        patched.setattr("headroom.build.DBT_PROJECT", tmp_path / "no project")
        build(folder, with_unit_tests=False)
    assert not is_current(folder)
