"""How long does a run keep its speed?"""

from grafana_foundation_sdk.models import units

from dashboards import variables
from dashboards.board import Board
from dashboards.boards.run import rules_on
from dashboards.charts import ROOM, Curves
from dashboards.colours import GREY, MEASURED, RUN_VERDICTS
from dashboards.columns import IOPS, Look
from dashboards.marts import Column, Rows, mart, wide
from dashboards.panels import Card
from dashboards.tables import Table

_LOGGED = mart("rpt_logged_runs")
_PROFILES = variables.profiles(_LOGGED)
_OF_PROFILES = _LOGGED.where(_PROFILES)
_ARRAYS = variables.several("array", "Arrays", "array_label", _OF_PROFILES)
_OF_ARRAYS = _OF_PROFILES.where(_ARRAYS)
_NEWEST_FIRST = "order by measured_at desc nulls last, measurement_id limit 1000"
_CHANGES_FIRST = _NEWEST_FIRST.replace("by ", "by change_ratio is not null desc, ")
_MEASUREMENT = variables.one(
    "measurement",
    "Run with a log",
    "measurement_id",
    _OF_ARRAYS.select(
        Column("measurement_id", "__value"), Column("run_label", "__text"), then=_CHANGES_FIRST
    ),
)
_RATES = mart("rpt_logged_rates").where(_MEASUREMENT)
_WRITTEN = Column("written_bytes", "written_bytes", Look("bytes written", f"si:B{ROOM}"))
_OVER_TIME = Column("elapsed_seconds", "elapsed_seconds", Look("time"))
_NO_LOG = "No run with a log for this choice (fio: write_iops_log, write_bw_log)"
_NO_WRITES = "This run wrote nothing, or its log does not have it"


def _lasting(title: str, x: Column, rate: str, unit: str, rows: Rows, *, empty: str) -> Curves:
    over = "time" if x is _OVER_TIME else "bytes written"
    return Curves(
        title,
        f"From the tool's log, or fio's steady-state window, reads and writes together, over "
        f"{over}. The grey line is the mean before and after a lasting change of level; without "
        "one, of the whole log.",
        rows.where(f"{rate} is not null").select(
            x, Column(rate, "measured"), Column(f"level_{rate}", "level"), then="order by 1"
        ),
        empty=empty,
        unit=unit,
        colours={"measured": MEASURED, "level": GREY},
    )


def _over_time(title: str, rate: str, unit: str) -> Curves:
    return _lasting(title, _OVER_TIME, rate, unit, _RATES, empty=_NO_LOG)


def _over_writes(title: str, rate: str, unit: str) -> Curves:
    rows = _RATES.where("write_bytes_per_second > 0")
    return _lasting(title, _WRITTEN, rate, unit, rows, empty=_NO_WRITES)


BEFORE_AND_AFTER = Card(
    "Does the speed last",
    "The mean level before and after a lasting change of level, and what the rule on changes says. "
    "Without a lasting change: the mean of the whole log.",
    _LOGGED.where(_MEASUREMENT).select(
        Column("run_verdict", "verdict on the run"),
        Column("before_label", "level at first"),
        Column(
            "if(change_seconds is null, 'no lasting change', coalesce(after_label, '0'))",
            "level after a change",
        ),
        Column("change_reason", "change of level"),
    ),
    empty=_NO_LOG,
    patterns={"verdict on the run": {f"^{name}$": colour for name, colour in RUN_VERDICTS.items()}},
)
IOPS_OVER_TIME = _over_time("IOPS over time", "iops", IOPS)
THROUGHPUT_OVER_TIME = _over_time(
    "Throughput over time", "bytes_per_second", units.BytesPerSecondSI
)
IOPS_OVER_BYTES_WRITTEN = _over_writes("IOPS over bytes written", "iops", IOPS)
THROUGHPUT_OVER_BYTES_WRITTEN = _over_writes(
    "Throughput over bytes written", "bytes_per_second", units.BytesPerSecondSI
)
WAS_IT_STEADY = rules_on(
    _MEASUREMENT,
    "Was it steady",
    "The rules on steadiness, measured time and bytes written: the five rounds of SNIA's PTS, "
    "changes of level and noise. The board Run lists all rules.",
    "verdict_word in ('not steady', 'insufficient data', 'too short')",
)
ALL_RUNS_WITH_LOGS = Table(
    "All runs with logs",
    "Our own runs with a log of IOPS or throughput, newest first; *show* draws the log above.",
    _OF_ARRAYS.select(
        wide(120, "array_label"),
        wide(110, "profile_label", grows=True),
        "run_verdict",
        wide(215, "change_reason"),
        "logged_seconds",
        Column("written_bytes", "written_bytes", Look("written", units.BytesSI, width=85)),
        wide(60, "log", of="measurement_id", wraps=False),
        wide(52, "measurement_id", "run", wraps=False),
        wide(110, "day", of="strftime(measured_at, '%Y-%m-%d')", wraps=False),
        then=_NEWEST_FIRST,
    ),
    empty=_NO_LOG,
    coloured={"run_verdict": RUN_VERDICTS},
)

BOARD = Board(
    "headroom-sustained",
    "Sustained",
    "**How long does the speed last?** A drive writes into its cache first: beyond it the level "
    "falls, after a time and after bytes written. Own runs with a log of IOPS or throughput.",
    [
        (11, [(12, IOPS_OVER_TIME), (12, THROUGHPUT_OVER_TIME)]),
        (4, [(24, BEFORE_AND_AFTER)]),
        (12, [(24, WAS_IT_STEADY)]),
    ],
    folded=[
        (10, [(12, IOPS_OVER_BYTES_WRITTEN), (12, THROUGHPUT_OVER_BYTES_WRITTEN)]),
        (14, [(24, ALL_RUNS_WITH_LOGS)]),
    ],
    variables=[_PROFILES, _ARRAYS, _MEASUREMENT],
)
