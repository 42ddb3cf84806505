"""Windows in a query of their own, where Trino wants them to be computed before."""

from sqlglot import exp

Projections = list[tuple[str, exp.Expr]]


def with_windows_first(
    made: exp.Select, projections: Projections, qualify: exp.Expr | None
) -> tuple[exp.Select, Projections, exp.Expr | None]:
    """A lambda may use what a window gave, and not contain it: then windows are a query below."""
    if not any(_has_window_in_lambda(expression) for _, expression in projections):
        return made, projections, qualify
    below: dict[str, exp.Expr] = {}
    projections = [(name, _lowered(expression, below)) for name, expression in projections]
    if qualify is not None:
        qualify = exp.Qualify(this=_lowered(qualify.this, below))
    columns = [
        exp.alias_(each, f"_below{index}", quoted=True) for index, each in enumerate(below.values())
    ]
    made.set("expressions", columns)
    return exp.Select(from_=exp.From(this=made.subquery("_below"))), projections, qualify


def _has_window_in_lambda(expression: exp.Expr) -> bool:
    return any(each.find(exp.Window) for each in expression.find_all(exp.Lambda))


def _lowered(expression: exp.Expr, below: dict[str, exp.Expr]) -> exp.Expr:
    """Windows, and columns outside of them, as columns of the query below."""
    root = exp.Paren(this=expression.copy())
    nodes = root.this.walk(prune=lambda each: isinstance(each, (exp.Window, exp.Column)))
    for node in list(nodes):
        if isinstance(node, (exp.Window, exp.Column)):
            text = node.sql("trino")
            below.setdefault(text, node.copy())
            place = exp.column(f"_below{list(below).index(text)}", table="_below", quoted=True)
            place.type = node.type
            node.replace(place)
    found: exp.Expr = root.this
    return found
