"""Rebuilds the tables whose inputs changed, with the SQL that dbt compiled.

dbt takes seven seconds to start and a tenth of a second for each model and test. So dbt builds when
models change, and until then a night runs the SQL of the last build. A table whose rows are the
same as before counts as unchanged: its downstream tables are skipped.

Of an incremental model (`unique_key: file_id`) only the rows of changed files are computed, as by
dbt's `delete+insert`, unless an input has changed in other rows, too. Rows that differ are written.
"""

import duckdb

from headroom.engines.duckdb.build_state import Changes, Node, contents, keep_contents, quoted

_BY_SOURCE = "raw.sidecars"  # has no file_id, and is read whole
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
    of_files = f"file_id in ({files or 'null'})"
    is_few = len(changes.files) <= _MOST_FILES
    # tables and views: by_file changed only in rows of these files, whole in other rows, too
    by_file = set(changes.file_tables) if is_few else set()
    whole = set(changes.tables) | (changes.file_tables - by_file)
    conditions = {node.name: _condition(node, of_files) for node in nodes if node.is_by_file}
    del conditions[_BY_SOURCE]
    hashes = dict(changes.tables)
    count = 0
    for node in nodes:
        if node.parents.isdisjoint(whole | by_file):
            continue
        is_limited = node.parents.isdisjoint(whole) and (
            node.is_by_file or (node.kind == "test" and node.parents <= conditions.keys())
        )
        parents = conditions.keys() & node.parents if is_limited else ()
        query = _limited(connection, node, {name: conditions[name] for name in parents})
        if node.kind == "test":
            _test(connection, node, query)
            continue
        if node.kind != "view":
            found = _fill(connection, node, query, of_files if parents else None)
            if found == node.contents:
                continue
            hashes[node.name] = found
            count += 1
        (by_file if parents else whole).add(node.name)
    keep_contents(connection, hashes)
    return count


def _condition(node: Node, of_files: str) -> str:
    """The condition for rows of changed files. By `rowid`, DuckDB reads the other columns of a
    table for these rows only; into a view it pushes a list of constants."""
    if node.kind == "view":
        return of_files
    return f"rowid in (select rowid from {quoted(node.name)} where {of_files})"


def _test(connection: duckdb.DuckDBPyConnection, node: Node, query: str) -> None:
    ((count,),) = connection.execute(f"select count(*) from ({query})").fetchall()
    if count:
        raise RefreshFailed(f"the data test {node.name} failed, rows: {count}")


def _limited(connection: duckdb.DuckDBPyConnection, node: Node, parents: dict[str, str]) -> str:
    """The node's query, with only the rows of these parents for which their condition is true."""
    query = node.query
    for number, parent in enumerate(sorted(parents)):
        connection.execute(
            f"create or replace temp view changed_{number} as "
            f"from {quoted(parent)} where {parents[parent]}"
        )
        query = query.replace(quoted(parent), f"temp.changed_{number}")
    return query


def _fill(
    connection: duckdb.DuckDBPyConnection, node: Node, query: str, of_files: str | None
) -> int:
    """Make the rows of the table, or those of changed files, the rows of the query.

    Returns a hash of all rows.
    """
    assert node.contents is not None
    table = quoted(node.name)
    reached, old = "true", node.contents
    if of_files:
        reached = _condition(node, of_files)
        old = contents(connection, f"(from {table} where {reached})")
    # with the table's column types, so that equal rows have equal hashes
    connection.execute(f"create or replace temp table fresh as from {table} limit 0")
    connection.execute(f"insert into temp.fresh by name {query}")
    if of_files:  # inputs without a file_id were read whole
        connection.execute(f"delete from temp.fresh where ({of_files}) is not true")
    new = contents(connection, "temp.fresh")
    if new != old:
        _write_differences(connection, table, reached)
    return node.contents - old + new


def _write_differences(connection: duckdb.DuckDBPyConnection, table: str, reached: str) -> None:
    """Replace the `reached` rows of a table by those of `fresh`.

    Equal rows stay, since rewriting a large table's keys takes longer than computing its rows.
    """
    connection.execute(
        f"""
        create or replace temp table differing as
        select row_hash from (
            select hash(old) as row_hash, -1 as row_count from {table} as old where {reached}
            union all
            select hash(new), 1 from temp.fresh as new
        )
        group by row_hash having sum(row_count) != 0
        """
    )
    differs = "hash(t) in (from temp.differing)"
    connection.execute(f"delete from {table} as t where {reached} and {differs}")
    connection.execute(f"insert into {table} from temp.fresh as t where {differs}")
