"""One measurement in full."""

from grafana_foundation_sdk.models import units

from dashboards import variables
from dashboards.bar_tables import BarTable
from dashboards.board import Board
from dashboards.charts import DIRECTION_LOOKS, Axis, Curves, Points
from dashboards.colours import DIRECTIONS, GREY, LIMITS, MEASURED
from dashboards.columns import IOPS, Look
from dashboards.marts import Column, Query, Rows, mart, wide
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
_ARRAY_ID = variables.hidden("array_id", _ONE.select("array_id"), column="array_id")
_PROFILE_ID = variables.hidden("profile_id", _ONE.select("profile_id"), column="profile_id")
_THROUGHPUT = variables.throughput()
_METRIC = variables.metric(_PROFILE_ID)
_VALUE = variables.hidden(
    "value", _ONE.ask(f"select cast({_METRIC.raw} as varchar) as value {_ONE}", _METRIC)
)
_SERIES = mart("fct_time_series").where(_MEASUREMENT)
_DIRECTIONS = variables.columns("directions", "direction", _SERIES, values=tuple(DIRECTIONS))

_PERCENTILES = mart("fct_latency_percentiles").where(_MEASUREMENT)
_TAIL = _PERCENTILES.where("exceeded_once_in_count is not null")
_BINS = mart("fct_latency_bins").where(_MEASUREMENT, "upper_us is not null", "io_ratio > 0")
_FACTS = mart("rpt_run_facts").where(_MEASUREMENT)
_LIMITS = mart("rpt_limits").where(_ARRAY_ID, _PROFILE_ID, "kind != 'attained'")
_PEERS = _MEASURED.where(_PROFILE_ID, "headline_value is not null")
_MICROSECONDS = Look(unit=units.Microseconds)
_SHOWN_PERCENTILES = {"50": 0.5, "95": 0.95, "99": 0.99, "99.9": 0.999, "99.99": 0.9999}
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


def _known(
    topic: str, title: str, description: str, *, empty: str = "The source does not say"
) -> Table:
    return Table(
        title,
        description,
        _FACTS.where(f"topic = '{topic}'").select("fact", "fact_value"),
        empty=empty,
    )


