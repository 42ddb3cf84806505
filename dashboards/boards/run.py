"""One measurement in full."""

from grafana_foundation_sdk.models import units

from dashboards import variables
from dashboards.bars import Bars
from dashboards.board import Board
from dashboards.charts import DIRECTION_LOOKS, ROOM, Axis, Curves, Points
from dashboards.colours import DIRECTIONS, LIMITS, MEASURED, RULE_VERDICTS, RUN_VERDICTS
from dashboards.columns import IOPS, Look
from dashboards.marts import Column, Query, Rows, Variable, mart, run_link, wide
from dashboards.tables import Table

_MEASURED = mart("rpt_measurements")
_CHAIN = variables.chain(
    _MEASURED, "vendor", "controller", "raid_level", "drive_media", suffix="_label"
)
_CHOSEN = _MEASURED.where(*_CHAIN)
_PROFILES = variables.profiles(_CHOSEN)
_OF_PROFILES = _CHOSEN.where(_PROFILES)
_ARRAYS = variables.several("array", "Arrays", "array_label", _OF_PROFILES)
_OF_ARRAYS = _OF_PROFILES.where(_ARRAYS)
_SOURCES = variables.several(
    "source",
    "Sources",
    "source",
    _OF_ARRAYS.each("source", "2", text="any_value(coalesce(document_title, source))"),
)
_OF_SOURCES = _OF_ARRAYS.where(_SOURCES)
_MEASUREMENT = variables.one(
    "measurement",
    "Measurement",
    "measurement_id",
    _OF_SOURCES.ask(
        "select measurement_id as __value, concat_ws(', ', label, "
        "if(count(*) over (partition by label) > 1, measurement_id, null)) as __text from "
        "(select *, concat_ws(', ', concat_ws(': ', source_label, marked_label, profile_label), "
        "outstanding_io_count || ' outstanding I/O' || if(outstanding_io_count = 1, '', 's'), "
        "worker_count || ' worker' || if(worker_count = 1, '', 's')) as label "
        f"{_OF_SOURCES}) "
        "order by is_valid desc, is_superseded, measured_at desc nulls last, measurement_id "
        "limit 1000"
    ),
)
_ONE = _MEASURED.where(_MEASUREMENT)
_SOURCE_PATH = variables.hidden("source_path", _ONE.select("source_path"), column="source_path")
_ARRAY_ID = variables.hidden("array_id", _ONE.select("array_id"), column="array_id")
_PROFILE_ID = variables.hidden("profile_id", _ONE.select("profile_id"), column="profile_id")
_THROUGHPUT = variables.throughput()
_METRIC = variables.metric(_PROFILE_ID, _THROUGHPUT)
_VALUE = variables.hidden(
    "value", _ONE.ask(f"select cast({_METRIC.raw} as varchar) as value {_ONE}")
)
_FACTS = mart("rpt_run_facts").where(_MEASUREMENT)
_VALUE_LABEL = variables.hidden(
    "value_label",
    _FACTS.ask(
        f"select split_part(fact_value, ' (', 1) as value_label {_FACTS} and topic = 'result' "
        f"and fact = if({_METRIC.text} = 'iops', 'IOPS', 'throughput')"
    ),
)
_SERIES = mart("fct_time_series").where(_MEASUREMENT)
_DIRECTIONS = variables.columns("directions", "direction", _SERIES, values=tuple(DIRECTIONS))

_PERCENTILES = mart("fct_latency_percentiles").where(_MEASUREMENT)
_TAIL = _PERCENTILES.where("exceeded_once_in_count is not null")
_BINS = mart("fct_latency_bins").where(_MEASUREMENT, "upper_us is not null", "io_ratio > 1e-4")
_IN_ORDER = "order by fact_position"
_DETAILS = _FACTS.where("topic = 'details'")
_HAS_DETAILS = variables.hidden(
    "details",
    _DETAILS.ask(
        "select coalesce(string_agg(fact, ', ' order by fact), 'none in this source') as details "
        f"{_DETAILS}"
    ),
)
_LIMITS = mart("rpt_limits").where(_ARRAY_ID, _PROFILE_ID, "kind != 'attained'")
_PEERS = _MEASURED.where(_PROFILE_ID, "headline_value is not null")
_MICROSECONDS = Look(unit=units.Microseconds)
_SHOWN_PERCENTILES = {"50": 0.5, "95": 0.95, "99": 0.99, "99.9": 0.999, "99.99": 0.9999}
_BY_DIRECTION = Column("concat_ws(' ', latency_kind, direction)", "curve")
_EMPTY = "No measurement for this choice: change it above"


