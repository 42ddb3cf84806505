"""Bar charts."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from grafana_foundation_sdk.builders import barchart
from grafana_foundation_sdk.builders.common import VizTextDisplayOptions
from grafana_foundation_sdk.models import common

from dashboards.charts import legend, tooltip
from dashboards.colours import GREY, MEASURED
from dashboards.panels import (
    GREY_OTHERWISE,
    Panel,
    SdkBuilder,
    coloured_values,
    describe,
    fixed_colour,
    setting,
)

_VALUE_PIXELS = 11
_UNSEEN = setting("custom.hideFrom", {"viz": True, "legend": True, "tooltip": False})
_LEAST_ROWS = 6


@dataclass(frozen=True, kw_only=True)
class Bars(Panel):
    """Horizontal bars, a group for each value of the query's first column.

    The other columns are bars, coloured by `colours`, or name a colour by `colour_by`.
    """

    colours: Mapping[str, str] = field(default_factory=dict)
    colour_by: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def built(self) -> SdkBuilder:
        label, *others = self.query.columns
        panel = _laid_out(self.described(barchart.Panel()), label.names[0])
        for name, look in self.query.looks.items():
            if name not in label.names:
                seen = _UNSEEN if name in self.colour_by else fixed_colour(self._colour(name))
                panel = describe(panel, name, look, seen)
        for name, colours in self.colour_by.items():
            panel = panel.override_by_name(name, [coloured_values(colours), GREY_OTHERWISE])
            panel = panel.color_by_field(name)
        bar_count = sum(set(self.colour_by).isdisjoint(column.names) for column in others)
        return panel.legend(legend(is_shown=bar_count > 1))

    def _sql(self) -> str:
        """Padded with empty rows, so that few bars are not thicker than many."""
        label = self.query.columns[0].names[0]
        missing = f"select unnest(range(2, {_LEAST_ROWS + 1})) as place"
        return (
            f"with shown as ({self.query.sql}) from shown union all by name "
            f"select chr(8203) as {label} from ({missing}) "
            "where (select count(*) from shown) between 1 and place - 1"
        )

    def _colour(self, name: str) -> str:
        return self.colours.get(name, GREY) if self.colours else MEASURED


def _laid_out(panel: barchart.Panel, label: str) -> barchart.Panel:
    return (
        panel.orientation(common.VizOrientation.HORIZONTAL)
        .x_field(label)
        .show_value(common.VisibilityMode.ALWAYS)
        .text(VizTextDisplayOptions().value_size(_VALUE_PIXELS))
        .bar_width(0.8)
        .group_width(0.8)
        .fill_opacity(85)
        .min(0)
        .tooltip(tooltip())
    )
