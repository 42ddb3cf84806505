"""A model's SQL, as dbt compiled it for DuckDB, as one query for Trino."""

from collections.abc import Iterator

import sqlglot
from sqlglot import exp
from sqlglot.expressions.builders import apply_index_offset

from headroom.engines.trino.annotate import annotate
from headroom.engines.trino.functions import rewrite
from headroom.engines.trino.kinds import trino_type
from headroom.engines.trino.known import Known
from headroom.engines.trino.library import with_whole_names
from headroom.engines.trino.scope import Columns, Names, Scope
from headroom.engines.trino.shape import plain as _plain
from headroom.engines.trino.shape import resolve_clauses, rewrite_clauses, shaped
from headroom.engines.trino.texts import Untranslatable, as_text, is_text

Projections = list[tuple[str, exp.Expr]]
# Clauses that would be lost without a word.
_UNKNOWN_CLAUSES = ("offset", "sample", "laterals", "pivots", "prewhere", "connect")


def translate(sql: str, known: Known, columns: Columns) -> str:
    """The query for Trino, with these columns: those of the table that DuckDB built.

    Raises:
        Untranslatable, UnknownType: what has no translation yet.
        sqlglot.errors.SqlglotError: what sqlglot does not read.
    """
    known.forget()
    made = with_whole_names(_query(_parsed(sqlglot.parse_one(sql, dialect="duckdb")), known))
    named = [f'cast("{name}" as {trino_type(kind)}) as "{name}"' for name, kind in columns.items()]
    inner = made.sql("trino", identify=True, normalize_functions=False, pretty=True)
    listed = ",\n    ".join(named)
    return f"select\n    {listed}\nfrom (\n{inner}\n) as model"


def translate_in_order(query: exp.Expr, known: Known) -> exp.Expr:
    """The query for Trino as it is, with its rows in their order.

    Raises:
        Untranslatable, UnknownType: what has no translation yet.
    """
    known.forget()
    return with_whole_names(_query(_parsed(query), known, is_ordered=True))


def _parsed(query: exp.Expr) -> exp.Expr:
    _refuse_unknown(query)
    for bracket in query.find_all(exp.Bracket):
        # as it is written: from 1, and from the end where it is negative
        offset = 1 - (bracket.args.get("offset") or 0)
        index = apply_index_offset(bracket.this, bracket.expressions, offset, dialect="duckdb")
        bracket.set("expressions", index)
        bracket.set("offset", 1)
    for number, relation in enumerate(query.find_all(exp.Subquery)):
        if isinstance(relation.parent, (exp.From, exp.Join)) and not relation.alias:
            relation.set("alias", exp.TableAlias(this=exp.to_identifier(f"_query{number}")))
    return query


def _refuse_unknown(query: exp.Expr) -> None:
    for node in query.walk():
        lost = [part for part in _UNKNOWN_CLAUSES if node.args.get(part)]
        if node.args.get("limit") and not isinstance(node, exp.Select):
            lost = ["limit"]
        if isinstance(node, (exp.Query, exp.Table)) and lost:
            raise Untranslatable(f"{lost[0]}: {node.sql('duckdb')[:80]}")
        if isinstance(node, exp.With) and node.args.get("recursive"):
            raise Untranslatable("with recursive")
        if isinstance(node, exp.CTE) and node.args["alias"].args.get("columns"):
            raise Untranslatable(f"columns of the CTE {node.alias}")
        if isinstance(node, exp.Union):
            for side in (node.this, node.expression):
                is_alike = node.args.get("by_name") == side.args.get("by_name")
                if not isinstance(side, exp.Select) and not (
                    isinstance(side, exp.Union) and is_alike
                ):
                    raise Untranslatable(f"a side of a union: {side.sql('duckdb')[:80]}")


def _query(query: exp.Expr, known: Known, *, is_ordered: bool = False) -> exp.Expr:
    """A select, a union or an unpivot, with its CTEs."""
    with_ = query.args.get("with_")
    if with_ is not None:
        for cte in with_.expressions:
            original = cte.this.sql("duckdb")
            cte.set("this", _query(cte.this, known))
            known.add(cte.alias, original)
        query.set("with_", None)
    wanted = known.columns(query.sql("duckdb"))
    if isinstance(query, exp.Select):
        made = _select(query, known, is_ordered=is_ordered)
    elif isinstance(query, exp.Union):
        made = _union(query, wanted, known)
    elif isinstance(query, exp.Pivot):
        made = _unpivot(query, wanted, known)
    else:
        raise Untranslatable(type(query).__name__)
    if with_ is not None:
        made.set("with_", with_)
    return made


def _union(union: exp.Union, wanted: Columns, known: Known) -> exp.Expr:
    """Each side with all columns, in one order and of one type."""
    is_by_name = bool(union.args.get("by_name"))
    sides = [
        _union(side, wanted, known)
        if isinstance(side, exp.Union)
        else _select(side, known, wanted, is_by_name=is_by_name)
        for side in (union.this, union.expression)
    ]
    return exp.Union(this=sides[0], expression=sides[1], distinct=bool(union.args.get("distinct")))


