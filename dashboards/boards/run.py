"""One measurement in full."""

from dashboards import variables
from dashboards.board import board
from dashboards.charts import Axis, curves, points
from dashboards.colours import DIRECTIONS
from dashboards.panels import card, rows

_THIS = "where measurement_id = ${measurement:sqlstring}"
_ONE = f"from marts.measurements {_THIS}"
_CHAIN = ("vendor", "controller", "raid_level", "drive_media")
_CHOSEN = f"from marts.measurements where {variables.chosen(*_CHAIN, suffix='_label')}"
_OF_PROFILES = f"{_CHOSEN} and profile_id = any([${{profiles:sqlstring}}])"
_OF_ARRAYS = f"{_OF_PROFILES} and array_label = any([${{array:sqlstring}}])"
_EMPTY = "No measurement for this choice: choose otherwise above"

RESULT = card(
    "Result",
    "The values of this measurement; what is not stated is left out by its source.",
    [
        "as_printed",
        "iops",
        "bytes_per_second",
        "latency_mean_us",
        "latency_p50_us",
        "latency_p99_us",
        "latency_p999_us",
        "attained_ratio",
        "binding_ceiling",
        "value_qualifier",
    ],
    _ONE,
    empty="not stated",
)
SETTINGS = card(
    "Settings",
    "How it was measured.",
    [
        "profile_id",
        "outstanding_io_count",
        "worker_count",
        "io_engine",
        "condition",
        "runtime_seconds",
        "is_steady_state_attained",
        "tool_name",
        "tool_version",
        "measured_at",
    ],
    _ONE,
    empty="not stated",
)
SYSTEM = card(
    "System",
    "What was measured.",
    [
        "vendor",
        "controller",
        "controller_generation",
        "server",
        "raid_level",
        "drive_count",
        "drive",
        "drive_media",
        "drive_interface",
        "stripe_bytes",
    ],
    _ONE,
    empty="not stated",
)
SOURCE = rows(
    "Source",
    "Where the value stands: paper, page and place in it, or file and job.",
    [
        "document_title",
        "pages",
        "locator",
        "source_path",
        "source_position",
        "document_url",
        "commissioned_by",
    ],
    _ONE,
    empty=_EMPTY,
)
NOTES = rows(
    "Notes",
    "What whoever read or ran it says of it, and whether it counts.",
    ["note", "is_valid", "validity_note", "editions"],
    _ONE,
    empty=_EMPTY,
)
LATENCY_PERCENTILES = points(
    "Latency percentiles",
    (
        "The latency that a share of the I/Os did not exceed, by direction; clat is from "
        "submission to completion, lat with submission."
    ),
    (
        "select percentile_ratio as x, latency_us as y, concat_ws(' ', latency_kind, "
        "direction) as curve from "
        f"marts.fct_latency_percentiles {_THIS} order by curve, x"
    ),
    x=Axis("share of I/Os", "percentunit", is_logarithmic=False),
    y=Axis("latency", "µs", is_logarithmic=True),
    empty="This source states no percentiles",
)
LATENCY_HISTOGRAM = points(
    "Latency histogram",
    "The share of I/Os that took up to this long and longer than the point before.",
    (
        "select upper_us as x, io_ratio as y, concat_ws(' ', latency_kind, direction) "
        "as curve from "
        f"marts.fct_latency_bins {_THIS} and upper_us is not null and io_ratio > 0 order "
        "by direction, latency_kind, x"
    ),
    x=Axis("latency", "µs", is_logarithmic=True),
    y=Axis("share of I/Os", "percentunit", is_logarithmic=False),
    empty="This source has no histogram",
)
IOPS_OVER_THE_RUN = curves(
    "IOPS over the run",
    "As the tool's log has it, by direction: how steady the run was.",
    (
        "pivot (select elapsed_seconds, direction, iops from marts.fct_time_series "
        f"{_THIS} and quantity = 'iops' order by elapsed_seconds limit 20000) "
        "on direction in (${directions:raw}) using sum(iops) "
        "group by elapsed_seconds order by elapsed_seconds"
    ),
    x="elapsed_seconds",
    unit="iops",
    empty="No log of IOPS beside this run (fio: write_iops_log)",
    colours=DIRECTIONS,
)
LATENCY_OVER_THE_RUN = curves(
    "Latency over the run",
    "Mean of each interval, by direction.",
    (
        "pivot (select elapsed_seconds, direction, latency_us from marts.fct_time_series "
        f"{_THIS} and latency_kind = 'lat' order by elapsed_seconds limit 20000) "
        "on direction in (${directions:raw}) using avg(latency_us) "
        "group by elapsed_seconds order by elapsed_seconds"
    ),
    x="elapsed_seconds",
    unit="µs",
    empty="No log of latencies beside this run (fio: write_lat_log)",
    colours=DIRECTIONS,
)
EVERYTHING_OF_THIS_SOURCE = rows(
    "Everything of this source",
    "The other measurements of the same paper or file.",
    [
        "marked_label",
        "profile_label",
        "outstanding_io_count",
        "iops",
        "bytes_per_second",
        "latency_mean_us",
        "measurement_id",
        "as_printed",
        "source_label",
    ],
    (
        "from marts.measurements where source_path = ${source_path:sqlstring} "
        "order by source_label, profile_label, headline_value desc limit 500"
    ),
    empty=_EMPTY,
)

BOARD = board(
    "headroom-run",
    "Run",
    "**What exactly was measured, how, and where does it stand in its source?**",
    [
        (4, [(24, RESULT)]),
        (5, [(24, SETTINGS)]),
        (4, [(24, SYSTEM)]),
        (5, [(24, SOURCE)]),
        (5, [(24, NOTES)]),
        (11, [(12, LATENCY_PERCENTILES), (12, LATENCY_HISTOGRAM)]),
        (10, [(12, IOPS_OVER_THE_RUN), (12, LATENCY_OVER_THE_RUN)]),
        (10, [(24, EVERYTHING_OF_THIS_SOURCE)]),
    ],
    variables=[
        *variables.chain("marts.measurements", *_CHAIN, suffix="_label"),
        variables.profiles("marts.measurements", *_CHAIN, suffix="_label"),
        variables.several(
            "array", "Arrays", f"select distinct array_label {_OF_PROFILES} order by 1"
        ),
        variables.several("source", "Sources", f"select distinct source {_OF_ARRAYS} order by 1"),
        variables.one(
            "measurement",
            "Measurement",
            (
                "select measurement_id as __value, "
                "concat_ws(': ', source_label, marked_label, profile_label) as __text from "
                "(select measurement_id, source_label, marked_label, profile_label "
                f"{_OF_ARRAYS} and source = any([${{source:sqlstring}}]) "
                "order by measured_at desc nulls last, measurement_id limit 1000)"
            ),
        ),
        variables.hidden("source_path", f"select source_path from marts.measurements {_THIS}"),
        variables.columns("directions", "direction", f"from marts.fct_time_series {_THIS}"),
    ],
)
