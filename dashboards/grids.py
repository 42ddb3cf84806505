"""Grids: a row for each value of the first column, with shaded cells."""

from collections.abc import Mapping
from dataclasses import dataclass

from grafana_foundation_sdk.builders import table
from grafana_foundation_sdk.builders.dashboard import FieldColor
from grafana_foundation_sdk.models import common, dashboard, units

from dashboards.columns import IOPS
from dashboards.panels import Panel, SdkBuilder, by_pattern, fixed_colour, setting, shown_as

_CELL_PIXELS = 90
_SHADED = common.TableColoredBackgroundCellOptions(mode=common.TableCellBackgroundDisplayMode.BASIC)
_PLAIN = setting("custom.cellOptions", {"type": "auto"})


@dataclass(frozen=True)
class Grid(Panel):
    """IOPS, shaded from the lowest to the highest."""

    def built(self) -> SdkBuilder:
        row, look = next(iter(self.query.looks.items()))
        heading = [setting("unit", units.String), setting("displayName", look.heading)]
        return (
            self.described(table.Panel(), reason_in=row)
            .unit(IOPS)
            .color_scheme(FieldColor().mode(dashboard.FieldColorModeId.CONTINUOUS_BL_PU))
            .cell_options(_SHADED)
            .min_width(_CELL_PIXELS)
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
            .min_width(_CELL_PIXELS)
            .override_by_regexp("/./", [*wrapped, *shaded, setting("noValue", "")])
            .override_by_name(row, [*shown_as(look), *plain])
        )
