"""The clauses of a select in Trino's shape: no qualify, distinct on, or unnest among columns."""

from sqlglot import exp

from headroom.engines.trino.annotate import is_windowed
from headroom.engines.trino.functions import rewrite
from headroom.engines.trino.kinds import LISTS, STRUCTS, has_kind
from headroom.engines.trino.known import numbered
from headroom.engines.trino.layers import with_windows_first
from headroom.engines.trino.scope import Names
from headroom.engines.trino.template import sql

Projections = list[tuple[str, exp.Expr]]


def resolve_clauses(select: exp.Select, names: Names, projections: Projections) -> None:
    """What the names in all clauses mean; groups by the names of projections."""
    _name_groups(select, names, projections)
    for part in ("where", "qualify"):
        if clause := select.args.get(part):
            names.resolve(clause)
    if having := select.args.get("having"):
        names.resolve_having(having, _keys(select, names))
    for ordered in select.args["order"].expressions if select.args.get("order") else []:
        ordered.set("this", names.resolve_alias(ordered.this))
    distinct = select.args.get("distinct")
    if distinct and (on := distinct.args.get("on")):
        on.set("expressions", [names.resolve_alias(each) for each in on.expressions])
    for each in [*(select.args.get("windows") or []), *(select.args.get("joins") or [])]:
        names.resolve(each)
    if select.args.get("from_"):
        names.resolve(select.args["from_"])


def _name_groups(select: exp.Select, names: Names, projections: Projections) -> None:
    group = select.args.get("group")
    if group is None:
        return
    named: dict[str, exp.Expr] = {}
    for name, expression in projections:
        if not _has_aggregate(expression):
            named.setdefault(expression.unnest().sql("duckdb"), exp.Placeholder(this=name))
    if group.args.get("all"):
        keys = list(named.values())
    else:
        meanings = [names.resolve(each.copy()) for each in group.expressions]
        keys = [named.get(each.unnest().sql("duckdb"), each) for each in meanings]
    select.set("group", exp.Group(expressions=keys) if keys else None)


def _keys(select: exp.Select, names: Names) -> list[exp.Expr]:
    """What it groups by."""
    group = select.args.get("group")
    return [
        names.aliases[key.name] if isinstance(key, exp.Placeholder) else key
        for key in (group.expressions if group else [])
    ]


def _place_of_key(key: exp.Expr, projections: Projections) -> exp.Expr:
    if not isinstance(key, exp.Placeholder):
        return key
    places = [name for name, _ in projections]
    return exp.Literal.number(places.index(key.name) + 1)


def _has_aggregate(expression: exp.Expr) -> bool:
    for node in expression.walk(prune=lambda each: isinstance(each, exp.Query)):
        is_aggregate = isinstance(node, exp.AggFunc) or (
            isinstance(node, exp.Anonymous) and node.name == "arg_min_null"
        )
        if is_aggregate and not is_windowed(node):
            return True
    return False


def rewrite_clauses(select: exp.Select) -> None:
    """The expressions in all clauses but the projections in Trino's words."""
    for part in ("where", "having", "qualify"):
        if clause := select.args.get(part):
            clause.set("this", rewrite(clause.this))
    if group := select.args.get("group"):
        group.set("expressions", [rewrite(each) for each in group.expressions])
    if order := select.args.get("order"):
        select.set("order", rewrite(order))
    distinct = select.args.get("distinct")
    if distinct and (on := distinct.args.get("on")):
        on.set("expressions", [rewrite(each) for each in on.expressions])
    select.set("windows", [rewrite(each) for each in select.args.get("windows") or []])
    for join in select.args.get("joins") or []:
        if on := join.args.get("on"):
            join.set("on", rewrite(on))


def shaped(select: exp.Select, projections: Projections) -> exp.Select:
    """The select with these projections."""
    names = numbered(name for name, _ in projections)
    projections = [(name, each) for name, (_, each) in zip(names, projections, strict=True)]
    made = exp.Select(
        from_=select.args.get("from_"),
        joins=select.args.get("joins"),
        where=select.args.get("where"),
        group=select.args.get("group"),
        having=select.args.get("having"),
        windows=select.args.get("windows") or None,
    )
    if group := select.args.get("group"):
        keys = [_place_of_key(each, projections) for each in group.expressions]
        made.set("group", exp.Group(expressions=keys))
    _relations(made)
    clauses = [select.args.get(part) for part in ("distinct", "order", "qualify")]
    projections = _without_unnests(made, projections, [each for each in clauses if each])
    qualify = select.args.get("qualify")
    made, projections, qualify = with_windows_first(made, projections, qualify)
    names = [name for name, _ in projections]
    made.set("expressions", [_named(expression, name) for name, expression in projections])
    distinct = select.args.get("distinct")
    order, limit = select.args.get("order"), select.args.get("limit")
    if distinct and distinct.args.get("on"):
        return _first_of_each(made, names, distinct.args["on"], order)
    if qualify:
        made.append("expressions", _named(qualify.this, "_is_kept"))
        made = _around(made, names, exp.column("_is_kept", quoted=True))
    if distinct:
        made.set("distinct", exp.Distinct())
    made.set("order", order)
    made.set("limit", limit)
    return made


