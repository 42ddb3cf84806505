"""Brings the marts up to date by the SQL that dbt compiled, where a change reaches them.

dbt takes six seconds to start and a tenth of a second for each model, whatever is in it. So dbt
builds what changed models make, and as long as they stay the same a night runs what dbt compiled.

A table whose rows are the same as before ends the reach of a change. A model with a `refresh_key`
(`config.meta` in its yml) makes each row from rows of its parents with the same value of that
column, so that only the values that a change reaches are made anew. It begins with the files that
changed; a model with a `yields_key` adds the values of that column in its rows that are new or
gone.
"""

import duckdb

from headroom.built import Node, contents, quoted

_FRESH = "temp.fresh"
_WRITTEN_OUT = 2_000


class RefreshFailed(Exception):
    """A data test found rows; the marts are half refreshed and must be built anew."""


def refresh(connection: duckdb.DuckDBPyConnection, nodes: list[Node], changed: set[str]) -> int:
    """Build what the changes of raw reach, as `find_changes` has them; how many tables changed.

    Raises:
        RefreshFailed: a data test failed.
        duckdb.Error: a model or a constraint failed.
    """
    return _Refresh(connection, set(changed)).run(nodes)


class _Refresh:
    def __init__(self, connection: duckdb.DuckDBPyConnection, changed: set[str]) -> None:
        self._connection = connection
        self._changed = changed
        self._keys: dict[str, set[str | None]] = {}
        """By table or view that changed: the columns whose values say where."""
        self._refreshed_by: dict[str, str | None] = {}
        self._of_files: dict[str, list[str]] = {}
        """By key: the tables that yield it and say of which file each row is."""

    def run(self, nodes: list[Node]) -> int:
        for node in nodes:
            if node.yields_key:
                self._execute(
                    f"create or replace temp table changed_{node.yields_key} "
                    f"({node.yields_key} varchar)"
                )
                of_files = self._of_files.setdefault(node.yields_key, [])
                if "file_id" in self._columns(node.name):
                    of_files.append(node.name)
        for node in nodes:
            if node.name in self._changed and node.describes_systems:
                self._note_changed(node, contents(self._connection, quoted(node.name)), set())
            self._note_keys_of_files(node)
            if node.parents & self._changed:
                {"test": self._test, "view": self._look, "table": self._fill}[node.kind](node)
                self._note_keys_of_files(node)
        return sum(node.kind == "table" and node.name in self._changed for node in nodes)

    def _execute(self, query: str) -> None:
        self._connection.execute(query)

    def _columns(self, table: str) -> set[str]:
        return set(self._connection.sql(f"from {quoted(table)} limit 0").columns)

    def _test(self, node: Node) -> None:
        query = node.query
        parent, *others = node.parents
        key = self._refreshed_by.get(parent)
        if key and not others:  # what it says of other rows is as it was
            query = query.replace(quoted(parent), self._reached(0, parent, key))
        ((count,),) = self._connection.execute(f"select count(*) from ({query})").fetchall()
        if count:
            raise RefreshFailed(f"the data test {node.name} failed, rows: {count}")

    def _look(self, view: Node) -> None:
        new = contents(self._connection, quoted(view.name)) if view.is_hashed else None
        if new is None or new != view.contents:
            known = [self._keys[parent] for parent in view.parents & self._keys.keys()]
            is_of_files = all("file_id" in keys for keys in known)
            self._note_changed(view, new, self._keys_of_files() if is_of_files else set())

    def _keys_of_files(self) -> set[str | None]:
        return {"file_id", *(key for key, tables in self._of_files.items() if tables)}

    def _note_changed(self, node: Node, new: int | None, keys: set[str | None]) -> None:
        self._changed.add(node.name)
        self._keys[node.name] = keys
        self._connection.execute(
            "update built.nodes set contents = ? where name = ?", [new, node.name]
        )

    def _fill(self, node: Node) -> None:
        key = self._refreshed_by[node.name] = self._key(node)
        self._make_fresh(node, key)
        table = quoted(node.name)
        reached = f"{table} where {self._is_changed(key)}" if key else table
        assert node.contents is not None
        old = contents(self._connection, f"(from {reached})") if key else node.contents
        new = contents(self._connection, _FRESH)
        if new == old:
            return
        self._note_changed(node, node.contents + new - old, {key, node.yields_key})
        if node.yields_key:
            self._note_keys(node.yields_key, reached)
        self._execute(f"delete from {reached}")
        self._execute(f"insert into {table} from {_FRESH}")

    def _key(self, node: Node) -> str | None:
        """The node's key, with the values that other columns say are reached; None: all rows are.

        Where a parent has changed at some profiles, so have the rows of these profiles.
        Rows without a value of the key are of parents that have no such column.
        """
        key, columns = node.refresh_key, self._columns(node.name)
        for known in [self._keys[parent] for parent in node.parents & self._keys.keys()]:
            others = sorted(column for column in known if column in columns and column)
            if key is None or not others:
                return None
            if key not in known:
                reached = f"from {quoted(node.name)} where {self._is_changed(others[0])}"
                if self._connection.execute(f"{reached} and {key} is null limit 1").fetchall():
                    return None
                self._execute(f"insert into temp.changed_{key} select {key} {reached}")
        return key

    def _make_fresh(self, node: Node, key: str | None) -> None:
        """The rows that the model makes now, of the values that its key has or of all."""
        query = node.query
        if key:
            columns = {parent: self._columns(parent) for parent in sorted(node.parents)}
            if any("file_id" in known and key not in known for known in columns.values()):
                self._note_files(key)
            for number, (parent, known) in enumerate(columns.items()):
                by = {key, "file_id"} & known
                if by:
                    reached = self._reached(number, parent, key if key in by else "file_id")
                    query = query.replace(quoted(parent), reached)
        # made like the table, so that equal rows are equal
        self._execute(f"create or replace temp table fresh as from {quoted(node.name)} limit 0")
        self._execute(f"insert into {_FRESH} by name {query}")
        if key:  # a file has more than what is reached of it
            self._execute(f"delete from {_FRESH} where ({self._is_changed(key)}) is not true")

    def _reached(self, number: int, table: str, key: str) -> str:
        """A view of the rows that are reached."""
        self._execute(
            f"create or replace temp view reached_{number} as "
            f"from {quoted(table)} where {self._is_changed(key)}"
        )
        return f"temp.reached_{number}"

    def _note_keys_of_files(self, node: Node) -> None:
        """What the files that changed had or have may differ in what this model does not read."""
        key = node.yields_key
        if key and node.name in self._of_files[key]:
            self._execute(
                f"insert into temp.changed_{key} select distinct {key} from {quoted(node.name)} "
                f"where {self._is_changed('file_id')}"
            )

    def _note_files(self, key: str) -> None:
        """The files of what its key says is reached: rows that have only these are of them."""
        for name in self._of_files.get(key, ()):
            self._execute(
                "insert into temp.changed_file_id (file_id) "
                f"select distinct file_id from {quoted(name)} where {self._is_changed(key)}"
            )

    def _note_keys(self, key: str, reached: str) -> None:
        """A hash of a row stands for its columns, of which there may be many."""
        old, new = (
            f"select {key}, hash(t) from (from {relation}) as t" for relation in (reached, _FRESH)
        )
        self._execute(
            f"""
            insert into temp.changed_{key}
            select distinct {key} from (
                ({old} except all {new}) union all ({new} except all {old})
            )
            """
        )

    def _is_changed(self, key: str) -> str:
        """Few values are written out: DuckDB looks only where they can be."""
        rows = self._connection.execute(
            f"select distinct {key} from temp.changed_{key} where {key} is not null "
            f"limit {_WRITTEN_OUT + 1}"
        ).fetchall()
        if len(rows) > _WRITTEN_OUT:
            return f"{key} in (select {key} from temp.changed_{key})"
        values = ", ".join("'{}'".format(value.replace("'", "''")) for (value,) in rows)
        return f"{key} in ({values or 'null'})"
