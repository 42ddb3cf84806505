"""Rows of marts, and the parts of a page."""

from dataclasses import dataclass
from typing import Any

import duckdb

Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Statement:
    """Sentences about one array at one load profile."""

    subject: str
    text: str
    conditions: str


@dataclass(frozen=True)
class Part:
    """A section: statements, a chart and a table."""

    heading: str
    note: str
    rows: Rows
    svg: str = ""
    statements: tuple[Statement, ...] = ()
    is_lead: bool = False  # before the list of sections


def rows_of(connection: duckdb.DuckDBPyConnection, query: str, **values: Any) -> Rows:
    relation = connection.execute(query, values or None)
    names = [column[0] for column in relation.description or ()]
    return [dict(zip(names, row, strict=True)) for row in relation.fetchall()]
