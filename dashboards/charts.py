"""The panels of lines: points of one over another, curves, nights."""

from collections.abc import Mapping
from typing import NamedTuple

from grafana_foundation_sdk.builders import timeseries, trend, xychart
from grafana_foundation_sdk.builders.common import VizLegendOptions, VizTooltipOptions
from grafana_foundation_sdk.builders.dashboard import FieldColor
from grafana_foundation_sdk.models import common, dashboard
from grafana_foundation_sdk.models.xychart import SeriesMapping, XYShowMode

from dashboards.colours import KNEE
from dashboards.links import to_run
from dashboards.panels import Panel, common_parts, describe_column, or_reason, setting

KNEES = {
    "custom.show": "points",
    "custom.pointSize.fixed": 14,
    "custom.pointShape": "square",
    "color": {"mode": "fixed", "fixedColor": KNEE},
}
CEILINGS = {"custom.show": "lines", "custom.lineStyle": {"fill": "dash", "dash": [8, 6]}}


class Axis(NamedTuple):
    title: str
    unit: str
    is_logarithmic: bool

    def settings(self) -> dict[str, object]:
        scale = {"type": "log", "log": 10} if self.is_logarithmic else {"type": "linear"}
        return {"custom.scaleDistribution": scale, "custom.axisLabel": self.title}


def points(
    title: str,
    description: str,
    sql: str,
    *,
    x: Axis,
    y: Axis,
    empty: str,
    looks: Mapping[str, Mapping[str, object]] | None = None,
    leads_to_run: bool = False,
) -> Panel:
    """y over x, a line for each `curve`; `looks` of some of them, by /pattern/."""
    panel = common_parts(xychart.Panel(), title, description, or_reason(sql, "curve", empty), empty)
    parts = {"fields": ["curve"], "naming": {"asLabels": True}, "keepFields": False}
    split = dashboard.DataTransformerConfig(id_val="partitionByValues", options=parts)
    panel = panel.with_transformation(split)
    links = {"links": [to_run()]} if leads_to_run else {}
    named = {"displayName": "${__field.labels.curve}"}
    panel = panel.override_by_name("y", _settings(named))
    for pattern, look in {"/./": {**y.settings(), **links}, **(looks or {})}.items():
        panel = panel.override_by_regexp(pattern, _settings(look))
    x_look = {"unit": x.unit, "displayName": x.title, **x.settings()}
    if x.unit == "percentunit":
        x_look["max"] = 1
    return (
        panel.unit(y.unit)
        .override_by_name("x", _settings(x_look))
        .mapping(SeriesMapping.AUTO)
        .show(XYShowMode.POINTS_AND_LINES)
        .line_width(2)
        .color_scheme(FieldColor().mode(dashboard.FieldColorModeId.PALETTE_CLASSIC))
        .legend(legend(is_shown=True))
        .tooltip(tooltip())
    )


def _settings(look: Mapping[str, object]) -> list[dashboard.DynamicConfigValue]:
    return [setting(name, value) for name, value in look.items()]


def curves(
    title: str,
    description: str,
    sql: str,
    *,
    x: str,
    unit: str,
    empty: str,
    colours: Mapping[str, str],
) -> Panel:
    """Lines over a number that only rises; every other column is a line."""
    panel = common_parts(trend.Panel(), title, description, sql, empty)
    panel = describe_column(panel, x)
    for name, colour in colours.items():
        fixed = setting("color", {"mode": "fixed", "fixedColor": colour})
        panel = panel.override_by_name(name, [fixed])
    return (
        panel.unit(unit)
        .x_field(x)
        .min(0)
        .line_width(2)
        .span_nulls(True)  # the tool logs each direction at moments of its own
        .fill_opacity(0)
        .legend(legend(is_shown=True))
        .tooltip(tooltip())
    )


def over_time(
    title: str, description: str, sql: str, *, empty: str, colours: Mapping[str, str]
) -> Panel:
    """A line or bars for each column over the nights."""
    panel = common_parts(timeseries.Panel(), title, description, sql, empty)
    for name, colour in colours.items():
        fixed = setting("color", {"mode": "fixed", "fixedColor": colour})
        panel = describe_column(panel, name, fixed)
    return (
        panel.draw_style(common.GraphDrawStyle.BARS)
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
