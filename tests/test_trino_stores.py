"""Which rows of a store count on Trino: its queries run on DuckDB here, `make trino` runs them."""

import json
import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest

from headroom.trino.build import open_warehouse
from headroom.trino.ledger import take_ledgers
from headroom.trino.load import columns_of
from headroom.trino.shards import Shards, Store, fewest_locations, open_stores, rows_once
from headroom.warehouse import Warehouse, WarehouseError
from ingest.errors import InputError
from ingest.records.recording import Outcome
from ingest.records.tables import RESULTS, rows_as
from ingest.store.objects import open_objects
from ingest.store.sending import open_outbox
from tests.test_store import FIO, RUN, Reader, send, statuses

LOCATION = "local:///lab"
Rows = list[tuple[Any, ...]]


class Lakehouse:
    """A warehouse with results of its own, and stores whose results it reads where they are."""

    def __init__(self, folder: Path, store: Path, *own: Path) -> None:
        reader = Reader(folder)
        reader.load(*own)
        reader.connection.close()
        self.folder = folder
        self.store = store
        self.home = Warehouse(folder / "stores")
        self.stores = [Store(open_objects(str(store)), LOCATION)]

    def take(self) -> list[Outcome]:
        with self.home.lock():
            return take_ledgers(self.home, [one.objects for one in self.stores])

    def results(self) -> dict[str, Rows]:
        """Of what is current, by table, as `Reader.results`."""
        with open_warehouse(self.folder / "building.duckdb") as warehouse:
            shards = Shards(warehouse, self.home, self.stores)
            with duckdb.connect() as engine:
                engine.execute("create schema raw; create schema warehouse; create schema stores")
                _copy(engine, "stores.contents", shards.contents())
                _copy(engine, "raw.sources", shards.own_rows("raw.sources"))
                return {table: self._results(engine, shards, table) for table in RESULTS}

    def _results(self, engine: duckdb.DuckDBPyConnection, shards: Shards, table: str) -> Rows:
        own = shards.own_rows(f"raw.{table}")
        _copy(engine, f"warehouse.{table}", own)
        query = f"from warehouse.{table}"
        if paths := shards.shards_of(f"raw.{table}"):
            files = [path.replace(LOCATION, str(self.store)) for path in sorted(paths)]
            engine.execute(
                f"create table stores.{table} as select * exclude (filename), "
                f"replace(filename, '{self.store}', '{LOCATION}') as \"$path\" "
                f"from read_parquet({files}, union_by_name = true, filename = true)"
            )
            query = rows_once(table, columns_of(own))
        current = "select file_id from raw.sources where is_current"
        return engine.execute(
            f"select cast(t as varchar) from ({query}) as t where file_id in ({current}) order by 1"
        ).fetchall()

    def quarantined(self) -> dict[str, str]:
        with self.home.open_building() as connection:
            query = "select path, reason from quality.quarantined_files"
            return dict(connection.execute(query).fetchall())

    def reparsed(self) -> Rows:
        """The rows that are in the ledger itself."""
        with self.home.open_building() as connection:
            return connection.execute("select distinct file_id from raw.fio_jobs").fetchall()


def _copy(engine: duckdb.DuckDBPyConnection, name: str, relation: duckdb.DuckDBPyRelation) -> None:
    with rows_as(engine, "copied", relation.to_arrow_table()):
        engine.execute(f"create table {name} as from copied")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


@pytest.fixture
def results(tmp_path: Path) -> Path:
    folder = tmp_path / "results"
    folder.mkdir()
    for path in FIO:
        shutil.copy(path, folder)
    return folder


@pytest.fixture
def lakehouse(tmp_path: Path, store: Path) -> Lakehouse:
    return Lakehouse(tmp_path / "lakehouse", store)


def taken_by_duckdb(folder: Path, store: Path, *own: Path) -> dict[str, Rows]:
    reader = Reader(folder)
    reader.load(*own)
    reader.take(store)
    return reader.results()


def test_each_content_counts_once(tmp_path: Path, store: Path, results: Path) -> None:
    """Of two machines that share files, with one that the warehouse has, too."""
    own = results / FIO[0].name
    lakehouse = Lakehouse(tmp_path / "lakehouse", store, own)
    send(store, "a", own, results / FIO[1].name)
    send(store, "b", results)
    send(store, "c", RUN)
    assert "quarantined" not in statuses(lakehouse.take())
    found = lakehouse.results()
    assert found == taken_by_duckdb(tmp_path / "reader", store, own)
    assert len(found["fio_jobs"]) > len(FIO)
    assert lakehouse.reparsed() == []
    assert set(statuses(lakehouse.take())) == {"unchanged"}
    assert lakehouse.results() == found


