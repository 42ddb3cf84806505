"""Texts: what DuckDB turns into one by itself, its formats and its regular expressions."""

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
    fields_of,
    has_kind,
)  # fmt: skip
from headroom.engines.trino.template import call, sql


class Untranslatable(Exception):
    """What has no translation yet."""


def is_text(kind: exp.DType) -> bool:
    """Whether it is a type of texts."""
    return kind in TEXTS


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
    kinds = list(fields_of(node.type).values())
    members = []
    for member, kind in zip(node.expressions, kinds, strict=True):
        each = member.copy()
        each.type = kind
        text = call("struct_member", each) if has_kind(each, TEXTS) else as_text(each)
        members.append(sql("coalesce(:it, 'NULL')", it=text))
    joined = call("array_join", exp.array(*members, dialect="trino"), exp.Literal.string(", "))
    return sql("'(' || :it || ')'", it=joined)


def of_one_type(node: exp.Expr) -> exp.Expr:
    """Where one branch is a text all are."""
    if isinstance(node.parent, exp.Case) and isinstance(node, exp.If):
        return node
    is_text_list = (
        has_kind(node, LISTS)
        and isinstance(node, exp.Array)
        and node.type is not None
        and is_text(node.type.expressions[0].this)
    )
    if has_kind(node, TEXTS) or is_text_list:
        for branch in _branches(node):
            is_plain = isinstance(branch, (exp.Null, exp.Literal)) or has_kind(branch, TEXTS)
            if branch.type is not None and not is_plain:
                branch.replace(as_text(branch))
    return node


def _branches(node: exp.Expr) -> list[exp.Expr]:
    if isinstance(node, exp.Case):
        found = [each.args["true"] for each in node.args["ifs"]] + [node.args.get("default")]
    elif isinstance(node, exp.If):
        found = [node.args.get("true"), node.args.get("false")]
    elif isinstance(node, exp.Array):
        found = node.expressions
    else:
        found = [node.this, *node.expressions]
    return [each for each in found if each is not None]


def _pipe(node: exp.Expr) -> exp.Expr:
    if has_kind(node, LISTS):
        return call("concat", node.this, node.expression)
    return exp.DPipe(this=as_text(node.this), expression=as_text(node.expression))


def _concat(node: exp.Expr) -> exp.Expr:
    """DuckDB's leaves nulls out."""
    return call("concat_ws", exp.Literal.string(""), *(as_text(each) for each in node.expressions))


def _concat_ws(node: exp.Expr) -> exp.Expr:
    separator, *texts = node.expressions
    return call("concat_ws", separator, *(as_text(each) for each in texts))


_PLACE = re.compile(r"\{:([^}]*)\}")


def _format(node: exp.Expr) -> exp.Expr:
    pattern = node.this.name
    pieces: list[exp.Expr] = []
    arguments = iter(node.expressions)
    end = 0
    for place in _PLACE.finditer(pattern):
        pieces.append(exp.Literal.string(pattern[end : place.start()]))
        pieces.append(_formatted(place[1], next(arguments)))
        end = place.end()
    pieces.append(exp.Literal.string(pattern[end:]))
    kept = [each for each in pieces if not (each.is_string and not each.name)]
    return kept[0] if len(kept) == 1 else call("concat", *kept)


def _formatted(spec: str, argument: exp.Expr) -> exp.Expr:
    number = exp.cast(argument.copy(), "double", dialect="trino")
    if spec == ",":
        return call("format", exp.Literal.string("%,d"), argument)
    if spec == "+.0f":
        return call("signed_whole", number)
    if general := re.fullmatch(r"(?:\.(\d))?g", spec):
        return call("general", number, exp.Literal.number(int(general[1] or 6)))
    raise Untranslatable(f"format '{spec}'")


def _regexp_extract(node: exp.Expr) -> exp.Expr:
    group = node.args.get("group") or exp.Literal.number(0)
    if isinstance(group, exp.Array):
        parts = [
            call("matched", node.this, node.expression, exp.Literal.number(index + 1))
            for index in range(len(group.expressions))
        ]
        fields = ", ".join(f'"{each.name}" varchar' for each in group.expressions)
        return exp.cast(call("row", *parts), f"row({fields})", dialect="trino")
    return call("matched", node.this, node.expression, group)


def _regexp_replace(node: exp.Expr) -> exp.Expr:
    pattern = node.expression.name
    is_global = "g" in node.args["modifiers"].name if node.args.get("modifiers") else False
    if not is_global and not pattern.startswith("^") and not pattern.endswith("$"):
        raise Untranslatable(f"regexp_replace of the first '{pattern}'")
    replacement = node.args["replacement"].copy()
    for literal in replacement.find_all(exp.Literal):
        literal.set("this", re.sub(r"\\(\d)", r"$\1", literal.name.replace("$", r"\$")))
    return call("regexp_replace", node.this, node.expression, replacement)


def _regexp_full_match(node: exp.Expr) -> exp.Expr:
    whole = exp.Literal.string(f"^(?:{node.expression.name})$")
    return call("regexp_like", node.this, whole)


def _length(node: exp.Expr) -> exp.Expr:
    return call("cardinality" if has_kind(node.this, LISTS) else "length", node.this)


def _json_text(node: exp.Expr) -> exp.Expr:
    return call("json_extract_scalar", node.this, _json_path(node.expression))


def _json_path(key: exp.Expr) -> exp.Expr:
    if isinstance(key, exp.JSONPath):
        name = key.expressions[-1].this
        return exp.Literal.string(f'$["{name}"]')
    return sql("""'$["' || :key || '"]'""", key=key)


def _json(node: exp.Expr) -> exp.Expr:
    return call("json_format", call("json_extract", node.this, _json_path(node.expression)))


TEXTS_OF: dict[type[exp.Expr], Callable[[Any], exp.Expr]] = {
    exp.DPipe: _pipe,
    exp.Concat: _concat,
    exp.ConcatWs: _concat_ws,
    exp.Format: _format,
    exp.RegexpExtract: _regexp_extract,
    exp.RegexpReplace: _regexp_replace,
    exp.RegexpFullMatch: _regexp_full_match,
    exp.RegexpLike: lambda node: call("regexp_like", node.this, node.expression),
    exp.Length: _length,
    exp.Repeat: lambda node: sql(
        "array_join(repeat(:it, cast(:times as integer)), '')",
        it=node.this,
        times=node.args["times"],
    ),
    exp.Split: lambda node: call("split", node.this, node.expression),
    exp.SplitPart: lambda node: call(
        "nth_part", node.this, node.args["delimiter"], node.args["part_index"]
    ),
    exp.Left: lambda node: call("substr", node.this, exp.Literal.number(1), node.expression),
    exp.MD5: lambda node: sql("lower(to_hex(md5(to_utf8(:it))))", it=node.this),
    exp.Contains: lambda node: sql("strpos(:it, :part) > 0", it=node.this, part=node.expression),
    exp.JarowinklerSimilarity: lambda node: call("jaro_winkler", node.this, node.expression),
    exp.JSONExtractScalar: _json_text,
    exp.JSONExtract: _json,
    exp.JSONKeys: lambda node: call("json_names", node.this),
}
