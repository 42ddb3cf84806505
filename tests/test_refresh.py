"""Nights that build only what is new end with the tables of a full build, also if the full build
reads what the archive alone restores.

HISTORIES=60 tries more random histories (`make torture`).
"""

import copy
import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from headroom.engines.duckdb.build import bring_up_to_date
from headroom.engines.duckdb.build_state import contents, quoted, read_nodes
from headroom.release.history import HISTORY
from headroom.release.restore import archive_ledger, restore
from headroom.warehouse import EXACT, Warehouse
from ingest.find.sources import find_sources
from ingest.forget import forget
from ingest.load import load
from ingest.parsers import PARSERS, white_paper
from ingest.records.raw_tables import LEDGER
from tests.conftest import MINIMAL_PAPER, ROOT

GOLDEN = ROOT / "tests/golden"
NIGHTS = 3
SYSTEM = ROOT / "tests/describe/vm/system"
TWO_PROCESSES = GOLDEN / "fio/fio-3.33-two-processes.json"
PROCESSES = 16
RESULTS = sorted(
    path
    for parser in PARSERS
    if parser is not white_paper and (GOLDEN / parser.NAME).is_dir()
    for path in (GOLDEN / parser.NAME).iterdir()
    if not path.name.endswith(".golden.json")
)
JOB_NAMES = ("scan", "mixed", "mix", "plus", "both", "reads", "golden")
RESULT_SUFFIXES = {path.suffix for path in RESULTS}
FOLDERS = ("", "raid5", "raid5/night-1", "logs")
SIDECARS = (
    "controller: A\nraid_level: RAID 5\ndrive: Disk 1.2TB\ndrive_count: 8\n",
    "controller: EP420i\nraid_level: RAID 0\ndrive: D1\ndrive_count: 4\nfirmware_version: '2'\n"
    "drives: [{drive: D1, drive_interface: SAS 12G, rated_random_read_iops: 100000, "
    "rated_by: data sheet, power_watt: 5.6, price: 500, price_currency: EUR, price_by: shop}]\n",
    "controller: C9\nraid_level: RAID 10\ndrive: D1\ndrive_count: 4\n"
    "controllers: [{controller: C9, host_interface: PCIe 3.0 x8, disk_interfaces: SAS 12G, "
    "disk_port_count: 8, raid_levels: [RAID 10], price: 400, price_currency: EUR, "
    "price_by: shop}]\n"
    "drives: [{drive: D1, drive_interface: SATA 6G, drive_media: SSD, rated_write: 490 MB/s, "
    "rated_random_read_iops: 72000, rated_by: sheet, price: 450, price_currency: EUR, "
    "price_by: shop}]\n",
    "drive: D1\ndrive_count: 1\n",
    "example: true\ndrive: D1\ndrive_count: 1\n",
    "combine: host\n",
    "no_such_field: 1\n",
)


