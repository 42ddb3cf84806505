"""A board: its question, its variables and rows of panels, laid out on Grafana's grid."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grafana_foundation_sdk.builders.dashboard import Dashboard, TimePicker
from grafana_foundation_sdk.builders.dashboard import Row as FoldedRow
from grafana_foundation_sdk.models import dashboard

from dashboards import links
from dashboards.marts import Query, Variable
from dashboards.panels import Panel, SdkBuilder, question

_GRAFANA_VERSION = "12.4.0"
_GRID_WIDTH = 24
_QUESTION_HEIGHT = 2
_LETTERS_A_ROW = 350
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
        top = _QUESTION_HEIGHT + len(self.words) // _LETTERS_A_ROW
        board = (
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
            .with_panel(question(self.words).span(_GRID_WIDTH).height(top).links([]))
        )
        for panel in self._sized(self.rows):
            board.with_panel(panel)
        if self.folded:
            details = FoldedRow(self.folded_title)
            for panel in self._sized(self.folded):
                details.with_panel(panel)
            board.with_row(details)
        return _mended(board.build())

    def _sized(self, rows: Sequence[Row]) -> Iterator[SdkBuilder]:
        """The SDK places each panel beside the last, or below a full row."""
        for height, panels in rows:
            for width, panel in panels:
                behind = links.behind(panel.query.rows, uid=self.uid) if panel.is_measured else []
                yield panel.built().span(width).height(height).links(behind)


def _mended(built: dashboard.Dashboard) -> dashboard.Dashboard:
    """Correct the SDK's presets."""
    for entry in built.panels or []:
        for panel in entry.panels if isinstance(entry, dashboard.RowPanel) else [entry]:
            # Grafana takes a panel without a version for an old one, and migrates its options away.
            panel.plugin_version = _GRAFANA_VERSION
    for link in built.links or []:
        link.placement = None  # type: ignore[assignment]  # in sight, not in a menu
    for variable in (built.templating.list_val or []) if built.templating else []:
        # A hidden variable follows from others, not from a link.
        variable.skip_url_sync = variable.hide == dashboard.VariableHide.HIDE_VARIABLE
    return built
