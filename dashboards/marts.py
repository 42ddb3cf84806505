"""What boards ask: columns of rows of one mart, or of a table of `quality`, by what is chosen.

A query declares what its SQL reads, gives and is chosen by; tests hold the declaration against the
SQL. Data sources, links, headings and dbt's exposures follow from it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import msgspec
from grafana_foundation_sdk.cog.builder import Builder
from grafana_foundation_sdk.models import dashboard

from dashboards.columns import Look, dictionary, look_of


@dataclass(frozen=True)
class Variable:
    """A choice at the top of a board."""

    name: str
    builder: Builder[dashboard.VariableModel]
    condition: str = ""
    """What holds for the rows of what is chosen."""
    query: Query | None = None
    """What it offers; None where that does not depend on the warehouse."""
    values: tuple[str, ...] = ()
    """All that it can be, where it names columns."""

    @property
    def raw(self) -> str:
        """The bare value, as a part of SQL."""
        return f"${{{self.name}:raw}}"

    @property
    def shown(self) -> str:
        """The value as a part of a title."""
        return f"${{{self.name}}}"

    @property
    def text(self) -> str:
        """The value as a text of SQL."""
        return f"${{{self.name}:sqlstring}}"


@dataclass(frozen=True)
class Column:
    """A column of a result, with how it shows if no mart has one of its name."""

    expression: str
    name: str | Variable
    look: Look | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Its name; where a variable names it, all that it can be."""
        return self.name.values if isinstance(self.name, Variable) else (self.name,)

    def __str__(self) -> str:
        name = self.name.raw if isinstance(self.name, Variable) else self.name
        if name == self.expression:
            return name
        is_plain = name.isidentifier() or isinstance(self.name, Variable)
        return f"{self.expression} as {name}" if is_plain else f'{self.expression} as "{name}"'


def wide(
    width: int,
    name: str,
    heading: str = "",
    *,
    of: str = "",
    wraps: bool = True,
    grows: bool = False,
) -> Column:
    """A column, or what `of` says, with so many pixels and else the look of its name."""
    known = dictionary().get(name, Look())
    heading = heading or known.heading
    look = msgspec.structs.replace(known, width=width, heading=heading, wraps=wraps, grows=grows)
    return Column(of or name, name, look)


@dataclass(frozen=True)
class Rows:
    """The rows of a table for which all conditions hold; as text `from ... where ...`."""

    schema: Literal["marts", "quality"]
    table: str
    conditions: tuple[str | Variable, ...] = ()

    def __str__(self) -> str:
        texts = [part if isinstance(part, str) else part.condition for part in self.conditions]
        where = f" where {' and '.join(texts)}" if texts else ""
        return f"from {self.schema}.{self.table}{where}"

    @property
    def variables(self) -> list[Variable]:
        return [part for part in self.conditions if isinstance(part, Variable)]

    def where(self, *conditions: str | Variable) -> Rows:
        return replace(self, conditions=(*self.conditions, *conditions))

    def select(
        self, *shown: str | Variable | Column, then: str = "", uses: tuple[Variable, ...] = ()
    ) -> Query:
        """The columns of these rows; `then` groups, orders and limits them, `uses` are variables
        that stand in what columns are made of."""
        listed = tuple(map(_column, shown))
        parts = ["select", ", ".join(map(str, listed)), str(self), then]
        return Query(" ".join(filter(None, parts)), self, listed, uses)

    def ask(
        self, sql: str, *shown: str | Variable | Column, uses: tuple[Variable, ...] = ()
    ) -> Query:
        """SQL on these rows in a shape of its own, the columns of its result, and the variables
        that stand in it besides those of rows and columns."""
        return Query(sql, self, tuple(map(_column, shown)), uses)


def _column(shown: str | Variable | Column) -> Column:
    if isinstance(shown, Column):
        return shown
    return Column(shown.raw if isinstance(shown, Variable) else shown, shown)


@dataclass(frozen=True)
class Query:
    """SQL, the rows that it reads, and the columns of its result."""

    sql: str
    rows: Rows
    columns: tuple[Column, ...]
    uses: tuple[Variable, ...] = ()

    @property
    def variables(self) -> list[Variable]:
        """All that stand in its SQL: those that name columns, choose rows, or are values."""
        named = [column.name for column in self.columns if isinstance(column.name, Variable)]
        return [*named, *self.rows.variables, *self.uses]

    @property
    def looks(self) -> dict[str, Look]:
        """How each column shows, by the names that they can have."""
        return {
            name: look_of(name, column.expression, column.look)
            for column in self.columns
            for name in column.names
        }


def mart(table: str) -> Rows:
    return Rows("marts", table)


def quality(table: str) -> Rows:
    """A table of the nights, which have a file of their own."""
    return Rows("quality", table)
