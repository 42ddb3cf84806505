"""What every panel has, and the panels that are read: cards, tables and grids.

A panel is a SELECT on `marts`, or on `quality` for the checks: it neither joins nor converts. Units
and headings follow from the names of its columns.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from grafana_foundation_sdk.builders import stat, table, text
from grafana_foundation_sdk.builders.common import ReduceDataOptions, VizTextDisplayOptions
from grafana_foundation_sdk.builders.dashboard import FieldColor
from grafana_foundation_sdk.models import common, dashboard
from grafana_foundation_sdk.models.text import TextMode

from dashboards import columns, links
from dashboards.colours import GREY
from dashboards.sources import Query, datasource_of

_COLUMN_PIXELS = 90
Panel = Any
"""The SDK's panel builders have no type in common that can be chained."""


def common_parts(panel: Panel, title: str, description: str, sql: str, empty: str) -> Panel:
    datasource = datasource_of(sql)
    return (
        panel.with_target(Query(sql, datasource))
        .title(title)
        .description(description)
        .datasource(datasource)
        .links(links.source_of_panel(sql))
        .no_value(empty)
        .unit("none")
    )


def setting(name: str, value: object) -> dashboard.DynamicConfigValue:
    return dashboard.DynamicConfigValue(id_val=name, value=value)


def describe_column(panel: Panel, column: str, *more: dashboard.DynamicConfigValue) -> Panel:
    known = [
        setting("displayName", columns.heading(column)),
        setting("unit", columns.unit(column)),
    ]
    if decimals := columns.decimals(column):
        known.append(setting("decimals", decimals))
    return panel.override_by_name(column, [*known, *more])


def names_of(selected: Sequence[str]) -> list[str]:
    """The columns of a result; where a variable names one, all that it can be."""
    names = [column.split(" as ")[-1].strip('"') for column in selected]
    return ["iops", "bytes_per_second"] if names == ["${metric:raw}"] else names


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def or_reason(sql: str, column: str, empty: str) -> str:
    """The query; of no rows one, with the reason in this column. Grafana would show nothing."""
    return (
        f"with shown as ({sql}) from shown union all by name "
        f"select {_quoted(empty)} as {column} where not exists (from shown)"
    )


def coloured_values(values: Mapping[str, str]) -> dashboard.DynamicConfigValue:
    """A column of names, each in its colour."""
    options = {
        name: {"color": colour, "index": index}
        for index, (name, colour) in enumerate(values.items())
    }
    return setting("mappings", [{"type": "value", "options": options}])


GREY_OTHERWISE = setting("color", {"mode": "fixed", "fixedColor": GREY})


def question(words: str) -> Panel:
    """The question that a board answers, at its top."""
    return text.Panel().mode(TextMode.MARKDOWN).content(words).transparent(True)


def card(title: str, description: str, shown: Sequence[str], source: str, *, empty: str) -> Panel:
    """One row, each of its columns a value with its name."""
    sql = f"select {', '.join(shown)} {source}"
    panel = common_parts(stat.Panel(), title, description, sql, empty)
    for name in names_of(shown):
        panel = describe_column(panel, name)
    return (
        panel.graph_mode(common.BigValueGraphMode.NONE)
        .color_mode(common.BigValueColorMode.NONE)
        .text_mode(common.BigValueTextMode.VALUE_AND_NAME)
        .text(VizTextDisplayOptions().title_size(12).value_size(16))
        .justify_mode(common.BigValueJustifyMode.AUTO)
        .wide_layout(False)
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
    names = names_of(shown)
    sql = or_reason(f"select {', '.join(shown)} {source}", names[0], empty)
    panel = common_parts(table.Panel(), title, description, sql, empty)
    for column in names:
        settings = _cells(column, (coloured or {}).get(column), is_first=column == names[0])
        panel = describe_column(panel, column, *settings)
    return panel.cell_height(common.TableCellHeight.SM).min_width(_COLUMN_PIXELS)


def _cells(
    column: str, colours: Mapping[str, str] | None, *, is_first: bool
) -> list[dashboard.DynamicConfigValue]:
    is_wrapped = is_first or columns.is_wrapped(column)
    cell = {"type": "color-text" if colours else "auto", "wrapText": is_wrapped}
    cells = [
        setting("noValue", "–"),
        setting("custom.cellOptions", cell),
        setting("custom.wrapHeaderText", True),
        setting("custom.filterable", columns.is_wrapped(column)),
    ]
    if colours:
        cells += [coloured_values(colours), GREY_OTHERWISE]
    if link := links.of_column(column):
        cells.append(setting("links", [link]))
    if pixels := columns.width(column, is_first=is_first):
        name = "custom.minWidth" if columns.grows(column) else "custom.width"
        cells.append(setting(name, pixels))
    return cells


def grid(title: str, description: str, sql: str, *, row: str, unit: str, empty: str) -> Panel:
    """A table of one value by row and column, coloured by it."""
    sql = or_reason(sql, row, empty)
    panel = common_parts(table.Panel(), title, description, sql, empty).unit(unit)
    panel = panel.color_scheme(FieldColor().mode(dashboard.FieldColorModeId.CONTINUOUS_BL_PU))
    panel = panel.cell_options(
        common.TableColoredBackgroundCellOptions(mode=common.TableCellBackgroundDisplayMode.BASIC)
    )
    panel = panel.min_width(60)
    plain = [setting("custom.cellOptions", {"type": "auto"}), setting("unit", "none")]
    return panel.override_by_name(row, [*plain, setting("displayName", columns.heading(row))])
