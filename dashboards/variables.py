"""The variables at the top of a board. A variable has one name on all boards, so links carry it.

A list is written `= any([${name:sqlstring}])` in SQL: it works for one value, several and none.
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

from dashboards.marts import Query, Rows, Variable, mart

_LABELS = {
    "vendor": "Vendor",
    "controller": "Controller",
    "raid_level": "RAID level",
    "drive_media": "Media",
}
_PROFILE_TEXT = "any_value(profile_label)"
NOTHING = "no log beside this run"


def one(name: str, label: str, column: str, query: Query) -> Variable:
    """One value of a column; the first row of the query is the default."""
    return Variable(name, _offer(name, label, query), f"{column} = ${{{name}:sqlstring}}", query)


def hidden(name: str, query: Query, *, column: str = "", values: tuple[str, ...] = ()) -> Variable:
    """A hidden variable that follows from earlier ones; with `column`, it filters rows by it."""
    builder = _offer(name, name, query).hide(VariableHide.HIDE_VARIABLE)
    condition = f"{column} = ${{{name}:sqlstring}}" if column else ""
    return Variable(name, builder, condition, query, values)


def several(
    name: str, label: str, column: str, offer: Rows | Query, *, first: str = "", always: str = ""
) -> Variable:
    """Several values of a column; the default is `first` if it exists, else all.

    Rows for which the column `always` is true are always chosen.
    """
    if isinstance(offer, Rows):
        offer = offer.ask(f"select distinct {column} {offer} order by 1")
    start = VariableOption(selected=True, text=first or "All", value=first or "$__all")
    builder = _offer(name, label, offer).multi(True).include_all(True).current(start)
    condition = f"{column} = any([${{{name}:sqlstring}}])"
    return Variable(name, builder, f"({condition} or {always})" if always else condition, offer)


def _offer(name: str, label: str, query: Query) -> QueryVariable:
    return (
        QueryVariable(name)
        .label(label)
        .datasource(query.datasource)
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
    """The values that a PIVOT makes columns of; it is a single statement only if they are listed.

    With `most`, only the most frequent ones. Without rows, one value whose text the chart shows.
    """
    order = f"count(*) desc, {column}" if most else column
    place = f"row_number() over (order by {order})"
    only = f" qualify place <= {most}" if most else ""
    quoted = f"select '''' || {column} || '''' as value, {place} as place {rows} group by {column}"
    listed = "string_agg(value, ', ' order by place)"
    sql = f"select coalesce({listed}, '''{NOTHING}''') from ({quoted}{only})"
    return hidden(name, rows.ask(sql), values=values)


def fixed(name: str, label: str, columns: Mapping[str, str]) -> Variable:
    """One of several columns; rows where it is null are left out."""
    values = ", ".join(f"{word} : {column}" for word, column in columns.items())
    builder = CustomVariable(name).label(label).values(values)
    return Variable(name, builder, f"${{{name}:raw}} is not null", values=tuple(columns.values()))


def typed(name: str, label: str, value: str, condition: str) -> Variable:
    builder = TextBoxVariable(name).label(label).default_value(value)
    return Variable(name, builder, condition)


def chain(rows: Rows, *names: str, suffix: str = "") -> list[Variable]:
    """Values of columns of a mart; each list is filtered by the lists before it.

    Columns with the suffix `_label` have a text instead of null, so All includes every row.
    """
    chosen: list[Variable] = []
    for name in names:
        chosen.append(several(name, _LABELS[name], f"{name}{suffix}", rows.where(*chosen)))
    return chosen


def profiles(rows: Rows) -> Variable:
    """Several load profiles of these rows."""
    offer = rows.each("profile_id", "2", text=_PROFILE_TEXT)
    return several("profiles", "Load profiles", "profile_id", offer)


def profile(rows: Rows, order: str, remark: str = "") -> Variable:
    """One load profile; the first of these rows is the default. `remark` is SQL: an aggregate that
    is added to the profile's label unless it is null."""
    text = f"concat_ws(', ', {_PROFILE_TEXT}, {remark})" if remark else _PROFILE_TEXT
    offer = rows.each("profile_id", order, text=text)
    return one("profile", "Load profile", "profile_id", offer)


def trust(rows: Rows) -> Variable:
    """Whether own values that are not trusted count; the options tell how many there are."""
    counts = "count(*) filter (run_verdict != 'trusted') || ' of ' || count(run_verdict)"
    texts = "'all, ' || counts || ' not trusted', 'only trusted, ' || counts || ' left out'"
    offer = rows.ask(
        f"select unnest(['all', 'trusted']) as __value, unnest([{texts}]) as __text "
        f"from (select {counts} as counts {rows})"
    )
    builder = _offer("trust", "Own runs", offer)
    condition = "${trust:sqlstring} in ('all', coalesce(run_verdict, 'trusted'))"
    return Variable("trust", builder, condition, offer)


def throughput() -> Variable:
    """The unit of throughput: of 10^6 bytes, or of 2^20 as Fujitsu's papers print it."""
    units = {"GB/s": "bytes_per_second", "MB/s of 2^20 bytes": "mebibytes_per_second"}
    return fixed("throughput", "Throughput in", units)


def metric(profile: Variable, throughput: Variable | None = None) -> Variable:
    """The hidden name of the column that the profile is compared by: IOPS, or throughput in the
    unit of the variable `throughput`, if there is one."""
    rows = mart("dim_load_profiles").where(profile)
    rate = throughput.raw if throughput else "bytes_per_second"
    sql = f"select if(max(headline_metric) = 'bytes_per_second', '{rate}', 'iops') {rows}"
    rates = throughput.values if throughput else (rate,)
    return hidden("metric", rows.ask(sql), values=("iops", *rates))
