"""Translates aggregates: functions that Trino lacks, nulls, and filters with windows."""

from dataclasses import dataclass

from sqlglot import exp

from headroom.engines.trino.kinds import Untranslatable
from headroom.engines.trino.template import as_double, call, sql
from headroom.engines.trino.texts import as_text

_AROUND = (exp.Filter, exp.IgnoreNulls, exp.Window)


def is_part_of_aggregate(node: exp.Expr) -> bool:
    """Whether the filter or window around the node is rewritten, and the node with it."""
    is_inner = isinstance(node, (exp.AggFunc, exp.Filter, exp.IgnoreNulls))
    return is_inner and isinstance(node.parent, _AROUND) and node.arg_key == "this"


def rewrite_aggregate(node: exp.Expr) -> exp.Expr | None:
    """Rewrite an aggregate with its filter and window; None for any other node."""
    core, condition, window = _parts(node)
    if not isinstance(core, exp.AggFunc):
        return None
    return _Aggregate(core, condition, window).rewritten()


def _parts(node: exp.Expr) -> tuple[exp.Expr, exp.Expr | None, exp.Window | None]:
    window = condition = None
    if isinstance(node, exp.Window):
        window, node = node, node.this
    if isinstance(node, exp.Filter):
        condition, node = node.expression.this, node.this
    if isinstance(node, exp.IgnoreNulls) and isinstance(node.this, exp.AnyValue):
        node = node.this
    return node, condition, window


@dataclass(frozen=True)
class _Aggregate:
    """One call of an aggregate, with its condition and its window."""

    _core: exp.Expr
    _condition: exp.Expr | None
    _window: exp.Window | None

    def rewritten(self) -> exp.Expr:
        core = self._core
        if isinstance(core, exp.GroupConcat):
            return self._texts(core)
        if isinstance(core, exp.Median):
            return call("median_of", call("array_sort", self._list(as_double(core.this))))
        if isinstance(core, (exp.ArgMax, exp.ArgMin)):
            return self._best(core)
        if isinstance(core, exp.ArrayAgg) and self._window and self._condition is not None:
            raise Untranslatable("a list over a window with a filter")
        return self._complete(core.copy())

    def _complete(self, made: exp.Expr) -> exp.Expr:
        """Add filter and window. Over a window Trino has no filter: an `if` replaces it."""
        if self._window is None:
            if self._condition is None:
                return made
            return exp.Filter(this=made, expression=exp.Where(this=self._condition.copy()))
        if self._condition is not None:
            made = _conditional(made, self._condition)
        window = self._window.copy()
        window.set("this", made)
        return window

    def _of_known(self, value: exp.Expr) -> "_Aggregate":
        """The same aggregate, only of rows where the value is not null."""
        is_known = exp.Not(this=exp.Is(this=exp.Paren(this=value.copy()), expression=exp.null()))
        both = is_known if self._condition is None else exp.and_(self._condition.copy(), is_known)
        return _Aggregate(self._core, both, self._window)

    def _list(self, value: exp.Expr) -> exp.Expr:
        """All values that are not null, as an array."""
        listed = exp.ArrayAgg(this=value.copy())
        if self._window is None:
            return self._of_known(value)._complete(listed)
        return sql("filter(:all, each -> each is not null)", all=self._complete(listed))

    def _texts(self, core: exp.Expr) -> exp.Expr:
        text = as_text(_listed(core.this))
        listed = exp.ArrayAgg(this=core.this.copy())
        _listed(listed.this).replace(text.copy())
        of_known = self if self._window else self._of_known(text)  # `joined` leaves nulls out
        separator = core.args.get("separator") or exp.Literal.string(",")
        return call("joined", of_known._complete(listed), separator)

    def _best(self, core: exp.Expr) -> exp.Expr:
        """The value of the row with the greatest or least key, among rows that have a value."""
        name = "max_by" if isinstance(core, exp.ArgMax) else "min_by"
        return self._of_known(core.this)._complete(call(name, core.this, core.expression))


def _listed(node: exp.Expr) -> exp.Expr:
    """The value, without the order and the `distinct` around it."""
    inner: exp.Expr = node.this if isinstance(node, exp.Order) else node
    return inner.expressions[0] if isinstance(inner, exp.Distinct) else inner


def _conditional(made: exp.Expr, condition: exp.Expr) -> exp.Expr:
    """The aggregate of rows that meet the condition: the values of other rows become null."""
    made = made.copy()
    place = made
    while isinstance(place.this, (exp.Order, exp.Distinct)):
        place = place.this
    if isinstance(place, (exp.Distinct, exp.Anonymous)):
        *others, last = place.expressions  # a key, if any: rows without one do not count
        place.set("expressions", [*others, call("if", condition, last)])
    else:
        value = exp.Literal.number(1) if isinstance(place.this, exp.Star) else place.this
        place.set("this", call("if", condition, value))
    return made
