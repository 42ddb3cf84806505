"""Templates of Trino's SQL, with places for expressions."""

from functools import cache

import sqlglot
from sqlglot import exp

from headroom.engines.trino.kinds import DOUBLES, has_kind
from headroom.engines.trino.library import with_schema


@cache
def _parsed(sql: str) -> exp.Expr:
    return sqlglot.parse_one(sql, dialect="trino")


def sql(template: str, **parts: exp.Expr) -> exp.Expr:
    """The template as an expression; the part `name` replaces `:name`."""
    made = exp.Paren(this=_parsed(template).copy())
    for place in list(made.find_all(exp.Placeholder)):
        node = parts[place.name].copy()
        needs_parens = isinstance(node, (exp.Binary, exp.Unary, exp.Between, exp.In, exp.Is))
        place.replace(exp.Paren(this=node) if needs_parens else node)
    inner = made.this
    is_call = isinstance(inner, exp.Func) and not isinstance(inner, exp.Binary)
    return inner.pop() if is_call else made


def call(name: str, *arguments: exp.Expr) -> exp.Expr:
    """A call of a function by its name in Trino."""
    return exp.Anonymous(this=with_schema(name), expressions=[each.copy() for each in arguments])


def as_double(node: exp.Expr) -> exp.Expr:
    """The node, cast unless it is a double in DuckDB."""
    return node.copy() if has_kind(node, DOUBLES) else exp.cast(node.copy(), "double")