def _select(
    select: exp.Select,
    known: Known,
    wanted: Columns | None = None,
    *,
    is_by_name: bool = False,
    is_ordered: bool = False,
) -> exp.Expr:
    own = known.columns(select.sql("duckdb"))
    _order_where_it_counts(select, is_ordered=is_ordered)
    annotate(select, known)
    scope = Scope(select, known)
    for query in list(_inner_queries(select)):
        place = query.this if isinstance(query, exp.Subquery) else query
        place.replace(_inner_query(place.copy(), scope, known))
    names = Names(scope)
    projections = names.projections(select)
    resolve_clauses(select, names, projections)
    rewritten = [(name, rewrite(expression)) for name, expression in projections]
    rewrite_clauses(select)
    if wanted is not None:
        rewritten = _fitted(rewritten, own, wanted, is_by_name=is_by_name)
    return shaped(select, rewritten)


def _order_where_it_counts(select: exp.Select, *, is_ordered: bool) -> None:
    """Without the order that nobody sees, which Trino would ignore."""
    distinct = select.args.get("distinct")
    has_keys = bool(distinct and distinct.args.get("on"))
    is_seen = is_ordered or bool(select.args.get("limit"))
    if select.args.get("order") and is_seen and (has_keys or select.args.get("qualify")):
        raise Untranslatable(f"an order of rows that are kept: {select.sql('duckdb')[:80]}")
    if not is_seen and not has_keys:
        select.set("order", None)


def _inner_query(query: exp.Expr, scope: Scope, known: Known) -> exp.Expr:
    """With the columns of the query around it set aside, of which DuckDB would know nothing."""
    for column in list(query.find_all(exp.Column)):
        if column.table in scope.sources and column.table not in _relations_of(query):
            name = exp.Literal.string(f"{column.table}.{column.name}")
            column.replace(exp.Anonymous(this="getvariable", expressions=[name]))
    made = _query(query, known)
    for variable in list(made.find_all(exp.Anonymous)):
        if variable.name == "getvariable":
            table, _, name = variable.expressions[0].name.partition(".")
            variable.replace(exp.column(name, table=table, quoted=True))
    return made


def _relations_of(query: exp.Expr) -> set[str]:
    return {table.alias_or_name for table in query.find_all(exp.Table)}


def _inner_queries(select: exp.Select) -> Iterator[exp.Query]:
    """The outermost queries within it."""
    for node in select.walk(prune=lambda each: isinstance(each, exp.Query) and each is not select):
        if isinstance(node, exp.Query) and node is not select:
            yield node


def _fitted(
    projections: Projections, own: Columns, wanted: Columns, *, is_by_name: bool
) -> Projections:
    """The projections as the columns of a union."""
    if is_by_name:
        given = dict(projections)
        found = [given.get(name) for name in wanted]
    else:
        found = [expression for _, expression in projections]
        own = dict(zip(wanted, own.values(), strict=True))
    return [
        (name, _of_type(expression, own.get(name), kind))
        for (name, kind), expression in zip(wanted.items(), found, strict=True)
    ]


def _of_type(
    expression: exp.Expr | None, own: exp.DataType | None, wanted: exp.DataType
) -> exp.Expr:
    target = trino_type(wanted)
    if expression is None or own is None:
        return exp.cast(exp.null(), target, dialect="trino")
    if trino_type(own) == target:
        return expression
    if is_text(wanted.this):
        expression.type = own
        return as_text(expression)
    return exp.cast(expression, target, dialect="trino")


def _unpivot(pivot: exp.Pivot, wanted: Columns, known: Known) -> exp.Expr:
    """A row for each column that has a value."""
    relation = pivot.this
    columns = known.columns(f"select * from {relation.sql('duckdb')}")
    into = pivot.args["into"]
    name, value = into.this.name, into.expressions[0].name
    kept = [each for each in columns if each in wanted]
    turned = [each for each in columns if each not in wanted]
    if isinstance(relation, exp.Subquery):
        relation.set("this", _query(relation.this, known))
    relation = _plain(relation.copy())
    relation.set("alias", exp.TableAlias(this=exp.to_identifier("_wide")))
    texts = exp.array(*(exp.Literal.string(each) for each in turned), dialect="trino")
    values = exp.array(*(exp.column(each, table="_wide") for each in turned), dialect="trino")
    unnest = exp.Unnest(
        expressions=[texts, values],
        alias=exp.TableAlias(
            this=exp.to_identifier("_long"),
            columns=[exp.to_identifier(name), exp.to_identifier(value)],
        ),
    )
    return (
        exp.select(
            *(exp.column(each, table="_wide") for each in kept),
            exp.column(name, table="_long"),
            exp.column(value, table="_long"),
        )
        .from_(relation)
        .join(unnest, join_type="cross")
        .where(exp.column(value, table="_long").is_(exp.null()).not_())
    )
