"""The rows of stores as tables of Trino: their Parquet files are registered, not rewritten.

stores.<table>     all shards of a raw table; nothing is ever deleted of it
stores.contents    contents whose rows count, and the shards that have them
warehouse.<table>  the rows that the warehouse itself has, and what was parsed again
raw.<table>        a view: the rows of each content once
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

import duckdb
import trino

from headroom.built import quoted
from headroom.trino.load import Lake, add_files, columns_of, defined, drop, literal, run
from headroom.warehouse import Warehouse, WarehouseError
from ingest.errors import InputError
from ingest.store.commits import RESULT_TABLES, Name
from ingest.store.objects import Objects, open_objects

# Without it `drop table` would delete the files of the store.
_KEPT = "with (extra_properties = map(array['gc.enabled'], array['false']))"


@dataclass(frozen=True)
class Store:
    """A store, and what Trino calls it."""

    objects: Objects
    location: str


def open_stores(urls: Iterable[str], locations: Iterable[str]) -> list[Store]:
    """Each with its location: a bucket has its own, a folder the next of `locations`.

    Raises:
        InputError: there are more folders than locations, or fewer; as `open_objects`.
    """
    given = [*locations]
    stores = []
    for url in urls:
        objects = open_objects(url)
        is_bucket = objects.url.startswith("s3://")
        if not is_bucket and not given:
            raise InputError(url, "needs --location-of-store: what Trino calls this folder")
        location = objects.url if is_bucket else given.pop(0)
        stores.append(Store(objects, location.removesuffix("/")))
    if given:
        raise InputError(given[0], "is the location of no folder given with --from")
    return stores


class Shards:
    """Of stores whose ledger is in `home`, for a warehouse as `open_warehouse` has it."""

    def __init__(
        self, warehouse: duckdb.DuckDBPyConnection, home: Warehouse, stores: Sequence[Store]
    ) -> None:
        """Raises:
        InputError: a store lacks what was taken of it, or cannot be reached.
        WarehouseError: the warehouse has taken the same results itself.
        """
        warehouse.execute(f"attach {literal(str(home.building))} as stores (read_only)")
        self._warehouse = warehouse
        self._locations = {store.objects.url: store.location for store in stores}
        self._there = {path: size for store in stores for path, size in _files_in(store)}
        self._refuse_lost()
        self._refuse_taken()

    def load(self, name: str, lake: Lake) -> None:
        """A raw table, with the rows of the warehouse and of the stores."""
        own = self.own_rows(name)
        shards = self.shards_of(name)
        if not shards:
            lake.load(name, own)
            return
        table = name.partition(".")[2]
        lake.load(f"warehouse.{table}", own)
        columns = columns_of(own)
        register(lake.cluster, f"stores.{table}", columns, shards, self._there)
        run(lake.cluster, "create schema if not exists raw")
        drop(lake.cluster, name)
        run(lake.cluster, f"create view {name} as {rows_once(table, columns)}")

    def own_rows(self, name: str) -> duckdb.DuckDBPyRelation:
        """Those of the warehouse, and what the ledger of the stores has beside them."""
        columns = [f'"{each}"' for each in self._warehouse.sql(f"from {quoted(name)}").columns]
        others = f"from stores.{name}"
        if name in RESULT_TABLES or name == "raw.files":
            others += " anti join building.raw.files using (file_id)"
        return self._warehouse.sql(
            f"select {', '.join(columns)} from (from {quoted(name)} union all by name {others})"
        )

    def contents(self) -> duckdb.DuckDBPyRelation:
        """Those whose rows are in shards, and what `rows_once` needs to find them."""
        places = " ".join(
            f"when {literal(url)} then {literal(location)}"
            for url, location in self._locations.items()
        )
        return self._warehouse.sql(
            f"""
            select
                file_id,
                case store {places} end || '/results/' as place,
                '/' || machine || '/' || moment || '.parquet' as shard
            from stores.store.contents
            semi join stores.raw.files using (file_id, parser_version)
            anti join building.raw.files using (file_id)
            """
        )

    def shards_of(self, name: str) -> set[str]:
        """The paths of a raw table's shards, as Trino has them."""
        query = "select store, machine, moment from stores.store.shards where table_name = ?"
        return {
            f"{self._locations[store]}/{Name(*commit).part('results', name)}"
            for store, *commit in self._warehouse.execute(query, [name]).fetchall()
        }

    def _refuse_lost(self) -> None:
        for name in sorted(RESULT_TABLES):
            if lost := self.shards_of(name) - self._there.keys():
                reason = "is missing since it was taken: is the store mounted? Then try again"
                raise InputError(min(lost), reason)

    def _refuse_taken(self) -> None:
        both = self._warehouse.execute(
            "select path from building.raw.sources semi join stores.raw.sources "
            "using (source_key) order by path limit 1"
        ).fetchone()
        if both:
            reason = "the warehouse has taken this itself: build without --from, or of a warehouse"
            raise WarehouseError(f"{both[0]}: {reason} that has taken nothing from the store")