def test_a_later_night_adds_replaces_and_forgets(
    tmp_path: Path, store: Path, results: Path, lakehouse: Lakehouse
) -> None:
    send(store, "a", results)
    send(store, "b", results / FIO[0].name)
    lakehouse.take()
    before = lakehouse.results()
    (results / FIO[1].name).write_bytes(RUN.read_bytes())
    (results / FIO[2].name).unlink()
    with open_outbox(open_objects(str(store)), "a", None) as outbox:
        outbox.forget([results / FIO[2].name])
    send(store, "a", results)
    assert statuses(lakehouse.take()).count("loaded") == 1
    after = lakehouse.results()
    assert after == taken_by_duckdb(tmp_path / "reader", store) != before


def _part_of(store: Path, machine: str, table: str) -> tuple[Path, Path]:
    """The machine's only shard of a table, and its commit."""
    (shard,) = (store / "results" / table / machine).iterdir()
    (commit,) = (store / "commits" / machine).iterdir()
    return shard, commit


def _rewrite(shard: Path, commit: Path, columns: str) -> None:
    """Another query of the shard's rows, with the commit's consent."""
    rows = duckdb.sql(f"select {columns} from read_parquet('{shard}')").to_arrow_table()
    duckdb.from_arrow(rows).write_parquet(str(shard))
    said = json.loads(commit.read_text())
    said["results"][f"raw.{shard.parts[-3]}"]["size_bytes"] = shard.stat().st_size
    commit.write_text(json.dumps(said))


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        ("gone", "fio_jobs/a/.* is missing"),
        ("cut", "fio_jobs/a/.* is damaged: it has 40 bytes, [0-9]+ in the commit"),
        ("bytes", "fio_jobs/a/.* is damaged: .*"),
        ("newer", "has the column more of raw.fio_jobs, which this version does not know"),
        (
            "type",
            "fio_jobs/a/.* has job_runtime_ms as VARCHAR, this version of raw.fio_jobs as BIGINT",
        ),
    ],
)
def test_a_damaged_shard_costs_its_commit_until_it_is_whole(
    store: Path, results: Path, lakehouse: Lakehouse, damage: str, reason: str
) -> None:
    send(store, "a", results)
    send(store, "b", RUN)
    aside = shutil.copytree(store, store.with_name("aside"))
    shard, commit = _part_of(store, "a", "fio_jobs")
    if damage == "gone":
        shard.unlink()
    elif damage in ("cut", "bytes"):
        content = shard.read_bytes()
        shard.write_bytes(content[:40] + bytes(len(content) - 40) * (damage == "bytes"))
    else:
        columns = "*, 1 as more" if damage == "newer" else "* replace ('1' as job_runtime_ms)"
        _rewrite(shard, commit, columns)
    assert sorted(statuses(lakehouse.take())) == ["loaded", "quarantined"]
    ((place, said),) = lakehouse.quarantined().items()
    assert place == str(commit)
    assert duckdb.execute("select regexp_matches(?, ?)", [said, reason]).fetchall() == [(True,)]
    assert len(lakehouse.results()["fio_jobs"]) > 0
    shutil.copytree(aside, store, dirs_exist_ok=True)
    assert statuses(lakehouse.take()).count("loaded") == 4
    assert lakehouse.quarantined() == {}


def test_columns_that_older_shards_lack_are_null(
    store: Path, results: Path, lakehouse: Lakehouse
) -> None:
    send(store, "a", results)
    _rewrite(*_part_of(store, "a", "fio_jobs"), "* exclude (job_runtime_ms)")
    send(store, "b", RUN)
    assert set(statuses(lakehouse.take())) == {"loaded"}
    rows = [row for (row,) in lakehouse.results()["fio_jobs"]]
    assert 0 < sum("'job_runtime_ms': NULL" in row for row in rows) < len(rows)


