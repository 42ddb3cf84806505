"""How long does a run keep its speed?"""

from grafana_foundation_sdk.models import units

from dashboards import variables
from dashboards.board import Board
from dashboards.boards.run import rules_on
from dashboards.charts import ROOM, Curves
from dashboards.colours import GREY, MEASURED, RUN_VERDICTS
from dashboards.columns import IOPS, Look
from dashboards.marts import Column, mart, run_link, wide
from dashboards.panels import Card
from dashboards.tables import Table

_LOGGED = mart("rpt_logged_runs")
_PROFILES = variables.profiles(_LOGGED)
_OF_PROFILES = _LOGGED.where(_PROFILES)
_ARRAYS = variables.several("array", "Arrays", "array_label", _OF_PROFILES)
_OF_ARRAYS = _OF_PROFILES.where(_ARRAYS)
_NEWEST_FIRST = "measured_at desc nulls last, measurement_id limit 1000"
_MEASUREMENT = variables.one(
    "measurement",
    "Run with a log",
    "measurement_id",
    _OF_ARRAYS.select(
        Column("measurement_id", "__value"),
        Column("run_label", "__text"),
        then=f"order by change_ratio is not null desc, {_NEWEST_FIRST}",
    ),
)
_RATES = mart("rpt_logged_rates").where(_MEASUREMENT)
_NO_LOG = "No run with a log for this choice (fio: write_iops_log, write_bw_log)"
# By x-axis: its column, the rows that have it, and the text if there are none.
_OVER = {
    "time": (Column("elapsed_seconds", "elapsed_seconds", Look("time")), _RATES, _NO_LOG),
    "bytes written": (
        Column("written_bytes", "written_bytes", Look("bytes written", f"si:B{ROOM}")),
        _RATES.where("write_bytes_per_second > 0"),
        "This run wrote nothing, or its log does not have it",
    ),
}


def _lasting(over: str, title: str, rate: str, unit: str) -> Curves:
    x, rows, empty = _OVER[over]
    return Curves(
        f"{title} over {over}",
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
_IOPS = ("IOPS", "iops", IOPS)
_THROUGHPUT = ("Throughput", "bytes_per_second", units.BytesPerSecondSI)
IOPS_OVER_TIME = _lasting("time", *_IOPS)
THROUGHPUT_OVER_TIME = _lasting("time", *_THROUGHPUT)
IOPS_OVER_BYTES_WRITTEN = _lasting("bytes written", *_IOPS)
THROUGHPUT_OVER_BYTES_WRITTEN = _lasting("bytes written", *_THROUGHPUT)
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
        run_link(52),
        wide(110, "day", of="strftime(measured_at, '%Y-%m-%d')", wraps=False),
        then=f"order by {_NEWEST_FIRST}",
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
