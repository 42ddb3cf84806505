"""A panel's query in the shape that the translation reads, still in DuckDB's SQL.

Rows keep an order through CTEs and unions in DuckDB, and in Trino only in the outermost query: the
keys of the order become columns until there. A pivot becomes an aggregate for each column. What a
panel says where there are no rows is joined to them, so that they are computed once.
"""

import sqlglot
from sqlglot import exp

from headroom.trino.texts import Untranslatable

_KEY = "_key{}"
_IS_THERE = "_is_there"


def prepared(sql: str) -> exp.Expr:
    """The query with its order outermost, and without pivots.

    Raises:
        Untranslatable: a shape that no panel has.
    """
    query = sqlglot.parse_one(sql, dialect="duckdb")
    for pivot in list(query.find_all(exp.Pivot)):
        around = pivot.find_ancestor(exp.Select)
        if around is None or around.expressions != [exp.Star()]:
            raise Untranslatable(f"a pivot in more than its order: {sql[:80]}")
        made = _aggregated(pivot)
        for clause in ("order", "limit"):
            made.set(clause, around.args.get(clause))
        if around is query:
            return made
        around.replace(made)
    for union in list(query.find_all(exp.Union)):
        for side in (union.this, union.expression):
            side.replace(_unwrapped(side))
    if isinstance(query, exp.Union):
        return _reason(query) if _is_reason(query) else _stacked(query)
    return query


def _aggregated(pivot: exp.Pivot) -> exp.Select:
    (values,), (using,) = pivot.expressions, pivot.args["using"]
    keys = pivot.args["group"].expressions
    columns = []
    for value in values.expressions:
        where = exp.Where(this=values.this.copy().eq(value.copy()))
        filtered = exp.Filter(this=using.copy(), expression=where)
        columns.append(exp.alias_(filtered, value.name, quoted=True))
    rows = pivot.this.copy()
    rows.set("alias", exp.TableAlias(this=exp.to_identifier("turned")))
    return exp.select(*(key.copy() for key in keys), *columns).from_(rows).group_by(*keys)


def _unwrapped(side: exp.Expr) -> exp.Expr:
    """A side of a union without its parentheses, with them in a query of their own at a limit."""
    if not isinstance(side, exp.Subquery):
        return side
    inner: exp.Query = side.this.copy()
    return exp.select("*").from_(inner.subquery("limited")) if inner.args.get("limit") else inner


def _is_reason(union: exp.Union) -> bool:
    where = union.expression.args.get("where")
    return where is not None and isinstance(where.this, exp.Not)


def _reason(union: exp.Union) -> exp.Select:
    """`with shown as (...) from shown union all by name select '...' as c where not exists`."""
    shown, order = _keyed(_shown(union))
    (said,) = union.expression.expressions
    is_there = exp.column(_IS_THERE, table="shown")
    shown.append("expressions", exp.alias_(exp.true(), _IS_THERE))
    word = exp.If(this=is_there, true=exp.column(said.alias, table="shown"), false=said.this.copy())
    star = exp.Star(
        except_=[exp.to_identifier(_IS_THERE), *_names(order)],
        replace=[exp.alias_(word, said.alias)],
    )
    made = (
        exp.select(exp.Column(this=star, table=exp.to_identifier("shown")))
        .from_(exp.select(exp.alias_(exp.Literal.number(1), "one")).subquery("nothing"))
        .join(shown.subquery("shown"), on=exp.true(), join_type="left")
    )
    return made.order_by(*order) if order else made


def _stacked(union: exp.Union) -> exp.Select:
    """`with shown as (...) from shown union all by name select ...`: the one, then the other."""
    shown, order = _keyed(_shown(union))
    sides = []
    for part, side in enumerate((union.this, union.expression)):
        side = side.copy()
        side.append("expressions", exp.alias_(exp.Literal.number(part), "_part"))
        sides.append(side)
    both = exp.Union(this=sides[0], expression=sides[1], distinct=False, by_name=True)
    star = exp.Star(except_=[exp.to_identifier("_part"), *_names(order)])
    return (
        exp.select(star)
        .from_(both.subquery("both"))
        .order_by("_part", *order)
        .with_("shown", as_=shown)
    )


def _shown(union: exp.Union) -> exp.Select:
    ctes = union.args["with_"].expressions if union.args.get("with_") else []
    if len(ctes) != 1 or ctes[0].alias != "shown" or not isinstance(ctes[0].this, exp.Select):
        raise Untranslatable(f"a union of a panel: {union.sql('duckdb')[:80]}")
    shown: exp.Select = ctes[0].this.copy()
    return shown


def _keyed(query: exp.Select) -> tuple[exp.Select, list[exp.Ordered]]:
    """The query with what it is ordered by as further columns, and the order by them."""
    order = query.args.get("order")
    named = {each.alias: each.this for each in query.expressions if isinstance(each, exp.Alias)}
    places = []
    for number, ordered in enumerate(order.expressions if order else []):
        key = ordered.this
        if isinstance(key, exp.Literal):
            key = query.expressions[int(key.name) - 1].unalias()
        elif isinstance(key, exp.Column) and not key.table:
            key = named.get(key.name, key)
        name = _KEY.format(number)
        query.append("expressions", exp.alias_(key.copy(), name))
        place = ordered.copy()
        place.set("this", exp.column(name))
        places.append(place)
    if not query.args.get("limit"):
        query.set("order", None)
    return query, places


def _names(order: list[exp.Ordered]) -> list[exp.Identifier]:
    return [exp.to_identifier(ordered.this.name) for ordered in order]