def _over_the_run(series: Rows, column: str, aggregate: str) -> Query:
    return series.ask(
        f"from (pivot (select elapsed_seconds, direction, {column} {series} "
        "order by elapsed_seconds limit 20000) "
        f"on direction in ({_DIRECTIONS.raw}) using {aggregate}({column}) "
        "group by elapsed_seconds) order by elapsed_seconds",
        "elapsed_seconds",
        _DIRECTIONS,
    )


def _known(topic: str, title: str, description: str) -> Table:
    return Table(
        title,
        description,
        _FACTS.where(f"topic = '{topic}'").select("fact", "fact_value", then=_IN_ORDER),
        empty="Not reported by the source",
    )


def rules_on(measurement: Variable, title: str, description: str, *only: str) -> Table:
    """The rules' verdicts on a run, failed rules first; also for the board Sustained."""
    return Table(
        title,
        description,
        mart("fct_run_verdicts")
        .where(measurement, *only)
        .select(
            "rule",
            wide(130, "verdict", wraps=False),
            wide(300, "reason", "value", of="if(verdict = 'failed', evidence, reason)", grows=True),
            "threshold_label",
            wide(
                130,
                "verdict_word",
                "verdict on the run",
                of="if(verdict = 'failed', verdict_word, null)",
                wraps=False,
            ),
            then="order by list_position(['failed', 'insufficient data', 'passed'], verdict) "
            "nulls last, rule_order",
        ),
        empty="No rules on published values: they judge our own runs",
        coloured={"verdict": RULE_VERDICTS, "verdict_word": RUN_VERDICTS},
    )


