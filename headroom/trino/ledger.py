"""What is known of the results in stores, while their rows stay where they are.

`stores/building.duckdb` in the folder of the warehouse that is built. It has the ledger of all
machines, and no results but those that were parsed again here.

store.shards    the Parquet files that were taken, as their commits name them
store.contents  in which commit's shards the rows of a content are
store.made_by   the parsers and the stores: for others the ledger is made anew
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
from pyarrow import parquet

from headroom.warehouse import Warehouse
from ingest.errors import InputError
from ingest.parsers import VERSIONS
from ingest.records.archive import Archive
from ingest.records.recording import Outcome
from ingest.records.tables import prepare
from ingest.store import commits
from ingest.store.commits import Commit, Name, Part
from ingest.store.objects import Objects
from ingest.store.taking import Taking, take_by

_TABLES = """
    create schema if not exists store;
    create table if not exists store.shards (
        store varchar, table_name varchar, machine varchar, moment varchar, size_bytes bigint
    );
    create table if not exists store.contents (
        file_id varchar, parser_version varchar, store varchar, machine varchar, moment varchar
    );
    create table if not exists store.made_by (code varchar, stores varchar[])
"""


def take_ledgers(home: Warehouse, stores: Sequence[Objects]) -> list[Outcome]:
    """Bring what is known of the stores up to date; what became of each source of all machines."""
    home.folder.mkdir(exist_ok=True)
    if home.building.exists() and not _holds(home, stores):
        home.building.unlink()
        Path(f"{home.building}.wal").unlink(missing_ok=True)
    with home.open_building(must_exist=False) as connection:
        prepare(connection)
        connection.execute(_TABLES)
        connection.execute("delete from store.made_by")
        connection.execute("insert into store.made_by values (?, ?)", [_code(), _urls(stores)])
        archive = _InStore(home.archive.folder)
        taking = (take_by(_TakingInPlace(connection, archive, objects)) for objects in stores)
        return [*chain.from_iterable(taking)]


def _code() -> str:
    return json.dumps({name or "": version for name, version in VERSIONS.items()})


def _urls(stores: Sequence[Objects]) -> list[str]:
    return [objects.url for objects in stores]


def _holds(home: Warehouse, stores: Sequence[Objects]) -> bool:
    """Whether the ledger is of these stores and parsers, and no shard is lost since.

    While a store cannot be reached, or has no commits, what was known of it is kept.
    """
    if home.fault_of_building():
        return False
    with home.open_building() as connection:
        connection.execute(_TABLES)
        if connection.execute("select stores from store.made_by").fetchall() != [(_urls(stores),)]:
            return False
        try:
            if not all(commits.names_in(objects) for objects in stores):
                return True
            there = {objects.url: objects.sizes("results/") for objects in stores}
        except (InputError, OSError):
            return True
        if connection.execute("select code from store.made_by").fetchall() != [(_code(),)]:
            return False
        return all(
            there[store].get(Name(*name).part("results", table)) == size
            for store, table, *name, size in connection.execute("from store.shards").fetchall()
        )


@dataclass(frozen=True)
class _InStore(Archive):
    """Its packs stay in the store, but for those that are parsed again."""

    def take_pack(self, pack: str, write: Callable[[Path], None]) -> None:
        """Nothing: it is there."""

    def bring(self, pack: str, write: Callable[[Path], None]) -> None:
        """As `Archive.take_pack`."""
        super().take_pack(pack, write)

    def knows(self, file_id: str) -> bool:
        return True


class _TakingInPlace(Taking):
    """Takes the ledger of a commit, and notes where its rows are."""

    archive: _InStore

    def take_rows(self, name: Name, commit: Commit, folder: Path) -> Counter[str]:
        for table, part in commit.results.items():
            self._check(name, table, part)
            self.connection.execute(
                "insert into store.shards values (?, ?, ?, ?, ?)",
                [self.objects.url, table, name.machine, name.moment, part.size_bytes],
            )
        self.connection.execute(
            "delete from store.contents where file_id in (select file_id from taken)"
        )
        self.connection.execute(
            "insert into store.contents select file_id, parser_version, $1, $2, $3 from taken",
            [self.objects.url, name.machine, name.moment],
        )
        return Counter()

    def _check(self, name: Name, table: str, part: Part) -> None:
        """Raises InputError: a shard is not what the commit says, by its size and its footer."""
        shard = name.part("results", table)
        where = f"{self.objects.url}/{shard}"
        with self.objects.opened(shard) as file:
            size = file.seek(0, 2)
            if size != part.size_bytes:
                reason = f"is damaged: it has {size} bytes, {part.size_bytes} in the commit"
                raise InputError(where, reason)
            try:
                schema = parquet.read_schema(file)
            except (pa.ArrowException, OSError) as error:
                raise InputError(where, f"is damaged: {error}") from error
        given = self.connection.from_arrow(schema.empty_table())
        self.refuse_newer(name, table, given.columns)
        known = self.connection.table(table)
        kinds = dict(zip(known.columns, known.types, strict=True))
        for column, kind in zip(given.columns, given.types, strict=True):
            if kind != kinds[column]:
                reason = f"has {column} as {kind}, this version of {table} as {kinds[column]}"
                raise InputError(where, f"{reason}: send it again with this version")

    def outdated(self) -> list[str]:
        rows = self.connection.execute(
            "select file_id from store.contents where store = ?", [self.objects.url]
        ).fetchall()
        here = {file_id for (file_id,) in rows}
        return [file_id for file_id in super().outdated() if file_id in here]

    def read_outdated(self) -> Iterator[Outcome]:
        """What was parsed again has another `parser_version` then, and its rows are here."""
        with TemporaryDirectory(prefix="headroom-") as folder:
            rows = self.connection.execute(
                "select distinct machine, moment from store.contents "
                "where store = $1 and list_contains($2, file_id)",
                [self.objects.url, self.outdated()],
            ).fetchall()
            for row in rows:
                with suppress(InputError, OSError):  # reading says what is missing
                    self._bring_packs(Name(*row), Path(folder))
        yield from super().read_outdated()

    def _bring_packs(self, name: Name, folder: Path) -> None:
        for pack in commits.read_commit(self.objects, name, folder).packs:
            self.archive.bring(pack, partial(commits.fetch_pack, self.objects, pack))
