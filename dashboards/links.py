"""Ways from one board to another, with the selection: a variable has one name on all boards."""

from grafana_foundation_sdk.builders.dashboard import DashboardLink
from grafana_foundation_sdk.models.dashboard import DashboardLinkType

HEADROOM = "headroom-headroom"
RUN = "headroom-run"
DATA_QUALITY = "headroom-data-quality"
TAG = "headroom"


def board_url(uid: str, **values: str) -> str:
    """A board with this board's selection, and further variables set."""
    # The given ones first: of two values of one variable Grafana takes the first.
    given = "".join(f"var-{name}={value}&" for name, value in values.items())
    return f"/d/{uid}?{given}${{__all_variables}}"


def data_link(title: str, url: str) -> dict[str, object]:
    return {"title": title, "url": url, "targetBlank": False}


def to_run(value: str = "${__data.fields.measurement_id}") -> dict[str, object]:
    return data_link("Open this measurement, with its source", board_url(RUN, measurement=value))


def of_column(column: str) -> dict[str, object] | None:
    """Where a cell of a table leads."""
    if column.endswith("measurement_id"):
        return to_run("${__value.raw}")
    if column == "array_label":
        return data_link("What limits this array", board_url(HEADROOM, array_one="${__value.raw}"))
    if column == "document_url":
        return data_link("Open the paper", "${__value.raw}")
    return None


def source_of_panel(uid: str) -> DashboardLink:
    """Where the numbers of a panel come from."""
    return (
        DashboardLink("Where these numbers come from")
        .type(DashboardLinkType.LINK)
        .url(board_url(uid))
    )


def all_boards() -> DashboardLink:
    return (
        DashboardLink("Boards")
        .type(DashboardLinkType.DASHBOARDS)
        .tags([TAG])
        .as_dropdown(True)
        .include_vars(True)
    )
