"""The panels that are looked at: bars, points, curves, nights."""

from collections.abc import Mapping, Sequence

from grafana_foundation_sdk.builders import barchart, timeseries, trend, xychart
from grafana_foundation_sdk.builders.common import (
    VizLegendOptions,
    VizTextDisplayOptions,
    VizTooltipOptions,
)
from grafana_foundation_sdk.builders.dashboard import FieldColor
from grafana_foundation_sdk.models import common, dashboard
from grafana_foundation_sdk.models.xychart import SeriesMapping, XYShowMode

from dashboards.colours import GREY, KNEE, PLAIN
from dashboards.links import to_run
from dashboards.panels import (
    GREY_OTHERWISE,
    Panel,
    coloured_values,
    common_parts,
    describe_column,
    names_of,
    or_reason,
    setting,
)

_VALUE_PIXELS = 11


def bars(
    title: str,
    description: str,
    *,
    label: str,
    values: Sequence[str],
    source: str,
    empty: str,
    hidden: Sequence[str] = (),
    colours: Mapping[str, str] | None = None,
    colour_by: tuple[str, Mapping[str, str]] | None = None,
    leads_to_run: bool = True,
    unit: str | None = None,
) -> Panel:
    """Horizontal bars, one group a label: `colours` by value column, or `colour_by` another column.

    `hidden` columns are for links only. One of them is measurement_id where bars lead to a run.
    """
    extra = [*hidden, *([colour_by[0]] if colour_by else [])]
    sql = f"select {', '.join([label, *values, *extra])} {source}"
    panel = common_parts(barchart.Panel(), title, description, sql, empty)
    for name in names_of(values):
        more = [setting("links", [to_run()])] if leads_to_run else []
        if unit:
            more.append(setting("unit", unit))
        colour = colours.get(name, GREY) if colours else PLAIN
        more.append(setting("color", {"mode": "fixed", "fixedColor": colour}))
        panel = describe_column(panel, name, *more)
    unseen = setting("custom.hideFrom", {"viz": True, "legend": True, "tooltip": False})
    for name in names_of(hidden):
        panel = describe_column(panel, name, unseen)
    if colour_by:
        (named,) = names_of([colour_by[0]])
        panel = describe_column(panel, named, coloured_values(colour_by[1]), GREY_OTHERWISE, unseen)
        panel = panel.color_by_field(named)
    return (
        panel.orientation(common.VizOrientation.HORIZONTAL)
        .x_field(label.split(" as ")[-1])
        .show_value(common.VisibilityMode.ALWAYS)
        .text(VizTextDisplayOptions().value_size(_VALUE_PIXELS))
        .bar_width(0.8)
        .group_width(0.8)
        .fill_opacity(85)
        .min(0)
        .legend(_legend(is_shown=len(values) > 1))
        .tooltip(_tooltip())
    )


KNEES = {
    "custom.show": "points",
    "custom.pointSize.fixed": 14,
    "custom.pointShape": "square",
    "color": {"mode": "fixed", "fixedColor": KNEE},
}
_LOGARITHMIC = {"type": "log", "log": 10}
_LINEAR = {"type": "linear"}
CEILINGS = {"custom.show": "lines", "custom.lineStyle": {"fill": "dash", "dash": [8, 6]}}


def points(
    title: str,
    description: str,
    sql: str,
    *,
    x_unit: str,
    y_unit: str,
    x_title: str,
    y_title: str,
    empty: str,
    is_x_logarithmic: bool = False,
    is_y_logarithmic: bool = True,
    looks: Mapping[str, Mapping[str, object]] | None = None,
    leads_to_run: bool = False,
) -> Panel:
    """y over x, a line for each `curve`; `looks` of some of them, by /pattern/."""
    sql = or_reason(sql, "curve", empty)
    panel = common_parts(xychart.Panel(), title, description, sql, empty)
    parts = {"fields": ["curve"], "naming": {"asLabels": True}, "keepFields": False}
    split = dashboard.DataTransformerConfig(id_val="partitionByValues", options=parts)
    panel = panel.with_transformation(split)
    y_axis: dict[str, object] = {"links": [to_run()]} if leads_to_run else {}
    y_axis |= {"custom.scaleDistribution": _LOGARITHMIC if is_y_logarithmic else _LINEAR}
    for pattern, look in {"/./": y_axis, **(looks or {})}.items():
        panel = panel.override_by_regexp(
            pattern, [setting(name, value) for name, value in look.items()]
        )
    x_axis = {
        "unit": x_unit,
        "displayName": x_title,
        "custom.axisLabel": x_title,
        "custom.scaleDistribution": _LOGARITHMIC if is_x_logarithmic else _LINEAR,
    } | ({"max": 1} if x_unit == "percentunit" else {})
    return (
        panel.unit(y_unit)
        .axis_label(y_title)
        .override_by_name("x", [setting(name, value) for name, value in x_axis.items()])
        .mapping(SeriesMapping.AUTO)
        .show(XYShowMode.POINTS_AND_LINES)
        .line_width(2)
        .color_scheme(FieldColor().mode(dashboard.FieldColorModeId.PALETTE_CLASSIC))
        .legend(_legend(is_shown=True))
        .tooltip(_tooltip())
    )


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
        .fill_opacity(0)
        .legend(_legend(is_shown=True))
        .tooltip(_tooltip())
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
        .legend(_legend(is_shown=True))
        .tooltip(_tooltip())
    )


def _legend(*, is_shown: bool) -> VizLegendOptions:
    return (
        VizLegendOptions()
        .show_legend(is_shown)
        .display_mode(common.LegendDisplayMode.LIST)
        .placement(common.LegendPlacement.BOTTOM)
        .calcs([])
    )


def _tooltip() -> VizTooltipOptions:
    return VizTooltipOptions().mode(common.TooltipDisplayMode.MULTI).sort(common.SortOrder.NONE)
