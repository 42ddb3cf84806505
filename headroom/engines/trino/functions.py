"""Rewrites DuckDB's functions and operators to Trino's, in a query with known types."""

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from headroom.engines.trino import texts
from headroom.engines.trino.aggregates import is_part_of_aggregate, rewrite_aggregate
from headroom.engines.trino.kinds import (
    DOUBLES,
    LISTS,
    STRUCTS,
    TEXTS,
    Untranslatable,
    has_kind,
    trino_type,
)  # fmt: skip
from headroom.engines.trino.template import as_double, call, sql

Handler = Callable[[Any], exp.Expr]
# Expressions that Trino lacks or answers in another way, also a whole row of a relation.
_UNTRANSLATED = (
    exp.ArrayDistinct, exp.ArrayOverlaps, exp.AtTimeZone, exp.JarowinklerSimilarity, exp.Mode,
    exp.Repeat, exp.TableColumn,
)  # fmt: skip


def rewrite(query: exp.Expr) -> exp.Expr:
    """The query in Trino's SQL."""
    root = exp.Paren(this=query)
    for node in reversed(list(root.this.walk(bfs=False))):
        if isinstance(node, _UNTRANSLATED):
            raise Untranslatable(node.sql("duckdb")[:80])
        if is_part_of_aggregate(node):
            continue
        made = rewrite_aggregate(node) or _rewritten(node)
        if made is not node:
            made.type = made.type or node.type
            node.replace(made)
    made = root.this
    assert isinstance(made, exp.Expr)
    return made.pop()


def _rewritten(node: exp.Expr) -> exp.Expr:
    is_named = isinstance(node, exp.Anonymous)
    handler = _BY_NAME.get(node.name.lower()) if is_named else _HANDLERS.get(type(node))
    if is_named and not handler:
        raise Untranslatable(node.sql("duckdb")[:80])
    return handler(node) if handler else node


def _div(node: exp.Expr) -> exp.Expr:
    parts = {"this": as_double(node.this), "expression": as_double(node.expression)}
    return exp.Div(**parts, typed=True, safe=False)


def _int_div(node: exp.Expr) -> exp.Expr:
    over = sql("nullif(:over, 0)", over=node.expression)
    if node.type is not None and trino_type(node.type).startswith("decimal"):  # Trino rounds those
        return sql("(:it - mod(:it, :over)) / :over", it=node.this, over=over)
    return exp.Paren(this=exp.Div(this=node.this.copy(), expression=over, typed=True, safe=False))


def _round(node: exp.Expr) -> exp.Expr:
    places = node.args.get("decimals")
    if not has_kind(node, DOUBLES) or places is None:
        return call("round", node.this, *([places] if places is not None else []))
    whole = exp.cast(places.copy(), "integer", dialect="trino")
    return call("rounded", as_double(node.this), whole)


def _log(node: exp.Expr) -> exp.Expr:
    name = {"10": "log10", "2": "binary_log"}.get(node.this.name)
    if name is None or node.expression is None:
        raise Untranslatable(node.sql("duckdb"))
    return call(name, as_double(node.expression))


def _cast(node: exp.Expr) -> exp.Expr:
    target = node.args["to"]
    if target.this in TEXTS:
        return texts.as_text(node.this)
    if isinstance(node.this, exp.Literal) and node.this.name == "infinity":
        return call("infinity")
    made = exp.DataType.build(trino_type(target), dialect="trino")
    if target.this is exp.DType.MAP:  # of a JSON object
        parsed = exp.cast(call("json_parse", node.this), made, dialect="trino")
        return call("try", parsed) if isinstance(node, exp.TryCast) else parsed
    maker = exp.TryCast if isinstance(node, exp.TryCast) else exp.Cast
    return maker(this=node.this.copy(), to=made)


def _is(node: exp.Expr) -> exp.Expr:
    """Trino has no `is true`."""
    if not isinstance(node.expression, exp.Boolean):
        return node
    if node.expression.this:
        return sql("coalesce(:it, false)", it=node.this)
    return exp.Not(this=sql("coalesce(:it, true)", it=node.this))


def _eq(node: exp.Expr) -> exp.Expr:
    """Structs and lists with nulls can be equal; a text beside a double becomes a double."""
    sides = (node.this, node.expression)
    if any(has_kind(side, STRUCTS | LISTS) for side in sides):
        maker = exp.NullSafeEQ if isinstance(node, exp.EQ) else exp.NullSafeNEQ
        return maker(this=node.this.copy(), expression=node.expression.copy())
    for one, other in (sides, sides[::-1]):
        if isinstance(one, exp.Literal) and one.is_string and has_kind(other, DOUBLES):
            one.replace(call("infinity") if one.name == "infinity" else as_double(one))
    return node


