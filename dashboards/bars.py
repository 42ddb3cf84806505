"""The panel of bars."""

from collections.abc import Mapping, Sequence

from grafana_foundation_sdk.builders import barchart
from grafana_foundation_sdk.builders.common import VizTextDisplayOptions
from grafana_foundation_sdk.models import common
from grafana_foundation_sdk.models.dashboard import DynamicConfigValue

from dashboards.charts import legend, tooltip
from dashboards.colours import GREY, PLAIN
from dashboards.links import to_run
from dashboards.panels import (
    GREY_OTHERWISE,
    Panel,
    coloured_values,
    common_parts,
    describe_column,
    names_of,
    setting,
)

_VALUE_PIXELS = 11
_UNSEEN = setting("custom.hideFrom", {"viz": True, "legend": True, "tooltip": False})


def bars(
    title: str,
    description: str,
    *,
    label: str,
    values: Sequence[str],
    source: str,
    empty: str,
    run: str | None = None,
    link: Mapping[str, object] | None = None,
    colours: Mapping[str, str] | None = None,
    colour_by: tuple[str, Mapping[str, str]] | None = None,
    unit: str | None = None,
) -> Panel:
    """Horizontal bars, one group a label: `colours` by value column, or `colour_by` another column.

    A bar leads to the measurement whose id is in the column `run`, or to `link`.
    """
    unseen = [column for column in (run, colour_by and colour_by[0]) if column]
    sql = f"select {', '.join([label, *values, *unseen])} {source}"
    panel = common_parts(barchart.Panel(), title, description, sql, empty)
    for name in names_of(values):
        colour = colours.get(name, GREY) if colours else PLAIN
        panel = describe_column(panel, name, *_looks(colour, unit, to_run() if run else link))
    for name in names_of(unseen):
        panel = describe_column(panel, name, _UNSEEN)
    if colour_by:
        (named,) = names_of([colour_by[0]])
        panel = panel.override_by_name(named, [coloured_values(colour_by[1]), GREY_OTHERWISE])
        panel = panel.color_by_field(named)
    return _laid_out(panel, label).legend(legend(is_shown=len(values) > 1))


def _looks(
    colour: str, unit: str | None, link: Mapping[str, object] | None
) -> list[DynamicConfigValue]:
    looks = [setting("color", {"mode": "fixed", "fixedColor": colour})]
    if link:
        looks.append(setting("links", [link]))
    if unit:
        looks.append(setting("unit", unit))
    return looks


def _laid_out(panel: Panel, label: str) -> Panel:
    return (
        panel.orientation(common.VizOrientation.HORIZONTAL)
        .x_field(label.split(" as ")[-1])
        .show_value(common.VisibilityMode.ALWAYS)
        .text(VizTextDisplayOptions().value_size(_VALUE_PIXELS))
        .bar_width(0.8)
        .group_width(0.8)
        .fill_opacity(85)
        .min(0)
        .tooltip(tooltip())
    )
