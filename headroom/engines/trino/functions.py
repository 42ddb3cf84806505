"""DuckDB's functions and operators in Trino's words, where they differ.

`rewrite` gets expressions whose names are resolved and whose types are known.
"""

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from headroom.engines.trino.aggregates import is_part_of_aggregate, rewrite_aggregate
from headroom.engines.trino.containers import BY_NAME, CONTAINERS, flat
from headroom.engines.trino.kinds import DOUBLES, LISTS, STRUCTS, TIMES, has_kind, trino_type
from headroom.engines.trino.template import call, sql
from headroom.engines.trino.texts import TEXTS_OF, Untranslatable, as_text, is_text, of_one_type

Handler = Callable[[Any], exp.Expr]


def rewrite(expression: exp.Expr) -> exp.Expr:
    """The expression in Trino's words."""
    root = exp.Paren(this=expression)
    nodes = list(root.this.walk(bfs=False, prune=lambda each: isinstance(each, exp.Query)))
    for node in reversed(nodes):
        if isinstance(node, exp.Query) or is_part_of_aggregate(node):
            continue
        made = rewrite_aggregate(node) or _rewritten(node)
        if made is not node:
            made.type = made.type or node.type
            node.replace(made)
    made = root.this
    assert isinstance(made, exp.Expr)
    return made.pop()


def _rewritten(node: exp.Expr) -> exp.Expr:
    if isinstance(node, exp.Anonymous):
        handler = _BY_NAME.get(node.name.lower())
        return handler(node) if handler else node
    handler = _HANDLERS.get(type(node))
    return handler(node) if handler else node


def _double(node: exp.Expr) -> exp.Expr:
    if has_kind(node, DOUBLES):
        return node.copy()
    return exp.cast(node.copy(), "double", dialect="trino")


def _div(node: exp.Expr) -> exp.Expr:
    parts = {"this": _double(node.this), "expression": _double(node.expression)}
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
    return call("rounded", _double(node.this), whole)


def _log(node: exp.Expr) -> exp.Expr:
    name = {"10": "log10", "2": "binary_log"}.get(node.this.name)
    if name is None or node.expression is None:
        raise Untranslatable(node.sql("duckdb"))
    return call(name, _double(node.expression))


def _cast(node: exp.Expr) -> exp.Expr:
    target = node.args["to"]
    if is_text(target.this):
        return as_text(node.this)
    if isinstance(node.this, exp.Literal) and node.this.name == "infinity":
        return call("infinity")
    name = trino_type(target)
    maker = exp.TryCast if isinstance(node, exp.TryCast) else exp.Cast
    made = maker(this=node.this.copy(), to=exp.DataType.build(name, dialect="trino"))
    return made


def _is(node: exp.Expr) -> exp.Expr:
    """Trino has no `is true`."""
    if not isinstance(node.expression, exp.Boolean):
        return node
    if node.expression.this:
        return sql("coalesce(:it, false)", it=node.this)
    return exp.Not(this=sql("coalesce(:it, true)", it=node.this))


def _eq(node: exp.Expr) -> exp.Expr:
    """Structs and lists with nulls in them are equal, too; texts become numbers beside numbers."""
    if isinstance(node.expression, exp.Any):
        return call("contains", node.expression.this.unnest(), node.this)
    sides = (node.this, node.expression)
    if any(has_kind(side, STRUCTS | LISTS) or isinstance(side, exp.Tuple) for side in sides):
        maker = exp.NullSafeEQ if isinstance(node, exp.EQ) else exp.NullSafeNEQ
        return maker(this=node.this.copy(), expression=node.expression.copy())
    for one, other in (sides, sides[::-1]):
        if isinstance(one, exp.Literal) and one.is_string and has_kind(other, DOUBLES):
            one.replace(call("infinity") if one.name == "infinity" else _double(one))
    return node


def _greater(node: exp.Expr) -> exp.Expr:
    """Tuples part by part: Trino compares none that has a null."""
    left, right = flat(node.this), flat(node.expression)
    if len(left) == 1:
        return node
    made: exp.Expr = exp.false()
    for a, b in reversed(list(zip(left, right, strict=True))):
        made = sql(":a > :b or (:a = :b and :rest)", a=a, b=b, rest=made)
    return made


def _extreme(name: str) -> Handler:
    """DuckDB's greatest and least leave nulls out."""

    def rewritten(node: exp.Expr) -> exp.Expr:
        members = exp.array(node.this, *node.expressions, dialect="trino")
        return sql(f"{name}(filter(:all, each -> each is not null))", all=members)

    return rewritten


def _range(node: exp.Expr) -> exp.Expr:
    """Trino's runs to the end, and backwards where that is less than the start."""
    first, last = node.args["start"], node.args["end"]
    step = node.args.get("step") or exp.Literal.number(1)
    before = sql(":last - 1", last=last)
    values = call("sequence", first, before, step)
    return call("if", sql(":first < :last", first=first, last=last), values)


def _tuple(node: exp.Expr) -> exp.Expr:
    return call("row", *node.expressions)


def _moment(node: exp.Expr) -> exp.Expr:
    return sql(
        "cast(from_unixtime_nanos(cast(:it as bigint) * 1000) at time zone 'UTC' as timestamp(6))",
        it=node.this,
    )


def _literal(node: exp.Expr) -> exp.Expr:
    """Trino's whole numbers end at 2^63 - 1."""
    if node.is_string or not node.name.isdigit() or int(node.name) < 2**63:
        return node
    kind = f"decimal({len(node.name)}, 0)"
    return exp.cast(exp.Literal.string(node.name), kind, dialect="trino")


def _at_zone(node: exp.Expr) -> exp.Expr:
    """A moment in a zone, which DuckDB's forgets."""
    if has_kind(node.this, TIMES):
        raise Untranslatable(node.sql("duckdb"))
    moment = call("at_timezone", node.this, node.args["zone"])
    return exp.cast(moment, "timestamp(6)", dialect="trino")


def _sub(node: exp.Expr) -> exp.Expr:
    """A date less days."""
    if not has_kind(node, {exp.DType.DATE}):
        return node
    return sql("date_add('day', -(:days), :it)", days=node.expression, it=node.this)


def _hash(node: exp.Expr) -> exp.Expr:
    """Another number than DuckDB's: what goes by it may only compare or sample."""
    members = [exp.cast(each.copy(), "json", dialect="trino") for each in node.expressions]
    return call("hashed", exp.cast(exp.array(*members, dialect="trino"), "json", dialect="trino"))


def _in(node: exp.Expr) -> exp.Expr:
    """`x in list`."""
    members = node.args.get("field")
    return call("contains", members, node.this) if members is not None else node


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
    exp.In: _in,
    exp.GT: _greater,
    exp.Greatest: _extreme("array_max"),
    exp.Least: _extreme("array_min"),
    exp.GenerateSeries: _range,
    exp.Tuple: _tuple,
    exp.UnixToTime: _moment,
    exp.Literal: _literal,
    exp.AtTimeZone: _at_zone,
    exp.Sub: _sub,
    exp.Pow: lambda node: call("power", node.this, node.expression),
    exp.If: of_one_type,
    exp.Case: of_one_type,
    exp.Coalesce: of_one_type,
    exp.Array: of_one_type,
    **TEXTS_OF,
    **CONTAINERS,
}
_BY_NAME: dict[str, Handler] = {**BY_NAME, "hash": _hash}
