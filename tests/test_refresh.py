"""Nights that build what is new end with the tables that a build from nothing would make.

HISTORIES=200 tries more random histories (`make torture`).
"""

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from headroom.build import bring_up_to_date
from headroom.built import quoted, read_nodes
from headroom.warehouse import Warehouse
from ingest.forget import forget
from ingest.load import load
from ingest.sources import find_sources
from tests.conftest import MINIMAL_PAPER, ROOT

GOLDEN = ROOT / "tests/golden"
NIGHTS = 3
RESULTS = sorted(
    path
    for parser in ("fio", "fio_log", "iometer")
    for path in (GOLDEN / parser).iterdir()
    if not path.name.endswith(".golden.json")
)
FOLDERS = ("", "raid5", "raid5/night-1", "logs")
SIDECARS = (
    "controller: A\nraid_level: RAID 5\ndrive: Disk 1.2TB\ndrive_count: 8\n",
    "controller: EP420i\nraid_level: RAID 0\ndrive: D1\ndrive_count: 4\nfirmware_version: '2'\n"
    "drives: [{drive: D1, drive_interface: SAS 12G, rated_random_read_iops: 100000, "
    "rated_by: data sheet}]\n",
    "controller: C9\nraid_level: RAID 10\ndrive: D1\ndrive_count: 4\n"
    "controllers: [{controller: C9, host_interface: PCIe 3.0 x8}]\n"
    "drives: [{drive: D1, drive_interface: SATA 6G}]\n",
    "drive: D1\ndrive_count: 1\n",
    "no_such_field: 1\n",
)


@pytest.fixture(scope="module")
def empty(warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tests' warehouse with all its papers forgotten: small, and by the rules under test."""
    folder = Warehouse(tmp_path_factory.mktemp("empty"))
    shutil.copy(warehouse / "building.duckdb", folder.building)
    with folder.open_building() as connection:
        connection.execute("update raw.sources set is_current = false")
    assert bring_up_to_date(folder)
    assert differences(folder) == {}
    return folder.building


class History:
    """A lab's results, what happens to them, and the nights in between."""

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
        """Something happens, so often that most nights see several kinds of change."""
        happenings: tuple[Callable[[], str], ...] = (
            self.add, self.add, self.add, self.rewrite, self.tear, self.move, self.remove,
            self.describe, self.describe, self.publish, self.parse_anew,
        )  # fmt: skip
        for _ in range(self.any.randint(1, 6)):
            self.told.append(self.any.choice(happenings)())

    def _place(self, name: str) -> Path:
        return self.results / self.any.choice(FOLDERS) / name

    def _files(self) -> list[Path]:
        found = sorted(path for path in self.results.rglob("*") if path.is_file())
        return [path for path in found if path.suffix in (".json", ".csv", ".log")]

    def _some_file(self) -> Path:
        files = self._files()
        if not files:
            self.add()
        return self.any.choice(files or self._files())

    def add(self) -> str:
        """A result, in one of several contents that mean the same."""
        source = self.any.choice(RESULTS)
        name = source.name if self.any.random() < 0.7 else f"again-{source.name}"
        place = self._place(name)
        place.write_bytes(source.read_bytes() + b"\n" * self.any.randint(0, 2))
        return f"add {place}"

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

    def publish(self) -> str:
        place = self.results / "paper"
        shutil.copytree(MINIMAL_PAPER, place, dirs_exist_ok=True)
        text = (place / "measurements.csv").read_text()
        value = str(self.any.choice((240000, 250000)))
        (place / "measurements.csv").write_text(text.replace("240000", value))
        return f"publish {value}"

    def parse_anew(self) -> str:
        with self.warehouse.open_building() as connection:
            connection.execute("update raw.files set code_sha256 = 'older' where random() < 0.5")
        return "other parsers"


def differences(warehouse: Warehouse) -> dict[str, int]:
    """How many rows differ, by table, from those that the models make of raw from nothing."""
    with duckdb.connect() as connection:
        connection.execute(f"attach '{warehouse.building}' as kept (read_only)")
        connection.execute("use kept")
        nodes = read_nodes(connection)
        connection.execute("attach ':memory:' as building; use building")
        found = {}
        for node in nodes:
            schema = node.name.partition(".")[0]
            connection.execute(f'create schema if not exists building."{schema}"')
            if node.kind in ("raw", "seed"):
                query = f"from kept.{node.name}"
                connection.execute(f"create table {quoted(node.name)} as {query}")
            elif node.kind != "test":
                connection.execute(f"create {node.kind} {quoted(node.name)} as {node.query}")
            if node.kind == "table":
                kept, made = (
                    _rounded(connection, name, node.name) for name in ("kept", "building")
                )
                query = f"({kept} except all {made}) union all ({made} except all {kept})"
                found[node.name] = len(connection.execute(query).fetchall())
    return {name: count for name, count in found.items() if count}


def _rounded(connection: duckdb.DuckDBPyConnection, database: str, table: str) -> str:
    """Its rows; sums of doubles depend on their order in the last digits."""
    columns = connection.sql(f"from kept.{table} limit 0")
    cells = (
        f"""cast(format('{{:.11e}}', "{name}") as double) as "{name}\""""
        if kind == "DOUBLE"
        else f'"{name}"'
        for name, kind in zip(columns.columns, map(str, columns.types), strict=True)
    )
    return f"(select {', '.join(cells)} from {database}.{table})"


def test_what_dbt_built_is_what_it_compiled(warehouse: Path) -> None:
    assert differences(Warehouse(warehouse)) == {}


@pytest.mark.parametrize("seed", range(int(os.environ.get("HISTORIES", "10"))))
def test_nights_make_what_a_build_from_nothing_makes(
    empty: Path, tmp_path: Path, seed: int
) -> None:
    shutil.copy(empty, tmp_path / "building.duckdb")
    history = History(tmp_path, seed)
    for _ in range(NIGHTS):
        history.live()
        history.night()
    assert differences(history.warehouse) == {}, "\n".join(history.told)
