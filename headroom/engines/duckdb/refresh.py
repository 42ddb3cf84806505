"""Rebuilds the tables whose inputs changed, with the SQL that dbt compiled.

dbt takes seven seconds to start and a tenth of a second for each model and test. So dbt builds when
models change, and until then a night runs the SQL of the last build. A table whose rows are the
same as before counts as unchanged: its downstream tables are skipped.

An incremental model (`unique_key: file_id`) has its rows of changed files deleted and inserted, as
dbt's `delete+insert` does, unless an input has changed in other rows, too.
"""

import duckdb

from headroom.engines.duckdb.build_state import Changes, Node, contents, keep_contents, quoted

_MOST_FILES = 2_000  # with more, whole tables are rebuilt sooner than a list so long is searched


class RefreshFailed(Exception):
    """A data test found rows; the marts are half refreshed and must be built anew."""


def refresh(connection: duckdb.DuckDBPyConnection, nodes: list[Node], changes: Changes) -> int:
    """Rebuild the tables downstream of these changes; returns how many changed.

    Raises:
        RefreshFailed: a data test failed.
        duckdb.Error: a model or a constraint failed.
    """
    return _Refresh(connection, changes).run(nodes)


class _Refresh:
    def __init__(self, connection: duckdb.DuckDBPyConnection, changes: Changes) -> None:
        self._connection = connection
        files = ", ".join(f"'{file_id}'" for file_id in changes.files)
        self._is_changed = f"file_id in ({files or 'null'})"
        is_few = len(changes.files) <= _MOST_FILES
        self._by_file = set(changes.file_tables) if is_few else set()
        """Tables and views that changed only in rows of changed files."""
        self._whole = set(changes.tables) | (changes.file_tables - self._by_file)
        """Those that changed in other rows, too."""
        self._hashes = dict(changes.tables)

    def run(self, nodes: list[Node]) -> int:
        count = 0
        # each row depends on one file: dbt's `unique_key`, or a view of raw
        known = self._with_file_id()
        with_files = {
            node.name
            for node in nodes
            if (
                node.name in known
                if node.kind == "view"
                else node.is_incremental or node.is_of_files
            )
        }
        for node in nodes:
            if node.parents.isdisjoint(self._whole | self._by_file):
                continue
            files = with_files & node.parents if node.parents.isdisjoint(self._whole) else set()
            if node.kind == "test":
                self._test(node, files if files == node.parents else set())
                continue
            is_by_file = bool(files) and node.name in with_files
            if node.kind != "view":
                found = self._fill_files(node, files) if is_by_file else self._fill(node)
                if found == node.contents:
                    continue
                self._hashes[node.name] = found
                count += 1
            (self._by_file if is_by_file else self._whole).add(node.name)
        keep_contents(self._connection, self._hashes)
        return count

    def _with_file_id(self) -> set[str]:
        """From the catalog: a query of each view would bind what it is made of."""
        found = self._connection.execute(
            "select schema_name || '.' || table_name from duckdb_columns() "
            "where column_name = 'file_id'"
        )
        return {name for (name,) in found.fetchall()}

    def _test(self, node: Node, files: set[str]) -> None:
        query = self._of_files(node, files)
        ((count,),) = self._connection.execute(f"select count(*) from ({query})").fetchall()
        if count:
            raise RefreshFailed(f"the data test {node.name} failed, rows: {count}")

    def _of_files(self, node: Node, parents: set[str]) -> str:
        """The node's query, with only the rows of changed files from these parents."""
        query = node.query
        for number, parent in enumerate(sorted(parents)):
            self._connection.execute(
                f"create or replace temp view changed_{number} as "
                f"from {quoted(parent)} where {self._is_changed}"
            )
            query = query.replace(quoted(parent), f"temp.changed_{number}")
        return query

    def _fill(self, node: Node) -> int:
        """Rebuild the table; returns a hash of its rows."""
        self._make(node, node.query)
        found = contents(self._connection, "temp.fresh")
        if found != node.contents:
            self._connection.execute(f"delete from {quoted(node.name)}")
            self._connection.execute(f"insert into {quoted(node.name)} from temp.fresh")
        return found

    def _make(self, node: Node, query: str) -> None:
        """Make `temp.fresh` with the table's column types, so that equal rows have equal hashes."""
        self._connection.execute(
            f"create or replace temp table fresh as from {quoted(node.name)} limit 0"
        )
        self._connection.execute(f"insert into temp.fresh by name {query}")

    def _fill_files(self, node: Node, parents: set[str]) -> int:
        """Replace the rows of changed files; returns a hash of all rows."""
        assert node.contents is not None
        reached = f"{quoted(node.name)} where {self._is_changed}"
        old = contents(self._connection, f"(from {reached})")
        self._make(node, self._of_files(node, parents))
        # inputs without a file_id were read whole
        self._connection.execute(f"delete from temp.fresh where ({self._is_changed}) is not true")
        new = contents(self._connection, "temp.fresh")
        if new != old:
            self._connection.execute(f"delete from {reached}")
            self._connection.execute(f"insert into {quoted(node.name)} from temp.fresh")
        return node.contents - old + new
