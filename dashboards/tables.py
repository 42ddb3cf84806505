"""The panels of rows: tables, and grids of one value."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from grafana_foundation_sdk.builders import table
from grafana_foundation_sdk.builders.dashboard import FieldColor
from grafana_foundation_sdk.models import common, dashboard, units

from dashboards import links
from dashboards.columns import Look
from dashboards.panels import (
    GREY_OTHERWISE,
    Panel,
    SdkBuilder,
    Settings,
    coloured_values,
    describe,
    fixed_colour,
    setting,
    shaded_texts,
)

_COLUMN_PIXELS = 90
# The first column says why there are no rows.
_FIRST_PIXELS = 140
_GRID_PIXELS = 60
_OPEN = {"type": "regex", "options": {"pattern": "/.+/", "result": {"text": "open", "index": 0}}}


@dataclass(frozen=True, kw_only=True)
class Table(Panel):
    """A measurement_id leads to its run; `coloured` columns have a colour a name.

    `bars` are columns of numbers, each drawn as a bar of its colour from 0 to the greatest of the
    column, of shares to 1; a column that ends in `_value` without its number. `patterns` colour the
    texts of a column that match. `opens` is a column of ids that shows as the word "open".
    """

    coloured: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    bars: Mapping[str, str] = field(default_factory=dict)
    patterns: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    opens: str = ""

    def built(self) -> SdkBuilder:
        looks = self.query.looks
        first = next(iter(looks))
        panel = self.described(table.Panel(), reason_in=first)
        for name, look in looks.items():
            panel = describe(panel, name, look, *self._cells(name, look, is_first=name == first))
        return panel.cell_height(common.TableCellHeight.SM).min_width(_COLUMN_PIXELS)

    def _cells(self, name: str, look: Look, *, is_first: bool) -> Settings:
        if colour := self.bars.get(name):
            return _bar(name, look, colour)
        colours = self.coloured.get(name)
        patterns = self.patterns.get(name)
        cell = {"type": "color-text" if colours or patterns else "auto"}
        cells = [
            setting("noValue", "–"),
            setting("custom.cellOptions", cell),
            setting("custom.wrapText", is_first or look.wraps),
            setting("custom.wrapHeaderText", True),
            setting("custom.filterable", look.wraps),
        ]
        if patterns:
            cells += [shaded_texts(patterns), fixed_colour("text")]
        if name == self.opens:
            cells.append(setting("mappings", [_OPEN]))
        if colours:
            cells += [coloured_values(colours), GREY_OTHERWISE]
        if link := links.of_column(name):
            cells.append(setting("links", [link]))
        if look.width:
            pixels = max(look.width, _FIRST_PIXELS) if is_first else look.width
            cells.append(setting("custom.minWidth" if look.grows else "custom.width", pixels))
        return cells


def _bar(name: str, look: Look, colour: str) -> Settings:
    shown = "hidden" if name.endswith("_value") else "text"
    is_share = look.unit == units.PercentUnit
    settings = [
        setting("noValue", "–"),
        setting(
            "custom.cellOptions", {"type": "gauge", "mode": "basic", "valueDisplayMode": shown}
        ),
        setting("custom.wrapHeaderText", True),
        setting("custom.width", look.width),
        setting("min", 0),
        fixed_colour(colour),
    ]
    return [*settings, setting("max", 1) if is_share else setting("fieldMinMax", True)]


@dataclass(frozen=True, kw_only=True)
class Shades(Panel):
    """One text by row, the first column, and column, its background by the pattern it matches."""

    patterns: Mapping[str, str]
    column_pixels: int = 90

    def built(self) -> SdkBuilder:
        row, look = next(iter(self.query.looks.items()))
        plain = [
            setting("custom.cellOptions", {"type": "auto"}),
            setting("custom.wrapText", True),
            setting("custom.minWidth", look.width or _FIRST_PIXELS),
            setting("mappings", []),
            setting("displayName", look.heading),
        ]
        background = common.TableColoredBackgroundCellOptions(
            mode=common.TableCellBackgroundDisplayMode.BASIC
        )
        shaded = [
            shaded_texts(self.patterns),
            fixed_colour("transparent"),
            setting("custom.wrapText", True),
            setting("custom.wrapHeaderText", True),
        ]
        return (
            self.described(table.Panel(), reason_in=row)
            .cell_options(background)
            .min_width(self.column_pixels)
            .override_by_regexp("/./", [*shaded, setting("noValue", "")])
            .override_by_name(row, plain)
        )


@dataclass(frozen=True)
class Grid(Panel):
    """One value by row, the first column, and column, coloured by it."""

    def built(self) -> SdkBuilder:
        row, look = next(iter(self.query.looks.items()))
        plain = [setting("custom.cellOptions", {"type": "auto"}), setting("unit", units.NoUnit)]
        heading = setting("displayName", look.heading)
        background = common.TableColoredBackgroundCellOptions(
            mode=common.TableCellBackgroundDisplayMode.BASIC
        )
        return (
            self.described(table.Panel(), reason_in=row)
            .unit(units.Short)
            .color_scheme(FieldColor().mode(dashboard.FieldColorModeId.CONTINUOUS_BL_PU))
            .cell_options(background)
            .min_width(_GRID_PIXELS)
            .override_by_name(row, [*plain, heading])
        )
