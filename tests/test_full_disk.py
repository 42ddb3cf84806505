"""A full disk: an error before the step, and no files or damage left by a step that failed."""

import os
import shutil
import subprocess
from collections import namedtuple
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from headroom.release.space import require_space
from headroom.warehouse import Warehouse, WarehouseError
from headroom.write.verify import verify
from tests.lab import WarehouseLab

Usage = namedtuple("Usage", "total used free")
MIB = 1 << 20


def _kept(warehouse: Warehouse) -> set[str]:
    return {path.name for path in warehouse.releases.glob("*.duckdb*")}


@pytest.fixture
def lab(tmp_path: Path) -> WarehouseLab:
    lab = WarehouseLab(tmp_path)
    lab.add()
    lab.ingest()
    for number in range(4):
        lab.release(number)
    return lab


def test_old_releases_make_room_first(lab: WarehouseLab, monkeypatch: pytest.MonkeyPatch) -> None:
    def usage(_: Path) -> Usage:
        return Usage(0, 0, 0 if len(_kept(lab.warehouse)) > 4 else 100 * MIB)

    monkeypatch.setattr(shutil, "disk_usage", usage)
    require_space(lab.warehouse, "publish")
    assert _kept(lab.warehouse) == {
        f"{kind}-{number}.duckdb" for kind in ("headroom", "nights") for number in (2, 3)
    }


def test_lack_of_space_error_names_large_files(
    lab: WarehouseLab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(0, 0, 7 * MIB))
    with pytest.raises(WarehouseError) as refused:
        require_space(lab.warehouse, "publish")
    size = lab.warehouse.building.stat().st_size / MIB
    assert f"publish needs {64 + size:.0f} MiB of disk space, 7 MiB are free" in str(refused.value)
    assert "building.duckdb" in str(refused.value)
    assert _kept(lab.warehouse) == {"headroom-3.duckdb", "nights-3.duckdb"}
    assert lab.warehouse.published.exists()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 24 MiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=24m", "headroom-test", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("file systems cannot be mounted here")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


def test_disk_full_while_publishing_keeps_the_release(small_disk: Path) -> None:
    lab = WarehouseLab(small_disk)
    lab.add()
    lab.ingest()
    lab.release(0)
    before = _kept(lab.warehouse)
    ballast = small_disk / "ballast"
    with ballast.open("wb") as file:
        room = shutil.disk_usage(small_disk).free - lab.warehouse.building.stat().st_size // 2
        file.write(bytes(room))
    with pytest.raises((OSError, duckdb.Error)):
        lab.release(1)
    assert _kept(lab.warehouse) == before
    assert [*lab.warehouse.releases.glob("*.partial*")] == []
    ballast.unlink()
    lab.release(1)
    assert lab.warehouse.published.resolve().name == "headroom-1.duckdb"
    assert [*verify(lab.warehouse).damages()] == []


def test_disk_full_while_ingesting_loses_nothing(small_disk: Path) -> None:
    lab = WarehouseLab(small_disk)
    lab.add()
    lab.ingest()
    before = lab.rows()
    lab.add("new.json", "fio-3.34")
    ballast = small_disk / "ballast"
    with ballast.open("wb") as file:
        file.write(bytes(shutil.disk_usage(small_disk).free))
    with pytest.raises((OSError, duckdb.Error)):
        lab.ingest()
        lab.ingest()
    ballast.unlink()
    assert lab.warehouse.fault_of_building(is_thorough=True) is None
    assert before["raw.sources"][0] in lab.rows()["raw.sources"]
    lab.ingest()
    after = lab.rows()
    assert len(after["raw.sources"]) == 2
    assert after["quality.quarantined_files"] == []
    assert [*verify(lab.warehouse).damages()] == []
