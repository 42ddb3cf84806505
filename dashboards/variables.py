"""The choices at the top of a board. Each has one name on all boards, so that links carry it along.

A list in a query is written `= any([${name:sqlstring}])`: it holds one value, several or none, and
is quoted the same in panels and in the queries of other variables.
"""

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

from dashboards.sources import datasource_of

_LABELS = {
    "vendor": "Vendor",
    "controller": "Controller",
    "raid_level": "RAID level",
    "drive_media": "Media",
}


def one(name: str, label: str, query: str) -> QueryVariable:
    """A choice of one value; the first that the query gives at the start."""
    return (
        QueryVariable(name)
        .label(label)
        .datasource(datasource_of(query))
        .query(query)
        .refresh(VariableRefresh.ON_DASHBOARD_LOAD)
        .sort(VariableSort.DISABLED)
    )


def hidden(name: str, query: str) -> QueryVariable:
    """What follows from the choices before it, and is not shown."""
    return one(name, name, query).hide(VariableHide.HIDE_VARIABLE)


def several(name: str, label: str, query: str) -> QueryVariable:
    """A choice of any number of values; all of them at the start."""
    everything = VariableOption(selected=True, text="All", value="$__all")
    return one(name, label, query).multi(True).include_all(True).current(everything)


def columns(name: str, column: str, source: str) -> QueryVariable:
    """The values that a PIVOT has columns for; without them it is two statements, and refused."""
    quoted = f"select distinct '''' || {column} || '''' as value {source} order by 1"
    return hidden(name, f"select coalesce(string_agg(value, ', '), '''none''') from ({quoted})")


def fixed(name: str, label: str, values: str) -> CustomVariable:
    """A choice of values that are the same for every warehouse: 'text : value, ...'."""
    return CustomVariable(name).label(label).values(values)


def typed(name: str, label: str, value: str) -> TextBoxVariable:
    return TextBoxVariable(name).label(label).default_value(value)


def chosen(*names: str, suffix: str = "") -> str:
    """The rows of what is chosen; a column has the name of its variable.

    Where a column is null if a source does not say, the one with the suffix _label says so: then
    the choice of all is all.
    """
    return " and ".join(f"{name}{suffix} = any([${{{name}:sqlstring}}])" for name in names)


def chain(mart: str, *names: str, suffix: str = "") -> list[QueryVariable]:
    """Lists of what is in columns of a mart: each offers what is left by those before it."""
    offers = [f"select distinct {names[0]}{suffix} from {mart} order by 1"] + [
        f"select distinct {name}{suffix} from {mart} "
        f"where {chosen(*names[:place], suffix=suffix)} order by 1"
        for place, name in enumerate(names[1:], start=1)
    ]
    return [several(name, _LABELS[name], query) for name, query in zip(names, offers, strict=True)]


def profiles(mart: str, *before: str, suffix: str = "") -> QueryVariable:
    """Load profiles, of what is left by the choices before."""
    query = (
        f"select profile_id as __value, any_value(profile_label) as __text from {mart} "
        f"where {chosen(*before, suffix=suffix)} group by profile_id order by 2"
    )
    return several("profiles", "Load profiles", query)


def metric() -> QueryVariable:
    """The column that the chosen profile is compared by; follows the profile, and is not shown."""
    query = (
        "select coalesce(max(headline_metric), 'iops') from marts.dim_load_profiles "
        "where profile_id = ${profile:sqlstring}"
    )
    return hidden("metric", query)
