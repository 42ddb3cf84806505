"""Charts of a report as SVG: Vega-Lite, drawn by vl-convert without a browser or a network."""

from typing import Any

import vl_convert

Rows = list[dict[str, Any]]
Spec = dict[str, Any]

_FONT = "Helvetica, Arial, Liberation Sans, sans-serif"
_WIDTH = 900
_BAR_HEIGHT = 18
_LABEL_PIXELS = 600
# As on the boards: what is chosen, and what stands beside it.
_COLOURS = {"chosen": "#3f7fe0", "for comparison": "#8a8f98"}
_IOPS = {"title": "IOPS", "format": "~s"}
_THROUGHPUT = {"title": "throughput", "labelExpr": "datum.value / 1e9 + ' GB/s'"}
_LATENCY_LABELS = (
    "datum.value >= 1e6 ? datum.value / 1e6 + ' s' : "
    "datum.value >= 1000 ? datum.value / 1000 + ' ms' : datum.value + ' µs'"
)
_CONFIG = {
    "font": _FONT,
    "view": {"stroke": None},
    "axis": {"labelLimit": _LABEL_PIXELS, "gridColor": "#e4e6ea", "titleFontWeight": "normal"},
    "legend": {"labelLimit": 2 * _LABEL_PIXELS, "orient": "bottom", "columns": 1, "title": None},
}


def svg(spec: Spec, rows: Rows) -> str:
    whole = {"data": {"values": rows}, "config": _CONFIG} | spec
    return str(vl_convert.vegalite_to_svg(whole))


def bars(rows: Rows, metric: str) -> str:
    """`array`, `value`, `label` and `kind` of each row; a bar a row, in the order of the rows.

    Values are I/Os per second or, where that is the metric, bytes per second.
    """
    axis = _IOPS if metric == "iops" else _THROUGHPUT
    order = {"field": "array", "type": "nominal", "sort": None, "axis": {"title": None}}
    spec = {
        "width": _WIDTH - 200,
        "height": {"step": _BAR_HEIGHT},
        "encoding": {"y": order, "x": _quantity("value", axis)},
        "layer": [
            {"mark": "bar", "encoding": {"color": _colour("kind", _COLOURS, rows)}},
            {
                "mark": {"type": "text", "align": "left", "dx": 4},
                "encoding": {"text": {"field": "label"}},
            },
        ],
    }
    return svg(spec, rows)


def curves(rows: Rows) -> str:
    """`curve`, `iops`, `latency_us`, `outstanding_io_count` and, at knees, `knee` of each point."""
    point = {
        "x": _quantity("iops", _IOPS, "log"),
        "y": _latency("mean latency"),
        "color": {"field": "curve", "type": "nominal"},
        "order": {"field": "outstanding_io_count"},
    }
    knee = [{"filter": "datum.knee != null"}]
    spec = {
        "width": _WIDTH,
        "height": 300,
        "encoding": point,
        "layer": [
            {"mark": {"type": "line", "point": True, "clip": False}},
            {
                "transform": knee,
                "mark": {"type": "point", "shape": "square", "size": 120, "filled": True},
            },
            {
                "transform": knee,
                "mark": {"type": "text", "align": "right", "dx": -10},
                "encoding": {"text": {"field": "knee"}},
            },
        ],
    }
    return svg(spec, rows)


def tails(rows: Rows) -> str:
    """`run`, `line`, `one_in` and `latency_us` of each percentile: one I/O in so many took longer.

    A line is a direction of a measurement; two may be of runs that look alike.
    """
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
        "width": _WIDTH,
        "height": 280,
        "mark": {"type": "line", "point": True},
        "encoding": {
            "x": x,
            "y": _latency("completion latency"),
            "color": {"field": "run", "type": "nominal"},
            "detail": {"field": "line"},
        },
    }
    return svg(spec, rows)


def history(rows: Rows) -> str:
    """`label`, `series_id`, `measured_at` (UTC) and `iops` of runs; a small chart a label."""
    header = {"labelOrient": "top", "labelAnchor": "start", "labelLimit": _WIDTH}
    time_axis = {"title": None, "format": "%Y-%m-%d %H:%M", "labelOverlap": True}
    spec = {
        "facet": {"row": {"field": "label", "type": "nominal", "title": None, "header": header}},
        "resolve": {"scale": {"y": "independent"}},
        "spec": {
            "width": _WIDTH,
            "height": 90,
            "mark": {"type": "line", "point": True},
            "encoding": {
                "x": {
                    "field": "measured_at",
                    "type": "temporal",
                    "scale": {"type": "utc"},
                    "axis": time_axis,
                },
                "y": _quantity("iops", _IOPS) | {"scale": {"zero": False}},
                "color": {"field": "series_id", "type": "nominal", "legend": None},
            },
        },
    }
    return svg(spec, rows)


def _quantity(field: str, look: Spec, scale: str = "linear") -> Spec:
    axis = {"tickCount": 6} | look
    return {"field": field, "type": "quantitative", "scale": {"type": scale}, "axis": axis}


def _latency(title: str) -> Spec:
    axis = {"title": title, "labelExpr": _LATENCY_LABELS, "tickCount": 6}
    return {"field": "latency_us", "type": "quantitative", "scale": {"type": "log"}, "axis": axis}


def _colour(field: str, colours: dict[str, str], rows: Rows) -> Spec:
    """With a legend where there is more than one of them."""
    scale = {"domain": list(colours), "range": list(colours.values())}
    legend = {} if len({row[field] for row in rows}) > 1 else {"legend": None}
    return {"field": field, "type": "nominal", "scale": scale} | legend
