"""A report's charts as SVG: vl-convert draws Vega-Lite without a browser or a network."""

import json
from typing import Any

from headroom.analyse.report.page import Rows

Spec = dict[str, Any]

_FONT = "Helvetica, Arial, Liberation Sans, sans-serif"
# As wide as the text of a page.
_PAGE = 1116
_AXIS = 90
_BAR_HEIGHT = 22
_MOST_LABEL = 480
# From dark to light, so that they differ in grey print.
_COLOURS = {
    "our runs": "#1f3d7a",
    "chosen": "#1f3d7a",
    "same controller and RAID level": "#5f7fb5",
    "same controller": "#9db3d6",
    "same drives": "#c9ced6",
    "others": "#f1f2f4",
}
_LIMIT_COLOURS = {
    "our value": "#1f3d7a",
    "published": "#8fa6cc",
    "binding limit": "#d9d9d9",
    "limit": "#ffffff",
}
_OUTLINE = {"stroke": "#4b5262", "strokeWidth": 1}
# A bar ends at twice the highest value: limits far above would hide the values.
_MOST_BEYOND = 2
_ROOM_FOR_LABELS = 1.18
# Ends at its points, not at whole decades.
_LOGARITHMIC = {"type": "log", "nice": False, "padding": 24}
# Rows of bars, as wide as the page with their names.
_ROWS = {
    "width": _PAGE,
    "height": {"step": _BAR_HEIGHT},
    "autosize": {"type": "fit-x", "contains": "padding"},
}
_IOPS = {"title": "IOPS", "labelExpr": "format(datum.value, '~s')"}
_THROUGHPUT = {"title": "throughput", "labelExpr": "datum.value / 1e9 + ' GB/s'"}
_LATENCY_LABELS = (
    "datum.value >= 1e6 ? datum.value / 1e6 + ' s' : "
    "datum.value >= 1000 ? datum.value / 1000 + ' ms' : datum.value + ' µs'"
)
_TEXT = {"labelFontSize": 12, "titleFontSize": 12}
_CONFIG = {
    "font": _FONT,
    "view": {"stroke": None},
    "axis": _TEXT | {"gridColor": "#e4e6ea", "titleFontWeight": "normal", "labelColor": "#1f2430"},
    "legend": _TEXT | {"labelLimit": _PAGE, "orient": "bottom", "columns": 1, "title": None},
    "title": {"anchor": "start", "fontSize": 13},
    "text": {"fontSize": 12},
}


def svg(spec: Spec, rows: Rows) -> str:
    import vl_convert  # takes a second

    whole = {"data": {"values": rows}, "config": _CONFIG} | spec
    return str(vl_convert.vegalite_to_svg(whole))


def bars(rows: Rows, metric: str) -> str:
    """A bar for each row of `array`, `value`, `label` and `kind`."""
    highest = max(row["value"] for row in rows)
    x = _quantity("value", _axis(metric), {"domainMax": highest * _ROOM_FOR_LABELS})
    spec = {
        **_ROWS,
        "encoding": {"y": _rows_axis([row["array"] for row in rows]), "x": x},
        "layer": [
            {"mark": {"type": "bar", **_OUTLINE}, "encoding": {"color": _colour(_COLOURS, rows)}},
            *_text_marks("label", align="left", dx=6),
        ],
    }
    return svg(spec, [row | {"row": number} for number, row in enumerate(rows)])


def limits(title: str, rows: Rows, metric: str) -> str:
    """A bar for each value and limit of `name`, `value`, `label`, `kind`, `low` and `high`."""
    near = [row["value"] for row in rows if row["kind"] != "limit"]
    known = [row["value"] for row in rows if row["value"] is not None]
    edge = min(_MOST_BEYOND * max(near), max(known))
    drawn = []
    for number, row in enumerate(rows):
        value = row["value"] or 0
        bar = min(value, edge)
        end = max(bar, row.get("high") or 0)
        label = row["label"] + " →" * (value > edge)
        drawn.append(row | {"row": number, "bar": bar, "end": end, "label": label})
    scale = {"domain": [0, edge * _ROOM_FOR_LABELS], "nice": False}
    range_of_runs = {"x": {"field": "low", "type": "quantitative"}, "x2": {"field": "high"}}
    binding = [{"filter": "datum.kind == 'binding limit'"}]
    spec = {
        **_ROWS,
        "title": title,
        "encoding": {"y": _rows_axis([row["name"] for row in rows])},
        "layer": [
            {
                "mark": {"type": "bar", **_OUTLINE},
                "encoding": {
                    "x": _quantity("bar", _axis(metric), scale),
                    "color": _colour(_LIMIT_COLOURS, rows),
                },
            },
            {
                "transform": binding,
                "mark": {"type": "rule", "strokeDash": [5, 4], "strokeWidth": 1.5},
                "encoding": {"x": {"field": "value", "type": "quantitative"}, "y": None},
            },
            *(
                {
                    "transform": [{"filter": "datum.high > datum.low"}],
                    "mark": {"type": "rule", "color": colour, "strokeWidth": width},
                    "encoding": range_of_runs,
                }
                for colour, width in (("#ffffff", 5), ("#000000", 2))
            ),
            {
                "encoding": {"x": {"field": "end", "type": "quantitative"}},
                "layer": _text_marks("label", align="left", dx=6),
            },
        ],
    }
    return svg(spec, drawn)