RESULT = _known(
    "result",
    "Result",
    "The measured or printed value and its % of ceiling; ≥ if an unknown limit may be lower. "
    "Throughput in units of 10^6 and of 2^20 bytes.",
)
VERDICT = Table(
    "Verdict",
    "Whether the number of this run can be trusted, and the first reasons against it.",
    mart("rpt_run_verdicts")
    .where(_MEASUREMENT)
    .select(wide(140, "verdict", wraps=False), "reason", "against_count"),
    empty="A published value: verdicts are on our own runs",
    coloured={"verdict": RUN_VERDICTS},
)
RULES = rules_on(
    _MEASUREMENT,
    "Rules",
    "What each rule says of this run, failed ones first: its value in words, what the rule "
    "expects, and the verdict that a failed one asks for. docs/verdicts.md has the sources.",
)
LOAD = _known("load", "Load", "The load, as far as reported.")
SYSTEM = _known("system", "System", "The system under test, as far as reported.")
NOTES = _known(
    "notes", "Notes", "Remarks in the file, in headroom.yml or by the paper's digitiser."
)
DETAILS = Table(
    "Available details",
    "Percentiles, histogram and logs of this measurement; the charts below show them.",
    _DETAILS.select("fact", "fact_value", then=_IN_ORDER),
    empty="No percentiles, no histogram and no logs",
)
AGAINST_ITS_CEILINGS = Bars(
    "Compared with its limits",
    "The value, and each practical limit of its array at this load profile, the lowest first: it "
    "binds. The tick is the value. A missing limit is unknown.",
    _LIMITS.ask(
        f"select concat_ws('   ', kind, value_label) as label, kind as series, "
        f"{_METRIC.raw} as value, "
        f"if(kind = 'this measurement', null, try_cast({_VALUE.text} as double)) as mark from ("
        f"select kind, value_label, {_METRIC.raw} {_LIMITS} union all "
        f"select 'this measurement', {_VALUE_LABEL.text}, try_cast({_VALUE.text} as double)) "
        f"where {_METRIC.raw} is not null "
        f"order by kind != 'this measurement', {_METRIC.raw}",
        "label",
        "series",
        "value",
        "mark",
    ),
    empty="This measurement has no value to compare",
    is_measured=False,
    series=LIMITS,
    metric=_METRIC,
    mark_name="its value",
    has_legend=False,
)
AMONG_ALL_OF_ITS_PROFILE = Table(
    "All arrays at this load profile",
    "This measurement and the highest value of each array at the same load profile, at most 15 "
    "others.",
    _PEERS.ask(
        f"select marked_label, {_METRIC.raw}, measurement_id from (select "
        f"if(measurement_id = {_MEASUREMENT.text}, 'this measurement: ', '') || marked_label "
        f"as marked_label, {_METRIC.raw}, measurement_id, headline_value "
        f"{_PEERS} and (is_best_of_array and is_valid and not is_superseded "
        f"or measurement_id = {_MEASUREMENT.text}) "
        f"order by measurement_id = {_MEASUREMENT.text} desc, headline_value desc, "
        "measurement_id limit 16) "
        f"order by {_METRIC.raw} desc, marked_label, measurement_id",
        wide(280, "marked_label"),
        _METRIC,
        run_link(60),
    ),
    empty="This measurement has no value to compare",
    bars=dict.fromkeys(_METRIC.values, MEASURED),
    patterns={"marked_label": {"^this measurement": MEASURED}},
)
BY_DIRECTION = Table(
    "Latency by direction",
    "Percentiles of reads, of writes and, if the source merges them, of the whole load.",
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
    empty="This source reports no percentiles",
)
WHO_SAYS_SO = Table(
    "Sources of the system facts",
    "Facts about the system, with the tool output or headroom.yml they are from. Without a "
    "value: why it is not known, such as in a virtual machine.",
    mart("fct_system_facts")
    .where(_SOURCE_PATH)
    .select(
        Column("replace(system_fact, '_', ' ')", "system_fact"),
        wide(390, "system_value", grows=True),
        wide(200, "said_by"),
        "system_path",
        then="order by system_fact",
    ),
    empty="No headroom.yml and no captured system describes this source",
    is_measured=False,
)
SOURCE = Table(
    "Source",
    "Where to find the value: paper, page and locator, or file and job.",
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
    "The latency that one I/O in N exceeded: 100 is p99, 100 K is p99.999. By direction; mixed "
    "is the whole load. clat is submission to completion, lat includes submission.",
    _TAIL.select(
        Column("exceeded_once_in_count", "x"),
        Column("latency_us", "y"),
        _BY_DIRECTION,
    ),
    order=("curve", "x"),
    empty="This source reports no percentiles",
    x=Axis("one I/O in N took longer (100: p99)", f"si:{ROOM}", is_logarithmic=True),
    y=Axis("latency", units.Microseconds, is_logarithmic=True),
    looks=DIRECTION_LOOKS,
)
LATENCY_HISTOGRAM = Points(
    "Latency histogram",
    "The share of I/Os with a latency up to this point and above the previous one.",
    _BINS.select(
        Column("upper_us / 1e6", "x"),
        Column("io_ratio", "y"),
        _BY_DIRECTION,
        "direction",
        "latency_kind",
    ),
    order=("direction", "latency_kind", "x"),
    unseen=("direction", "latency_kind"),
    empty="This source has no histogram",
    x=Axis("latency", f"si:s{ROOM}", is_logarithmic=True),
    y=Axis("share of I/Os", units.PercentUnit, is_logarithmic=False),
    looks=DIRECTION_LOOKS,
)
IOPS_OVER_THE_RUN = Curves(
    "IOPS over the run",
    "From the tool's log, by direction: how steady the run was.",
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
    "All measurements of this source",
    "The other measurements of the same paper or file.",
    _MEASURED.where(_SOURCE_PATH).select(
        wide(155, "marked_label"),
        wide(140, "profile_label"),
        "outstanding_io_count",
        "iops",
        "bytes_per_second",
        "latency_mean_us",
        run_link(60),
        wide(105, "as_printed"),
        wide(175, "source_label"),
        then="order by source_label, profile_label, headline_value desc limit 500",
    ),
    empty=_EMPTY,
)

BOARD = Board(
    "headroom-run",
    "Run",
    "**What exactly was measured, how, and where is it in the source?**",
    [
        (11, [(14, AGAINST_ITS_CEILINGS), (10, RESULT)]),
        (5, [(24, VERDICT)]),
        (5, [(24, SOURCE)]),
        (11, [(12, LOAD), (12, SYSTEM)]),
    ],
    folded_title=f"Details; percentiles, histogram and logs: {_HAS_DETAILS.shown}",
    folded=[
        (10, [(12, LATENCY_PERCENTILES), (12, LATENCY_HISTOGRAM)]),
        (9, [(12, IOPS_OVER_THE_RUN), (12, LATENCY_OVER_THE_RUN)]),
        (6, [(24, BY_DIRECTION)]),
        (8, [(24, DETAILS)]),
        (14, [(24, RULES)]),
        (12, [(24, AMONG_ALL_OF_ITS_PROFILE)]),
        (12, [(24, WHO_SAYS_SO)]),
        (6, [(24, NOTES)]),
        (16, [(24, EVERYTHING_OF_THIS_SOURCE)]),
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
        _VALUE_LABEL,
        _HAS_DETAILS,
        _DIRECTIONS,
    ],
)
