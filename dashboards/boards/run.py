"""One measurement in full."""

from grafana_foundation_sdk.models import units

from dashboards import variables
from dashboards.board import Board
from dashboards.charts import Axis, Curves, Points
from dashboards.colours import DIRECTIONS
from dashboards.marts import Column, Query, Rows, mart
from dashboards.panels import Card
from dashboards.tables import Table

_MEASURED = mart("measurements")
_CHAIN = variables.chain(
    _MEASURED, "vendor", "controller", "raid_level", "drive_media", suffix="_label"
)
_CHOSEN = _MEASURED.where(*_CHAIN)
_PROFILES = variables.profiles(_CHOSEN)
_OF_PROFILES = _CHOSEN.where(_PROFILES)
_ARRAYS = variables.several("array", "Arrays", "array_label", _OF_PROFILES)
_OF_ARRAYS = _OF_PROFILES.where(_ARRAYS)
_SOURCES = variables.several("source", "Sources", "source", _OF_ARRAYS)
_OF_SOURCES = _OF_ARRAYS.where(_SOURCES)
_MEASUREMENT = variables.one(
    "measurement",
    "Measurement",
    "measurement_id",
    _OF_SOURCES.ask(
        "select measurement_id as __value, "
        "concat_ws(': ', source_label, marked_label, profile_label) as __text from "
        "(select measurement_id, source_label, marked_label, profile_label "
        f"{_OF_SOURCES} order by is_valid desc, measured_at desc nulls last, measurement_id "
        "limit 1000)"
    ),
)
_ONE = _MEASURED.where(_MEASUREMENT)
_SOURCE_PATH = variables.hidden("source_path", _ONE.select("source_path"), column="source_path")
_SERIES = mart("fct_time_series").where(_MEASUREMENT)
_DIRECTIONS = variables.columns("directions", "direction", _SERIES, values=tuple(DIRECTIONS))

_PERCENTILES = mart("fct_latency_percentiles").where(_MEASUREMENT)
_BINS = mart("fct_latency_bins").where(_MEASUREMENT, "upper_us is not null", "io_ratio > 0")
_BY_DIRECTION = Column("concat_ws(' ', latency_kind, direction)", "curve")
_EMPTY = "No measurement for this choice: choose otherwise above"


def _over_the_run(series: Rows, column: str, aggregate: str) -> Query:
    return series.ask(
        f"pivot (select elapsed_seconds, direction, {column} {series} "
        "order by elapsed_seconds limit 20000) "
        f"on direction in ({_DIRECTIONS.raw}) using {aggregate}({column}) "
        "group by elapsed_seconds order by elapsed_seconds",
        "elapsed_seconds",
        _DIRECTIONS,
    )


