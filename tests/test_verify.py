"""Damaged content is reported by its source, and repaired from any source that still has it."""

import os
import shutil
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from headroom.checksums import SUMS
from headroom.release.history import Night, begin_night
from headroom.warehouse import WarehouseError
from headroom.write.nightly import _Run
from headroom.write.verify import print_damage, verify
from tests.conftest import MINIMAL_PAPER, run_headroom
from tests.lab import WarehouseLab, harm


@pytest.fixture
def lab(tmp_path: Path) -> WarehouseLab:
    return WarehouseLab(tmp_path)


_ANEW = "the next nightly run publishes it anew"
_REBUILT = "; the next nightly run rebuilds it"
QUERY = ("sql", "from raw.files")


def test_undamaged_warehouse_is_reported(
    lab: WarehouseLab, capsys: pytest.CaptureFixture[str]
) -> None:
    lab.add()
    lab.add_torn()
    lab.ingest(lab.results, MINIMAL_PAPER)
    assert print_damage(verify(lab.warehouse))
    assert capsys.readouterr().out == "3 archived files, 0 releases: undamaged\n"


@pytest.mark.parametrize("way", ["changed", "torn", "lost", "without directory or index"])
def test_damaged_content_is_repaired_from_its_source(lab: WarehouseLab, way: str) -> None:
    run = lab.add()
    lab.ingest()
    (pack,) = lab.packs()
    if way == "changed":
        harm(pack)
    elif way == "torn":
        pack.write_bytes(pack.read_bytes()[:500])
    elif way == "lost":
        pack.unlink()
    else:
        pack.write_bytes(pack.read_bytes()[:500])
        lab.warehouse.archive.index.remove()
        (lab.warehouse.archive.folder / "index.sqlite").unlink(missing_ok=True)
    before = lab.rows()
    found = verify(lab.warehouse)
    assert [*found.shown.values()] == [str(run)]
    assert str(run) in next(found.damages())
    assert [*lab.repair().damages()] == []
    assert lab.rows() == before
    assert lab.packs() == [pack]


@pytest.mark.parametrize("kind", ["paper", "packed"])
def test_papers_and_packed_files_repair_contents(
    lab: WarehouseLab, tmp_path: Path, kind: str
) -> None:
    if kind == "paper":
        lab.ingest(Path(shutil.copytree(MINIMAL_PAPER, tmp_path / "paper")))
    else:
        run = lab.add()
        with tarfile.open(lab.results / "runs.tar.gz", "w:gz") as packed:
            packed.add(run, "a/run.json")
        run.unlink()
        lab.ingest()
    (path,) = lab.packs()
    harm(path)
    assert len(verify(lab.warehouse).shown) == 1
    assert [*lab.repair().damages()] == []


def test_irreparable_content_stays_reported(lab: WarehouseLab) -> None:
    lost, other = lab.add("lost.json"), lab.add("other.json", "fio-3.34")
    lab.ingest()
    (pack,) = lab.packs()
    spots = {one.offset: one for one in _spots(lab)}
    data = bytearray(pack.read_bytes())
    data[min(spots) + 30 : min(spots) + 40] = bytes(10)
    pack.write_bytes(data)
    (path,) = verify(lab.warehouse).shown.values()
    Path(path).unlink()
    after = lab.repair()
    assert [*after.shown.values()] == [path]
    assert after.broken == []
    assert after.content_count == 1
    assert path in (str(lost), str(other))


def _spots(lab: WarehouseLab) -> list[Any]:
    archive = lab.warehouse.archive
    with lab.warehouse.open_building() as connection:
        ids = connection.execute("select file_id from raw.files").fetchall()
    return [spot for (file_id,) in ids for spot in archive.index.find(file_id)]


def test_copy_in_another_pack_is_enough(lab: WarehouseLab) -> None:
    run = lab.add()
    lab.ingest()
    (pack,) = lab.packs()
    sound = pack.read_bytes()
    harm(pack)
    run.touch()
    lab.ingest()  # notices the damage, and writes it again
    assert [path.read_bytes() for path in lab.packs() if path != pack] == []
    assert pack.read_bytes() == sound
    before = lab.packs()
    harm(pack)
    (lab.warehouse.archive.packs / "copy.zip").write_bytes(sound)
    run.unlink()
    found = verify(lab.warehouse)
    assert found.shown == {}
    assert [*lab.repair().damages()] == []
    assert len(lab.packs()) == len(before)


def _releases(lab: WarehouseLab, count: int) -> list[Path]:
    for number in range(count):
        lab.release(number)
    return sorted(lab.warehouse.releases.glob("*.duckdb"))


def test_a_release_is_read_only_and_has_a_checksum(lab: WarehouseLab) -> None:
    lab.add()
    with lab.warehouse.lock():
        lab.ingest()
        releases = _releases(lab, 1)
    assert [oct(path.stat().st_mode & 0o777) for path in releases] == ["0o444", "0o444"]
    subprocess.run(["sha256sum", "--check", "--strict", SUMS], cwd=releases[0].parent, check=True)
    for path in lab.warehouse.folder.rglob("*"):
        mode = path.stat().st_mode & 0o777
        assert mode == (0o750 if path.is_dir() else 0o444 if path in releases else 0o640) or (
            path.is_symlink()
        ), path
    if os.geteuid() != 0:  # root may write it
        with pytest.raises(duckdb.IOException):
            duckdb.connect(lab.warehouse.published.resolve())


def test_changed_release_is_replaced_by_the_one_before(lab: WarehouseLab) -> None:
    lab.add()
    lab.ingest()
    _releases(lab, 3)
    older, changed = (lab.warehouse.releases / f"headroom-{number}.duckdb" for number in (0, 2))
    harm(changed)
    harm(older)
    assert [*verify(lab.warehouse).damages()] == [
        f"{changed}: changed since it was published; {_ANEW}",
        f"{older}: changed since it was published",
    ]
    assert [*lab.repair().damages()] == []
    assert lab.warehouse.published.resolve().name == "headroom-1.duckdb"
    assert not older.exists()


