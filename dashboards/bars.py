"""Bars: ranked or stacked, with a range and a mark."""

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass

from grafana_foundation_sdk.builders import barchart
from grafana_foundation_sdk.models import common

from dashboards.charts import legend, tooltip
from dashboards.colours import GREY
from dashboards.columns import look_of
from dashboards.links import to_run
from dashboards.marts import Variable
from dashboards.panels import Panel, SdkBuilder, Settings, fixed_colour, setting, shown_as

# Grafana cuts labels wider than two fifths of a panel, and measures them a little too short. A long
# label loses its middle, because its value is at the end.
_LABEL = (
    "chr(8195) || if(length(scaled.label) > 61, "
    "left(scaled.label, 36) || '…' || right(scaled.label, 24), scaled.label)"
)
# Labels have the values; Grafana cuts the last number of an axis.
_NEVER = common.VisibilityMode.NEVER
_NO_AXIS = setting("custom.axisPlacement", "hidden")
_LEAST_ROWS = 6
_TICK_RATIO = 0.006
"""The width of a mark, as a share of the longest bar."""
_MAY_MISS = ("low", "high", "mark")
_PLACES = ("label", "series", "value", *_MAY_MISS, "measurement_id")
# The parts of a bar from left to right; a series has one before its mark and one beyond it.
_SOLID = "coalesce(low, value, 0)"
_END = f"greatest(high, value, {_SOLID})"
_MARK = "coalesce(mark - tick / 2, 'infinity')"
_BEYOND = "coalesce(mark + tick / 2, 'infinity')"


@dataclass(frozen=True)
class _Part:
    name: str
    length: str
    colour: str
    condition: str = "true"
    in_legend: bool = True


@dataclass(frozen=True, kw_only=True)
class Bars(Panel):
    """A horizontal bar for each `label`, as long as `value`, in the colour of its `series`.

    Rows of one label are stacked. With the columns `low` and `high` a bar is solid up to low and
    grey from there to high; a tick stands at the column `mark`. A bar links to its measurement_id;
    further columns are texts for its tooltip.
    """

    series: Mapping[str, str]
    """Colours of the values of the column series."""
    metric: Variable | str
    """The column of the values, for its unit: its name, or the variable that holds its name."""
    range_name: str = ""
    mark_name: str = ""
    has_legend: bool = True
    unlisted: Container[str] = ()
    """Series left out of the legend, because their labels name them."""

    def built(self) -> SdkBuilder:
        panel = self.described(barchart.Panel())
        metrics = self.metric.values if isinstance(self.metric, Variable) else (self.metric,)
        links = [setting("links", [to_run()])] if "measurement_id" in self.query.looks else []
        for metric in metrics:
            unit = setting("unit", look_of(metric, "").unit)
            panel = panel.override_by_regexp(f"/ {metric}$/", [unit, _NO_AXIS, *links])
        parts = self._parts()
        for part in parts:
            # Grafana matches again, with the displayed name
            names = f"/^{re.escape(part.name)}( ({'|'.join(metrics)}))?$/"
            panel = panel.override_by_regexp(names, self._look(part))
        for name, look in self.query.looks.items():
            if name not in _PLACES:
                panel = panel.override_by_name(name, shown_as(look))
        return (
            panel.orientation(common.VizOrientation.HORIZONTAL)
            .x_field("label")
            .stacking(common.StackingMode.NORMAL)
            .show_value(_NEVER)
            .bar_width(0.72)
            .line_width(0)
            .fill_opacity(90)
            .min(0)
            .legend(legend(is_shown=self.has_legend and sum(part.in_legend for part in parts) > 1))
            .tooltip(tooltip())
        )

    def _parts(self) -> list[_Part]:
        before, beyond = [], []
        solid = f"least({_SOLID}, {_MARK})"
        for name, colour in self.series.items():
            of_series = f"series = '{name}'"
            is_listed = name not in self.unlisted
            before.append(_Part(name, solid, colour, of_series, in_legend=is_listed))
            rest = f"{_SOLID} - {_BEYOND}"
            beyond.append(_Part(f"{name} beyond", rest, colour, of_series, in_legend=False))
        if name := self.range_name:
            before.append(_Part(name, f"least({_END}, {_MARK}) - {solid}", GREY))
            rest = f"{_END} - greatest({_SOLID}, {_BEYOND})"
            beyond.append(_Part(f"{name} beyond", rest, GREY, in_legend=False))
        if not self.mark_name:
            return before
        gap = _Part("gap", f"mark - tick / 2 - {_END}", "", in_legend=False)
        mark = _Part(self.mark_name, "if(mark is null, null, tick)", "text")
        return [*before, gap, mark, *beyond]

    def _look(self, part: _Part) -> Settings:
        # no tooltip with a range or mark: parts are then shorter than the values they show
        is_cut = bool(self.range_name or self.mark_name)
        hidden = {"viz": False, "legend": not part.in_legend, "tooltip": is_cut}
        return [
            setting("displayName", part.name),
            setting("custom.hideFrom", hidden),
            fixed_colour(part.colour),
            *([] if part.colour else [setting("custom.fillOpacity", 0)]),
        ]

    def _sql(self) -> str:
        """The parts of each bar; empty rows are added so that few bars are as thin as many."""
        metric = self.metric.raw if isinstance(self.metric, Variable) else self.metric
        given = self.query.looks
        missing = "".join(f", null as {name}" for name in _MAY_MISS if name not in given)
        # as text: Grafana would draw a number
        texts = "".join(
            f", any_value({name})::varchar as {name}" for name in given if name not in _PLACES
        )
        run = "measurement_id, " if "measurement_id" in given else ""
        parts = "".join(
            f", sum(nullif(greatest({part.length}, 0), 0)::double) filter (where {part.condition}) "
            f'as "{part.name} {metric}"'
            for part in self._parts()
        )
        return (
            f"with asked as ({self.query.sql}), "
            f"placed as (select *{missing}, row_number() over () as place from asked), "
            f"scaled as (select *, {_TICK_RATIO} * (select max(greatest({_END}, mark)) "
            "from placed) as tick from placed), "
            f"bars as (select {run}{_LABEL} as label, min(place) as place"
            f"{parts}{texts} from scaled group by {run}scaled.label) "
            "select * exclude (place) from (from bars union all by name "
            "select chr(8203) as label, 1000 + place as place "
            f"from (select unnest(range(1, {_LEAST_ROWS})) as place) "
            f"where (select count(*) from bars) between 1 and {_LEAST_ROWS} - place) order by place"
        )
