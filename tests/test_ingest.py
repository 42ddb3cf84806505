"""How ingest handles sources of any format."""

import shutil
from collections import Counter
from pathlib import Path

import pytest

from headroom.read.contents import SOURCES
from headroom.write.ingest_summary import counts
from ingest.common.errors import InputError
from ingest.find.sources import find_sources
from ingest.records.raw_tables import make_tables
from tests.conftest import MINIMAL_PAPER
from tests.lab import FIO_RUN, Lab, statuses


def test_the_same_content_is_loaded_once(lab: Lab) -> None:
    paths = (lab.add(), lab.add("copy.json"), MINIMAL_PAPER)
    assert statuses(lab.ingest(*paths)) == ["loaded", "copy", "loaded"]
    counts = "select (select count(*) from raw.fio_jobs), (select count(*) from raw.files)"
    before = lab.rows(counts)
    assert statuses(lab.ingest(*paths)) == ["unchanged"] * 3
    assert lab.rows(counts) == before


def test_copy_is_reported_with_its_original(lab: Lab) -> None:
    """In the run that loads the original and in a later run; after that it is unchanged."""
    original, second, third = (lab.add(f"{name}.json") for name in ("a", "b", "c"))
    found = lab.ingest(original, second)
    assert [(o.status, o.copy_of) for o in found] == [("loaded", None), ("copy", str(original))]
    assert counts(found).startswith("1 loaded, 0 unchanged, 1 copy, 0 quarantined (")
    found = lab.ingest(second, third)
    assert [(o.status, o.copy_of) for o in found] == [
        ("unchanged", None), ("copy", str(original)),
    ]  # fmt: skip


def _current(lab: Lab) -> list[str]:
    return [path for (path,) in lab.rows("select path from raw.sources where is_current")]


def test_a_changed_paper_supersedes_its_earlier_revision(lab: Lab, paper: Path) -> None:
    lab.ingest(paper)
    sheet = paper / "measurements.csv"
    sheet.write_text(sheet.read_text().replace("240000", "250000"))
    moved = paper.rename(paper.with_name("moved"))
    assert statuses(lab.ingest(moved)) == ["loaded"]
    assert _current(lab) == [str(moved / "document.yml")]
    assert len(lab.rows("from raw.files")) == 2


def test_a_copy_stays_when_its_original_changes(lab: Lab) -> None:
    lab.ingest(lab.add("latest.json"))
    archived, latest = lab.add("archived.json"), lab.add("latest.json", "fio-3.34")
    assert statuses(lab.ingest(archived, latest)) == ["unchanged", "loaded"]
    assert sorted(_current(lab)) == [str(archived), str(latest)]
    current = "select count(distinct file_id) from raw.sources where is_current"
    assert lab.rows(current) == [(2,)]