RESULT = Card(
    "Result",
    "The values of this measurement; what is not stated is left out by its source.",
    _ONE.select(
        "as_printed",
        "iops",
        "bytes_per_second",
        "latency_mean_us",
        "latency_p50_us",
        "latency_p99_us",
        "latency_p99_range",
        "latency_p999_us",
        "attained_ratio",
        "binding_ceiling",
        "value_qualifier",
    ),
    empty="not stated",
)
SETTINGS = Card(
    "Settings",
    "How it was measured.",
    _ONE.select(
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
    ),
    empty="not stated",
)
SYSTEM = Card(
    "System",
    "What was measured.",
    _ONE.select(
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
    ),
    empty="not stated",
)
SOFTWARE = Card(
    "Firmware and software",
    "What the controller and the drives ran, and the machine.",
    _ONE.select(
        "controller_firmware",
        "drive_firmware",
        "filesystem",
        "os_name",
        "os_kernel",
        "bios_version",
    ),
    empty="not stated",
)
WHO_SAYS_SO = Table(
    "Who says so",
    "What is known of the system, and which tool's output or headroom.yml says it. Without a "
    "value: why it is not known, such as in a virtual machine.",
    mart("fct_system_facts")
    .where(_SOURCE_PATH)
    .select(
        "system_fact",
        "system_value",
        "said_by",
        "system_path",
        then="order by system_fact",
    ),
    empty="No headroom.yml and no captured system describes this source",
    is_measured=False,
)
SOURCE = Table(
    "Source",
    "Where the value stands: paper, page and place in it, or file and job.",
    _ONE.select(
        "document_title",
        "pages",
        "locator",
        "source_path",
        "source_position",
        "document_url",
        "commissioned_by",
    ),
    empty=_EMPTY,
)
NOTES = Table(
    "Notes",
    "What whoever read or ran it says of it, and whether it counts.",
    _ONE.select("note", "is_valid", "validity_note", "editions"),
    empty=_EMPTY,
)
LATENCY_PERCENTILES = Points(
    "Latency percentiles",
    "The latency that a share of the I/Os did not exceed, by direction, mixed is of the whole "
    "load; clat is from submission to completion, lat with submission.",
    _PERCENTILES.select(
        Column("percentile_ratio", "x"),
        Column("latency_us", "y"),
        _BY_DIRECTION,
        then="order by curve, x",
    ),
    empty="This source states no percentiles",
    x=Axis("share of I/Os", units.PercentUnit, is_logarithmic=False),
    y=Axis("latency", units.Microseconds, is_logarithmic=True),
)
LATENCY_HISTOGRAM = Points(
    "Latency histogram",
    "The share of I/Os that took up to this long and longer than the point before.",
    _BINS.select(
        Column("upper_us", "x"),
        Column("io_ratio", "y"),
        _BY_DIRECTION,
        then="order by direction, latency_kind, x",
    ),
    empty="This source has no histogram",
    x=Axis("latency", units.Microseconds, is_logarithmic=True),
    y=Axis("share of I/Os", units.PercentUnit, is_logarithmic=False),
)
IOPS_OVER_THE_RUN = Curves(
    "IOPS over the run",
    "As the tool's log has it, by direction: how steady the run was.",
    _over_the_run(_SERIES.where("quantity = 'iops'"), "iops", "sum"),
    empty="No log of IOPS beside this run (fio: write_iops_log)",
    unit=units.IOOpsPerSecond,
    colours=DIRECTIONS,
)
LATENCY_OVER_THE_RUN = Curves(
    "Latency over the run",
    "Mean of each interval, by direction.",
    _over_the_run(_SERIES.where("latency_kind = 'lat'"), "latency_us", "avg"),
    empty="No log of latencies beside this run (fio: write_lat_log)",
    unit=units.Microseconds,
    colours=DIRECTIONS,
)
EVERYTHING_OF_THIS_SOURCE = Table(
    "Everything of this source",
    "The other measurements of the same paper or file.",
    _MEASURED.where(_SOURCE_PATH).select(
        "marked_label",
        "profile_label",
        "outstanding_io_count",
        "iops",
        "bytes_per_second",
        "latency_mean_us",
        "measurement_id",
        "as_printed",
        "source_label",
        then="order by source_label, profile_label, headline_value desc limit 500",
    ),
    empty=_EMPTY,
)

BOARD = Board(
    "headroom-run",
    "Run",
    "**What exactly was measured, how, and where does it stand in its source?**",
    [
        (4, [(24, RESULT)]),
        (5, [(24, SETTINGS)]),
        (4, [(24, SYSTEM)]),
        (4, [(24, SOFTWARE)]),
        (7, [(24, WHO_SAYS_SO)]),
        (5, [(24, SOURCE)]),
        (5, [(24, NOTES)]),
        (11, [(12, LATENCY_PERCENTILES), (12, LATENCY_HISTOGRAM)]),
        (10, [(12, IOPS_OVER_THE_RUN), (12, LATENCY_OVER_THE_RUN)]),
        (10, [(24, EVERYTHING_OF_THIS_SOURCE)]),
    ],
    variables=[*_CHAIN, _PROFILES, _ARRAYS, _SOURCES, _MEASUREMENT, _SOURCE_PATH, _DIRECTIONS],
)