@pytest.mark.parametrize("is_link", [True, False], ids=["link", "release"])
def test_lost_release_is_replaced_by_another(lab: WarehouseLab, is_link: bool) -> None:
    lab.add()
    lab.ingest()
    releases = _releases(lab, 2)
    links = (lab.warehouse.published, lab.warehouse.nights)
    lost = links if is_link else tuple(link.resolve() for link in links)
    for path in lost:
        path.unlink()
    assert [*verify(lab.warehouse).damages()] == [f"{path} is missing; {_ANEW}" for path in lost]
    assert [*lab.repair().damages()] == []
    assert lab.warehouse.nights.exists()
    assert lab.warehouse.nights.resolve() not in releases  # published anew
    assert lab.warehouse.published.resolve().name == f"headroom-{int(is_link)}.duckdb"


def test_failed_night_leaves_readers_a_release(
    lab: WarehouseLab, capsys: pytest.CaptureFixture[str]
) -> None:
    lab.add()
    lab.ingest()
    _releases(lab, 2)
    lost, torn = (link.resolve() for link in (lab.warehouse.published, lab.warehouse.nights))
    lost.unlink()
    harm(torn)
    run = _Run(lab.warehouse)
    with lab.warehouse.open_building() as connection:
        begin_night(connection, run.night)
    run.stop(WarehouseError("dbt build failed"))
    run.close()
    assert lab.warehouse.published.resolve().name == "headroom-0.duckdb"
    told = capsys.readouterr().err
    assert f"headroom: {lost} is missing; readers get headroom-0.duckdb\n" in told
    assert f"headroom: {torn}: changed since it was published; publishing it anew\n" in told


def test_readers_of_damaged_files_see_the_remedy(lab: WarehouseLab) -> None:
    lab.add()
    lab.ingest()
    with lab.warehouse.open_building() as connection:
        begin_night(connection, Night())
    _releases(lab, 1)
    for link, *command in ((lab.warehouse.nights, "status"), (lab.warehouse.published, *QUERY)):
        release = link.resolve()
        data = release.read_bytes()
        for damaged in (None, data[: len(data) // 2], b"no database"):
            release.unlink(missing_ok=True)
            if damaged:
                release.write_bytes(damaged)
            read = run_headroom(lab.warehouse.folder, *command)
            told = f"headroom: {release} is {'damaged' if damaged else 'missing'}"
            assert read.returncode == 2
            assert read.stderr.startswith(told)
            assert read.stderr.endswith("; run: headroom verify --repair, or headroom nightly\n")


def test_damaged_ledger_is_reported_and_rewritten(lab: WarehouseLab) -> None:
    lab.add()
    lab.ingest()
    (table,) = lab.warehouse.archive.ledger.glob("raw.sources-*.parquet")
    harm(table)
    assert [*verify(lab.warehouse).damages()] == [f"{table}: is missing or damaged"]
    assert [*lab.repair().damages()] == []
    assert table.exists()


def test_an_archive_without_a_ledger_is_damaged(
    lab: WarehouseLab, capsys: pytest.CaptureFixture[str]
) -> None:
    lab.warehouse.archive.ledger.mkdir(parents=True)
    assert [*verify(lab.warehouse).damages()] == [f"{lab.warehouse.building} is missing{_REBUILT}"]
    assert not print_damage(verify(lab.warehouse))
    assert capsys.readouterr().out.endswith(" 0 releases: 1 problem\n")
    lab.add()
    lab.ingest()
    for path in lab.warehouse.archive.ledger.glob("*.json"):
        path.unlink()
    (said,) = verify(lab.warehouse).damages()
    assert said == f"{lab.warehouse.archive.ledger}: has no list of its tables"
    assert [*lab.repair().damages()] == []


@pytest.mark.parametrize(
    ("made", "code"),
    [
        ("", 0),
        ("create schema raw; create table raw.sources (source_id varchar)", 0),
        ("create table of_somebody as select 1 as number", 2),
    ],
)
def test_first_run_killed_before_its_first_row_restarts(
    lab: WarehouseLab, made: str, code: int
) -> None:
    lab.add()
    with duckdb.connect(lab.warehouse.building) as connection:
        connection.execute(f"{made}; select 1")
    ingest = run_headroom(lab.warehouse.folder, "ingest", lab.results)
    assert (ingest.returncode, "has no tables" in ingest.stderr) == (code, code == 2)
    assert lab.warehouse.building.exists()


DAMAGES: dict[str, Callable[[Path], Any]] = {
    "lost": Path.unlink,
    "empty": lambda building: building.write_bytes(b""),
    "torn": lambda building: building.write_bytes(building.read_bytes()[:100_000]),
    "no header": lambda building: harm(building, 0),
    "garbage": lambda building: building.write_bytes(
        building.read_bytes()[:12288] + b"\xff" * 400_000
    ),
}


def test_lost_building_is_reported_and_rebuilt(lab: WarehouseLab) -> None:
    lab.add()
    lab.ingest()
    _releases(lab, 1)
    lab.add("later.json", "fio-3.34")  # in the archive, but not in the release
    lab.ingest()
    before = lab.rows()
    shutil.rmtree(lab.results)
    for way, damage in DAMAGES.items():
        damage(lab.warehouse.building)
        (said,) = verify(lab.warehouse).damages()
        assert said.startswith(f"{lab.warehouse.building} "), way
        assert [*lab.repair().damages()] == [], way
        assert lab.rows() == before, way
