"""The kinds of panels that boards are made of, each with what every panel has.

A panel is a SELECT on `marts`, or on `quality` for the checks: it neither joins nor converts. Units
and headings follow from the names of its columns.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from grafana_foundation_sdk.builders import (
    barchart,
    stat,
    table,
    text,
    timeseries,
    trend,
    xychart,
)
from grafana_foundation_sdk.builders.common import (
    ReduceDataOptions,
    VizLegendOptions,
    VizTextDisplayOptions,
    VizTooltipOptions,
)
from grafana_foundation_sdk.builders.dashboard import FieldColor
from grafana_foundation_sdk.cog.builder import Builder
from grafana_foundation_sdk.cog.variants import Dataquery
from grafana_foundation_sdk.models import common, dashboard
from grafana_foundation_sdk.models.text import TextMode
from grafana_foundation_sdk.models.xychart import SeriesMapping, XYShowMode

from dashboards import columns, links
from dashboards.colours import GREY, KNEE

_PLUGIN = "motherduck-duckdb-datasource"
WAREHOUSE = common.DataSourceRef(type_val=_PLUGIN, uid="headroom")
NIGHTS = common.DataSourceRef(type_val=_PLUGIN, uid="headroom-nights")
_TABLE_FORMAT = 1
Panel = Any
"""The SDK's panel builders have no type in common that can be chained."""


def datasource_of(sql: str) -> common.DataSourceRef:
    """The nights have a file of their own: it is published even when a night's numbers are not."""
    return NIGHTS if "from quality." in sql else WAREHOUSE


class _Query(Builder[Dataquery], Dataquery):
    """A target of the DuckDB data source, which the SDK does not know."""

    def __init__(self, sql: str, datasource: common.DataSourceRef) -> None:
        self._target = {
            "refId": "A",
            "datasource": datasource,
            "editorMode": "code",
            "rawQuery": True,
            "format": _TABLE_FORMAT,
            "rawSql": sql,
        }

    def build(self) -> Dataquery:
        return self

    def to_json(self) -> dict[str, object]:
        return self._target


def _common(panel: Panel, title: str, description: str, sql: str, empty: str) -> Panel:
    datasource = datasource_of(sql)
    source = links.DATA_QUALITY if datasource is NIGHTS else links.RUN
    return (
        panel.with_target(_Query(sql, datasource))
        .title(title)
        .description(description)
        .datasource(datasource)
        .links([links.source_of_panel(source)])
        .no_value(empty)
        .unit("none")
    )


def _property(name: str, value: object) -> dashboard.DynamicConfigValue:
    return dashboard.DynamicConfigValue(id_val=name, value=value)


def _describe_column(panel: Panel, column: str, *more: dashboard.DynamicConfigValue) -> Panel:
    known = [
        _property("displayName", columns.heading(column)),
        _property("unit", columns.unit(column)),
    ]
    return panel.override_by_name(column, [*known, *more])


def _names(selected: Sequence[str]) -> list[str]:
    """The columns of a result; where a variable names one, all that it can be."""
    names = [column.split(" as ")[-1].strip('"') for column in selected]
    return ["iops", "bytes_per_second"] if names == ["${metric:raw}"] else names


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _coloured(values: Mapping[str, str]) -> dashboard.DynamicConfigValue:
    """A column of names, each in its colour."""
    options = {
        name: {"color": colour, "index": index}
        for index, (name, colour) in enumerate(values.items())
    }
    return _property("mappings", [{"type": "value", "options": options}])


_GREY = _property("color", {"mode": "fixed", "fixedColor": GREY})


def question(words: str) -> Panel:
    """The question that a board answers, at its top."""
    return text.Panel().mode(TextMode.MARKDOWN).content(words).transparent(True)


def card(title: str, description: str, shown: Sequence[str], source: str, *, empty: str) -> Panel:
    """One row, each of its columns a value with its name."""
    sql = f"select {', '.join(shown)} {source}"
    panel = _common(stat.Panel(), title, description, sql, empty)
    for name in _names(shown):
        panel = _describe_column(panel, name)
    return (
        panel.graph_mode(common.BigValueGraphMode.NONE)
        .color_mode(common.BigValueColorMode.NONE)
        .text_mode(common.BigValueTextMode.VALUE_AND_NAME)
        .text(VizTextDisplayOptions().title_size(12).value_size(16))
        .justify_mode(common.BigValueJustifyMode.AUTO)
        .reduce_options(ReduceDataOptions().calcs(["lastNotNull"]).fields("/.*/"))
    )


