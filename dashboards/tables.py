"""Tables: with bars and colours in some columns, with a small line a row, with shaded cells."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from grafana_foundation_sdk.builders import table
from grafana_foundation_sdk.builders.dashboard import FieldColor
from grafana_foundation_sdk.models import common, dashboard, units

from dashboards import links
from dashboards.colours import MEASURED
from dashboards.columns import IOPS, Look
from dashboards.marts import Column
from dashboards.panels import (
    GREY_OTHERWISE,
    TIME_SERIES,
    Panel,
    SdkBuilder,
    Settings,
    by_pattern,
    by_value,
    fixed_colour,
    setting,
    shown_as,
)

_COLUMN_PIXELS = 90
# The first column may hold the reason why there are no rows.
_FIRST_PIXELS = 140
_PADDING_PIXELS = 13
_YES_OR_NO = ("is_", "needs_", "has_")
_NAMES = {"type": "color-text"}
_TREND = "Trend #A"
_TREND_PIXELS = 300
_SHADED = common.TableColoredBackgroundCellOptions(mode=common.TableCellBackgroundDisplayMode.BASIC)
_PLAIN = setting("custom.cellOptions", {"type": "auto"})


@dataclass(frozen=True, kw_only=True)
class Table(Panel):
    """A table; `coloured` columns have a colour for each name, `patterns` colour matching texts.

    The columns `bars` are drawn as bars in a colour each. A bar ends at the greatest value of its
    column, or at 1 for shares. A column that ends in `_bar` shows no number.
    """

    coloured: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    patterns: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    bars: Mapping[str, str] = field(default_factory=dict)

    def built(self) -> SdkBuilder:
        looks = self.query.looks
        first = next(iter(looks))
        panel = self.described(table.Panel(), reason_in=first)
        for name, look in looks.items():
            cells = self._cells(name, look, is_first=name == first)
            panel = panel.override_by_name(name, [*shown_as(look), *cells])
        # Grafana measures one cell of a row; this height has room for a second line in other cells.
        return panel.cell_height(common.TableCellHeight.MD).min_width(_COLUMN_PIXELS)

    def _cells(self, name: str, look: Look, *, is_first: bool) -> Settings:
        if colour := self.bars.get(name):
            return _bar(name, look, colour)
        cells = _cell_of(name, look, self.coloured.get(name), is_first=is_first)
        if patterns := self.patterns.get(name):
            cells.append(setting("custom.cellOptions", _NAMES))
            cells += [by_pattern("color", patterns), fixed_colour("text")]
        return cells


def _cell_of(
    name: str, look: Look, colours: Mapping[str, str] | None = None, *, is_first: bool = False
) -> Settings:
    """The looks of a table's cells."""
    link, text = links.of_column(name)
    cells = [
        # the link of an empty cell would lead to something else
        setting("noValue", "" if link else "–"),
        setting("custom.cellOptions", {"type": "auto"} if colours is None else _NAMES),
        setting("custom.wrapText", is_first or look.wraps),
        setting("custom.wrapHeaderText", True),
        setting("custom.filterable", look.wraps),
    ]
    if colours is not None:
        cells += [by_value("color", colours), GREY_OTHERWISE]
    elif name.startswith(_YES_OR_NO):
        cells.append(by_value("text", {"true": "yes", "false": "no"}))
    if link:
        cells.append(setting("links", [link]))
    if text:
        # a word instead of an id; the link keeps the id
        cells.append(by_pattern("text", {".+": text}))
    if look.width:
        pixels = max(look.width, _FIRST_PIXELS) if is_first else look.width
        cells.append(setting("custom.minWidth" if look.grows else "custom.width", pixels))
    return cells


def bar_of(column: str, width: int) -> Column:
    """A column of bars without numbers."""
    share = f"{column} / max({column}) over (order by {column} desc)"
    return Column(share, f"{column}_bar", Look(" ", unit=units.PercentUnit, width=width))


def _bar(name: str, look: Look, colour: str) -> Settings:
    is_bare = name.endswith("_bar")
    shown = "hidden" if is_bare else "text"
    scale = setting("fieldMinMax", True)
    if look.unit == units.PercentUnit:
        # Grafana 12 draws a bare bar as wide as its column, over the gap to the next column
        greatest = 1 / (1 - _PADDING_PIXELS / look.width) if is_bare and look.width else 1
        scale = setting("max", round(greatest, 3))
    return [
        setting("noValue", "–"),
        setting(
            "custom.cellOptions", {"type": "gauge", "mode": "basic", "valueDisplayMode": shown}
        ),
        setting("custom.wrapHeaderText", True),
        *([setting("custom.width", look.width)] if look.width else []),
        setting("min", 0),
        scale,
        fixed_colour(colour),
    ]


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
                panel = panel.override_by_name(name, [*shown_as(look), *_cell_of(name, look)])
        line = {"type": "sparkline", "hideValue": True, "spanNulls": True, "lineWidth": 2}
        trend = [
            setting("displayName", self.trend_heading),
            setting("custom.cellOptions", line),
            setting("custom.width", _TREND_PIXELS),
            fixed_colour(MEASURED),
        ]
        return panel.override_by_name(_TREND, trend).cell_height(common.TableCellHeight.MD)


@dataclass(frozen=True)
class Grid(Panel):
    """IOPS by rows, the first column, and columns, shaded from the lowest to the highest."""

    def built(self) -> SdkBuilder:
        row, look = next(iter(self.query.looks.items()))
        heading = [setting("unit", units.String), setting("displayName", look.heading)]
        return (
            self.described(table.Panel(), reason_in=row)
            .unit(IOPS)
            .color_scheme(FieldColor().mode(dashboard.FieldColorModeId.CONTINUOUS_BL_PU))
            .cell_options(_SHADED)
            .min_width(_COLUMN_PIXELS)
            .override_by_name(row, [_PLAIN, *heading])
        )


@dataclass(frozen=True, kw_only=True)
class Shades(Panel):
    """Texts, each with the background colour of the pattern that it matches."""

    patterns: Mapping[str, str]

    def built(self) -> SdkBuilder:
        row, look = next(iter(self.query.looks.items()))
        wrapped = [setting("custom.wrapText", True), setting("custom.wrapHeaderText", True)]
        shaded = [by_pattern("color", self.patterns), fixed_colour("transparent")]
        plain = [_PLAIN, setting("custom.width", look.width), setting("mappings", [])]
        return (
            self.described(table.Panel(), reason_in=row)
            .cell_options(_SHADED)
            .min_width(_COLUMN_PIXELS)
            .override_by_regexp("/./", [*wrapped, *shaded, setting("noValue", "")])
            .override_by_name(row, [*shown_as(look), *plain])
        )
