"""After a power failure, the disk has everything that was acknowledged.

The file system is an image that is copied, without syncing, while a process writes to it: the copy
has what the file system had sent to its disk by then. Disks that lose or reorder writes are not
tested: that needs device-mapper.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest

from headroom.release.restore import restore
from headroom.warehouse import Warehouse
from headroom.write.verify import verify
from tests.conftest import ROOT

CUTS = int(os.environ.get("POWER_CUTS", "1"))
_WRITER = """
import sys
from pathlib import Path
from headroom.release.releases import release_warehouse
from tests.lab import WarehouseLab
results, disk = map(Path, sys.argv[1:])
lab = WarehouseLab(results)
lab.warehouse = type(lab.warehouse)(disk / "warehouse")
lab.warehouse.folder.mkdir()
for number in range(1000):
    path = lab.add(f"{number}.json", f"fio-3.{number}")
    lab.ingest(path)
    print("ingested", path, flush=True)
    if number % 3 == 0:
        release_warehouse(lab.warehouse, f"headroom-{number:04}.duckdb", lambda _: None)
        print("published", f"headroom-{number:04}.duckdb", flush=True)
    for old in sorted(lab.warehouse.releases.glob("headroom-*"))[:-3]:
        old.unlink()
"""


def _run(*command: str | Path) -> bool:
    return subprocess.run(command, capture_output=True).returncode == 0


@contextmanager
def _mounted(image: Path, folder: Path) -> Iterator[Path]:
    """Mounted so that nothing is written to the disk by itself for minutes."""
    folder.mkdir(exist_ok=True)
    if not _run("mount", "-o", "loop,commit=300", image, folder):
        pytest.skip("file systems cannot be mounted here")
    try:
        yield folder
    finally:
        _run("umount", folder) or _run("umount", "--lazy", folder)


def test_acknowledged_data_survives_a_power_failure(tmp_path: Path) -> None:
    image = tmp_path / "image"
    with image.open("wb") as file:
        file.truncate(96 << 20)
    if os.geteuid() != 0 or not _run("mkfs.ext4", "-q", image):
        pytest.skip("file systems cannot be made here")
    (tmp_path / "lab").mkdir()
    said: list[str] = []
    with _mounted(image, tmp_path / "disk") as disk:
        command = [sys.executable, "-c", _WRITER, tmp_path / "lab", disk]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout
            for cut in range(CUTS):
                said += [writer.stdout.readline().strip() for _ in range(4)]
                time.sleep(0.07 * cut)
                writer.send_signal(signal.SIGSTOP)
                shutil.copyfile(image, tmp_path / f"cut-{cut}")
                (tmp_path / f"cut-{cut}.said").write_text("\n".join(said))
                writer.send_signal(signal.SIGCONT)
            writer.kill()
    for cut in range(CUTS):
        acknowledged = (tmp_path / f"cut-{cut}.said").read_text().splitlines()
        with _mounted(tmp_path / f"cut-{cut}", tmp_path / "after") as disk:
            _check(Warehouse(disk / "warehouse"), acknowledged, tmp_path / f"alone-{cut}")


def _check(warehouse: Warehouse, acknowledged: list[str], alone: Path) -> None:
    ingested = {line.split()[1] for line in acknowledged if line.startswith("ingested")}
    published = [line.split()[1] for line in acknowledged if line.startswith("published")]
    assert len(ingested) > 2
    assert [*verify(warehouse).damages()] == []
    assert ingested <= _sources(warehouse)
    assert warehouse.published.resolve().name >= published[-1]
    shutil.copytree(warehouse.archive.folder, alone / "archive")
    assert restore(Warehouse(alone)).lost == []
    assert ingested <= _sources(Warehouse(alone))


def _sources(warehouse: Warehouse) -> set[str]:
    with duckdb.connect(warehouse.building, read_only=True) as connection:
        rows = connection.execute("select path from raw.sources where is_current").fetchall()
    return {path for (path,) in rows}