def curves(rows: Rows) -> str:
    """Lines through `iops` and `latency_us`, with the texts of `knee`."""
    point = {
        "x": _quantity("iops", _IOPS, _LOGARITHMIC),
        "y": _latency("mean latency"),
        "order": {"field": "outstanding_io_count"},
    }
    knee = [{"filter": "datum.knee != null"}]
    spec = {
        "width": _PAGE - _AXIS,
        "height": 300,
        "encoding": point,
        "layer": [
            *_lines("curve"),
            {
                "transform": knee,
                "mark": {"type": "point", "shape": "square", "size": 160, "color": "#1f2430"},
            },
            {
                "transform": knee,
                "layer": _text_marks("knee", align="right", dx=-10, dy=-8),
            },
        ],
    }
    return svg(spec, rows)


def tails(rows: Rows) -> str:
    """A line for each `line` of a `run` through `latency_us`, which 1 I/O in `one_in` exceeded."""
    axis = {
        "title": "percentile of I/Os",
        "values": [2, 10, 100, 1000, 10000, 100000],
        "labelExpr": (
            "{2: 'p50', 10: 'p90', 100: 'p99', 1000: 'p99.9', 10000: 'p99.99', "
            "100000: 'p99.999'}[datum.value]"
        ),
    }
    x = {"field": "one_in", "type": "quantitative", "scale": {"type": "log"}, "axis": axis}
    spec = {
        "width": _PAGE - _AXIS,
        "height": 280,
        "encoding": {
            "x": x,
            "y": _latency("completion latency"),
            "detail": {"field": "line"},
        },
        "layer": _lines("run"),
    }
    return svg(spec, rows)


def history(rows: Rows) -> str:
    """A small chart for each `label`, with `iops` over `measured_at`."""
    header = {"labelOrient": "top", "labelAnchor": "start", "labelLimit": _PAGE}
    time_axis = {"title": None, "format": "%Y-%m-%d %H:%M", "labelOverlap": True}
    spec = {
        "facet": {"row": {"field": "label", "type": "nominal", "title": None, "header": header}},
        "resolve": {"scale": {"y": "independent"}},
        "spec": {
            "width": _PAGE - _AXIS,
            "height": 90,
            "mark": {"type": "line", "point": True},
            "encoding": {
                "x": {
                    "field": "measured_at",
                    "type": "temporal",
                    "scale": {"type": "utc"},
                    "axis": time_axis,
                },
                "y": _quantity("iops", _IOPS, {"zero": False}),
                "color": {"field": "series_id", "type": "nominal", "legend": None},
            },
        },
    }
    return svg(spec, rows)


def _axis(metric: str) -> Spec:
    return _IOPS if metric == "iops" else _THROUGHPUT


def _rows_axis(names: list[str]) -> Spec:
    """An axis with a row for each name, in this order; names may repeat."""
    named = {"labelExpr": f"{json.dumps(names)}[datum.value]"}
    axis = {"title": None, "labelLimit": _MOST_LABEL} | named
    return {"field": "row", "type": "ordinal", "sort": None, "axis": axis}


def _lines(field: str) -> list[Spec]:
    """Lines that differ in colour and in the shape of their points."""
    one = {"field": field, "type": "nominal"}
    of_colour = {"expr": "scale('color', datum.value)"}
    legend = {"symbolFillColor": of_colour, "symbolStrokeColor": of_colour, "symbolSize": 60}
    colour = {"color": one | {"legend": None}}
    return [
        {"mark": "line", "encoding": colour},
        {
            "mark": {"type": "point", "filled": True, "size": 45},
            "encoding": colour | {"shape": one | {"legend": legend}},
        },
    ]


def _text_marks(field: str, **look: Any) -> list[Spec]:
    """Text with a white edge, legible across lines."""
    encoding = {"text": {"field": field}}
    mark = {"type": "text", **look}
    edge = {"stroke": "#ffffff", "strokeWidth": 4, "strokeJoin": "round"}
    return [{"mark": mark | edge, "encoding": encoding}, {"mark": mark, "encoding": encoding}]


def _quantity(field: str, look: Spec, scale: Spec) -> Spec:
    axis = {"tickCount": 6, "labelOverlap": "greedy"} | look
    return {"field": field, "type": "quantitative", "scale": scale, "axis": axis}


def _latency(title: str) -> Spec:
    look = {"title": title, "labelExpr": _LATENCY_LABELS}
    return _quantity("latency_us", look, _LOGARITHMIC)


def _colour(colours: dict[str, str], rows: Rows) -> Spec:
    """Colours by `kind`, with a legend for several kinds."""
    kinds = {
        kind: colour for kind, colour in colours.items() if kind in {row["kind"] for row in rows}
    }
    scale = {"domain": list(kinds), "range": list(kinds.values())}
    legend = {"columns": len(kinds)} if len(kinds) > 1 else None
    return {"field": "kind", "type": "nominal", "scale": scale, "legend": legend}
