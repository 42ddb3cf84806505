"""Links between boards that carry the variables along."""

from grafana_foundation_sdk.builders.dashboard import DashboardLink
from grafana_foundation_sdk.models import dashboard

from dashboards.marts import Rows

HEADROOM = "headroom-headroom"
RUN = "headroom-run"
SUSTAINED = "headroom-sustained"
DATA_QUALITY = "headroom-data-quality"
TAG = "headroom"
# Variables with one value on other boards, and the list variables of the board Run that take it.
_LISTS = {"profile": "profiles", "array_one": "array", "grid_array": "array"}


def board_url(uid: str, **values: str) -> str:
    """The URL of a board, with the current variables and the given ones."""
    # The given ones come first: Grafana takes the first of two values of a variable.
    given = "".join(f"var-{name}={value}&" for name, value in values.items())
    return f"/d/{uid}?{given}${{__all_variables}}"


def data_link(title: str, url: str) -> dict[str, object]:
    return {"title": title, "url": url, "targetBlank": False}


def to_run(value: str = "${__data.fields.measurement_id}") -> dict[str, object]:
    return data_link("Open this measurement, with its source", board_url(RUN, measurement=value))


def of_column(column: str) -> tuple[dict[str, object] | None, str]:
    """The link of a table's column, and the text to show instead of the value."""
    if column.endswith("measurement_id"):
        return to_run("${__value.raw}"), "open"
    if column == "log":
        url = board_url(SUSTAINED, measurement="${__value.raw}")
        return data_link("Show this log", url), "show"
    if column == "document_url":
        return data_link("Open the paper", "${__value.raw}"), "open the paper"
    if column == "array_label":
        url = board_url(HEADROOM, array_one="${__value.raw}")
        return data_link("What limits this array", url), ""
    return None, ""


def behind(rows: Rows, *, uid: str) -> list[DashboardLink]:
    """Link a panel to the nights or to the chosen measurements, but not to its own board."""
    if rows.schema == "quality":
        to, title, url = (
            DATA_QUALITY,
            "Nights, checks and quarantined files",
            board_url(DATA_QUALITY),
        )
    else:
        to, title, url = RUN, "The measurements behind these numbers", _measurements_of(rows)
    link = DashboardLink(title).url(url).type(dashboard.DashboardLinkType.LINK)
    return [] if to == uid else [link]


def _measurements_of(rows: Rows) -> str:
    chosen = (
        f"var-{_LISTS[variable.name]}=${{{variable.name}:percentencode}}"
        if variable.name in _LISTS
        else f"${{{variable.name}:queryparam}}"
        for variable in rows.variables
    )
    return f"/d/{RUN}?{'&'.join(chosen)}"


def all_boards() -> DashboardLink:
    return (
        DashboardLink("Boards")
        .type(dashboard.DashboardLinkType.DASHBOARDS)
        .tags([TAG])
        .as_dropdown(True)
        .include_vars(True)
    )
