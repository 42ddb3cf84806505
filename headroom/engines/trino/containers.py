"""Lists, structs and maps."""

import json
from collections.abc import Callable
from typing import Any

from sqlglot import exp

from headroom.engines.trino.kinds import LISTS, STRUCTS, TEXTS, fields_of, has_kind, trino_type
from headroom.engines.trino.template import call, sql
from headroom.engines.trino.texts import as_text


def flat(node: exp.Expr) -> list[exp.Expr]:
    """The members of a row one by one, of rows in it too; Trino orders by no row with a null."""
    row = node.this if isinstance(node, exp.Cast) else node
    if _is_row(row):
        return [leaf for member in row.expressions for leaf in flat(member)]
    if isinstance(node, exp.Case) and _is_row(node.args["ifs"][0].args["true"]):
        (only,) = node.args["ifs"]
        leaves = flat(only.args["true"])
        return [exp.Case().when(only.this.copy(), leaf.copy()) for leaf in leaves]
    if has_kind(node, STRUCTS) and isinstance(node, (exp.Column, exp.Dot, exp.Bracket)):
        return [leaf for field in _fields(node) for leaf in flat(field)]
    if isinstance(node, exp.Paren):
        leaves = flat(node.this)
        return leaves if len(leaves) > 1 else [node]
    return [node]


def _is_row(node: exp.Expr) -> bool:
    is_call = isinstance(node, exp.Anonymous) and node.name == "row"
    return is_call or isinstance(node, exp.Tuple)


def _fields(node: exp.Expr) -> list[exp.Expr]:
    """The fields of a struct by their places: those of `row(a, b)` have no names."""
    assert node.type is not None
    found: list[exp.Expr] = []
    for place, kind in enumerate(fields_of(node.type).values(), 1):
        number = exp.Literal.number(place)
        field = exp.Bracket(this=node.copy(), expressions=[number], offset=1)
        field.type = kind
        found.append(field)
    return found


def _struct(node: exp.Expr) -> exp.Expr:
    if isinstance(node.parent, exp.ToMap):
        return node
    values = [
        each.expression if isinstance(each, exp.PropertyEQ) else each for each in node.expressions
    ]
    assert node.type is not None
    return exp.cast(call("row", *values), trino_type(node.type), dialect="trino")


def _map_literal(node: exp.Expr) -> exp.Expr:
    pairs = node.this.expressions
    keys = exp.array(*(_key(pair.this) for pair in pairs), dialect="trino")
    values = exp.array(*(pair.expression.copy() for pair in pairs), dialect="trino")
    assert node.type is not None
    return exp.cast(call("map", keys, values), trino_type(node.type), dialect="trino")


def _key(node: exp.Expr) -> exp.Expr:
    """A name without quotes is a text, too."""
    return exp.Literal.string(node.name)


def _map(node: exp.Expr) -> exp.Expr:
    return call("map", node.args["keys"], node.args["values"])


def _bracket(node: exp.Expr) -> exp.Expr:
    index = node.expressions[0]
    if isinstance(index, exp.Slice):
        return call("slice", node.this, exp.Literal.number(1), index.expression)
    if has_kind(node.this, STRUCTS) or (isinstance(node.this, exp.Identifier) and index.is_string):
        return exp.Dot(this=node.this.copy(), expression=exp.to_identifier(index.name, quoted=True))
    return call("element_at", node.this, index)


def _sorted(node: exp.Expr) -> exp.Expr:
    """Structs in it by their fields, nulls last in each."""
    members = node.this
    kind = members.type.expressions[0] if has_kind(members, LISTS) else None
    if kind is None or kind.this not in STRUCTS:
        return call("array_sort", members)
    whens = _comparisons(kind, "one", "other")
    return sql(f"array_sort(:all, (one, other) -> case {whens} else 0 end)", all=members)


def _comparisons(kind: exp.DataType, one: str, other: str) -> str:
    found = []
    for name, field in fields_of(kind).items():
        a, b = f'{one}."{name}"', f'{other}."{name}"'
        if field.this in STRUCTS:
            found.append(_comparisons(field, a, b))
        else:
            found.append(
                f"when {a} < {b} then -1 when {a} > {b} then 1 "
                f"when {a} is null and {b} is not null then 1 "
                f"when {a} is not null and {b} is null then -1"
            )
    return " ".join(found)