class History:
    """A lab's results, random changes to them, and the nights in between."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.results = folder / "results"
        for name in FOLDERS:
            (self.results / name).mkdir(parents=True, exist_ok=True)
        self.warehouse = Warehouse(folder)
        self.any = random.Random(seed)
        self.told: list[str] = []

    def night(self) -> None:
        with self.warehouse.open_building() as connection:
            list(load(connection, find_sources([self.results]), self.warehouse.archive))
        assert bring_up_to_date(self.warehouse) is not None

    def live(self) -> None:
        """Make so many random changes that most nights see several kinds."""
        happenings: tuple[Callable[[], str], ...] = (
            self.add, self.add, self.add, self.add_processes, self.rewrite, self.tear, self.move,
            self.remove, self.describe, self.describe, self.publish, self.parse_anew,
            self.write_job_file,
        )  # fmt: skip
        for _ in range(self.any.randint(1, 6)):
            self.told.append(self.any.choice(happenings)())

    def _place(self, name: str) -> Path:
        return self.results / self.any.choice(FOLDERS) / name

    def _files(self) -> list[Path]:
        found = sorted(path for path in self.results.rglob("*") if path.is_file())
        return [path for path in found if path.suffix in RESULT_SUFFIXES]

    def _some_file(self) -> Path:
        files = self._files()
        if not files:
            self.add()
        return self.any.choice(files or self._files())

    def add(self) -> str:
        """Add a result; line ends at its end vary its content but not its meaning."""
        source = self.any.choice(RESULTS)
        name = source.name if self.any.random() < 0.7 else f"again-{source.name}"
        place = self._place(name)
        place.write_bytes(source.read_bytes() + b"\n" * self.any.randint(0, 2))
        return f"add {place}"

    def add_processes(self) -> str:
        """Add processes of one measurement; the digits of their sum depend on its order."""
        run = json.loads(TWO_PROCESSES.read_bytes())
        job = run["jobs"][0]
        job["job options"]["numjobs"] = str(PROCESSES)
        run["jobs"] = [copy.deepcopy(job) for _ in range(PROCESSES)]
        for process in run["jobs"]:
            process["read"]["iops"] *= self.any.uniform(0.5, 2)
            process["read"]["lat_ns"]["mean"] *= self.any.uniform(0.9, 1.1)
        place = self._place("processes.json")
        place.write_text(json.dumps(run))
        return f"{PROCESSES} processes in {place}"

    def rewrite(self) -> str:
        place, source = self._some_file(), self.any.choice(RESULTS)
        place.write_bytes(source.read_bytes())
        return f"rewrite {place} as {source.name}"

    def tear(self) -> str:
        place = self._some_file()
        data = place.read_bytes()
        place.write_bytes(data[: len(data) // 2])
        return f"tear {place}"

    def move(self) -> str:
        place = self._some_file()
        return f"move {place} to {place.rename(self._place(place.name))}"

    def remove(self) -> str:
        place = self._some_file()
        place.unlink()
        with self.warehouse.open_building() as connection:
            forget(connection, [place])
        return f"forget {place}"

    def describe(self) -> str:
        place = self._place("headroom.yml")
        text = self.any.choice(SIDECARS)
        place.write_text(("root: true\n" if self.any.random() < 0.2 else "") + text)
        return f"{place}: {text}"

    def write_job_file(self) -> str:
        place = self._place("nightly.fio")
        rw = self.any.choice(("read", "randread", "randwrite", "randrw"))
        jobs = "".join(f"[{name}]\niodepth={self.any.choice((1, 8))}\n" for name in JOB_NAMES)
        place.write_text(f"[global]\nioengine=libaio\ndirect=1\nrw={rw}\n{jobs}")
        return f"{place}: {rw}"

    def publish(self) -> str:
        place = self.results / "paper"
        shutil.copytree(MINIMAL_PAPER, place, dirs_exist_ok=True)
        text = (place / "measurements.csv").read_text()
        value = str(self.any.choice((240000, 250000)))
        (place / "measurements.csv").write_text(text.replace("240000", value))
        return f"publish {value}"

    def parse_anew(self) -> str:
        with self.warehouse.open_building() as connection:
            connection.execute(
                "update raw.files set parser_version = 'older' where hash(file_id, ?) % 2 = 0",
                [self.any.randrange(1000)],
            )
        return "other parsers"


def differences(warehouse: Warehouse, raw: Path | None = None) -> dict[str, int]:
    """Count by table the rows that differ from a full build of the models.

    To the last bit. The build reads the rows of raw, or of raw in another file, in another order.
    """
    with duckdb.connect(config=EXACT) as connection:
        connection.execute(f"attach '{raw or warehouse.building}' as given (read_only)")
        connection.execute(f"attach '{warehouse.building}' as kept (read_only)")
        connection.execute("use kept")
        nodes = read_nodes(connection)
        connection.execute("attach ':memory:' as building; use building")
        found = {}
        for node in nodes:
            schema = node.name.partition(".")[0]
            connection.execute(f'create schema if not exists building."{schema}"')
            if node.kind in ("raw", "seed"):
                database = "given" if node.kind == "raw" else "kept"
                query = f"from {database}.{node.name} as given_row order by hash(given_row)"
                connection.execute(f"create table {quoted(node.name)} as {query}")
            elif node.kind != "test":
                connection.execute(f"create {node.kind} {quoted(node.name)} as {node.query}")
            if node.kind == "table":
                assert contents(connection, f"kept.{node.name}") == node.contents
                names = ", ".join(f'"{name}"' for name in connection.table(node.name).columns)
                kept, made = (
                    f"(select {names} from {name}.{node.name})" for name in ("kept", "building")
                )
                if contents(connection, made) == node.contents:
                    continue
                # DuckDB 1.5.4 hangs when many rows of such a union are fetched: count them
                query = f"({kept} except all {made}) union all ({made} except all {kept})"
                ((found[node.name],),) = connection.execute(
                    f"select count(*) from ({query})"
                ).fetchall()
    return {name: count for name, count in found.items() if count}


def ledger_of(warehouse: Warehouse) -> dict[str, list[tuple[Any, ...]]]:
    """The ledger without parser versions: deleted sources keep the old one until restored."""
    with duckdb.connect(warehouse.building, read_only=True) as connection:
        return {
            table: connection.execute(
                f"select columns(name -> name != 'parser_version') from {table} order by all"
            ).fetchall()
            for table in sorted(LEDGER | HISTORY.keys())
        }


@pytest.mark.skipif("HISTORIES" not in os.environ, reason="the whole library: make torture")
def test_warehouse_equals_a_build_of_compiled_models(warehouse: Path) -> None:
    assert differences(Warehouse(warehouse)) == {}


@pytest.mark.parametrize("seed", range(int(os.environ.get("HISTORIES", "1"))))
def test_nights_and_restored_archive_equal_a_full_build(
    empty: Path, tmp_path: Path, seed: int
) -> None:
    """Results with sidecars, a captured system, a paper; changed, moved, forgotten and refused."""
    shutil.copy(empty, tmp_path / "building.duckdb")
    history = History(tmp_path, seed)
    shutil.copytree(SYSTEM, history.results / "raid5/system")
    for happens in (history.add, history.add, history.add_processes, history.publish):
        history.told.append(happens())
    for _ in range(NIGHTS):
        history.live()
        history.night()
    archive_ledger(history.warehouse)
    restored = Warehouse(tmp_path / "restored")
    shutil.copytree(history.warehouse.archive.folder, restored.archive.folder)
    shutil.rmtree(history.results)
    assert restore(restored).lost == []
    assert ledger_of(restored) == ledger_of(history.warehouse)
    assert differences(history.warehouse, restored.building) == {}, "\n".join(history.told)
