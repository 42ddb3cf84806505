"""The choices at the top of a board. Each has one name on all boards, so that links carry it along.

A list in a query is written `= any([${name:sqlstring}])`: it holds one value, several or none, and
is quoted the same in panels and in the queries of other variables.
"""

from collections.abc import Mapping

from grafana_foundation_sdk.builders.dashboard import (
    CustomVariable,
    QueryVariable,
    TextBoxVariable,
)
from grafana_foundation_sdk.models.dashboard import (
    VariableHide,
    VariableOption,
    VariableRefresh,
    VariableSort,
)

from dashboards.marts import Column, Query, Rows, Variable, mart
from dashboards.sources import datasource_of

_LABELS = {
    "vendor": "Vendor",
    "controller": "Controller",
    "raid_level": "RAID level",
    "drive_media": "Media",
}
_THROUGHPUT = "${throughput:raw}"
NOTHING = "no log beside this run"
_PROFILE = (Column("profile_id", "__value"), Column("any_value(profile_label)", "__text"))


def one(name: str, label: str, column: str, query: Query) -> Variable:
    """A choice of one value of a column; the first that the query gives at the start."""
    return Variable(name, _offer(name, label, query), f"{column} = ${{{name}:sqlstring}}", query)


def hidden(name: str, query: Query, *, column: str = "", values: tuple[str, ...] = ()) -> Variable:
    """What follows from the choices before it, and is not shown; names columns if not of one."""
    builder = _offer(name, name, query).hide(VariableHide.HIDE_VARIABLE)
    condition = f"{column} = ${{{name}:sqlstring}}" if column else ""
    return Variable(name, builder, condition, query, values)


def several(name: str, label: str, column: str, offer: Rows | Query) -> Variable:
    """A choice of any number of values of a column; all of them at the start."""
    if isinstance(offer, Rows):
        offer = offer.ask(f"select distinct {column} {offer} order by 1")
    everything = VariableOption(selected=True, text="All", value="$__all")
    builder = _offer(name, label, offer).multi(True).include_all(True).current(everything)
    return Variable(name, builder, f"{column} = any([${{{name}:sqlstring}}])", offer)


def some(name: str, rows: Rows, *, first: str, always: str) -> Variable:
    """A choice of any number of values of a column, one at the start; all where that is not there.

    Rows that have no such value, by the column `always`, are always among the chosen ones.
    """
    offer = rows.ask(f"select distinct {name} {rows} order by 1")
    start = VariableOption(selected=True, text=first, value=first)
    builder = _offer(name, _LABELS[name], offer).multi(True).include_all(True).current(start)
    return Variable(name, builder, f"({name} = any([${{{name}:sqlstring}}]) or {always})", offer)


def _offer(name: str, label: str, query: Query) -> QueryVariable:
    return (
        QueryVariable(name)
        .label(label)
        .datasource(datasource_of(query))
        .query(query.sql)
        .refresh(VariableRefresh.ON_DASHBOARD_LOAD)
        .sort(VariableSort.DISABLED)
        .allow_custom_value(False)  # a typed name would choose no rows: "no claims"
    )


def columns(
    name: str,
    column: str,
    rows: Rows,
    values: tuple[str, ...] = (),
    *,
    most: int | None = None,
) -> Variable:
    """The values that a PIVOT has columns for; without them it is two statements, and refused.

    With `most` only so many, those that most rows have, first. Where there are none, one that no
    row has: a chart shows its name.
    """
    order = f"count(*) desc, {column}" if most else column
    place = f"row_number() over (order by {order})"
    only = f" qualify place <= {most}" if most else ""
    quoted = f"select '''' || {column} || '''' as value, {place} as place {rows} group by {column}"
    listed = "string_agg(value, ', ' order by place)"
    sql = f"select coalesce({listed}, '''{NOTHING}''') from ({quoted}{only})"
    return hidden(name, rows.ask(sql), values=values)


def fixed(name: str, label: str, columns: Mapping[str, str]) -> Variable:
    """A choice of columns by a word for each; its rows are those that have the chosen one."""
    values = ", ".join(f"{word} : {column}" for word, column in columns.items())
    builder = CustomVariable(name).label(label).values(values)
    return Variable(name, builder, f"${{{name}:raw}} is not null", values=tuple(columns.values()))


def typed(name: str, label: str, value: str, condition: str) -> Variable:
    builder = TextBoxVariable(name).label(label).default_value(value)
    return Variable(name, builder, condition)


def chain(rows: Rows, *names: str, suffix: str = "") -> list[Variable]:
    """Lists of what is in columns of a mart: each offers what is left by those before it.

    Where a column is null if a source does not say, the one with the suffix _label says so: then
    the choice of all is all.
    """
    chosen: list[Variable] = []
    for name in names:
        chosen.append(several(name, _LABELS[name], f"{name}{suffix}", rows.where(*chosen)))
    return chosen


def profiles(rows: Rows) -> Variable:
    """Load profiles, of what is left by the choices before."""
    offer = rows.select(*_PROFILE, then="group by profile_id order by 2")
    return several("profiles", "Load profiles", "profile_id", offer)


def profile(rows: Rows, then: str) -> Variable:
    """One load profile, the first of these rows at the start."""
    offer = rows.select(*_PROFILE, then=f"group by profile_id {then}")
    return one("profile", "Load profile", "profile_id", offer)


def throughput() -> Variable:
    """The unit of throughput: of 10^6 bytes, or of 2^20 as Fujitsu's papers print it."""
    units = {"GB/s": "bytes_per_second", "MB/s of 2^20 bytes": "mebibytes_per_second"}
    return fixed("throughput", "Throughput in", units)


def metric(profile: Variable) -> Variable:
    """The column that the chosen profile is compared by, throughput in the unit of `throughput`,
    which stands before it; follows the profile, and is not shown."""
    rows = mart("dim_load_profiles").where(profile)
    sql = f"select if(max(headline_metric) = 'bytes_per_second', '{_THROUGHPUT}', 'iops') {rows}"
    return hidden(
        "metric",
        rows.ask(sql, throughput()),
        values=("iops", "bytes_per_second", "mebibytes_per_second"),
    )