def _files_in(store: Store) -> Iterator[tuple[str, int]]:
    try:
        for name, size in store.objects.sizes("results/").items():
            yield f"{store.location}/{name}", size
    except OSError as error:
        raise InputError(store.objects.url, f"cannot be reached: {error}") from error


def rows_once(table: str, columns: Iterable[str]) -> str:
    """The query of a raw table: of a content that was sent twice only one shard has its rows.

    Trino 476 fails on a dynamic filter of `"$path"` (its pull request 27984), but not on one of a
    text made of it.
    """
    names = [f'"{each}"' for each in columns]
    return f"""
        select {", ".join(names)} from warehouse.{table}
        union all
        select {", ".join(f"shards.{each}" for each in names)}
        from stores.{table} as shards
        inner join stores.contents as contents
            on contents.file_id = shards.file_id
            and contents.place || '{table}' || contents.shard = shards."$path" || ''
    """


def register(
    cluster: trino.dbapi.Connection,
    name: str,
    columns: dict[str, str],
    shards: Set[str],
    there: Mapping[str, int],
) -> None:
    """A table of these shards at least, of all files that are `there` with their sizes."""
    schema, _, table = name.partition(".")
    run(cluster, f"create schema if not exists {schema}")
    run(cluster, f"create table if not exists {name} ({defined(columns)}) {_KEPT}")
    known = _registered(cluster, name)
    if not _fits(cluster, name, columns) or not known.items() <= there.items():
        run(cluster, f"call system.unregister_table({literal(schema)}, {literal(table)})")
        run(cluster, f"create table {name} ({defined(columns)}) {_KEPT}")
        known = {}
    for location in fewest_locations(shards - known.keys(), there):
        add_files(cluster, name, location)


def _registered(cluster: trino.dbapi.Connection, name: str) -> dict[str, int]:
    schema, _, table = name.partition(".")
    found = run(cluster, f'select file_path, file_size_in_bytes from {schema}."{table}$files"')
    return dict(found)


def _fits(cluster: trino.dbapi.Connection, name: str, columns: dict[str, str]) -> bool:
    """Whether the table has the columns, once those were added that are new."""
    has = {column: kind for column, kind, *_ in run(cluster, f"show columns from {name}")}
    for column, kind in columns.items():
        if column not in has:
            run(cluster, f'alter table {name} add column "{column}" {kind}')
    return all(has.get(column, kind) == kind for column, kind in columns.items())


def fewest_locations(wanted: Set[str], there: Iterable[str]) -> list[str]:
    """Files, and folders that have no others: a folder is registered as fast as a file."""
    mixed = {folder for path in there if path not in wanted for folder in _folders(path)}
    found = set()
    for path in wanted:
        machine, table, *_ = _folders(path)
        found.add(next((one for one in (table, machine) if one not in mixed), path))
    return sorted(found)


def _folders(path: str) -> list[str]:
    """All that it is in, the innermost first."""
    parts = path.split("/")
    return ["/".join(parts[:end]) for end in range(len(parts) - 1, 0, -1)]