def _contains(node: exp.Expr) -> exp.Expr:
    """A null in the list hides nothing."""
    return _known("contains(:one, :other)", node.this, node.expression)


def _overlap(node: exp.Expr) -> exp.Expr:
    return _known("arrays_overlap(:one, :other)", node.this, node.expression)


def _known(question: str, one: exp.Expr, other: exp.Expr) -> exp.Expr:
    """Whether it is so: false where nulls in lists leave it open, null only without one of both."""
    answered = f"if(:one is not null and :other is not null, coalesce({question}, false))"
    return sql(answered, one=one, other=other)


def _concat(node: exp.Expr) -> exp.Expr:
    """A null is an empty list, unless all are."""
    assert node.type is not None
    empty = f"cast(array[] as {trino_type(node.type)})"
    parts = [node.this, *node.expressions]
    return call("concat", *(sql(f"coalesce(:it, {empty})", it=part) for part in parts))


def _distinct(node: exp.Expr) -> exp.Expr:
    return sql("array_distinct(filter(:all, each -> each is not null))", all=node.this)


def _sum(node: exp.Expr) -> exp.Expr:
    return sql(
        "reduce(:all, cast(null as double), (s, v) -> coalesce(s + v, s, v), s -> s)",
        all=node.expressions[0],
    )


def _all_true(node: exp.Expr) -> exp.Expr:
    """Null of no members that are not null."""
    return sql(
        "reduce(:all, cast(null as boolean), (s, v) -> coalesce(s and v, s, v), s -> s)",
        all=node.expressions[0],
    )


def _position(node: exp.Expr) -> exp.Expr:
    return sql(
        "nullif(array_position(:all, :it), 0)", all=node.expressions[0], it=node.expressions[1]
    )


def _map_concat(node: exp.Expr) -> exp.Expr:
    one, other = node.expressions
    return sql("coalesce(map_concat(:one, :other), :one, :other)", one=one, other=other)


def _entries(node: exp.Expr) -> exp.Expr:
    assert node.type is not None
    return exp.cast(
        call("map_entries", node.expressions[0]), trino_type(node.type), dialect="trino"
    )


def _merged_json(node: exp.Expr) -> exp.Expr:
    """json_merge_patch('{}', to_json(row), '{"key": null}'): a row's fields, not nulls and that."""
    _, of_row, patch = node.expressions
    row = of_row.expressions[0]
    assert row.type is not None
    left_out = json.loads(patch.name)
    members = []
    for (name, kind), value in zip(fields_of(row.type).items(), row.this.expressions, strict=True):
        if name not in left_out:
            each = value.copy()
            each.type = kind
            members.append(sql(f"""'"{name}":' || :value""", value=_json_value(each)))
    joined = call("array_join", exp.array(*members, dialect="trino"), exp.Literal.string(","))
    return sql("'{' || :all || '}'", all=joined)


def _json_value(value: exp.Expr) -> exp.Expr:
    if not has_kind(value, TEXTS):
        return as_text(value)
    return call("json_format", exp.cast(value, "json", dialect="trino"))


CONTAINERS: dict[type[exp.Expr], Callable[[Any], exp.Expr]] = {
    exp.Struct: _struct,
    exp.ToMap: _map_literal,
    exp.Map: _map,
    exp.Bracket: _bracket,
    exp.ArraySort: _sorted,
    exp.ArrayContains: _contains,
    exp.ArrayOverlaps: _overlap,
    exp.ArrayConcat: _concat,
    exp.ArrayDistinct: _distinct,
    exp.ArrayToString: lambda node: call("list_text", node.this, node.expression),
    exp.ArrayMax: lambda node: sql(
        "array_max(filter(:all, each -> each is not null))", all=node.this
    ),
    exp.Flatten: lambda node: call("flatten", node.this),
    exp.MapFromEntries: lambda node: call("map_from_entries", node.this),
    exp.MapKeys: lambda node: call("map_keys", node.this),
}
BY_NAME: dict[str, Callable[[Any], exp.Expr]] = {
    "list_sum": _sum,
    "list_bool_and": _all_true,
    "list_position": _position,
    "map_concat": _map_concat,
    "map_entries": _entries,
    "map_extract_value": lambda node: call("element_at", *node.expressions),
    "json_merge_patch": _merged_json,
}
