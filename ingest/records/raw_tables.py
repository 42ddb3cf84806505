"""Creates the tables that ingest fills, and keeps them up to date with the parsers."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache

import duckdb
import polars as pl
import pyarrow as pa

from ingest.common.errors import InputError
from ingest.parsers import SCHEMAS
from ingest.systems.sidecar.definitions import CATALOG_TABLES
from ingest.systems.sidecar.fields import RAW_FIELDS

_FILE_ID: dict[str, pl.DataType] = {"file_id": pl.String()}
FILES: dict[str, pl.DataType] = {
    **_FILE_ID,
    "parser": pl.String(),
    "parser_version": pl.String(),
    "size_bytes": pl.Int64(),
    "ingested_at": pl.Datetime("us"),
}
SOURCES: dict[str, pl.DataType] = {
    "source_key": pl.String(),
    "revision": pl.Int64(),
    "is_current": pl.Boolean(),
    **_FILE_ID,
    "path": pl.String(),
    "absolute_path": pl.String(),
    "seen_as": pl.String(),
    "sidecar_sha256": pl.String(),
    "loaded_at": pl.Datetime("us"),
}
SIDECARS: dict[str, pl.DataType] = {
    "source_key": pl.String(),
    **RAW_FIELDS,
    "job_files": pl.String(),
}
"""The description of a source: the values of sidecars, and the jobs of fio's job files as JSON."""
SYSTEM_FACTS: dict[str, pl.DataType] = {
    "source_key": pl.String(),
    "absolute_path": pl.String(),
    "system_path": pl.String(),
    "subject": pl.String(),
    "field": pl.String(),
    "value": pl.String(),
    "said_by": pl.String(),
}
"""Facts of a captured system about a source; if `value` is null, `said_by` has the reason."""
QUARANTINE: dict[str, pl.DataType] = {
    "absolute_path": pl.String(),
    "path": pl.String(),
    "file_path": pl.String(),
    "line": pl.Int64(),
    "parser": pl.String(),
    "reason": pl.String(),
    **_FILE_ID,
    "seen_as": pl.String(),
    "parser_version": pl.String(),
    "quarantined_at": pl.Datetime("us"),
}
NO_RESULTS: dict[str, pl.DataType] = {
    "absolute_path": pl.String(),
    "path": pl.String(),
    "kind": pl.String(),
    "seen_as": pl.String(),
    "parser_version": pl.String(),
    "noted_at": pl.Datetime("us"),
}
"""Files that are no results."""
LEDGER: dict[str, dict[str, pl.DataType]] = {
    "raw.files": FILES,
    "raw.sources": SOURCES,
    "raw.sidecars": SIDECARS,
    "raw.system_facts": SYSTEM_FACTS,
    "quality.quarantined_files": QUARANTINE,
    "quality.files_without_results": NO_RESULTS,
    **{f"raw.{name}": schema for name, schema in CATALOG_TABLES.items()},
}
"""The tables about files, not their contents."""
RESULTS: dict[str, dict[str, pl.DataType]] = {
    name: _FILE_ID | schema for name, schema in SCHEMAS.items()
}
TABLES = LEDGER | {f"raw.{name}": schema for name, schema in RESULTS.items()}

_TYPE_NAMES: dict[pl.DataType, str] = {
    pl.String(): "VARCHAR",
    pl.Boolean(): "BOOLEAN",
    pl.Int64(): "BIGINT",
    pl.Float64(): "DOUBLE",
    pl.Date(): "DATE",
    pl.Datetime("us"): "TIMESTAMP",
    pl.List(pl.Int64()): "BIGINT[]",
    pl.List(pl.Float64()): "DOUBLE[]",
}
_EXISTING_COLUMNS = """
    select schema_name || '.' || table_name, column_name, data_type
    from duckdb_columns()
    where database_name = current_database() and schema_name in ('raw', 'quality')
"""


def make_tables(
    connection: duckdb.DuckDBPyConnection, tables: dict[str, dict[str, pl.DataType]] = TABLES
) -> None:
    """Make the tables that are missing, and the columns that an older version did not have.

    Raises:
        InputError: a table has a column of another type than this version fills.
    """
    connection.execute("create schema if not exists raw; create schema if not exists quality")
    existing: dict[str, dict[str, str]] = {}
    for table, name, kind in connection.execute(_EXISTING_COLUMNS).fetchall():
        existing.setdefault(table, {})[name] = kind
    for table, schema in tables.items():
        wanted = {name: _TYPE_NAMES[kind] for name, kind in schema.items()}
        if table not in existing:
            columns = ", ".join(f'"{name}" {kind}' for name, kind in wanted.items())
            connection.execute(f"create table {table} ({columns})")
            continue
        for name, kind in wanted.items():
            if name not in existing[table]:
                connection.execute(f'alter table {table} add column "{name}" {kind}')
            elif existing[table][name] != kind:
                reason = f"{name} is {existing[table][name]}, this version's parsers fill {kind}"
                remedy = (
                    "move building.duckdb out of the warehouse; the next nightly run rebuilds it"
                )
                raise InputError(table, f"{reason}; {remedy}")


def append(
    connection: duckdb.DuckDBPyConnection, table: str, rows: pl.DataFrame | pa.Table
) -> None:
    if len(rows):
        with rows_as(connection, "rows", rows):
            connection.execute(f"insert into {table} by name from rows")


def change_where(
    connection: duckdb.DuckDBPyConnection, query: str, values: Sequence[str | None]
) -> int:
    """Run an update or delete that ends with the column to be one of the values.

    Returns how many rows it changed.
    """
    if not values:
        return 0
    frame = pl.DataFrame({"value": values}, {"value": pl.String()})
    with rows_as(connection, "wanted", frame):
        ((count,),) = connection.execute(f"{query} in (from wanted)").fetchall()
    return int(count)


def take_off_quarantine(connection: duckdb.DuckDBPyConnection, places: Sequence[str]) -> int:
    """Returns how many quarantine entries it removed; files without results do not count."""
    query = "delete from quality.files_without_results where absolute_path"
    change_where(connection, query, places)
    query = "delete from quality.quarantined_files where absolute_path"
    return change_where(connection, query, places)


@contextmanager
def rows_as(
    connection: duckdb.DuckDBPyConnection, name: str, rows: pl.DataFrame | pa.Table
) -> Iterator[None]:
    """Register the rows as a table of that name for the queries in the block."""
    _import_dataset()
    connection.register(name, rows if isinstance(rows, pa.Table) else rows.to_arrow())
    try:
        yield
    finally:
        connection.unregister(name)


@cache
def _import_dataset() -> None:
    """DuckDB reads Arrow with pyarrow.dataset, which imports pandas if it is there: a third of a
    second for nothing."""
    sys.meta_path.insert(0, _NoPandas)
    try:
        import pyarrow.dataset  # noqa: F401
    finally:
        sys.meta_path.remove(_NoPandas)


class _NoPandas:
    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        if name == "pandas":
            raise ModuleNotFoundError(name)
