"""Asks DuckDB for the columns of a model's relations and the types of its expressions.

Translation needs both, and DuckDB's own binder decides them. Each question is a query that DuckDB
binds and does not run. CTEs become temporary views.
"""

from collections.abc import Iterable

import duckdb
from sqlglot import exp

from headroom.engines.trino.kinds import read_type

Columns = dict[str, exp.DataType]


def numbered(names: Iterable[str]) -> list[str]:
    """Names of columns, with a number after repeated ones, as DuckDB names them."""
    counts: dict[str, int] = {}
    found = []
    for name in names:
        seen = counts.get(name, 0)
        counts[name] = seen + 1
        found.append(f"{name}_{seen}" if seen else name)
    return found


class Known:
    """A connection to a built warehouse, attached under the name in the models."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        self._views: list[str] = []

    def add(self, name: str, sql: str) -> None:
        """Create a CTE under its name for later questions."""
        self._connection.execute(f'create or replace temp view "{name}" as {sql}')
        self._views.append(name)

    def forget(self) -> None:
        """Drop the CTEs of the previous model."""
        for name in reversed(self._views):
            self._connection.execute(f'drop view if exists temp."{name}"')
        self._views.clear()

    def columns(self, sql: str) -> Columns:
        """The columns of a query with their types, in order."""
        relation = self._connection.sql(sql)
        names = numbered(relation.columns)
        return dict(zip(names, map(read_type, relation.types), strict=True))

    def types(self, projections: list[str], rest: str) -> list[exp.DataType | None]:
        """The type of each projection in `select ... <rest>`; None where DuckDB refuses it."""
        if not projections:
            return []
        named = ", ".join(f"({sql}) as _probe{index}" for index, sql in enumerate(projections))
        try:
            columns = self.columns(rest.replace("/*probes*/", named))
        except duckdb.Error:
            if len(projections) == 1:
                return [None]
            half = len(projections) // 2
            return self.types(projections[:half], rest) + self.types(projections[half:], rest)
        return [kind for name, kind in columns.items() if name.startswith("_probe")]