@pytest.mark.parametrize("damage", ["gone", "longer"])
def test_a_shard_that_is_lost_after_it_was_taken_costs_only_what_no_other_has(
    tmp_path: Path, store: Path, results: Path, lakehouse: Lakehouse, damage: str
) -> None:
    send(store, "a", results)
    send(store, "b", results / FIO[0].name)
    lakehouse.take()
    before = lakehouse.results()
    shard, commit = _part_of(store, "a", "fio_jobs")
    content = shard.read_bytes()
    if damage == "gone":
        shard.unlink()
    else:
        shard.write_bytes(content + b"x")
    assert sorted(statuses(lakehouse.take())) == ["loaded", "quarantined"]
    assert lakehouse.quarantined().keys() == {str(commit)}
    found = lakehouse.results()
    assert found == taken_by_duckdb(tmp_path / "reader", store)
    assert len(found["fio_jobs"]) > 0
    shard.write_bytes(content)
    assert "quarantined" not in statuses(lakehouse.take())
    assert lakehouse.results() == before


def test_a_store_without_commits_adds_nothing(store: Path, lakehouse: Lakehouse) -> None:
    """As that of a new installation."""
    store.mkdir()
    (refused,) = lakehouse.take()
    assert "has no commits" in str(refused.errors[0])
    assert not any(lakehouse.results().values())


def test_a_store_that_is_away_is_waited_for(
    store: Path, results: Path, lakehouse: Lakehouse
) -> None:
    send(store, "a", results)
    lakehouse.take()
    before = lakehouse.results()
    away = store.rename(store.with_name("away"))
    store.mkdir()
    (refused,) = (one for one in lakehouse.take() if one.status == "quarantined")
    assert "is it mounted?" in str(refused.errors[0])
    with pytest.raises(InputError, match="is missing since it was taken: is the store mounted"):
        lakehouse.results()
    store.rmdir()
    away.rename(store)
    assert set(statuses(lakehouse.take())) == {"unchanged"}
    assert lakehouse.results() == before


def test_what_another_version_parsed_is_parsed_again_here(
    store: Path, results: Path, lakehouse: Lakehouse
) -> None:
    send(store, "a", results)
    lakehouse.take()
    before = lakehouse.results()
    with lakehouse.home.open_building() as connection:
        connection.execute("update raw.files set parser_version = 'older'")
        connection.execute("update store.contents set parser_version = 'older'")
    assert set(statuses(lakehouse.take())) == {"unchanged"}
    assert len(lakehouse.reparsed()) == len(FIO)
    assert lakehouse.results() == before


def test_another_version_takes_all_anew(
    store: Path, results: Path, lakehouse: Lakehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that what its writers have sent since is not parsed here."""
    send(store, "a", results)
    with monkeypatch.context() as patch:
        patch.setattr("headroom.trino.ledger._code", lambda: "older")
        lakehouse.take()
    assert set(statuses(lakehouse.take())) == {"loaded"}
    other = lakehouse.store.with_name("other")
    send(other, "b", RUN)
    lakehouse.stores = [Store(open_objects(str(other)), LOCATION)]
    assert statuses(lakehouse.take()) == ["loaded"]


def test_a_warehouse_that_took_the_store_is_refused(
    tmp_path: Path, store: Path, results: Path, lakehouse: Lakehouse
) -> None:
    send(store, "a", results)
    reader = Reader(lakehouse.folder)
    reader.take(store)
    reader.connection.close()
    lakehouse.take()
    with pytest.raises(WarehouseError, match=r"a:.*the warehouse has taken this itself"):
        lakehouse.results()


def test_folders_are_registered_at_once_where_nothing_else_is_in_them() -> None:
    there = {f"s3://lab/results/{table}/{one}.parquet" for table in ("x", "y") for one in _NAMES}
    assert fewest_locations(there, there) == ["s3://lab/results/x", "s3://lab/results/y"]
    some = {path for path in there if not path.endswith("x/b/1.parquet")}
    assert fewest_locations(some, there) == [
        "s3://lab/results/x/a", "s3://lab/results/x/b/2.parquet", "s3://lab/results/y",
    ]  # fmt: skip
    assert fewest_locations(set(), there) == []
    deep = {"s3://lab/results/x/a/odd/1.parquet"}
    assert "s3://lab/results/x" not in fewest_locations(there, there | deep)


_NAMES = ("a/1", "a/2", "b/1", "b/2")


def test_each_folder_needs_a_location(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    one, other = str(tmp_path / "one"), str(tmp_path / "other")
    stores = open_stores([one, "s3://lab/x/", other], ["local:///", "file:///mnt/other/"])
    assert [store.location for store in stores] == ["local://", "s3://lab/x", "file:///mnt/other"]
    with pytest.raises(InputError, match="other: needs --location-of-store"):
        open_stores([one, other], ["local:///one"])
    with pytest.raises(InputError, match="local:///two: is the location of no folder"):
        open_stores([one], ["local:///one", "local:///two"])
