"""What a machine knows of its files, on its way into a store and out of it.

Only groups that changed are sent: all rows that a table has now of a key, or that there are none.
"""

from collections.abc import Iterable

import duckdb
import polars as pl

from ingest.records.tables import rows_as
from ingest.systems.sidecar.catalog import CATALOG_TABLES

KEYS = {
    "raw.files": "file_id",
    "raw.sources": "source_key",
    "raw.sidecars": "source_key",
    "raw.system_facts": "source_key",
    "quality.quarantined_files": "absolute_path",
    "quality.files_without_results": "absolute_path",
    **{f"raw.{table}": "absolute_path" for table in CATALOG_TABLES},
}
"""Tables, and the columns whose values group their rows."""
# What is a place on the machine, and the column that has it in full.
_PLACES = {
    "source_key": "source_key",
    "absolute_path": "absolute_path",
    "path": "absolute_path",
    "system_path": "absolute_path",
    "sidecar_path": "absolute_path",
    "file_path": "file_path",
}


def remember(connection: duckdb.DuckDBPyConnection, tables: Iterable[str] = KEYS) -> None:
    """`changed_keys` are those that change from now on."""
    connection.execute("create schema if not exists before")
    for table in tables:
        connection.execute(f"create or replace table {_before(table)} as from {table}")


def changed_keys(connection: duckdb.DuckDBPyConnection, table: str) -> pl.DataFrame:
    """The keys in the column `key`; `is_gone` is whether the table has no rows of them now."""
    key = KEYS[table]
    # What is as bad as before is no news.
    no_news = ("quarantined_at", "noted_at")
    columns = [name for name in connection.table(table).columns if name not in no_news]
    now, before = (f"(select {', '.join(columns)} from {one})" for one in (table, _before(table)))
    return connection.execute(
        f"""
        with changed as (
            ({now} except all {before}) union all ({before} except all {now})
        )
        select {key} as key, {key} not in (select {key} from {table}) as is_gone
        from changed
        group by all
        order by all
        """
    ).pl()


def _before(table: str) -> str:
    return f"before.{table.partition('.')[2]}"


def of_machine(connection: duckdb.DuckDBPyConnection, rows: str, machine: str) -> str:
    """The query with places as other machines have them, see `ingest.names.is_here`."""
    places = ", ".join(
        f"'{machine}:' || {place} as {column}"
        for column, place in _PLACES.items()
        if column in connection.sql(f"from ({rows}) limit 0").columns
    )
    return f"select * replace ({places}) from ({rows})" if places else rows


def replace_groups(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    rows: str | None,
    gone: Iterable[str],
    untouched: Iterable[str] = (),
) -> None:
    """Of the keys in a query's rows, and of those that are gone, have these rows alone; but of
    those that are to be left `untouched`."""
    key = KEYS[table]
    with rows_as(connection, "untouched", _frame(untouched)):
        source = (
            f"from ({rows}) where {key} not in (from untouched)"
            if rows
            else f"from {table} limit 0"
        )
        connection.execute(f"create or replace temp table incoming as {source}")
        with rows_as(connection, "gone", _frame(gone)):
            connection.execute(
                f"delete from {table} where {key} not in (from untouched) and "
                f"{key} in (from gone union all select {key} from incoming)"
            )
    connection.execute(f"insert into {table} by name from incoming")


def _frame(keys: Iterable[str]) -> pl.DataFrame:
    return pl.DataFrame({"key": [*keys]}, {"key": pl.String()})
