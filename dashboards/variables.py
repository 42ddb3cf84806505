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


def fixed(name: str, label: str, values: str) -> CustomVariable:
    """A choice of values that are the same for every warehouse: 'text : value, ...'."""
    return CustomVariable(name).label(label).values(values)


def typed(name: str, label: str, value: str) -> TextBoxVariable:
    return TextBoxVariable(name).label(label).default_value(value)


def vendor() -> QueryVariable:
    return several("vendor", "Vendor", "select distinct vendor from marts.rpt_points order by 1")


def controller() -> QueryVariable:
    return several(
        "controller",
        "Controller",
        "select distinct controller from marts.rpt_points "
        "where vendor = any([${vendor:sqlstring}]) order by 1",
    )


def raid_level() -> QueryVariable:
    return several(
        "raid_level",
        "RAID level",
        "select distinct raid_level from marts.rpt_points "
        "where vendor = any([${vendor:sqlstring}]) "
        "and controller = any([${controller:sqlstring}]) order by 1",
    )


def drive_media() -> QueryVariable:
    return several(
        "drive_media",
        "Media",
        "select distinct drive_media from marts.rpt_points "
        "where vendor = any([${vendor:sqlstring}]) "
        "and controller = any([${controller:sqlstring}]) "
        "and raid_level = any([${raid_level:sqlstring}]) order by 1",
    )


CHOSEN = (
    "vendor = any([${vendor:sqlstring}]) and controller = any([${controller:sqlstring}]) "
    "and raid_level = any([${raid_level:sqlstring}]) "
    "and drive_media = any([${drive_media:sqlstring}])"
)


def profile() -> QueryVariable:
    """The profiles of what is chosen before it, the one with most controllers first."""
    return one(
        "profile",
        "Load profile",
        "select profile_id as __value, any_value(profile_label) as __text from marts.rpt_points "
        f"where {CHOSEN} and headline_value is not null "
        "group by profile_id order by count(distinct controller) desc, profile_id",
    )


def metric() -> QueryVariable:
    """The column that the chosen profile is compared by; follows the profile, and is not shown."""
    query = (
        "select coalesce(max(headline_metric), 'iops') from marts.dim_load_profiles "
        "where profile_id = ${profile:sqlstring}"
    )
    return hidden("metric", query)


def chain() -> list[QueryVariable]:
    """Vendor, controller, RAID level, media, profile: each offers what is left by those before."""
    return [vendor(), controller(), raid_level(), drive_media(), profile()]
