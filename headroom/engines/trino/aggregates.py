"""Aggregates: those that Trino lacks, filters over windows, nulls, and rows to order by."""

from sqlglot import exp

from headroom.engines.trino.containers import flat
from headroom.engines.trino.kinds import DOUBLES, has_kind
from headroom.engines.trino.template import call, sql
from headroom.engines.trino.texts import as_text

_AROUND = (exp.Filter, exp.IgnoreNulls, exp.Window)


def is_part_of_aggregate(node: exp.Expr) -> bool:
    """Whether what is around it rewrites it: its filter, its window."""
    is_inner = isinstance(node, (exp.AggFunc, exp.Anonymous, exp.Filter, exp.IgnoreNulls))
    return is_inner and isinstance(node.parent, _AROUND) and node.arg_key == "this"


def rewrite_aggregate(node: exp.Expr) -> exp.Expr | None:
    """An aggregate with its filter and window; None where it is none."""
    if isinstance(node, exp.Order):
        return _flat_order(node)
    core, condition, window = _parts(node)
    if not isinstance(core, exp.AggFunc) and not (
        isinstance(core, exp.Anonymous) and core.name == "arg_min_null"
    ):
        return _flat_window(node) if isinstance(node, exp.Window) else None
    return _Aggregate(core, condition, window).rewritten()


def _parts(
    node: exp.Expr,
) -> tuple[exp.Expr, exp.Expr | None, exp.Window | None]:
    window = condition = None
    if isinstance(node, exp.Window):
        window, node = node, node.this
    if isinstance(node, exp.Filter):
        condition, node = node.expression.this, node.this
    if isinstance(node, exp.IgnoreNulls) and isinstance(node.this, exp.AnyValue):
        node = node.this
    return node, condition, window


class _Aggregate:
    """One call: what it aggregates, under which condition, over which window."""

    def __init__(
        self,
        core: exp.Expr,
        condition: exp.Expr | None,
        window: exp.Window | None,
    ) -> None:
        self._core = core
        self._condition = condition
        self._window = window

    def rewritten(self) -> exp.Expr:
        core = self._core
        if isinstance(core, exp.GroupConcat):
            return self._texts(core)
        if isinstance(core, exp.Median):
            return call("median_of", call("array_sort", self._list(_doubles(core.this))))
        if isinstance(core, exp.Mode):
            value, _, _ = _listed(core.this)
            return call("mode_of", self._list(value))
        if isinstance(core, (exp.ArgMax, exp.ArgMin)):
            return self._best(core)
        if isinstance(core, exp.Anonymous):
            return self._complete(call("min_by", *core.expressions))
        if isinstance(core, exp.AnyValue):
            return self._complete(call("any_value", core.this))
        if isinstance(core, exp.ArrayAgg) and self._window and self._condition is not None:
            return self._filtered_list(core)
        return self._complete(core.copy())

    def _complete(self, made: exp.Expr) -> exp.Expr:
        """With the filter, and over the window, where Trino knows no filter."""
        if self._window is None:
            if self._condition is None:
                return made
            return exp.Filter(this=made, expression=exp.Where(this=self._condition.copy()))
        if self._condition is not None:
            made = _conditional(made, self._condition)
        window = self._window.copy()
        window.set("this", made)
        return _flat_window(window)

    def _of_known(self, value: exp.Expr) -> "_Aggregate":
        """The same, of rows where the value is not null."""
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
        value, order, is_distinct = _listed(core.this)
        text = as_text(value)
        listed = _array_agg(text, order, is_distinct=is_distinct)
        of_known = self if self._window else self._of_known(text)  # `joined` leaves nulls out
        separator = core.args.get("separator") or exp.Literal.string(",")
        return call("joined", of_known._complete(listed), separator)

    def _best(self, core: exp.Expr) -> exp.Expr:
        """The value of the row with the greatest key, of those that have a value."""
        is_greatest = isinstance(core, exp.ArgMax)
        of_known, keys = self._of_known(core.this), flat(core.expression)
        if len(keys) == 1:
            name = "max_by" if is_greatest else "min_by"
            return of_known._complete(call(name, core.this, core.expression))
        order: list[exp.Expr] = [
            exp.Ordered(this=key.copy(), desc=is_greatest, nulls_first=is_greatest) for key in keys
        ]
        listed = of_known._complete(_array_agg(core.this, order))
        return call("element_at", listed, exp.Literal.number(1))

    def _filtered_list(self, core: exp.Expr) -> exp.Expr:
        """Each value in a row, so that a null that counts is no row that does not."""
        value, order, is_distinct = _listed(core.this)
        assert self._condition is not None
        member = call("if", self._condition, call("row", value))
        listed = _array_agg(member, order, is_distinct=is_distinct)
        rows = _Aggregate(core, None, self._window)._complete(listed)
        kept = sql("filter(:all, each -> each is not null)", all=rows)
        return sql("if(cardinality(:all) > 0, transform(:all, each -> each[1]))", all=kept)


def _array_agg(
    value: exp.Expr, order: list[exp.Expr], *, is_distinct: bool = False
) -> exp.ArrayAgg:
    inner: exp.Expr = value.copy()
    if is_distinct:
        inner = exp.Distinct(expressions=[inner])
    if order:
        inner = exp.Order(this=inner, expressions=[each.copy() for each in order])
    return exp.ArrayAgg(this=inner)


def _doubles(node: exp.Expr) -> exp.Expr:
    if has_kind(node, DOUBLES):
        return node
    return exp.cast(node.copy(), "double", dialect="trino")


def _listed(
    node: exp.Expr,
) -> tuple[exp.Expr, list[exp.Expr], bool]:
    order: list[exp.Expr] = []
    if isinstance(node, exp.Order):
        order, node = node.expressions, node.this
    if isinstance(node, exp.Distinct):
        return node.expressions[0], order, True
    return node, order, False


def _conditional(made: exp.Expr, condition: exp.Expr) -> exp.Expr:
    """The aggregate of what meets the condition: other values become null."""
    made = made.copy()
    place = made
    while isinstance(place.this, (exp.Order, exp.Distinct)):
        place = place.this
    if isinstance(place, (exp.Distinct, exp.Anonymous)):
        *others, last = place.expressions  # the key, where there is one: without it no row counts
        place.set("expressions", [*others, call("if", condition, last)])
    else:
        value = exp.Literal.number(1) if isinstance(place.this, exp.Star) else place.this
        place.set("this", call("if", condition, value))
    return made


def _flat_window(window: exp.Expr) -> exp.Expr:
    """Its partitions by the members of rows: Trino sorts by them."""
    keys = window.args.get("partition_by") or []
    if all(len(flat(key)) == 1 for key in keys):
        return window
    made = window.copy()
    made.set("partition_by", [leaf.copy() for key in keys for leaf in flat(key)])
    return made


def _flat_order(order: exp.Expr) -> exp.Expr | None:
    """Rows to order by as their members, one by one."""
    keys = []
    for ordered in order.expressions:
        members = flat(ordered.this)
        if len(members) == 1:
            keys.append(ordered.copy())
            continue
        is_descending = bool(ordered.args.get("desc"))
        keys += [
            exp.Ordered(this=each.copy(), desc=is_descending, nulls_first=is_descending)
            for each in members
        ]
    if len(keys) == len(order.expressions):
        return None
    this = order.this.copy() if isinstance(order.this, exp.Expr) else None
    return exp.Order(this=this, expressions=keys)
