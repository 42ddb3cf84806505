"""A table of series, each with its runs as a small line."""

from dataclasses import dataclass

from grafana_foundation_sdk.builders import table
from grafana_foundation_sdk.models import common, dashboard

from dashboards.colours import MEASURED
from dashboards.panels import Panel, SdkBuilder, fixed_colour, setting, shown_as
from dashboards.sources import TIME_SERIES
from dashboards.tables import cell_of

_TREND = "Trend #A"
_TREND_PIXELS = 300


@dataclass(frozen=True, kw_only=True)
class Trends(Panel):
    """A line for each combination of the query's texts: the column `value` over `time`."""

    trend_heading: str

    format = TIME_SERIES

    def built(self) -> SdkBuilder:
        rows = dashboard.DataTransformerConfig(id_val="timeSeriesTable", options={})
        panel = self.described(table.Panel()).with_transformation(rows)
        for name, look in self.query.looks.items():
            if name not in ("time", "value"):
                panel = panel.override_by_name(name, [*shown_as(look), *cell_of(name, look)])
        line = {"type": "sparkline", "hideValue": True, "spanNulls": True, "lineWidth": 2}
        trend = [
            setting("displayName", self.trend_heading),
            setting("custom.cellOptions", line),
            setting("custom.width", _TREND_PIXELS),
            fixed_colour(MEASURED),
        ]
        return panel.override_by_name(_TREND, trend).cell_height(common.TableCellHeight.MD)
