"""Aggregates: those that Trino lacks, filters over windows, nulls, and rows to order by."""

from sqlglot import exp

from headroom.trino.containers import flat
from headroom.trino.kinds import DOUBLES, has_kind
from headroom.trino.template import call, sql
from headroom.trino.texts import as_text

_AROUND = (exp.Filter, exp.IgnoreNulls, exp.Window)


def is_part_of_aggregate(node: exp.Expression) -> bool:
    """Whether what is around it rewrites it: its filter, its window."""
    is_inner = isinstance(node, (exp.AggFunc, exp.Anonymous, exp.Filter, exp.IgnoreNulls))
    return is_inner and isinstance(node.parent, _AROUND) and node.arg_key == "this"


def rewrite_aggregate(node: exp.Expression) -> exp.Expression | None:
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
    node: exp.Expression,
) -> tuple[exp.Expression, exp.Expression | None, exp.Window | None]:
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
        core: exp.Expression,
        condition: exp.Expression | None,
        window: exp.Window | None,
    ) -> None:
        self.core = core
        self.condition = condition
        self.window = window

    def rewritten(self) -> exp.Expression:
        core = self.core
        if isinstance(core, exp.GroupConcat):
            return self._texts(core)
        if isinstance(core, exp.Median):
            members = self._list(_doubles(core.this))
            return call("median_of", call("array_sort", members))
        if isinstance(core, exp.Mode):
            value = core.this.this if isinstance(core.this, exp.Order) else core.this
            return call("mode_of", self._list(value))
        if isinstance(core, (exp.ArgMax, exp.ArgMin)):
            return self._best(core)
        if isinstance(core, exp.Anonymous):
            return self._around(call("min_by", *core.expressions))
        if isinstance(core, exp.AnyValue):
            return self._around(call("any_value", core.this))
        if isinstance(core, exp.ArrayAgg) and self.window and self.condition is not None:
            return self._filtered_list(core)
        return self._around(core.copy())

    def _around(self, made: exp.Expression) -> exp.Expression:
        """With the filter, and over the window, where Trino knows no filter."""
        if self.window is None:
            if self.condition is None:
                return made
            return exp.Filter(this=made, expression=exp.Where(this=self.condition.copy()))
        if self.condition is not None:
            made = _conditional(made, self.condition)
        window = self.window.copy()
        window.set("this", made)
        return _flat_window(window)

    def _list(self, value: exp.Expression, order: list[exp.Expression] | None = None):  # type: ignore[no-untyped-def]
        """All values that are not null, as an array."""
        inner: exp.Expression = value.copy()
        if order:
            inner = exp.Order(this=inner, expressions=[each.copy() for each in order])
        if self.window is None:
            return self._and(value).__around(exp.ArrayAgg(this=inner))
        listed = self._around(exp.ArrayAgg(this=inner))
        return sql("filter(:all, each -> each is not null)", all=listed)

    def _and(self, value: exp.Expression) -> "_Aggregate":
        """The same for values that are not null."""
        known = exp.Not(this=exp.Is(this=exp.Paren(this=value.copy()), expression=exp.null()))
        both = known if self.condition is None else exp.and_(self.condition.copy(), known)
        return _Aggregate(self.core, both, self.window)

    __around = _around

    def _texts(self, core: exp.Expression) -> exp.Expression:
        value, order, is_distinct = _listed(core.this)
        text = as_text(value)
        inner: exp.Expression = exp.Distinct(expressions=[text]) if is_distinct else text
        if order:
            inner = exp.Order(this=inner, expressions=[each.copy() for each in order])
        separator = core.args.get("separator") or exp.Literal.string(",")
        if self.window is None:
            members = self._and(text)._around(exp.ArrayAgg(this=inner))
        else:
            members = self._around(exp.ArrayAgg(this=inner))
        return call("joined", members, separator)

    def _best(self, core: exp.Expression) -> exp.Expression:
        """The value of the row with the greatest key, of those that have a value."""
        name = "max_by" if isinstance(core, exp.ArgMax) else "min_by"
        keys = flat(core.expression)
        if len(keys) == 1:
            return self._and(core.this)._around(call(name, core.this, core.expression))
        is_greatest = name == "max_by"
        ordered = [
            exp.Ordered(this=key.copy(), desc=is_greatest, nulls_first=is_greatest) for key in keys
        ]
        listed = exp.ArrayAgg(this=exp.Order(this=core.this.copy(), expressions=ordered))
        made = self._and(core.this)._around(listed)
        return call("element_at", made, exp.Literal.number(1))

    def _filtered_list(self, core: exp.Expression) -> exp.Expression:
        """Each value in a row, so that a null that counts is no row that does not."""
        value, order, is_distinct = _listed(core.this)
        inner: exp.Expression = call("if", self.condition or exp.true(), call("row", value))
        if is_distinct:
            inner = exp.Distinct(expressions=[inner])
        if order:
            inner = exp.Order(this=inner, expressions=[each.copy() for each in order])
        listed = _Aggregate(core, None, self.window)._around(exp.ArrayAgg(this=inner))
        kept = sql("filter(:all, each -> each is not null)", all=listed)
        return sql(
            "if(cardinality(:all) > 0, transform(:all, each -> each[1]))", all=kept
        )


def _doubles(node: exp.Expression) -> exp.Expression:
    if has_kind(node, DOUBLES):
        return node
    return exp.cast(node.copy(), "double", dialect="trino")


def _listed(
    node: exp.Expression,
) -> tuple[exp.Expression, list[exp.Expression], bool]:
    order: list[exp.Expression] = []
    if isinstance(node, exp.Order):
        order, node = node.expressions, node.this
    if isinstance(node, exp.Distinct):
        return node.expressions[0], order, True
    return node, order, False


def _conditional(made: exp.Expression, condition: exp.Expression) -> exp.Expression:
    """The aggregate of what meets the condition: other values become null."""
    made = made.copy()
    place = made
    while isinstance(place.this, (exp.Order, exp.Distinct)):
        place = place.this
    value = place.this if isinstance(place.this, exp.Expression) else None
    if isinstance(place, exp.Distinct):
        place.set("expressions", [call("if", condition, place.expressions[0])])
    elif isinstance(made, exp.Anonymous):
        made.expressions[0].replace(call("if", condition, made.expressions[0]))
    else:
        one = exp.Literal.number(1)
        is_star = value is None or isinstance(value, exp.Star)
        place.set("this", call("if", condition, one if is_star or value is None else value))
    return made


def _flat_window(window: exp.Expression) -> exp.Expression:
    """Its partitions by the members of rows: Trino sorts by them."""
    keys = window.args.get("partition_by") or []
    if all(len(flat(key)) == 1 for key in keys):
        return window
    made = window.copy()
    made.set("partition_by", [leaf.copy() for key in keys for leaf in flat(key)])
    return made


def _flat_order(order: exp.Expression) -> exp.Expression | None:
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
    this = order.this.copy() if isinstance(order.this, exp.Expression) else None
    return exp.Order(this=this, expressions=keys)

