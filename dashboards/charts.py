"""Line charts: points, curves, nights."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from grafana_foundation_sdk.builders import timeseries, trend, xychart
from grafana_foundation_sdk.builders.common import VizLegendOptions, VizTooltipOptions
from grafana_foundation_sdk.builders.dashboard import FieldColor
from grafana_foundation_sdk.models import common, dashboard
from grafana_foundation_sdk.models.xychart import SeriesMapping, XYShowMode

from dashboards import colours
from dashboards.colours import DIRECTIONS, GREY, MEASURED, NIGHT_COLOURS
from dashboards.links import to_run
from dashboards.panels import Panel, SdkBuilder, Settings, fixed_colour, setting, shown_as

# A space without width: Grafana removes words that all names of curves begin or end with.
_EDGE = chr(8203)
_EDGES = 7
# Also without width; as many stand before a curve's name as the number of its colour.
_COLOUR = chr(8288)

Looks = dict[str, Settings]
"""Looks by /pattern/ of curves' names."""


def _squares(name: str) -> Looks:
    look = [
        setting("custom.show", "points"),
        setting("custom.pointSize.fixed", 14),
        setting("custom.pointShape", "square"),
        setting("custom.fillOpacity", 0),
        setting("custom.pointStrokeWidth", 2),
        fixed_colour(GREY),
    ]
    return {f"/{_EDGE}{name}{_EDGE}/": look}


KNEES = _squares("knees")
CROSSOVERS = _squares("crossover")
CEILINGS: Looks = {
    rf"/{_EDGE}ceiling \({kind}\)/": [
        setting("custom.show", "lines"),
        setting("custom.lineStyle", {"fill": "dash", "dash": [8, 6]}),
        fixed_colour(colour),
    ]
    for kind, colour in colours.CEILINGS.items()
}

DIRECTION_LOOKS: Looks = {
    f"/{direction}{_EDGE}/": [fixed_colour(colour)]
    for direction, colour in (DIRECTIONS | {"mixed": MEASURED}).items()
}


MOST_CURVES = len(colours.CURVES)
NUMBERED: Looks = {
    f"/{_EDGE}{_COLOUR}{{{number}}}[^{_COLOUR}]/": [fixed_colour(colour)]
    for number, colour in enumerate(colours.CURVES, start=1)
}


# Grafana leaves too little room for half of the last number below a chart; spaces behind the number
# move it to the left.
LITTLE_ROOM = chr(8195)
ROOM = 2 * LITTLE_ROOM


class Axis(NamedTuple):
    title: str
    unit: str
    is_logarithmic: bool
    log: int = 10

    def settings(self) -> Settings:
        scale = {"type": "log", "log": self.log} if self.is_logarithmic else {"type": "linear"}
        return [setting("custom.scaleDistribution", scale), setting("custom.axisLabel", self.title)]


@dataclass(frozen=True, kw_only=True)
class Points(Panel):
    """The column y over x, a line for each `curve`; a point links to its measurement_id, if any.

    `looks` are by /pattern/ of the name. The column `numbered` holds the number of the curve's
    colour. Points are sorted by the columns `order`; columns in `unseen` are not shown.
    """

    x: Axis
    y: Axis
    looks: Looks = field(default_factory=dict)
    numbered: str = ""
    order: tuple[str, ...]
    unseen: tuple[str, ...] = ()

    def _sql(self) -> str:
        edge = f"repeat(chr({ord(_EDGE)}), 1 + dense_rank() over (order by curve) % {_EDGES})"
        colour = f"repeat(chr({ord(_COLOUR)}), {self.numbered}), " if self.numbered else ""
        unseen = f" exclude ({', '.join(self.unseen)})" if self.unseen else ""
        order = ", ".join(f"points.{column}" for column in self.order)
        return (
            f"with points as ({self.query.sql}) "
            f"select *{unseen} replace (concat({edge}, {colour}curve, {edge}) as curve) "
            f"from points order by {order}"
        )

    def built(self) -> SdkBuilder:
        parts = {"fields": ["curve"], "naming": {"asLabels": True}, "keepFields": False}
        split = dashboard.DataTransformerConfig(id_val="partitionByValues", options=parts)
        named = setting("displayName", "${__field.labels.curve}")
        links = [setting("links", [to_run()])] if "measurement_id" in self.query.looks else []
        panel = self.described(xychart.Panel(), reason_in="curve").with_transformation(split)
        panel = panel.override_by_name("y", [named])
        for pattern, look in {"/./": [*self.y.settings(), *links], **self.looks}.items():
            panel = panel.override_by_regexp(pattern, look)
        x_look = [setting("unit", self.x.unit), setting("displayName", self.x.title)]
        return (
            panel.unit(self.y.unit)
            .override_by_name("x", [*x_look, *self.x.settings()])
            .mapping(SeriesMapping.AUTO)
            .show(XYShowMode.POINTS_AND_LINES)
            .line_width(2)
            .color_scheme(FieldColor().mode(dashboard.FieldColorModeId.PALETTE_CLASSIC))
            .legend(legend(is_shown=True))
            .tooltip(tooltip())
        )


@dataclass(frozen=True, kw_only=True)
class Curves(Panel):
    """Lines over the query's first column, which rises; each other column is a line."""

    unit: str
    colours: Mapping[str, str]

    def built(self) -> SdkBuilder:
        x, look = next(iter(self.query.looks.items()))
        panel = self.described(trend.Panel())
        panel = panel.override_by_name(x, shown_as(look))
        for line, colour in self.colours.items():
            panel = panel.override_by_name(line, [fixed_colour(colour)])
        return (
            panel.unit(self.unit)
            .x_field(x)
            .min(0)
            .line_width(2)
            .span_nulls(True)  # the tool logs each direction at its own times
            .fill_opacity(0)
            .legend(legend(is_shown=True))
            .tooltip(tooltip())
        )


@dataclass(frozen=True)
class Nights(Panel):
    """Bars for each column over `time`, the first column."""

    def _sql(self) -> str:
        return (
            f"with shown as ({self.query.sql}) from shown union all by name "
            "select min(time) - interval 1 day as time from shown having count(*) > 0 order by time"
        )

    def built(self) -> SdkBuilder:
        panel = self.described(timeseries.Panel())
        for name, look in self.query.looks.items():
            if name != "time":
                colour = fixed_colour(NIGHT_COLOURS[name])
                panel = panel.override_by_name(name, [*shown_as(look), colour])
        return (
            panel.draw_style(common.GraphDrawStyle.BARS)
            .axis_width(60)  # room for half of the first date
            .fill_opacity(80)
            .min(0)
            .legend(legend(is_shown=True))
            .tooltip(tooltip())
        )


def legend(*, is_shown: bool) -> VizLegendOptions:
    return (
        VizLegendOptions()
        .show_legend(is_shown)
        .display_mode(common.LegendDisplayMode.LIST)
        .placement(common.LegendPlacement.BOTTOM)
        .calcs([])
    )


def tooltip() -> VizTooltipOptions:
    return VizTooltipOptions().mode(common.TooltipDisplayMode.MULTI).sort(common.SortOrder.NONE)
