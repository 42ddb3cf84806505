"""A board: its question, its variables and rows of panels, laid out on Grafana's grid."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grafana_foundation_sdk.builders.dashboard import Dashboard, TimePicker
from grafana_foundation_sdk.models import dashboard

from dashboards import links
from dashboards.marts import Query, Variable
from dashboards.panels import Panel, SdkBuilder, question

_GRAFANA_VERSION = "12.4.0"
_GRID_WIDTH = 24
_QUESTION_HEIGHT = 2
_TITLE_HEIGHT = 1
_WORDS_A_ROW = 350
"""Letters of the question that fit into a row of the grid."""
Row = tuple[int, Sequence[tuple[int, Panel]]]
"""Height of the row, and its panels with their widths, which add up to 24."""


@dataclass(frozen=True)
class Board:
    uid: str
    title: str
    words: str
    rows: Sequence[Row]
    variables: Sequence[Variable] = ()
    has_time: bool = False
    folded_title: str = "Details"
    folded: Sequence[Row] = ()
    """Rows that are queried and drawn only when the title above them is opened."""

    @property
    def panels(self) -> list[Panel]:
        return [panel for _, panels in (*self.rows, *self.folded) for _, panel in panels]

    @property
    def queries(self) -> list[Query]:
        """The queries of its panels and variables."""
        offers = [variable.query for variable in self.variables if variable.query]
        return [*offers, *(panel.query for panel in self.panels)]

    def built(self) -> dashboard.Dashboard:
        """Raises ValueError if the widths of a row are not 24."""
        built = (
            Dashboard(self.title)
            .uid(self.uid)
            .description(self.words)
            .tags([links.TAG])
            .timezone("utc")
            .time("now-90d", "now")
            .timepicker(TimePicker().hidden(not self.has_time))
            .links([links.all_boards()])
            .variables([variable.builder for variable in self.variables])
            .readonly()
            .build()
        )
        built.panels = list(self._all_placed())
        return _mended(built)

    def _all_placed(self) -> Iterator[dashboard.Panel | dashboard.RowPanel]:
        top = _QUESTION_HEIGHT + len(self.words) // _WORDS_A_ROW
        yield _place(question(self.words), (0, 0, _GRID_WIDTH, top))
        yield from self._placed(self.rows, top)
        if self.folded:
            top += sum(height for height, _ in self.rows)
            yield dashboard.RowPanel(
                title=self.folded_title,
                collapsed=True,
                grid_pos=dashboard.GridPos(x=0, y=top, w=_GRID_WIDTH, h=_TITLE_HEIGHT),
                panels=list(self._placed(self.folded, top + _TITLE_HEIGHT)),
            )

    def _placed(self, rows: Sequence[Row], top: int) -> Iterator[dashboard.Panel]:
        for height, panels in rows:
            left = 0
            for width, panel in panels:
                placed = _place(panel.built(), (left, top, width, height))
                if panel.is_measured:
                    placed.links = links.behind(panel.query.rows, uid=self.uid)
                yield placed
                left += width
            if left != _GRID_WIDTH:
                raise ValueError(f"{self.uid}: a row at {top} is {left} wide, not {_GRID_WIDTH}")
            top += height


def _place(panel: SdkBuilder, place: tuple[int, int, int, int]) -> dashboard.Panel:
    left, top, width, height = place
    built = panel.build()
    built.grid_pos = dashboard.GridPos(x=left, y=top, w=width, h=height)
    built.links = []
    # Grafana takes a panel without a version for an old one, and migrates its options away.
    built.plugin_version = _GRAFANA_VERSION
    return built


def _mended(built: dashboard.Dashboard) -> dashboard.Dashboard:
    """Correct the SDK's presets."""
    for link in built.links or []:
        link.placement = None  # type: ignore[assignment]  # in sight, not in a menu
    for variable in (built.templating.list_val or []) if built.templating else []:
        # A hidden variable follows from others, not from a link.
        variable.skip_url_sync = variable.hide == dashboard.VariableHide.HIDE_VARIABLE
    return built