RESULT = _known(
    "result",
    "Result",
    "What was measured or printed, and how near it comes to the ceiling; ≥ where an "
    "unknown limit may be lower. Throughput in units of 10^6 and of 2^20 bytes.",
)
LOAD = _known("load", "Load", "How it was measured, as far as the source says.")
SYSTEM = _known("system", "System", "What was measured, as far as the source says.")
NOTES = _known(
    "notes", "Notes", "Remarks in the file, in headroom.yml or by whoever digitised the paper."
)
DETAILS = _known(
    "details",
    "Percentiles, histogram and logs",
    "What the source has of them; the charts below show it.",
    empty="None in this source: the charts below stay empty",
)
_BARS = dict.fromkeys(_METRIC.values, MEASURED)
AGAINST_ITS_CEILINGS = BarTable(
    "Against its ceilings",
    "The value beside each limit of its array at this load profile, on the practical basis; the "
    "lowest limit binds. A limit that is missing here is unknown.",
    _LIMITS.ask(
        f"select kind, {_METRIC.raw} from ("
        f"select kind, {_METRIC.raw} {_LIMITS} union all "
        f"select 'this measurement', try_cast({_VALUE.text} as double)) "
        f"where {_METRIC.raw} is not null order by {_METRIC.raw} desc",
        wide(140, "kind", "limit", wraps=False),
        _METRIC,
        uses=(_VALUE,),
    ),
    empty="This measurement has no value to compare",
    is_measured=False,
    bars=dict.fromkeys(_METRIC.values, GREY),
    coloured={"kind": LIMITS},
)
AMONG_ALL_OF_ITS_PROFILE = BarTable(
    "Among all of its load profile",
    "This measurement beside the highest value of each array at the same load profile: the first "
    "15, and itself.",
    _PEERS.ask(
        f"select marked_label, {_METRIC.raw}, measurement_id from (select "
        f"if(measurement_id = {_MEASUREMENT.text}, 'this measurement: ', '') || marked_label "
        f"as marked_label, {_METRIC.raw}, measurement_id, headline_value "
        f"{_PEERS} and (is_best_of_array and is_valid or measurement_id = {_MEASUREMENT.text}) "
        f"order by measurement_id = {_MEASUREMENT.text} desc, headline_value desc limit 16) "
        f"order by {_METRIC.raw} desc",
        wide(280, "marked_label"),
        _METRIC,
        wide(60, "measurement_id", "run", wraps=False),
        uses=(_MEASUREMENT,),
    ),
    empty="This measurement has no value to compare",
    bars=_BARS,
    patterns={"marked_label": {"^this measurement": MEASURED}},
)
BY_DIRECTION = Table(
    "Latency by direction",
    "Percentiles of reads and writes each, and of the whole load where the source merges them.",
    _PERCENTILES.select(
        "direction",
        "latency_kind",
        *(
            Column(
                f"max(latency_us) filter (abs(percentile_ratio - {ratio}) < 1e-6)",
                f"p{name}",
                _MICROSECONDS,
            )
            for name, ratio in _SHOWN_PERCENTILES.items()
        ),
        then="group by direction, latency_kind order by direction, latency_kind",
    ),
    empty="This source states no percentiles",
)
WHO_SAYS_SO = Table(
    "Who says so",
    "What is known of the system, and which tool's output or headroom.yml says it. Without a "
    "value: why it is not known, such as in a virtual machine.",
    mart("fct_system_facts")
    .where(_SOURCE_PATH)
    .select(
        Column("replace(system_fact, '_', ' ')", "system_fact"),
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
        "source_label",
        "as_printed",
        "locator",
        "source_position",
        "document_url",
        "commissioned_by",
    ),
    empty=_EMPTY,
)
LATENCY_PERCENTILES = Points(
    "Latency percentiles",
    "The latency that one I/O in so many exceeded: 100 is p99, 100 K is p99.999. By direction, "
    "mixed is of the whole load; clat is from submission to completion, lat with submission.",
    _TAIL.select(
        Column("exceeded_once_in_count", "x"),
        Column("latency_us", "y"),
        _BY_DIRECTION,
        then="order by curve, x",
    ),
    empty="This source states no percentiles",
    x=Axis("one I/O in so many took longer (100: p99)", units.Short, is_logarithmic=True),
    y=Axis("latency", units.Microseconds, is_logarithmic=True),
    looks=DIRECTION_LOOKS,
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
    looks=DIRECTION_LOOKS,
)
IOPS_OVER_THE_RUN = Curves(
    "IOPS over the run",
    "As the tool's log has it, by direction: how steady the run was.",
    _over_the_run(_SERIES.where("quantity = 'iops'"), "iops", "sum"),
    empty="No log of IOPS beside this run (fio: write_iops_log)",
    unit=IOPS,
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
        wide(160, "marked_label"),
        wide(150, "profile_label"),
        "outstanding_io_count",
        "iops",
        "bytes_per_second",
        "latency_mean_us",
        wide(60, "measurement_id", "run", wraps=False),
        wide(110, "as_printed"),
        wide(160, "source_label"),
        then="order by source_label, profile_label, headline_value desc limit 500",
    ),
    empty=_EMPTY,
)

BOARD = Board(
    "headroom-run",
    "Run",
    "**What exactly was measured, how, and where does it stand in its source?**",
    [
        (9, [(8, RESULT), (8, LOAD), (8, SYSTEM)]),
        (5, [(24, SOURCE)]),
        (14, [(9, AGAINST_ITS_CEILINGS), (15, AMONG_ALL_OF_ITS_PROFILE)]),
        (6, [(24, NOTES)]),
        (6, [(24, WHO_SAYS_SO)]),
        (7, [(24, EVERYTHING_OF_THIS_SOURCE)]),
        (6, [(24, DETAILS)]),
        (6, [(24, BY_DIRECTION)]),
        (10, [(12, LATENCY_PERCENTILES), (12, LATENCY_HISTOGRAM)]),
        (9, [(12, IOPS_OVER_THE_RUN), (12, LATENCY_OVER_THE_RUN)]),
    ],
    variables=[
        *_CHAIN,
        _PROFILES,
        _ARRAYS,
        _SOURCES,
        _MEASUREMENT,
        _SOURCE_PATH,
        _ARRAY_ID,
        _PROFILE_ID,
        _THROUGHPUT,
        _METRIC,
        _VALUE,
        _DIRECTIONS,
    ],
)
