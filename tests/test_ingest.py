"""How ingest handles sources of any format."""

import shutil
from collections import Counter
from pathlib import Path

import duckdb
import pytest

from headroom.write.ingest_summary import counts
from ingest.common.errors import InputError
from ingest.find.sources import find_sources
from ingest.load import load
from ingest.records.archive import Archive
from ingest.records.raw_tables import prepare
from ingest.records.recorder import Outcome
from tests.conftest import MINIMAL_PAPER, ROOT

FIO_RUN = ROOT / "tests/golden/fio/fio-3.33-randrw.json"


@pytest.fixture
def connection(tmp_path: Path) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(tmp_path / "building.duckdb")
    prepare(connection)
    return connection


def _load(connection: duckdb.DuckDBPyConnection, *paths: Path) -> list[Outcome]:
    return list(load(connection, find_sources(paths), _archive(connection)))


def _archive(connection: duckdb.DuckDBPyConnection) -> Archive:
    query = "select path from duckdb_databases() where database_name = 'building'"
    (database,) = connection.execute(query).fetchall()[0]
    return Archive(Path(database).with_name("archive"))


def _count(connection: duckdb.DuckDBPyConnection, table: str) -> int:
    return len(connection.execute(f"from {table}").fetchall())


def test_the_same_content_is_loaded_once(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    copy = shutil.copy(FIO_RUN, tmp_path / "copy.json")
    statuses = [o.status for o in _load(connection, FIO_RUN, Path(copy), MINIMAL_PAPER)]
    assert statuses == ["loaded", "copy", "loaded"]
    before = {table: _count(connection, f"raw.{table}") for table in ("fio_jobs", "files")}
    assert [o.status for o in _load(connection, FIO_RUN, MINIMAL_PAPER)] == ["unchanged"] * 2
    assert {table: _count(connection, f"raw.{table}") for table in before} == before


def test_copy_is_reported_with_its_original(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    """In the run that loads the original and in a later run; after that it is unchanged."""
    original, second, third = (tmp_path / f"{name}.json" for name in ("a", "b", "c"))
    for path in (original, second, third):
        shutil.copy(FIO_RUN, path)
    found = _load(connection, original, second)
    assert [(o.status, o.copy_of) for o in found] == [("loaded", None), ("copy", str(original))]
    assert counts(found).startswith("1 loaded, 0 unchanged, 1 copy, 0 quarantined (")
    found = _load(connection, second, third)
    assert [(o.status, o.copy_of) for o in found] == [
        ("unchanged", None), ("copy", str(original)),
    ]  # fmt: skip


def _current(connection: duckdb.DuckDBPyConnection) -> list[str]:
    return [
        row[0]
        for row in connection.execute("select path from raw.sources where is_current").fetchall()
    ]


def test_a_changed_paper_supersedes_its_earlier_revision(
    connection: duckdb.DuckDBPyConnection, paper: Path
) -> None:
    _load(connection, paper)
    sheet = paper / "measurements.csv"
    sheet.write_text(sheet.read_text().replace("240000", "250000"))
    moved = paper.rename(paper.with_name("moved"))
    assert [o.status for o in _load(connection, moved)] == ["loaded"]
    assert _current(connection) == [str(moved / "document.yml")]
    assert _count(connection, "raw.files") == 2


def test_a_copy_stays_when_its_original_changes(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    latest, archived = tmp_path / "latest.json", tmp_path / "archived.json"
    shutil.copy(FIO_RUN, latest)
    _load(connection, latest)
    shutil.copy(latest, archived)
    latest.write_text(FIO_RUN.read_text().replace("fio-3.33", "fio-3.34"))
    assert [o.status for o in _load(connection, archived, latest)] == ["unchanged", "loaded"]
    assert sorted(_current(connection)) == [str(archived), str(latest)]
    current = "select count(distinct file_id) from raw.sources where is_current"
    assert connection.execute(current).fetchall() == [(2,)]


def test_the_same_path_elsewhere_is_another_source(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for lab, version in (("lab1", "fio-3.33"), ("lab2", "fio-3.34")):
        (tmp_path / lab).mkdir()
        monkeypatch.chdir(tmp_path / lab)
        Path("run.json").write_text(FIO_RUN.read_text().replace("fio-3.33", version))
        _load(connection, Path("run.json"))
    assert _current(connection) == ["run.json", "run.json"]


def test_second_paper_with_the_same_id_is_refused(
    connection: duckdb.DuckDBPyConnection, paper: Path
) -> None:
    shutil.copytree(paper, paper.with_name("copy"))
    (paper / "claims.csv").unlink()
    found = _load(connection, paper.parent)
    assert [o.status for o in found] == ["loaded", "quarantined"]
    assert "'minimal-paper' is already" in str(found[1].errors[0])


def test_unknown_file_in_paper_folder_is_reported(
    connection: duckdb.DuckDBPyConnection, paper: Path
) -> None:
    (paper / "measurements.csv").rename(paper / "measurement.csv")
    found = _load(connection, paper)
    assert found[0].status == "quarantined"
    assert "measurement.csv: is not a file of a paper" in str(found[0].errors[0])


def test_quarantine_forgets_deleted_files(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    notes = {"notes.json": "quarantined_files", "notes.txt": "files_without_results"}
    for name in notes:
        Path(name).write_text("notes")
    _load(connection, *map(Path, notes))
    monkeypatch.chdir(tmp_path.parent)
    for name, table in notes.items():
        _load(connection, FIO_RUN)
        assert _count(connection, f"quality.{table}") == 1
        (tmp_path / name).unlink()
        _load(connection, FIO_RUN)
        assert _count(connection, f"quality.{table}") == 0


def test_links_to_folders_are_followed_once(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    shutil.copy(FIO_RUN, tmp_path / "real/run.json")
    (tmp_path / "results").mkdir()
    (tmp_path / "results/link").symlink_to(tmp_path / "real")
    (tmp_path / "real/loop").symlink_to(tmp_path / "results")
    assert len(find_sources([tmp_path / "results"], follow=[tmp_path / "real"]).files) == 1


def test_one_bad_file_does_not_stop_the_others(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    results = tmp_path / "results"
    results.mkdir()
    (results / "empty.json").touch()
    (results / "notes.txt").write_text("these are notes")
    (results / "torn.json").write_bytes(FIO_RUN.read_bytes()[:3000])
    shutil.copy(FIO_RUN, results / "good.json")
    found = _load(connection, results)
    assert Counter(o.status for o in found) == {"quarantined": 2, "no result": 1, "loaded": 1}
    rows = connection.execute(
        "select parser, reason from quality.quarantined_files order by path"
    ).fetchall()
    assert [row[0] for row in rows] == [None, "fio"]
    assert "is empty" in rows[0][1]
    assert "starts at line 1 does not end: truncated file" in rows[1][1]
    shutil.copy(FIO_RUN, results / "torn.json")
    _load(connection, results)
    assert _count(connection, "quality.quarantined_files") == 1


def test_any_file_of_a_paper_selects_the_paper() -> None:
    figure = MINIMAL_PAPER / "figures/p8-curve.csv"
    sheet = MINIMAL_PAPER / "claims.csv"
    assert find_sources([figure, sheet, MINIMAL_PAPER]).files == [MINIMAL_PAPER / "document.yml"]
    with pytest.raises(InputError, match="no such file or folder"):
        find_sources([Path("nowhere")])


def test_changed_figure_adds_a_revision(connection: duckdb.DuckDBPyConnection, paper: Path) -> None:
    _load(connection, paper)
    (paper / "figures/p8-curve.csv").write_text("changed")
    _load(connection, paper)
    assert _count(connection, "quality.quarantined_files") == 1


def test_a_changed_sidecar_is_loaded(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    run = Path(shutil.copy(FIO_RUN, tmp_path / "run.json"))
    (tmp_path / "headroom.yml").write_text("root: true\nstripe: 64 KB\n")
    _load(connection, run)
    (tmp_path / "headroom.yml").write_text("root: true\nstripe: 256 KB\n")
    assert [o.status for o in _load(connection, run)] == ["loaded"]
    rows = connection.execute("select stripe_number, stripe_unit from raw.sidecars").fetchall()
    assert rows == [(256, "kB")]


def test_prepare_drops_columns_that_moved_to_sources(connection: duckdb.DuckDBPyConnection) -> None:
    """The oldest warehouses had these in raw.files; queries join it with raw.sources."""
    _load(connection, FIO_RUN)
    for column in ("path", "source_key"):
        connection.execute(f"alter table raw.files add column {column} varchar")
    prepare(connection)
    _load(connection, FIO_RUN)
    columns = connection.execute("select column_name from (describe raw.files)").fetchall()
    assert not {("path",), ("source_key",)} & set(columns)


def test_an_older_table_gains_columns_and_keeps_its_rows(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    _load(connection, FIO_RUN)
    connection.execute("alter table raw.fio_jobs drop column usr_cpu_percent")
    prepare(connection)
    assert connection.execute("select usr_cpu_percent from raw.fio_jobs").fetchall() == [(None,)]
    connection.execute("alter table raw.fio_jobs alter group_id type varchar")
    with pytest.raises(InputError, match="group_id is VARCHAR, this version's parsers fill BIGINT"):
        prepare(connection)
