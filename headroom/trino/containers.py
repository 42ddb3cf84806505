"""Lists, structs and maps."""

import json
from collections.abc import Callable

from sqlglot import exp

from headroom.trino.kinds import LISTS, STRUCTS, TEXTS, fields_of, has_kind, trino_type
from headroom.trino.template import call, sql
from headroom.trino.texts import as_text


def flat(node: exp.Expression) -> list[exp.Expression]:
    """The members of a row one by one, of rows in it too; Trino orders by no row with a null."""
    row = node.this if isinstance(node, exp.Cast) else node
    if isinstance(row, exp.Tuple) or (isinstance(row, exp.Anonymous) and row.name == "row"):
        return [leaf for member in row.expressions for leaf in flat(member)]
    if isinstance(node, exp.Case) and isinstance(first := node.args["ifs"][0].args["true"], exp.Anonymous):
        if first.name == "row":
            return [
                exp.Case().when(node.args["ifs"][0].this.copy(), member.copy())
                for member in flat(first)
            ]
    if has_kind(node, STRUCTS) and isinstance(node, (exp.Column, exp.Dot, exp.Bracket)):
        return [leaf for field in _fields(node) for leaf in flat(field)]
    if isinstance(node, exp.Paren):
        return [exp.Paren(this=each) for each in flat(node.this)] if len(flat(node.this)) > 1 else [node]
    return [node]


def _fields(node: exp.Expression) -> list[exp.Expression]:
    """The fields of a struct by their places: those of `row(a, b)` have no names."""
    assert node.type is not None
    found = []
    for place, kind in enumerate(fields_of(node.type).values(), 1):
        number = exp.Literal.number(place)
        field = exp.Bracket(this=node.copy(), expressions=[number], offset=1)
        field.type = kind
        found.append(field)
    return found


def _struct(node: exp.Expression) -> exp.Expression:
    if isinstance(node.parent, exp.ToMap):
        return node
    values = [each.expression if isinstance(each, exp.PropertyEQ) else each for each in node.expressions]
    assert node.type is not None
    return exp.cast(call("row", *values), trino_type(node.type), dialect="trino")


def _map_literal(node: exp.Expression) -> exp.Expression:
    pairs = node.this.expressions
    keys = exp.array(*(_key(pair.this) for pair in pairs), dialect="trino")
    values = exp.array(*(pair.expression.copy() for pair in pairs), dialect="trino")
    assert node.type is not None
    return exp.cast(call("map", keys, values), trino_type(node.type), dialect="trino")


def _key(node: exp.Expression) -> exp.Expression:
    return exp.Literal.string(node.name)


def _map(node: exp.Expression) -> exp.Expression:
    return call("map", node.args["keys"], node.args["values"])


def _bracket(node: exp.Expression) -> exp.Expression:
    index = node.expressions[0]
    if isinstance(index, exp.Slice):
        return call("slice", node.this, exp.Literal.number(1), index.expression)
    if has_kind(node.this, STRUCTS) or isinstance(node.this, exp.Identifier) and index.is_string:
        return exp.Dot(this=node.this.copy(), expression=exp.to_identifier(index.name, quoted=True))
    return call("element_at", node.this, index)


def _sorted(node: exp.Expression) -> exp.Expression:
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


def _contains(node: exp.Expression) -> exp.Expression:
    """A null in the list hides nothing."""
    return sql(
        "if(:it is not null and :all is not null, coalesce(contains(:all, :it), false))",
        all=node.this, it=node.expression,
    )  # fmt: skip


def _overlap(node: exp.Expression) -> exp.Expression:
    return sql(
        "if(:one is not null and :other is not null, coalesce(arrays_overlap(:one, :other), false))",
        one=node.this, other=node.expression,
    )  # fmt: skip


def _concat(node: exp.Expression) -> exp.Expression:
    """A null is an empty list, unless all are."""
    assert node.type is not None
    empty = f"cast(array[] as {trino_type(node.type)})"
    parts = [node.this, *node.expressions]
    return call("concat", *(sql(f"coalesce(:it, {empty})", it=part) for part in parts))


def _distinct(node: exp.Expression) -> exp.Expression:
    return sql("array_distinct(filter(:all, each -> each is not null))", all=node.this)


def _sum(node: exp.Expression) -> exp.Expression:
    return sql(
        "reduce(:all, cast(null as double), (s, v) -> coalesce(s + v, s, v), s -> s)",
        all=node.expressions[0],
    )


def _all_true(node: exp.Expression) -> exp.Expression:
    """Null of no members that are not null."""
    return sql(
        "reduce(:all, cast(null as boolean), (s, v) -> coalesce(s and v, s, v), s -> s)",
        all=node.expressions[0],
    )


def _position(node: exp.Expression) -> exp.Expression:
    return sql("nullif(array_position(:all, :it), 0)", all=node.expressions[0], it=node.expressions[1])


def _map_concat(node: exp.Expression) -> exp.Expression:
    one, other = node.expressions
    return sql("coalesce(map_concat(:one, :other), :one, :other)", one=one, other=other)


def _entries(node: exp.Expression) -> exp.Expression:
    assert node.type is not None
    return exp.cast(call("map_entries", node.expressions[0]), trino_type(node.type), dialect="trino")


def _merged_json(node: exp.Expression) -> exp.Expression:
    """json_merge_patch('{}', to_json(row), '{"key": null}'): a row's fields, not nulls and that."""
    _, of_row, patch = node.expressions
    row = of_row.expressions[0]
    assert row.type is not None
    left_out = json.loads(patch.name)
    members = []
    for (name, kind), value in zip(
        fields_of(row.type).items(), row.this.expressions, strict=True
    ):
        if name not in left_out:
            each = value.copy()
            each.type = kind
            members.append(sql(f"""'"{name}":' || :value""", value=_json_value(each)))
    joined = call("array_join", exp.array(*members, dialect="trino"), exp.Literal.string(","))
    return sql("'{' || :all || '}'", all=joined)


def _json_value(value: exp.Expression) -> exp.Expression:
    if not has_kind(value, TEXTS):
        return as_text(value)
    return call("json_format", exp.cast(value, "json", dialect="trino"))


CONTAINERS = {
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
    exp.ArrayMax: lambda node: sql("array_max(filter(:all, each -> each is not null))", all=node.this),
    exp.Flatten: lambda node: call("flatten", node.this),
    exp.MapFromEntries: lambda node: call("map_from_entries", node.this),
    exp.MapKeys: lambda node: call("map_keys", node.this),
}
BY_NAME: dict[str, Callable[[exp.Expression], exp.Expression]] = {
    "list_sum": _sum,
    "list_bool_and": _all_true,
    "list_position": _position,
    "map_concat": _map_concat,
    "map_entries": _entries,
    "map_extract_value": lambda node: call("element_at", *node.expressions),
    "json_merge_patch": _merged_json,
}