def rows(
    title: str,
    description: str,
    shown: Sequence[str],
    source: str,
    *,
    empty: str,
    coloured: Mapping[str, Mapping[str, str]] | None = None,
) -> Panel:
    """A table. A measurement_id leads to its run; `coloured` columns have a colour a name."""
    names = _names(shown)
    # A table without rows shows nothing, so that the reason has to be a row.
    sql = (
        f"with shown as (select {', '.join(shown)} {source}) from shown union all by name "
        f"select {_quoted(empty)} as {names[0]} where not exists (from shown)"
    )
    panel = _common(table.Panel(), title, description, sql, empty)
    for column in names:
        more = [_property("noValue", "–")]
        cell = "auto"
        if column.endswith("measurement_id"):
            more.append(_property("links", [links.to_run("${__value.raw}")]))
        if coloured and column in coloured:
            more += [_coloured(coloured[column]), _GREY]
            cell = "color-text"
        if columns.width(column):
            more.append(_property("custom.width", columns.width(column)))
        options = {"type": cell, "wrapText": columns.is_prose(column)}
        more.append(_property("custom.cellOptions", options))
        panel = _describe_column(panel, column, *more)
    return panel.filterable(True).cell_height(common.TableCellHeight.SM)


def grid(title: str, description: str, sql: str, *, row: str, unit: str, empty: str) -> Panel:
    """A table of one value by row and column, coloured by it."""
    panel = _common(table.Panel(), title, description, sql, empty).unit(unit)
    panel = panel.color_scheme(FieldColor().mode(dashboard.FieldColorModeId.CONTINUOUS_BL_PU))
    panel = panel.cell_options(
        common.TableColoredBackgroundCellOptions(mode=common.TableCellBackgroundDisplayMode.BASIC)
    )
    panel = panel.min_width(60)
    plain = [_property("custom.cellOptions", {"type": "auto"}), _property("unit", "none")]
    return panel.override_by_name(row, [*plain, _property("displayName", columns.heading(row))])


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
    panel = _common(barchart.Panel(), title, description, sql, empty)
    for name in _names(values):
        more = [_property("links", [links.to_run()])] if leads_to_run else []
        if unit:
            more.append(_property("unit", unit))
        if colours:
            fixed = {"mode": "fixed", "fixedColor": colours.get(name, GREY)}
            more.append(_property("color", fixed))
        panel = _describe_column(panel, name, *more)
    unseen = _property("custom.hideFrom", {"viz": True, "legend": True, "tooltip": False})
    for name in _names(hidden):
        panel = _describe_column(panel, name, unseen)
    if colour_by:
        (named,) = _names([colour_by[0]])
        panel = _describe_column(panel, named, _coloured(colour_by[1]), _GREY, unseen)
        panel = panel.color_by_field(named)
    return (
        panel.orientation(common.VizOrientation.HORIZONTAL)
        .x_field(label.split(" as ")[-1])
        .show_value(common.VisibilityMode.ALWAYS)
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
) -> Panel:
    """y over x, a line for each `curve`; `looks` of some of them, by /pattern/."""
    panel = _common(xychart.Panel(), title, description, sql, empty)
    parts = {"fields": ["curve"], "naming": {"asLabels": True}, "keepFields": False}
    split = dashboard.DataTransformerConfig(id_val="partitionByValues", options=parts)
    panel = panel.with_transformation(split)
    y_axis = {"custom.scaleDistribution": _LOGARITHMIC if is_y_logarithmic else _LINEAR}
    for pattern, look in {"/./": y_axis, **(looks or {})}.items():
        panel = panel.override_by_regexp(
            pattern, [_property(name, value) for name, value in look.items()]
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
        .override_by_name("x", [_property(name, value) for name, value in x_axis.items()])
        .mapping(SeriesMapping.AUTO)
        .show(XYShowMode.POINTS_AND_LINES)
        .line_width(2)
        .color_scheme(FieldColor().mode(dashboard.FieldColorModeId.PALETTE_CLASSIC))
        .legend(_legend(is_shown=True))
        .tooltip(_tooltip())
    )


def curves(title: str, description: str, sql: str, *, x: str, unit: str, empty: str) -> Panel:
    """Lines over a number that only rises; every other column is a line."""
    panel = _common(trend.Panel(), title, description, sql, empty)
    panel = _describe_column(panel, x)
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
    panel = _common(timeseries.Panel(), title, description, sql, empty)
    for name, colour in colours.items():
        fixed = _property("color", {"mode": "fixed", "fixedColor": colour})
        panel = _describe_column(panel, name, fixed)
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
