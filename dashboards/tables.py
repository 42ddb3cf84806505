"""Tables, and grids of one value."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from grafana_foundation_sdk.builders import table
from grafana_foundation_sdk.builders.dashboard import FieldColor
from grafana_foundation_sdk.models import common, dashboard, units

from dashboards import links
from dashboards.columns import IOPS, Look
from dashboards.panels import (
    GREY_OTHERWISE,
    Panel,
    SdkBuilder,
    Settings,
    coloured_values,
    describe,
    setting,
)

_COLUMN_PIXELS = 90
# The first column may hold the reason why there are no rows.
_FIRST_PIXELS = 140
_GRID_PIXELS = 90
_YES_OR_NO = ("is_", "needs_", "has_")


@dataclass(frozen=True, kw_only=True)
class Table(Panel):
    """A table; `coloured` columns have a colour for each name."""

    coloured: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def built(self) -> SdkBuilder:
        looks = self.query.looks
        first = next(iter(looks))
        panel = self.described(table.Panel(), reason_in=first)
        for name, look in looks.items():
            panel = describe(panel, name, look, *self._cells(name, look, is_first=name == first))
        # Of a row Grafana measures one cell: this height has room for a second line of another.
        return panel.cell_height(common.TableCellHeight.MD).min_width(_COLUMN_PIXELS)

    def _cells(self, name: str, look: Look, *, is_first: bool) -> Settings:
        return cell_of(name, look, self.coloured.get(name), is_first=is_first)


def cell_of(
    name: str, look: Look, colours: Mapping[str, str] | None = None, *, is_first: bool = False
) -> Settings:
    """The looks of a table's cells."""
    cell = {"type": "auto" if colours is None else "color-text"}
    link, text = links.of_column(name)
    cells = [
        # a link without a value would lead to something else
        setting("noValue", "" if link else "–"),
        setting("custom.cellOptions", cell),
        setting("custom.wrapText", is_first or look.wraps),
        setting("custom.wrapHeaderText", True),
        setting("custom.filterable", look.wraps),
    ]
    if colours is not None:
        cells += [coloured_values(colours), GREY_OTHERWISE]
    elif name.startswith(_YES_OR_NO):
        cells.append(_words({"true": "yes", "false": "no"}))
    if link:
        cells.append(setting("links", [link]))
    if text:
        cells.append(_any_as(text))
    if look.width:
        pixels = max(look.width, _FIRST_PIXELS) if is_first else look.width
        cells.append(setting("custom.minWidth" if look.grows else "custom.width", pixels))
    return cells


def _words(words: Mapping[str, str]) -> dashboard.DynamicConfigValue:
    options = {
        value: {"text": text, "index": index} for index, (value, text) in enumerate(words.items())
    }
    return setting("mappings", [{"type": "value", "options": options}])


def _any_as(words: str) -> dashboard.DynamicConfigValue:
    """Show a word instead of an id; the link keeps the id."""
    options = {"pattern": "/.+/", "result": {"text": words, "index": 0}}
    return setting("mappings", [{"type": "regex", "options": options}])


@dataclass(frozen=True)
class Grid(Panel):
    """One value by row, the first column, and column, coloured by it."""

    def built(self) -> SdkBuilder:
        row, look = next(iter(self.query.looks.items()))
        plain = [setting("custom.cellOptions", {"type": "auto"}), setting("unit", units.String)]
        heading = setting("displayName", look.heading)
        background = common.TableColoredBackgroundCellOptions(
            mode=common.TableCellBackgroundDisplayMode.BASIC
        )
        return (
            self.described(table.Panel(), reason_in=row)
            .unit(IOPS)
            .color_scheme(FieldColor().mode(dashboard.FieldColorModeId.CONTINUOUS_BL_PU))
            .cell_options(background)
            .min_width(_GRID_PIXELS)
            .override_by_name(row, [*plain, heading])
        )
