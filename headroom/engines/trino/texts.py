"""Texts: implicit casts to text, formats and regular expressions."""

import re
from collections.abc import Callable
from typing import Any

from sqlglot import exp

from headroom.engines.trino.kinds import (
    DOUBLES,
    LISTS,
    STRUCTS,
    TEXTS,
    TIMES,
    Untranslatable,
    fields_of,
    has_kind,
)  # fmt: skip
from headroom.engines.trino.template import call, sql

_PLACE = re.compile(r"\{:([^}]*)\}")


def as_text(node: exp.Expr) -> exp.Expr:
    """The node as DuckDB casts it to a text."""
    if has_kind(node, TEXTS) or (isinstance(node, exp.Literal) and node.is_string):
        return node.copy()
    if has_kind(node, DOUBLES):
        made = call("double_text", node)
    elif has_kind(node, TIMES):
        made = call("time_text", node)
    elif has_kind(node, STRUCTS):
        made = _struct_text(node)
    else:
        made = exp.cast(node.copy(), "varchar", dialect="trino")
    made.type = exp.DataType.build("varchar")
    return made


def _struct_text(node: exp.Expr) -> exp.Expr:
    """'(a, NULL, 3)' of row('a', null, 3)."""
    assert node.type is not None
    members = []
    for member, kind in zip(node.expressions, fields_of(node.type).values(), strict=True):
        each = member.copy()
        each.type = kind
        text = call("struct_member", each) if has_kind(each, TEXTS) else as_text(each)
        members.append(sql("coalesce(:it, 'NULL')", it=text))
    joined = call("array_join", exp.array(*members, dialect="trino"), exp.Literal.string(", "))
    return sql("'(' || :it || ')'", it=joined)


def _coalesce(node: exp.Expr) -> exp.Expr:
    """Cast numbers beside texts, as DuckDB does. Trino refuses them in a `case` or a list."""
    if has_kind(node, TEXTS):
        for each in [node.this, *node.expressions]:
            if each.type and not isinstance(each, exp.Null):
                each.replace(as_text(each))
    return node


def _pipe(node: exp.Expr) -> exp.Expr:
    if has_kind(node, LISTS):
        return call("concat", node.this, node.expression)
    return exp.DPipe(this=as_text(node.this), expression=as_text(node.expression))


def _concat_ws(node: exp.Expr) -> exp.Expr:
    separator, *texts = node.expressions
    return call("concat_ws", separator, *map(as_text, texts))


def _format(node: exp.Expr) -> exp.Expr:
    pattern, end = node.this.name, 0
    pieces: list[exp.Expr] = []
    for place, argument in zip(_PLACE.finditer(pattern), node.expressions, strict=True):
        general = re.fullmatch(r"(?:\.(\d))?g", place[1])
        if not general:
            raise Untranslatable(f"format '{place[1]}'")
        number = exp.cast(argument.copy(), "double", dialect="trino")
        digits = exp.Literal.number(int(general[1] or 6))
        pieces += [
            exp.Literal.string(pattern[end : place.start()]),
            call("general", number, digits),
        ]
        end = place.end()
    pieces.append(exp.Literal.string(pattern[end:]))
    return call("concat", exp.Literal.string(""), *pieces)


def _regexp_extract(node: exp.Expr) -> exp.Expr:
    group = node.args.get("group") or exp.Literal.number(0)
    if not isinstance(group, exp.Array):
        return call("matched", node.this, node.expression, group)
    parts = [
        call("matched", node.this, node.expression, exp.Literal.number(index + 1))
        for index in range(len(group.expressions))
    ]
    fields = ", ".join(f'"{each.name}" varchar' for each in group.expressions)
    return exp.cast(call("row", *parts), f"row({fields})", dialect="trino")


def _regexp_replace(node: exp.Expr) -> exp.Expr:
    pattern = node.expression.name
    is_global = "g" in node.args["modifiers"].name if node.args.get("modifiers") else False
    if not is_global and not pattern.startswith("^") and not pattern.endswith("$"):
        raise Untranslatable(f"regexp_replace of the first '{pattern}'")
    replacement = node.args["replacement"].copy()
    for literal in replacement.find_all(exp.Literal):
        literal.set("this", re.sub(r"\\(\d)", r"$\1", literal.name.replace("$", r"\$")))
    return call("regexp_replace", node.this, node.expression, replacement)


def _json_path(key: exp.Expr) -> exp.Expr:
    if isinstance(key, exp.JSONPath):
        return exp.Literal.string(f'$["{key.expressions[-1].this}"]')
    return sql("""'$["' || :key || '"]'""", key=key)


HANDLERS: dict[type[exp.Expr], Callable[[Any], exp.Expr]] = {
    exp.Coalesce: _coalesce,
    exp.DPipe: _pipe,
    exp.Concat: lambda node: call(  # ignores nulls
        "concat_ws", exp.Literal.string(""), *map(as_text, node.expressions)
    ),
    exp.ConcatWs: _concat_ws,
    exp.Format: _format,
    exp.RegexpExtract: _regexp_extract,
    exp.RegexpReplace: _regexp_replace,
    exp.Length: lambda node: call(
        "cardinality" if has_kind(node.this, LISTS) else "length", node.this
    ),
    exp.SplitPart: lambda node: call(
        "nth_part", node.this, node.args["delimiter"], node.args["part_index"]
    ),
    exp.MD5: lambda node: sql("lower(to_hex(md5(to_utf8(:it))))", it=node.this),
    exp.Contains: lambda node: sql("strpos(:it, :part) > 0", it=node.this, part=node.expression),
    exp.JSONExtractScalar: lambda node: call(
        "json_extract_scalar", node.this, _json_path(node.expression)
    ),
    exp.JSONExtract: lambda node: call(
        "json_format", call("json_extract", node.this, _json_path(node.expression))
    ),
    exp.JSONKeys: lambda node: call("json_names", node.this),
}
