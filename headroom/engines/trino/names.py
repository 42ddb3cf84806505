"""A model's query with its shorthands written out, still in DuckDB's SQL.

sqlglot's `qualify` resolves stars, aliases and `using`. CTEs become temporary views, so that
DuckDB's binder can be asked about them.
"""

from sqlglot import exp
from sqlglot.optimizer.qualify import qualify
from sqlglot.schema import MappingSchema
from sqlglot.transforms import eliminate_window_clause

from headroom.engines.trino.annotate import has_aggregate
from headroom.engines.trino.known import Columns, Known


def with_full_names(query: exp.Expr, known: Known) -> exp.Expr:
    """The query with each name qualified, and without `group by all` and `union by name`."""
    for table in query.find_all(exp.Table):
        table.set("catalog", None)
    for select in query.find_all(exp.Select):
        eliminate_window_clause(select)
    query = query.copy()  # gives each use of a window its own nodes
    _keep_ctes(query, known)
    schema = MappingSchema(dialect="duckdb")
    for table in query.find_all(exp.Table):
        if table.db:
            name = exp.table_(table.this.copy(), db=table.args["db"].copy())
            schema.add_table(name, known.columns(f"from {name.sql('duckdb')}"), dialect="duckdb")
    query = qualify(query, dialect="duckdb", schema=schema)
    for select in query.find_all(exp.Select):
        _resolve_aliases(select)
    for union in query.find_all(exp.Union):
        if not isinstance(union.parent, exp.Union):
            _fit_union(union, known.columns(union.sql("duckdb")), known, is_by_name=False)
    for select in query.find_all(exp.Select):
        _group_by_places(select)
    return query


def _keep_ctes(query: exp.Expr, known: Known) -> None:
    """Make each CTE known to DuckDB's binder, nested ones first."""
    with_ = query.args.get("with_")
    for cte in with_.expressions if with_ else []:
        _keep_ctes(cte.this, known)
        known.add(cte.alias, cte.this.sql("duckdb"))


def _fit_union(query: exp.Expr, wanted: Columns, known: Known, *, is_by_name: bool) -> None:
    """Give both sides the columns of the union, in its order and with its types."""
    if isinstance(query, exp.Union):
        is_by_name = bool(query.args.get("by_name"))
        query.set("by_name", None)
        for side in (query.this, query.expression):
            _fit_union(side.unnest(), wanted, known, is_by_name=is_by_name)
        return
    own = known.columns(query.sql("duckdb"))
    values = dict(zip(own, query.expressions, strict=True))
    sources = wanted if is_by_name else own
    fitted = []
    for (name, kind), source in zip(wanted.items(), sources, strict=True):
        value = values[source].unalias() if source in values else exp.null()
        if source not in own or own[source] != kind:
            value = exp.cast(value, kind)
        fitted.append(exp.alias_(value, name, quoted=True))
    query.set("expressions", fitted)


def _resolve_aliases(select: exp.Select) -> None:
    """Write out the aliases that `qualify` leaves, and drop an order without effect."""
    distinct = select.args.get("distinct")
    keys = distinct.args.get("on") if distinct else None
    if not keys and not select.args.get("limit"):
        select.set("order", None)
    named = {each.alias: each.this for each in select.expressions}
    for clause in (keys, select.args.get("order"), select.args.get("qualify")):
        for column in list(clause.find_all(exp.Column)) if clause else []:
            if not column.table and column.name in named:
                column.replace(exp.paren(named[column.name].copy()))


def _group_by_places(select: exp.Select) -> None:
    """Name the keys of a group by their positions among the projections."""
    group = select.args.get("group")
    if group is None:
        return
    projections = [each.unalias() for each in select.expressions]
    keys = group.expressions
    if group.args.get("all"):
        keys = [each for each in projections if not has_aggregate(each)]
    places = [
        exp.Literal.number(projections.index(key) + 1) if key in projections else key.copy()
        for key in keys
    ]
    select.set("group", exp.Group(expressions=places) if places else None)