def test_the_same_path_elsewhere_is_another_source(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder, version in (("lab1", "fio-3.33"), ("lab2", "fio-3.34")):
        monkeypatch.chdir(lab.add(f"{folder}/run.json", version).parent)
        lab.ingest(Path("run.json"))
    assert len(set(_current(lab))) == 2


def test_paths_do_not_depend_on_the_working_folder(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The working folder of the first ingest counts, as long as it exists."""
    monkeypatch.chdir(lab.results.parent)
    lab.ingest(lab.add("1.json"))
    folder = lab.results.name
    (lab.results / "headroom.yml").write_text("combine: host\ncontrollers: [{controller: C}]")
    monkeypatch.chdir("/")
    lab.ingest(lab.add("2.json", "fio-3.34"), lab.results / "headroom.yml")
    assert _current(lab) == [f"{folder}/1.json", f"{folder}/2.json"]
    assert lab.rows("select distinct combine_below from raw.sidecars") == [(folder,)]
    assert lab.rows("select sidecar_path from raw.sidecar_controllers") == [
        (f"{folder}/headroom.yml",)
    ]
    moved = lab.results.parent.rename(lab.results.parent.with_name("moved"))
    monkeypatch.chdir(moved)
    lab.ingest(moved / folder)
    assert _current(lab) == [f"{folder}/1.json", f"{folder}/2.json"]


def test_paths_outside_the_first_working_folder_stay_absolute(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab.ingest(first := lab.add("1.json"))
    monkeypatch.chdir(lab.results)
    lab.ingest(second := lab.add("2.json", "fio-3.34"))
    assert _current(lab) == [str(first), str(second)]


def test_second_paper_with_the_same_id_is_refused(lab: Lab, paper: Path) -> None:
    shutil.copytree(paper, paper.with_name("copy"))
    (paper / "claims.csv").unlink()
    found = lab.ingest(paper.parent)
    assert statuses(found) == ["loaded", "quarantined"]
    assert "'minimal-paper' is already" in str(found[1].errors[0])


def test_unknown_file_in_paper_folder_is_reported(lab: Lab, paper: Path) -> None:
    (paper / "measurements.csv").rename(paper / "measurement.csv")
    found = lab.ingest(paper)
    assert found[0].status == "quarantined"
    assert "measurement.csv: is not a file of a paper" in str(found[0].errors[0])


def test_quarantine_forgets_deleted_files(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    notes = {"notes.json": "quarantined_files", "notes.txt": "files_without_results"}
    for name in notes:
        Path(name).write_text("notes")
    lab.ingest(*map(Path, notes))
    monkeypatch.chdir(tmp_path.parent)
    for name, table in notes.items():
        lab.ingest(FIO_RUN)
        assert len(lab.rows(f"from quality.{table}")) == 1
        (tmp_path / name).unlink()
        lab.ingest(FIO_RUN)
        assert len(lab.rows(f"from quality.{table}")) == 0


def test_cat_finds_a_quarantined_content(lab: Lab) -> None:
    torn = lab.add_torn("torn.json")
    lab.ingest(torn)
    for name in (str(torn), torn.name):
        found = lab.connection.execute(SOURCES, [name, str(torn)]).fetchall()
        assert [lab.archive.read(file_id) for file_id, _ in found] == [torn.read_bytes()]


def test_links_to_folders_are_followed_once(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    shutil.copy(FIO_RUN, tmp_path / "real/run.json")
    (tmp_path / "results").mkdir()
    (tmp_path / "results/link").symlink_to(tmp_path / "real")
    (tmp_path / "real/loop").symlink_to(tmp_path / "results")
    assert len(find_sources([tmp_path / "results"], follow=[tmp_path / "real"]).files) == 1


def test_one_bad_file_does_not_stop_the_others(lab: Lab) -> None:
    (lab.results / "empty.json").touch()
    (lab.results / "notes.txt").write_text("these are notes")
    lab.add_torn("torn.json")
    lab.add("good.json")
    assert Counter(statuses(lab.ingest())) == {"quarantined": 2, "no result": 1, "loaded": 1}
    parsers = lab.rows("select parser from quality.quarantined_files order by path")
    assert parsers == [(None,), ("fio",)]
    empty, torn = lab.refused().values()
    assert "is empty" in empty
    assert "starts at line 1 does not end: truncated file" in torn
    lab.add("torn.json")
    lab.ingest()
    assert [*lab.refused()] == ["empty.json"]


def test_any_file_of_a_paper_selects_the_paper() -> None:
    figure = MINIMAL_PAPER / "figures/p8-curve.csv"
    sheet = MINIMAL_PAPER / "claims.csv"
    assert find_sources([figure, sheet, MINIMAL_PAPER]).files == [MINIMAL_PAPER / "document.yml"]
    with pytest.raises(InputError, match="no such file or folder"):
        find_sources([Path("nowhere")])


def test_changed_figure_adds_a_revision(lab: Lab, paper: Path) -> None:
    lab.ingest(paper)
    (paper / "figures/p8-curve.csv").write_text("changed")
    lab.ingest(paper)
    assert len(lab.rows("from quality.quarantined_files")) == 1


def test_a_changed_sidecar_is_loaded(lab: Lab) -> None:
    run = lab.add()
    (lab.results / "headroom.yml").write_text("root: true\nstripe: 64 KB\n")
    lab.ingest(run)
    (lab.results / "headroom.yml").write_text("root: true\nstripe: 256 KB\n")
    assert statuses(lab.ingest(run)) == ["loaded"]
    assert lab.rows("select stripe_number, stripe_unit from raw.sidecars") == [(256, "kB")]


def test_an_older_table_gains_columns_and_keeps_its_rows(lab: Lab) -> None:
    lab.ingest(FIO_RUN)
    lab.connection.execute("alter table raw.fio_jobs drop column usr_cpu_percent")
    make_tables(lab.connection)
    assert lab.rows("select usr_cpu_percent from raw.fio_jobs") == [(None,)]
    lab.connection.execute("alter table raw.fio_jobs alter group_id type varchar")
    with pytest.raises(InputError, match="group_id is VARCHAR, this version's parsers fill BIGINT"):
        make_tables(lab.connection)