def _extreme(name: str) -> Handler:
    """DuckDB's greatest and least ignore nulls."""

    def rewritten(node: exp.Expr) -> exp.Expr:
        members = exp.array(node.this, *node.expressions, dialect="trino")
        return sql(f"{name}(filter(:all, each -> each is not null))", all=members)

    return rewritten


def _range(node: exp.Expr) -> exp.Expr:
    """Trino's sequence includes its end, and counts down if the end is below the start."""
    first, last = node.args["start"], node.args["end"]
    step = node.args.get("step") or exp.Literal.number(1)
    values = call("sequence", first, sql(":last - 1", last=last), step)
    return call("if", sql(":first < :last", first=first, last=last), values)


def _typed(node: exp.Expr, made: exp.Expr) -> exp.Expr:
    """Cast to DuckDB's type: its names of fields and types of members."""
    assert node.type is not None
    return exp.cast(made, trino_type(node.type), dialect="trino")


def _struct(node: exp.Expr) -> exp.Expr:
    if isinstance(node.parent, exp.ToMap):
        return node
    return _typed(node, call("row", *(_value(each) for each in node.expressions)))


def _value(member: exp.Expr) -> exp.Expr:
    value: exp.Expr = member.expression if isinstance(member, exp.PropertyEQ) else member
    return value


def _map(node: exp.Expr) -> exp.Expr:
    pairs = node.this.expressions
    keys = exp.array(*(exp.Literal.string(pair.this.name) for pair in pairs), dialect="trino")
    values = exp.array(*(pair.expression.copy() for pair in pairs), dialect="trino")
    return _typed(node, call("map", keys, values))


def _bracket(node: exp.Expr) -> exp.Expr:
    index = node.expressions[0]
    if isinstance(index, exp.Slice):
        return call("slice", node.this, exp.Literal.number(1), index.expression)
    if has_kind(node.this, STRUCTS) or (isinstance(node.this, exp.Identifier) and index.is_string):
        return exp.Dot(this=node.this.copy(), expression=exp.to_identifier(index.name, quoted=True))
    return call("element_at", node.this, index)


def _list_concat(node: exp.Expr) -> exp.Expr:
    """A null counts as an empty list."""
    empty = _typed(node, exp.array(dialect="trino"))
    parts = [node.this, *node.expressions]
    return call("concat", *(sql("coalesce(:it, :empty)", it=each, empty=empty) for each in parts))


_HANDLERS: dict[type[exp.Expr], Handler] = {
    exp.Div: _div,
    exp.IntDiv: _int_div,
    exp.Round: _round,
    exp.Log: _log,
    exp.Cast: _cast,
    exp.TryCast: _cast,
    exp.Is: _is,
    exp.EQ: _eq,
    exp.NEQ: _eq,
    exp.In: lambda node: (
        call("contains", field, node.this) if (field := node.args.get("field")) else node
    ),
    exp.Greatest: _extreme("array_max"),
    exp.Least: _extreme("array_min"),
    exp.GenerateSeries: _range,
    exp.Tuple: lambda node: (
        node
        if isinstance(node.parent, (exp.Distinct, exp.Values))
        else call("row", *node.expressions)
    ),
    exp.UnixToTime: lambda node: sql(
        "cast(from_unixtime_nanos(cast(:it as bigint) * 1000) at time zone 'UTC' as timestamp(6))",
        it=node.this,
    ),
    **texts.HANDLERS,
    exp.Struct: _struct,
    exp.ToMap: _map,
    exp.Bracket: _bracket,
    # A null in the list does not make the answer null.
    exp.ArrayContains: lambda node: sql(
        "if(:all is not null and :it is not null, coalesce(contains(:all, :it), false))",
        all=node.this,
        it=node.expression,
    ),
    exp.ArrayConcat: _list_concat,
    exp.ArrayToString: lambda node: call("list_text", node.this, node.expression),
    exp.ArrayMax: lambda node: sql(
        "array_max(filter(:all, each -> each is not null))", all=node.this
    ),
}
_BY_NAME: dict[str, Handler] = {
    "row": lambda node: node,
    "list_sum": lambda node: sql(
        "reduce(:all, cast(null as double), (s, v) -> coalesce(s + v, s, v), s -> s)",
        all=node.expressions[0],
    ),
    "list_position": lambda node: sql(
        "nullif(array_position(:all, :it), 0)", all=node.expressions[0], it=node.expressions[1]
    ),
    "map_entries": lambda node: _typed(node, call("map_entries", *node.expressions)),
    "map_extract_value": lambda node: call("element_at", *node.expressions),
}
