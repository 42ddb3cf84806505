"""A lab: a folder of fio results, and a warehouse's raw tables and archive that are filled from it.

Most tests of ingest need no built models, nor a file that the tables are in: see `Lab`.
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import duckdb

from benchmarks.fio_numbers import Change, changed
from headroom.release.releases import release_nights, release_warehouse
from headroom.release.restore import archive_ledger
from headroom.warehouse import Warehouse
from headroom.write.verify import Found, repair, verify
from ingest.find.sources import find_sources
from ingest.load import load
from ingest.records.archive import Archive
from ingest.records.raw_tables import TABLES, make_tables
from ingest.records.recorder import Outcome
from ingest.reparse import reparse

FIO_RUN = Path(__file__).parent / "golden/fio/fio-3.33-randrw.json"
DATABASE = Path(__file__).parents[1] / "data/samples/fio-virtual-disk-runs/2026-11-21-database.json"
DATABASE_IOPS = 61961.693


def run_of(version: str) -> bytes:
    """The result of a fio of this version: each version makes another content."""
    return FIO_RUN.read_text().replace("fio-3.33", version).encode()


def statuses(outcomes: Iterable[Outcome]) -> list[str]:
    return [outcome.status for outcome in outcomes]


def status_by_name(outcomes: Iterable[Outcome]) -> dict[str, str]:
    """The status of each file, by its name without folders."""
    return {Path(outcome.path).name: outcome.status for outcome in outcomes}


def write_database_run(path: Path, iops: float, depth: int = 16, minute: int = 0) -> None:
    """Write the sample's database run as if from an array of this speed, and without its logs."""
    run = json.loads(DATABASE.read_bytes())
    (job,) = run["jobs"]
    ratio = iops / DATABASE_IOPS
    change = Change(ratio, depth / 16 / ratio, 60 / 67, 8192, has_bins=False, all_latencies=False)
    job |= {name: changed(job[name], change) for name in ("read", "write")}
    options = job["job options"] | {"iodepth": str(depth)}
    job["job options"] = {
        name: value for name, value in options.items() if not name.startswith(("write_", "steady"))
    }
    run["timestamp"] += 60 * minute
    run["timestamp_ms"] += 60_000 * minute
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(run))


class Results:
    """A folder of results, none at first; a sidecar in it is the root of all."""

    def __init__(self, folder: Path, sidecar: str = "root: true\n") -> None:
        self.results = folder / "results"
        self.results.mkdir()
        (self.results / "headroom.yml").write_text(sidecar)

    def add(self, name: str = "run.json", version: str = "fio-3.33") -> Path:
        return self.write(name, run_of(version))

    def add_torn(self, name: str = "torn.json", version: str = "fio-3.33") -> Path:
        """A result whose end is missing, which is quarantined."""
        return self.write(name, run_of(version)[:3000])

    def write(self, name: str, content: bytes) -> Path:
        path = self.results / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return path


class Lab(Results):
    """Results, and a warehouse's raw tables, in memory, and archive."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.archive = Archive(folder / "archive")
        self.connection = duckdb.connect()
        make_tables(self.connection)

    def ingest(self, *paths: Path, follow: Sequence[Path] = ()) -> list[Outcome]:
        """Ingest these files and folders, or all results."""
        found = find_sources(paths or [self.results], follow)
        return list(load(self.connection, found, self.archive))

    def reparse(self, *, everything: bool = False) -> list[Outcome]:
        return list(reparse(self.connection, self.archive, everything=everything)[1])

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        return self.connection.execute(query).fetchall()

    def refused(self) -> dict[str, str]:
        """The only reason of each quarantined file, by its path in the results, in this order."""
        rows = self.rows("select file_path, reason from quality.quarantined_files order by all")
        reasons = {path.removeprefix(f"{self.results}/"): reason for path, reason in rows}
        assert len(reasons) == len(rows)
        return reasons


class WarehouseLab(Results):
    """Results, and a warehouse on the disk, without built models."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, "root: true\ncontroller: A\n")
        self.warehouse = Warehouse(folder / "warehouse")
        self.warehouse.folder.mkdir()

    def ingest(self, *paths: Path) -> None:
        with self.warehouse.open_building(must_exist=False) as connection:
            make_tables(connection)
            found = find_sources(paths or [self.results])
            list(load(connection, found, self.warehouse.archive))
        archive_ledger(self.warehouse)

    def release(self, number: int) -> None:
        """Publish a release of this number, and its nights."""
        release_warehouse(self.warehouse, f"headroom-{number}.duckdb", lambda _: None)
        release_nights(self.warehouse, f"nights-{number}.duckdb")

    def packs(self) -> list[Path]:
        return sorted(self.warehouse.archive.packs.iterdir())

    def rows(self) -> dict[str, list[tuple[Any, ...]]]:
        """All rows of the raw tables."""
        with duckdb.connect(self.warehouse.building, read_only=True) as connection:
            return {
                table: connection.execute(f"from {table} order by all").fetchall()
                for table in TABLES
            }

    def repair(self) -> Found:
        repair(self.warehouse, verify(self.warehouse))
        return verify(self.warehouse)


def harm(path: Path, at: float = 0.5) -> None:
    """Change some bytes, even of a read-only file."""
    data = bytearray(path.read_bytes())
    start = int(len(data) * at)
    data[start : start + 40] = bytes(255 - byte for byte in data[start : start + 40])
    path.chmod(0o644)
    path.write_bytes(data)