def _named(expression: exp.Expr, name: str) -> exp.Expr:
    return exp.alias_(expression.copy(), name, quoted=True)


def _around(inner: exp.Select, names: list[str], condition: exp.Expr) -> exp.Select:
    columns = [exp.column(name, quoted=True) for name in names]
    return exp.select(*columns).from_(inner.subquery("_kept")).where(condition)


def _first_of_each(
    made: exp.Select, names: list[str], on: exp.Expr, order: exp.Expr | None
) -> exp.Select:
    """`distinct on`: the first row of each key; keys and order stand in columns of their own."""
    keys, places = [], []
    for number, key in enumerate(on.expressions):
        made.append("expressions", _named(key, f"_key{number}"))
        keys.append(exp.column(f"_key{number}", quoted=True))
    for number, ordered in enumerate(order.expressions if order else []):
        made.append("expressions", _named(ordered.this, f"_order{number}"))
        place = ordered.copy()
        place.set("this", exp.column(f"_order{number}", quoted=True))
        places.append(place)
    window = exp.Window(
        this=exp.RowNumber(),
        partition_by=keys,
        order=exp.Order(expressions=places) if places else None,
    )
    columns = [exp.column(name, quoted=True) for name in names]
    ranked = exp.select(*columns, _named(window, "_place")).from_(made.subquery("_keyed"))
    return _around(ranked, names, exp.column("_place", quoted=True).eq(1))


def _without_unnests(
    made: exp.Select, projections: Projections, clauses: list[exp.Expr]
) -> Projections:
    """Lists that the select unnests, side by side, as one relation after all others."""
    lists: dict[str, exp.Expr] = {}

    def lifted(expression: exp.Expr) -> exp.Expr:
        for node in list(expression.find_all(exp.Explode)):
            text = node.this.sql("trino")
            lists.setdefault(text, _unnestable(node.this))
            place = exp.column(f"_item{list(lists).index(text)}", table="_items", quoted=True)
            place.type = node.type
            if node is expression:
                return place
            node.replace(place)
        return expression

    projections = [(name, lifted(expression)) for name, expression in projections]
    for clause in clauses:
        lifted(clause)
    if lists:
        columns = [exp.to_identifier(f"_item{number}") for number in range(len(lists))]
        alias = exp.TableAlias(this=exp.to_identifier("_items"), columns=columns)
        _join(made, exp.Unnest(expressions=list(lists.values()), alias=alias))
    return projections


def _join(made: exp.Select, relation: exp.Expr) -> None:
    if made.args.get("from_") is None:
        made.set("from_", exp.From(this=relation))
    else:
        made.append("joins", exp.Join(this=relation, kind="CROSS"))


def _unnestable(values: exp.Expr) -> exp.Expr:
    """Trino makes columns of the fields of structs: a row around each keeps it whole."""
    is_of_structs = (
        has_kind(values, LISTS)
        and values.type is not None
        and values.type.expressions[0].this in STRUCTS
    )
    return sql("transform(:all, each -> row(each))", all=values) if is_of_structs else values


def plain(relation: exp.Expr) -> exp.Expr:
    """A table by its schema and name, a series as a list."""
    if not isinstance(relation, exp.Table):
        return relation
    relation.set("catalog", None)
    if isinstance(relation.this, exp.GenerateSeries):
        alias = relation.args["alias"].copy()
        return exp.Unnest(expressions=[rewrite(relation.this)], alias=alias)
    return relation


def _relations(made: exp.Select) -> None:
    conditions = []
    from_ = made.args.get("from_")
    if from_ is not None:
        from_.set("this", _relation(from_.this))
    joins = []
    for join in made.args.get("joins") or []:
        join.set("this", _relation(join.this))
        if join.kind in ("SEMI", "ANTI"):
            exists = exp.Exists(this=exp.select("1").from_(join.this).where(join.args["on"]))
            conditions.append(exists if join.kind == "SEMI" else exp.Not(this=exists))
        else:
            joins.append(join)
    made.set("joins", joins)
    for condition in conditions:
        made.where(condition, copy=False)


def _relation(relation: exp.Expr) -> exp.Expr:
    if isinstance(relation, exp.Table):
        return plain(relation)
    if isinstance(relation, exp.Unnest):
        lists = [_unnestable(rewrite(each)) for each in relation.expressions]
        relation.set("expressions", lists)
    return relation
