"""Sets the type of each expression of a select, from DuckDB."""

from collections.abc import Iterable, Iterator

from sqlglot import exp

from headroom.engines.trino.kinds import LISTS, has_kind
from headroom.engines.trino.known import Known

# Nodes that are not values, or whose type is never used.
_SKIPPED = (
    exp.Identifier, exp.Literal, exp.Boolean, exp.Star, exp.Lambda, exp.PropertyEQ, exp.Explode,
    exp.Ordered, exp.Order, exp.Where, exp.Distinct, exp.DataType, exp.WindowSpec,
    exp.IgnoreNulls, exp.Filter, exp.Alias, exp.JSONPath, exp.JSONPathPart, exp.Columns,
    exp.UDTF, exp.Predicate, exp.Connector, exp.Not, exp.RowNumber, exp.Null, exp.Tuple,
)  # fmt: skip
_PARTS = ("expressions", "where", "group", "having", "qualify", "order", "joins", "distinct")


def annotate(select: exp.Select, known: Known) -> None:
    """Set `type` on the expressions of this select, not on those of queries inside it."""
    rest = _probing(select)
    has_aggregates = is_aggregated(select)
    depths: dict[int, list[exp.Expr]] = {}
    for node in _own_nodes(select):
        if isinstance(node, _SKIPPED) or (isinstance(node, exp.AggFunc) and not has_aggregates):
            continue
        if isinstance(node, (exp.Condition, exp.TableColumn)) and not node.is_star:
            depths.setdefault(len(_lambdas(node)), []).append(node)
    for _, nodes in sorted(depths.items()):  # a lambda's body needs the type of its list
        _ask(nodes, rest, known)


def is_aggregated(select: exp.Select) -> bool:
    """Whether its rows are groups."""
    return bool(select.args.get("group")) or any(map(has_aggregate, select.expressions))


def has_aggregate(expression: exp.Expr) -> bool:
    """Whether it aggregates the rows of its own select."""
    return any(
        isinstance(node, exp.AggFunc) and not is_windowed(node) for node in _within(expression)
    )


def is_windowed(node: exp.Expr) -> bool:
    """Whether an aggregate is over a window."""
    parent = node.parent
    while isinstance(parent, (exp.Filter, exp.IgnoreNulls)):
        parent = parent.parent
    return isinstance(parent, exp.Window)


def clauses(select: exp.Select, parts: Iterable[str]) -> Iterator[exp.Expr]:
    """The clauses of a select in these parts; a part has one clause or a list of them."""
    for part in parts:
        value = select.args.get(part) or []
        yield from value if isinstance(value, list) else [value]


def _own_nodes(select: exp.Select) -> Iterator[exp.Expr]:
    for clause in clauses(select, _PARTS):
        yield from _within(clause)


def _within(node: exp.Expr) -> Iterator[exp.Expr]:
    yield from node.walk(prune=lambda each: isinstance(each, exp.Query))


def _probing(select: exp.Select) -> str:
    """The query to ask DuckDB for types: the select, with a place for the probes."""
    asked = select.copy()
    for part in ("with_", "where", "having", "qualify", "order", "distinct", "group", "limit"):
        asked.set(part, None)
    if is_aggregated(select):
        asked.set("group", exp.Group(all=True))
    asked.append("expressions", exp.column("probes_"))
    return asked.sql("duckdb").replace("probes_", "/*probes*/")


def _ask(nodes: list[exp.Expr], rest: str, known: Known) -> None:
    bound = [_bound(node) for node in nodes]
    asked = list(dict.fromkeys(bound))
    types = dict(zip(asked, known.types(asked, rest), strict=True))
    for node, sql in zip(nodes, bound, strict=True):
        node.type = types[sql]


def _lambdas(node: exp.Expr) -> list[exp.Lambda]:
    """The lambdas whose bodies contain the node, the outermost first."""
    found = []
    child, parent = node, node.parent
    while parent is not None and not isinstance(parent, exp.Query):
        if isinstance(parent, exp.Lambda) and child is parent.this:
            found.append(parent)
        child, parent = parent, parent.parent
    return found[::-1]


def _bound(node: exp.Expr) -> str:
    """Its SQL, with a typed null for each parameter of a lambda around it."""
    parameters = {}
    for around in _lambdas(node):
        over = around.parent.this if around.parent else None
        if over is not None and has_kind(over, LISTS):
            parameters[around.expressions[0].name] = over.type.expressions[0].sql("duckdb")
    if not parameters:
        return node.sql("duckdb")

    def replace(each: exp.Expr) -> exp.Expr:
        if isinstance(each, exp.Identifier) and each.name in parameters:
            is_value = not isinstance(each.parent, (exp.Column, exp.Dot, exp.PropertyEQ, exp.Alias))
            is_base = each.arg_key == "this" and isinstance(each.parent, exp.Dot)
            if is_value or is_base:
                return exp.cast(exp.null(), parameters[each.name], dialect="duckdb")
        if isinstance(each, exp.Column) and each.parts[0].name in parameters:
            base: exp.Expr = exp.paren(
                exp.cast(exp.null(), parameters[each.parts[0].name], dialect="duckdb")
            )
            for part in each.parts[1:]:
                base = exp.Dot(this=base, expression=part.copy())
            return base
        return each

    return node.copy().transform(replace).sql("duckdb")
