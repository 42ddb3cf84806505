"""Rebuilds the tables whose inputs changed, with the SQL that dbt compiled.

dbt takes seven seconds to start and a tenth of a second for each model and test. So dbt builds when
models change, and until then a night runs the SQL of the last build. A table whose rows are the
same as before counts as unchanged: its downstream tables are skipped.
"""

import duckdb

from headroom.built import Node, contents, keep_contents, quoted


class RefreshFailed(Exception):
    """A data test found rows; the marts are half refreshed and must be built anew."""


def refresh(
    connection: duckdb.DuckDBPyConnection, nodes: list[Node], changed: dict[str, int]
) -> int:
    """Rebuild what is downstream of these raw tables; the number of tables that changed.

    Raises:
        RefreshFailed: a data test failed.
        duckdb.Error: a model or a constraint failed.
    """
    views: set[str] = set()
    tables: dict[str, int] = {}
    for node in nodes:
        if node.parents.isdisjoint(views | changed.keys() | tables.keys()):
            continue
        if node.kind == "test":
            _test(connection, node)
        elif node.kind == "view":
            views.add(node.name)
        elif (found := _fill(connection, node)) != node.contents:
            tables[node.name] = found
    keep_contents(connection, changed | tables)
    return len(tables)


def _test(connection: duckdb.DuckDBPyConnection, node: Node) -> None:
    ((count,),) = connection.execute(f"select count(*) from ({node.query})").fetchall()
    if count:
        raise RefreshFailed(f"the data test {node.name} failed, rows: {count}")


def _fill(connection: duckdb.DuckDBPyConnection, node: Node) -> int:
    """A hash of the rows that the model makes now, which the table then has."""
    table = quoted(node.name)
    # made like the table, so that equal rows are equal
    connection.execute(f"create or replace temp table fresh as from {table} limit 0")
    connection.execute(f"insert into temp.fresh by name {node.query}")
    found = contents(connection, "temp.fresh")
    if found != node.contents:
        connection.execute(f"delete from {table}")
        connection.execute(f"insert into {table} from temp.fresh")
    return found
