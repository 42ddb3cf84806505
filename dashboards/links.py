"""Ways from one board to another, with the selection: a variable has one name on all boards."""

import re

from grafana_foundation_sdk.builders.dashboard import DashboardLink
from grafana_foundation_sdk.models.dashboard import DashboardLinkType

HEADROOM = "headroom-headroom"
RUN = "headroom-run"
VENDORS = "headroom-vendors"
DATA_QUALITY = "headroom-data-quality"
TAG = "headroom"
# What no measurement lies behind: standards, formulas, names.
_NOT_MEASURED = re.compile(r"marts\.dim_|_penalties|_findings|'predicted'")
# One is chosen on other boards; Run has a list of them, where all is a choice too.
_LISTS = {"profile": "profiles", "array_one": "array", "grid_array": "array"}


def board_url(uid: str, **values: str) -> str:
    """A board with this board's selection, and further variables set."""
    # The given ones first: of two values of one variable Grafana takes the first.
    given = "".join(f"var-{name}={value}&" for name, value in values.items())
    return f"/d/{uid}?{given}${{__all_variables}}"


def data_link(title: str, url: str) -> dict[str, object]:
    return {"title": title, "url": url, "targetBlank": False}


def to_run(value: str = "${__data.fields.measurement_id}") -> dict[str, object]:
    return data_link("Open this measurement, with its source", board_url(RUN, measurement=value))


def to_vendor(value: str) -> dict[str, object]:
    return data_link("Compare this vendor's controllers", board_url(VENDORS, vendor=value))


def of_column(column: str) -> dict[str, object] | None:
    """Where a cell of a table leads."""
    if column.endswith("measurement_id"):
        return to_run("${__value.raw}")
    if column == "array_label":
        return data_link("What limits this array", board_url(HEADROOM, array_one="${__value.raw}"))
    if column == "document_url":
        return data_link("Open the paper", "${__value.raw}")
    return None


def source_of_panel(sql: str) -> list[DashboardLink]:
    """To the nights, or to the measurements of what is chosen; of what is computed to nothing."""
    if "from quality." in sql:
        return [_panel_link("Nights, checks and quarantined files", board_url(DATA_QUALITY))]
    if _NOT_MEASURED.search(sql):
        return []
    chosen = dict.fromkeys(re.findall(r"\${(\w+):", sql))
    query = "&".join(
        f"var-{_LISTS[name]}=${{{name}:percentencode}}"
        if name in _LISTS
        else f"${{{name}:queryparam}}"
        for name in chosen
    )
    return [_panel_link("The measurements behind these numbers", f"/d/{RUN}?{query}")]


def _panel_link(title: str, url: str) -> DashboardLink:
    return DashboardLink(title).type(DashboardLinkType.LINK).url(url)


def all_boards() -> DashboardLink:
    return (
        DashboardLink("Boards")
        .type(DashboardLinkType.DASHBOARDS)
        .tags([TAG])
        .as_dropdown(True)
        .include_vars(True)
    )
