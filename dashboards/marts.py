"""Queries of boards: columns of one mart or of one table of `quality`, filtered by variables.

A query declares its table and its columns, and tests compare them with the SQL. Data sources,
links, headings and dbt's exposures follow from the declaration.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import msgspec
from grafana_foundation_sdk.cog.builder import Builder
from grafana_foundation_sdk.models import common, dashboard

from dashboards.columns import Look, dictionary, look_of

_PLUGIN = "motherduck-duckdb-datasource"
WAREHOUSE = common.DataSourceRef(type_val=_PLUGIN, uid="headroom")
# nights.duckdb is published even if a night is held back.
NIGHTS = common.DataSourceRef(type_val=_PLUGIN, uid="headroom-nights")


@dataclass(frozen=True)
class Variable:
    """A choice at the top of a board."""

    name: str
    builder: Builder[dashboard.VariableModel]
    condition: str = ""
    """SQL that is true for the chosen rows."""
    query: Query | None = None
    """Offers the values; None if they are fixed or typed."""
    values: tuple[str, ...] = ()
    """All values of a variable that names columns."""

    @property
    def raw(self) -> str:
        """The bare value in SQL."""
        return f"${{{self.name}:raw}}"

    @property
    def shown(self) -> str:
        """The value in a title."""
        return f"${{{self.name}}}"

    @property
    def text(self) -> str:
        """The value as SQL text; several values are separated by commas, without brackets."""
        return f"${{{self.name}:sqlstring}}"


@dataclass(frozen=True)
class Column:
    """A column of a result, with its own look or the look of its name."""

    expression: str
    name: str | Variable
    look: Look | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Its name, or all names that a variable can give it."""
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
    """A column, or the expression `of`, with a width in pixels and the look of its name."""
    known = dictionary().get(name, Look())
    heading = heading or known.heading
    look = msgspec.structs.replace(known, width=width, heading=heading, wraps=wraps, grows=grows)
    return Column(of or name, name, look)


def source(width: int) -> Column:
    """The source of a value: the beginning of a long title, which has spaces, or a file name."""
    short = (
        "if(contains(source_label, ' '), "
        r"regexp_replace(source_label, '^(.{24}).+(, p[.] )', '\1…\2'), "
        "regexp_extract(source_label, '[^/]*$'))"
    )
    return wide(width, "source_label", of=short)


def run_link(width: int) -> Column:
    """The link to a measurement on the board Run."""
    return wide(width, "measurement_id", "run", wraps=False)


@dataclass(frozen=True)
class Rows:
    """The filtered rows of a table; as text `from ... where ...`."""

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

    def select(self, *shown: str | Variable | Column, then: str = "") -> Query:
        """The columns of these rows; `then` groups, orders and limits them."""
        listed = tuple(map(_column, shown))
        parts = ["select", ", ".join(map(str, listed)), str(self), then]
        return Query(" ".join(filter(None, parts)), self, listed)

    def each(self, column: str, order: str, *, text: str = "") -> Query:
        """Each value of a column once, with an aggregate as its `text`, for a variable."""
        named = (Column(column, "__value"), Column(text, "__text")) if text else (column,)
        return self.select(*named, then=f"group by {column} order by {order}")

    def ask(self, sql: str, *shown: str | Variable | Column) -> Query:
        """Any SQL on these rows, and the columns of its result."""
        return Query(sql, self, tuple(map(_column, shown)))


def _column(shown: str | Variable | Column) -> Column:
    if isinstance(shown, Column):
        return shown
    return Column(shown.raw if isinstance(shown, Variable) else shown, shown)


@dataclass(frozen=True)
class Query:
    """SQL, the rows it reads, and its columns."""

    sql: str
    rows: Rows
    columns: tuple[Column, ...]

    @property
    def datasource(self) -> common.DataSourceRef:
        return WAREHOUSE if self.rows.schema == "marts" else NIGHTS

    @property
    def looks(self) -> dict[str, Look]:
        """The look of each column by its possible names."""
        return {
            name: look_of(name, column.expression, column.look)
            for column in self.columns
            for name in column.names
        }


def mart(table: str) -> Rows:
    return Rows("marts", table)


def quality(table: str) -> Rows:
    """A table of nights.duckdb."""
    return Rows("quality", table)
