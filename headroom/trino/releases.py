"""Releases on Trino: rows of every night side by side, and one row that says which night is read.

releases.<mart>__<columns>  the mart's rows, a partition for each release; a mart that gets other
                            columns gets another table, so that no release loses any of its own
releases.contents           which table has a mart's rows in a release; a release is whole from here
releases.current            one row: the release that readers see
published.<mart>            what readers ask: a view of the rows of the current release

A query reads `releases.current` once, whatever number of views it asks: Trino keeps a table's
metadata for the length of a query. The views name it first, so that the rows they look for are
there already.
"""

import hashlib
import json
import re

import trino

from headroom.trino.load import run

Columns = dict[str, str]  # with their types
KEPT_RELEASES = 5
_KEPT_SNAPSHOTS = "7d"  # at least what iceberg.expire-snapshots.min-retention says: 7d by default
_SYSTEM = ("contents", "current")


def prepare(cluster: trino.dbapi.Connection) -> None:
    """Make what is missing: no release is current then."""
    for schema in ("releases", "published"):
        run(cluster, f"create schema if not exists {schema}")
    run(
        cluster,
        "create table if not exists releases.contents "
        "(release varchar, mart varchar, table_name varchar)",
    )
    run(
        cluster,
        "create table if not exists releases.current as select cast(null as varchar) as release",
    )


def releases(cluster: trino.dbapi.Connection) -> list[str]:
    """The whole ones, oldest first."""
    found = run(cluster, "select distinct release from releases.contents order by release")
    return [name for (name,) in found]


def current(cluster: trino.dbapi.Connection) -> str | None:
    """The release that readers see."""
    ((name,),) = run(cluster, "select release from releases.current")
    return name if name is None else str(name)


def copy(cluster: trino.dbapi.Connection, release: str, sources: list[str]) -> None:
    """Copy tables and views, as they are now, to a release that nobody sees yet."""
    schemas = {source.partition(".")[0] for source in sources}
    known = {schema: columns_of(cluster, schema) for schema in schemas}
    tables = columns_of(cluster, "releases")
    contents = {}
    for source in sources:
        schema, _, mart = source.partition(".")
        columns = known[schema][mart]
        table = contents[mart] = _table_name(mart, columns)
        rows = f"select varchar '{release}' as release, {_listed(columns)} from {source}"
        if table not in tables:
            partitions = "with (partitioning = array['release'])"
            run(cluster, f"create table releases.{table} {partitions} as {rows} with no data")
        run(cluster, f"insert into releases.{table} {rows}")
    values = ", ".join(f"('{release}', '{mart}', '{table}')" for mart, table in contents.items())
    run(cluster, f"insert into releases.contents values {values}")


def _table_name(mart: str, columns: Columns) -> str:
    digest = hashlib.sha256(json.dumps(list(columns.items())).encode()).hexdigest()
    return f"{mart}__{digest[:8]}"


def columns_of(cluster: trino.dbapi.Connection, schema: str) -> dict[str, Columns]:
    """The columns of each table and view in order."""
    found: dict[str, Columns] = {}
    for table, column, kind in run(
        cluster,
        "select table_name, column_name, data_type from information_schema.columns "
        f"where table_schema = '{schema}' order by table_name, ordinal_position",
    ):
        found.setdefault(table, {})[column] = kind
    return found


def point(cluster: trino.dbapi.Connection, release: str) -> None:
    """Have readers see the release: one commit, of the one row of `releases.current`.

    The table is replaced, since each `update` would leave it one more file to be read. Views whose
    columns change read the old table and the new one while it changes.
    """
    wanted = _contents(cluster, release)
    before = _viewed(cluster)
    of_tables = columns_of(cluster, "releases")
    changed = [mart for mart, table in wanted.items() if before.get(mart) != {table}]
    for mart in changed:
        tables = [*sorted(before.get(mart, set())), wanted[mart]]
        run(cluster, view(mart, {name: of_tables[name] for name in tables if name in of_tables}))
    run(
        cluster,
        f"create or replace table releases.current as select varchar '{release}' as release",
    )
    for mart in changed:
        run(cluster, view(mart, {wanted[mart]: of_tables[wanted[mart]]}))
    for mart in before.keys() - wanted.keys():
        run(cluster, f"drop view published.{mart}")


def _contents(cluster: trino.dbapi.Connection, release: str) -> dict[str, str]:
    found = run(
        cluster, f"select mart, table_name from releases.contents where release = '{release}'"
    )
    return dict(found)


def _viewed(cluster: trino.dbapi.Connection) -> dict[str, set[str]]:
    """The tables that each published view reads."""
    found = run(
        cluster,
        "select table_name, view_definition from information_schema.views "
        "where table_schema = 'published'",
    )
    return {
        mart: set(re.findall(rf"\b{mart}__[0-9a-f]{{8}}\b", definition))
        for mart, definition in found
    }


def view(mart: str, tables: dict[str, Columns]) -> str:
    """What makes the view of these tables: of their columns all, with the types of the last."""
    columns = {name: kind for of_one in tables.values() for name, kind in of_one.items()}
    columns.pop("release")
    selects = [
        f"select {_fitted(columns, of_one)} from releases.{table} "
        "where release = (select release from chosen)"
        for table, of_one in tables.items()
    ]
    return (
        f"create or replace view published.{mart} as "
        "with chosen as (select release from releases.current) " + " union all ".join(selects)
    )


def _fitted(columns: Columns, given: Columns) -> str:
    return ", ".join(
        f'"{name}"' if given.get(name) == kind else f'cast(null as {kind}) as "{name}"'
        for name, kind in columns.items()
    )


def _listed(columns: Columns) -> str:
    return ", ".join(f'"{name}"' for name in columns)


def prune(cluster: trino.dbapi.Connection, keep: int = KEPT_RELEASES) -> None:
    """Remove all but the newest releases and the current one, and what broke off.

    Queries that run go on: the files go when no snapshot of the last days has them.
    """
    old = [name for name in releases(cluster)[:-keep] if name != current(cluster)]
    if old:
        run(cluster, f"delete from releases.contents where release in ({_texts(old)})")
    kept = run(cluster, "select distinct table_name, release from releases.contents")
    for table, names in _partitions(cluster).items():
        of_kept = {release for name, release in kept if name == table}
        if not of_kept:
            run(cluster, f"drop table releases.{table}")
        elif gone := sorted(names - of_kept):
            run(cluster, f"delete from releases.{table} where release in ({_texts(gone)})")
            _expire(cluster, table)
    for table in _SYSTEM:
        _expire(cluster, table)


def _partitions(cluster: trino.dbapi.Connection) -> dict[str, set[str]]:
    """The releases that each table has rows of, whole or not: read from Iceberg's metadata."""
    sql = (
        "select table_name from information_schema.tables "
        f"where table_schema = 'releases' and table_name not in ({_texts(_SYSTEM)})"
    )
    found: dict[str, set[str]] = {table: set() for (table,) in run(cluster, sql)}
    for table in found:
        rows = run(cluster, f'select partition.release from releases."{table}$partitions"')
        found[table] = {name for (name,) in rows}
    return found


def _expire(cluster: trino.dbapi.Connection, table: str) -> None:
    run(
        cluster,
        f"alter table releases.{table} execute "
        f"expire_snapshots(retention_threshold => '{_KEPT_SNAPSHOTS}')",
    )


def _texts(values: list[str] | tuple[str, ...]) -> str:
    return ", ".join(f"'{value}'" for value in values)
