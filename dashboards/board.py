"""A board: its question, its choices, and rows of panels, laid out without gaps or overlaps."""

from collections.abc import Iterator, Sequence

from grafana_foundation_sdk.builders.dashboard import Dashboard, TimePicker
from grafana_foundation_sdk.cog.builder import Builder
from grafana_foundation_sdk.models import dashboard

from dashboards import links
from dashboards.panels import Panel, question

_GRAFANA_VERSION = "12.4.0"
_GRID_WIDTH = 24
_QUESTION_HEIGHT = 2
Row = tuple[int, Sequence[tuple[int, Panel]]]
"""Height of the row, and its panels with their widths, which add up to 24."""


def board(
    uid: str,
    title: str,
    words: str,
    rows: Sequence[Row],
    *,
    variables: Sequence[Builder[dashboard.VariableModel]] = (),
    has_time: bool = False,
) -> dashboard.Dashboard:
    """Raises ValueError where the widths of a row do not add up."""
    built = (
        Dashboard(title)
        .uid(uid)
        .description(words)
        .tags([links.TAG])
        .timezone("utc")
        .time("now-90d", "now")
        .timepicker(TimePicker().hidden(not has_time))
        .links([links.all_boards()])
        .variables(list(variables))
        .readonly()
    )
    for panel in _placed(uid, [(_QUESTION_HEIGHT, [(_GRID_WIDTH, question(words))]), *rows]):
        built = built.with_panel(panel)
    return _mended(built.build())


def _placed(uid: str, rows: Sequence[Row]) -> Iterator[Panel]:
    top = 0
    for height, panels in rows:
        left = 0
        for width, panel in panels:
            yield panel.grid_pos(dashboard.GridPos(h=height, w=width, x=left, y=top))
            left += width
        if left != _GRID_WIDTH:
            raise ValueError(f"{uid}: a row at {top} is {left} wide, not {_GRID_WIDTH}")
        top += height


def _mended(built: dashboard.Dashboard) -> dashboard.Dashboard:
    """What the SDK leaves out or presets otherwise than wanted."""
    for link in built.links or []:
        link.placement = None  # type: ignore[assignment]  # in sight, not in a menu
    for variable in (built.templating.list_val or []) if built.templating else []:
        # What follows from other choices is not taken from a link.
        variable.skip_url_sync = variable.hide == dashboard.VariableHide.HIDE_VARIABLE
    for panel in built.panels or []:
        assert isinstance(panel, dashboard.Panel)
        # Grafana takes a panel without a version for an old one, and migrates its options away.
        panel.plugin_version = _GRAFANA_VERSION
        # No way from a board to itself.
        panel.links = [
            link for link in panel.links or [] if f"/d/{built.uid}?" not in str(link.url)
        ]
    return built
