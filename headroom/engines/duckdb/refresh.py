"""Rebuilds the tables whose inputs changed, with the SQL that dbt compiled.

dbt takes seven seconds to start and a tenth of a second for each model and test. So dbt builds when
models change, and until then a night runs the SQL of the last build. A table whose rows are the
same as before counts as unchanged: its downstream tables are skipped.

An incremental model (`unique_key: file_id`) has its rows of changed files deleted and inserted, as
dbt's `delete+insert` does, unless an input has changed in other rows, too.
"""

import duckdb

from headroom.engines.duckdb.build_state import Changes, Node, contents, keep_contents, quoted

_MOST_FILES = 2_000  # above this, rebuilding whole tables is faster than a search by file_id


class RefreshFailed(Exception):
    """A data test found rows; the marts are half refreshed and must be built anew."""


def refresh(connection: duckdb.DuckDBPyConnection, nodes: list[Node], changes: Changes) -> int:
    """Rebuild the tables downstream of these changes; returns how many changed.

    Raises:
        RefreshFailed: a data test failed.
        duckdb.Error: a model or a constraint failed.
    """
    files = ", ".join(f"'{file_id}'" for file_id in changes.files)
    is_changed = f"file_id in ({files or 'null'})"
    is_few = len(changes.files) <= _MOST_FILES
    # tables and views: by_file changed only in rows of changed files, whole in other rows, too
    by_file = set(changes.file_tables) if is_few else set()
    whole = set(changes.tables) | (changes.file_tables - by_file)
    with_files = {node.name for node in nodes if node.is_by_file}
    hashes = dict(changes.tables)
    count = 0
    for node in nodes:
        if node.parents.isdisjoint(whole | by_file):
            continue
        is_limited = node.parents.isdisjoint(whole) and (
            node.is_by_file or (node.kind == "test" and node.parents <= with_files)
        )
        limited = with_files & node.parents if is_limited else set()
        if node.kind == "test":
            _test(connection, node, limited, is_changed)
            continue
        if node.kind != "view":
            found = _fill(connection, node, limited, is_changed)
            if found == node.contents:
                continue
            hashes[node.name] = found
            count += 1
        (by_file if limited else whole).add(node.name)
    keep_contents(connection, hashes)
    return count


def _test(
    connection: duckdb.DuckDBPyConnection, node: Node, limited: set[str], is_changed: str
) -> None:
    query = _limited(connection, node, limited, is_changed)
    ((count,),) = connection.execute(f"select count(*) from ({query})").fetchall()
    if count:
        raise RefreshFailed(f"the data test {node.name} failed, rows: {count}")


def _limited(
    connection: duckdb.DuckDBPyConnection, node: Node, parents: set[str], is_changed: str
) -> str:
    """The node's query, with only the rows of changed files from these parents."""
    query = node.query
    for number, parent in enumerate(sorted(parents)):
        connection.execute(
            f"create or replace temp view changed_{number} as "
            f"from {quoted(parent)} where {is_changed}"
        )
        query = query.replace(quoted(parent), f"temp.changed_{number}")
    return query


def _fill(
    connection: duckdb.DuckDBPyConnection, node: Node, limited: set[str], is_changed: str
) -> int:
    """Rebuild the table, or its rows of changed files if parents are limited to them.

    Returns a hash of all rows.
    """
    assert node.contents is not None
    table = quoted(node.name)
    reached, old = table, node.contents
    if limited:
        reached = f"{table} where {is_changed}"
        old = contents(connection, f"(from {reached})")
    # with the table's column types, so that equal rows have equal hashes
    connection.execute(f"create or replace temp table fresh as from {table} limit 0")
    query = _limited(connection, node, limited, is_changed)
    connection.execute(f"insert into temp.fresh by name {query}")
    if limited:  # inputs without a file_id were read whole
        connection.execute(f"delete from temp.fresh where ({is_changed}) is not true")
    new = contents(connection, "temp.fresh")
    if new != old:
        connection.execute(f"delete from {reached}")
        connection.execute(f"insert into {table} from temp.fresh")
    return node.contents - old + new
