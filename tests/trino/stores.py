"""Results in stores, on Trino where they are, and in a DuckDB warehouse that took them."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from headroom.build import bring_up_to_date
from headroom.built import read_nodes
from headroom.trino.build import load_raw, open_warehouse
from headroom.trino.ledger import take_ledgers
from headroom.trino.load import Lake, run
from headroom.trino.shards import Shards, open_stores
from headroom.warehouse import Warehouse
from ingest.store.objects import open_objects
from ingest.store.sending import open_outbox
from tests.conftest import ROOT, copy_warehouse
from tests.test_store import FIO, GOLDEN, RUN, send
from tests.trino.compare import Comparison, compare_tables

Compared = Iterator[tuple[str, Comparison | None]]
IOMETER = sorted((ROOT / "tests/golden/iometer").glob("*.csv"))
LOGS = sorted((ROOT / "tests/golden/fio_log").glob("*.log"))
# When each of the two warehouses took a content.
_WHEN = {"raw.files": "ingested_at", "raw.sources": "loaded_at"}


class Stores:
    """A warehouse that reads a store where it is, and others that take it."""

    def __init__(self, lake: Lake, warehouse: Path, work: Path, store: str, location: str) -> None:
        self.lake = lake
        self.store = store
        self._location = [location] if location != store else []
        self._original = warehouse
        self._work = work
        self.warehouse = work / "small"
        self.warehouse.mkdir(parents=True)
        shutil.copy(warehouse / "building.duckdb", self.warehouse)

    def take(self) -> None:
        """Have the raw tables on Trino."""
        home = Warehouse(self.warehouse / "stores")
        stores = open_stores([self.store], self._location)
        with home.lock(), open_warehouse(self.warehouse / "building.duckdb") as building:
            take_ledgers(home, [each.objects for each in stores])
            load_raw(building, self.lake, Shards(building, home, stores))

    def build(self) -> None:
        """Have all models on Trino, as a user does."""
        command: list[str | Path] = [sys.executable, "-m", "headroom.trino"]
        command += ["--warehouse", self.warehouse, "--port", str(self.lake.cluster.port), "build"]
        command += ["--shards", self.lake.folder, "--location", self.lake.location]
        command += ["--from", self.store]
        for location in self._location:
            command += ["--location-of-store", location]
        subprocess.run(command, check=False)

    def reference(self, name: str) -> Path:
        """A warehouse that has taken the store."""
        folder = copy_warehouse(self._original, self._work / name)
        command = [Path(sys.executable).with_name("headroom"), "--warehouse", folder]
        subprocess.run([*command, "ingest", "--from", self.store], check=True)
        return folder

    def compared(self, reference: Path, *kinds: str) -> Compared:
        """The relations of these kinds, in both."""
        with open_warehouse(reference / "building.duckdb") as warehouse:
            for node in read_nodes(warehouse):
                if node.kind in kinds:
                    apart = _WHEN.get(node.name)
                    found = compare_tables(node.name, warehouse, self.lake.cluster, apart)
                    yield node.name, found


def compare_stores(lake: Lake, warehouse: Path, work: Path, bucket: str) -> Compared:
    """Two nights of a store in a folder, all models of the second; then in a bucket."""
    store = Path(lake.folder).with_name("store")
    location = lake.location.rpartition("/")[0] + "/store"
    stores = Stores(lake, warehouse, work / "stores", str(store), location)
    results = work / "results"
    _first_night(results, str(store))
    stores.take()
    for name, found in stores.compared(stores.reference("first"), "raw"):
        yield f"first night: {name}", found
    _second_night(results, str(store))
    stores.build()
    second = stores.reference("second")
    assert bring_up_to_date(Warehouse(second))
    for name, found in stores.compared(second, "raw", "seed", "table", "view"):
        yield f"second night: {name}", found
    for name, found in _after_faults(stores, store):
        yield f"after faults: {name}", found
    _first_night(work / "more", bucket)
    of_bucket = Stores(lake, warehouse, work / "bucket", bucket, bucket)
    of_bucket.take()
    for name, found in of_bucket.compared(of_bucket.reference("first"), "raw"):
        yield f"bucket: {name}", found


def _first_night(results: Path, store: str) -> None:
    """Two machines, some of whose files are the same."""
    shutil.copytree(GOLDEN, results, ignore=shutil.ignore_patterns("*.golden.json"))
    (results / "headroom.yml").write_text("controller: C\ncontrollers: [{controller: C}]\n")
    send(store, "a", results)
    send(store, "b", *FIO, *IOMETER)


def _second_night(results: Path, store: str) -> None:
    """A file is forgotten, one is rewritten; a new machine has logs, and what the warehouse has."""
    forgotten, rewritten = (results / path.name for path in FIO[:2])
    forgotten.unlink()
    rewritten.write_bytes(RUN.read_bytes() + b"\n")
    with open_outbox(open_objects(store), "a", None) as outbox:
        outbox.forget([forgotten])
    send(store, "a", results)
    send(store, "c", *LOGS, *sorted((ROOT / "data/samples").rglob("*.json"))[:2])


def _after_faults(stores: Stores, store: Path) -> Compared:
    """Somebody drops a table, which costs no file; a shard is lost, which costs its commit."""
    shards = {*(store / "results").rglob("*.parquet")}
    run(stores.lake.cluster, "drop table stores.fio_jobs")
    assert {*(store / "results").rglob("*.parquet")} == shards, "Trino deleted files of the store"
    min((store / "results/fio_directions/b").iterdir()).unlink()
    stores.take()
    yield from stores.compared(stores.reference("after"), "raw")
