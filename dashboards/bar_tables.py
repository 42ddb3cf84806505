"""Tables with bars in their cells, and grids of texts with a shaded background."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from grafana_foundation_sdk.builders import table
from grafana_foundation_sdk.models import common, units

from dashboards.columns import Look
from dashboards.marts import Column
from dashboards.panels import (
    Panel,
    SdkBuilder,
    Settings,
    describe,
    fixed_colour,
    setting,
    shaded_texts,
)
from dashboards.tables import Table

_CELL_PIXELS = 90
_PADDING_PIXELS = 13


@dataclass(frozen=True, kw_only=True)
class BarTable(Table):
    """A table that draws the columns `bars` as bars in a colour each.

    A bar ends at the greatest value of its column, of all columns with `has_one_scale`, or at 1 for
    shares. A column that ends in `_bar` shows no number. `patterns` colour matching texts.
    """

    bars: Mapping[str, str] = field(default_factory=dict)
    patterns: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    has_one_scale: bool = False

    def _cells(self, name: str, look: Look, *, is_first: bool) -> Settings:
        if colour := self.bars.get(name):
            return _bar(name, look, colour, has_one_scale=self.has_one_scale)
        cells = super()._cells(name, look, is_first=is_first)
        if patterns := self.patterns.get(name):
            cells.append(setting("custom.cellOptions", {"type": "color-text"}))
            cells += [shaded_texts(patterns), fixed_colour("text")]
        return cells


def bar_of(column: str, width: int) -> Column:
    """A column of bars without numbers."""
    share = f"{column} / max({column}) over (order by {column} desc)"
    return Column(share, f"{column}_bar", Look(" ", unit=units.PercentUnit, width=width))


def _bar(name: str, look: Look, colour: str, *, has_one_scale: bool) -> Settings:
    is_bare = name.endswith("_bar")
    shown = "hidden" if is_bare else "text"
    gauge = {"type": "gauge", "mode": "basic", "valueDisplayMode": shown}
    if look.unit == units.PercentUnit:
        # Grafana 12 draws a bare bar as wide as its column, over what parts it from the next one
        greatest = 1 / (1 - _PADDING_PIXELS / look.width) if is_bare and look.width else 1
        scale = [setting("max", round(greatest, 3))]
    else:
        scale = [] if has_one_scale else [setting("fieldMinMax", True)]
    return [
        setting("noValue", "–"),
        setting("custom.cellOptions", gauge),
        setting("custom.wrapHeaderText", True),
        *([setting("custom.width", look.width)] if look.width else []),
        setting("min", 0),
        *scale,
        fixed_colour(colour),
    ]


@dataclass(frozen=True, kw_only=True)
class Shades(Panel):
    """A grid of texts, the background of each by the pattern that it matches."""

    patterns: Mapping[str, str]

    def built(self) -> SdkBuilder:
        row, look = next(iter(self.query.looks.items()))
        wrapped = [setting("custom.wrapText", True), setting("custom.wrapHeaderText", True)]
        shaded = [shaded_texts(self.patterns), fixed_colour("transparent"), setting("noValue", "")]
        plain = [
            setting("custom.cellOptions", {"type": "auto"}),
            setting("custom.width", look.width),
            setting("mappings", []),
        ]
        background = common.TableColoredBackgroundCellOptions(
            mode=common.TableCellBackgroundDisplayMode.BASIC
        )
        panel = (
            self.described(table.Panel(), reason_in=row)
            .cell_options(background)
            .min_width(_CELL_PIXELS)
            .override_by_regexp("/./", [*wrapped, *shaded])
        )
        return describe(panel, row, look, *plain)
