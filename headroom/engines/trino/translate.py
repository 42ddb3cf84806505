"""Translates a model's SQL, which dbt compiled for DuckDB, to one query for Trino."""

import sqlglot
from sqlglot import exp
from sqlglot.expressions.builders import apply_index_offset

from headroom.engines.trino.annotate import annotate, clauses
from headroom.engines.trino.functions import rewrite
from headroom.engines.trino.kinds import LISTS, STRUCTS, Untranslatable, has_kind, trino_type
from headroom.engines.trino.known import Columns, Known
from headroom.engines.trino.names import with_full_names
from headroom.engines.trino.template import sql


def translate(query: str, known: Known, columns: Columns) -> str:
    """The query for Trino; `columns` are the columns of the model's table in DuckDB.

    Raises:
        Untranslatable: an expression has no translation yet.
        sqlglot.errors.SqlglotError: sqlglot cannot read the query.
    """
    known.forget()
    made = with_full_names(_parsed(query), known)
    for select in made.find_all(exp.Select):
        annotate(select, known)
    root = exp.Paren(this=rewrite(made))
    for select in reversed(list(root.find_all(exp.Select))):  # inner ones first
        _reshape(select)
        if qualify := select.args.get("qualify"):
            _filter_outside(select, qualify.pop().this)
    inner = root.this.sql("trino", identify=True, normalize_functions=False, pretty=True)
    named = [f'cast("{name}" as {trino_type(kind)}) as "{name}"' for name, kind in columns.items()]
    listed = ",\n    ".join(named)
    return f"select\n    {listed}\nfrom (\n{inner}\n) as model"


def _parsed(query: str) -> exp.Expr:
    parsed = sqlglot.parse_one(query, dialect="duckdb")
    for node in parsed.find_all(exp.Pivot, exp.Columns, exp.Explode):
        if not isinstance(node, exp.Explode) or node.expressions:  # `recursive := true`
            raise Untranslatable(node.sql("duckdb")[:80])
    for bracket in parsed.find_all(exp.Bracket):
        # indexes as written: from 1, and from the end if negative
        offset = 1 - (bracket.args.get("offset") or 0)
        index = apply_index_offset(bracket.this, bracket.expressions, offset, dialect="duckdb")
        bracket.set("expressions", index)
        bracket.set("offset", 1)
    return parsed


def _reshape(select: exp.Select) -> None:
    """Join the lists that the select unnests, side by side, as one relation after all others."""
    joins = select.args.get("joins") or []
    for relation in [select.args.get("from_"), *joins]:
        if relation is not None:
            relation.set("this", _relation(relation.this))
    lists: dict[str, exp.Expr] = {}
    for clause in clauses(select, ("expressions", "distinct", "order", "qualify")):
        for node in list(clause.find_all(exp.Explode)):
            text = node.this.sql("trino")
            lists.setdefault(text, _unnestable(node.this))
            number = list(lists).index(text)
            node.replace(exp.column(f"_item{number}", table="_items", quoted=True))
    if lists:
        columns = [exp.to_identifier(f"_item{number}") for number in range(len(lists))]
        alias = exp.TableAlias(this=exp.to_identifier("_items"), columns=columns)
        unnest = exp.Unnest(expressions=list(lists.values()), alias=alias)
        if select.args.get("from_") is None:
            select.set("from_", exp.From(this=unnest))
        else:
            select.append("joins", exp.Join(this=unnest, kind="CROSS"))


def _filter_outside(select: exp.Select, condition: exp.Expr) -> None:
    """Compute the condition of `qualify` as a column, and filter by it in a query around it."""
    names = [exp.column(each.alias, quoted=True) for each in select.expressions]
    inner = select.copy()
    inner.set("distinct", None)
    inner.append("expressions", exp.alias_(condition, "_is_kept", quoted=True))
    outer = exp.select(*names).from_(inner.subquery("_kept")).where("_is_kept")
    outer.set("distinct", select.args.get("distinct"))
    select.replace(outer)


def _relation(relation: exp.Expr) -> exp.Expr:
    """A series becomes an unnested list; lists of structs are unnested with each struct whole."""
    if isinstance(relation, exp.Table) and not isinstance(relation.this, exp.Identifier):
        return exp.Unnest(expressions=[relation.this], alias=relation.args["alias"])
    if isinstance(relation, exp.Unnest):
        relation.set("expressions", [_unnestable(each) for each in relation.expressions])
    return relation


def _unnestable(values: exp.Expr) -> exp.Expr:
    """Put a row around each struct of a list, since Trino makes a column of each field."""
    kind = values.type.expressions[0] if values.type and has_kind(values, LISTS) else None
    if kind is None or kind.this not in STRUCTS:
        return values
    return sql("transform(:all, each -> row(each))", all=values)
