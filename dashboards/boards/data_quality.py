"""Did last night's results pass every check?"""

from grafana_foundation_sdk.models import units

from dashboards import variables
from dashboards.board import Board
from dashboards.charts import Nights
from dashboards.colours import VERDICTS
from dashboards.columns import Look
from dashboards.marts import Column, mart, quality, run_link, wide
from dashboards.panels import Card
from dashboards.tables import Table

_CHECKS = quality("check_results")
_SEVERITY = variables.several("severity", "Severity", "severity", _CHECKS)

_NIGHTS = quality("nightly_runs")
_NIGHTS_IN_TIME = _NIGHTS.where("$__timeFilter(started_at)")
_NO_NIGHT = "No nightly run in this time range: run headroom nightly, or widen the range"


def _by_night(title: str, description: str, *columns: str) -> Nights:
    time = Column("started_at", "time")
    query = _NIGHTS_IN_TIME.select(time, *columns, then="order by 1")
    return Nights(title, description, query, empty=_NO_NIGHT)


# Also on the board Overview.
LAST_NIGHT = Card(
    "Last night",
    "Whether the results of the last nightly run were published (UTC), what was new in it, and "
    "what failed. Results that are held back leave the published numbers unchanged.",
    _NIGHTS.where("is_latest").select(
        Column("status || coalesce(': ' || reason, '')", "results"),
        Column("strftime(ended_at, '%-d %b, %H:%M UTC')", "ended"),
        Column("file_loaded_count", "new files"),
        Column("file_quarantined_count", "quarantined files"),
        Column("check_failed_count", "failed checks"),
    ),
    empty="No nightly run yet: run headroom nightly PATH",
    patterns={
        "results": {"^published$": VERDICTS["confirmed"], ".": VERDICTS["contradicted"]},
        "quarantined files": {"^[1-9]": VERDICTS["contradicted"]},
        "failed checks": {"^[1-9]": VERDICTS["contradicted"]},
    },
)
CHECKS_BY_NIGHT = _by_night(
    "Checks by night",
    "Passed and failed checks of each night.",
    "check_passed_count",
    "check_failed_count",
)
FILES_BY_NIGHT = _by_night(
    "Files by night",
    "Loaded and quarantined files of each night.",
    "file_loaded_count",
    "file_quarantined_count",
)
EVERY_NIGHT = Table(
    "Nights",
    "Each nightly run: files loaded and check results.",
    _NIGHTS_IN_TIME.select(
        wide(85, "status", wraps=False),
        "ended_at",
        wide(165, "reason", grows=True),
        wide(75, "check_passed_count", wraps=False),
        wide(75, "check_failed_count", wraps=False),
        wide(70, "file_loaded_count", wraps=False),
        wide(100, "file_quarantined_count", wraps=False),
        wide(90, "file_unchanged_count", wraps=False),
        wide(115, "measurement_count", wraps=False),
        then="order by started_at desc limit 400",
    ),
    empty=_NO_NIGHT,
)
FAILED_CHECKS = Table(
    "What failed",
    "Failed checks of the last night, critical ones first: since which night each fails, in how "
    "many rows, and the first of them.",
    _CHECKS.where(_SEVERITY).ask(
        "select description, severity, "
        "strftime(min(checked_at) over failing, '%Y-%m-%d') as since, failing_row_count, "
        "observed, bound, sample_rows from (select *, "
        "max(checked_at) filter (where is_passed) over (partition by check_id) as passed_at "
        f"{_CHECKS.where(_SEVERITY)}) where not is_passed and "
        "checked_at > coalesce(passed_at, '-infinity') "
        "window failing as (partition by check_id) qualify is_latest "
        "order by severity, check_id",
        wide(250, "description", grows=True),
        wide(80, "severity", wraps=False),
        wide(100, "since", wraps=False),
        wide(80, "failing_row_count", wraps=False),
        wide(90, "observed"),
        wide(130, "bound"),
        wide(250, "sample_rows", grows=True),
    ),
    empty="Every check of the last night passed",
)
CHECKS_OF_THE_LAST_NIGHT = Table(
    "Checks of the last night",
    "Result of each check with the first failing rows; failed checks first.",
    _CHECKS.where("is_latest", _SEVERITY).select(
        wide(220, "description", grows=True),
        wide(70, "is_passed", wraps=False),
        wide(80, "severity", wraps=False),
        wide(90, "observed"),
        wide(220, "bound", grows=True),
        wide(70, "failing_row_count", wraps=False),
        wide(220, "sample_rows", grows=True),
        then="order by is_passed, severity, check_id",
    ),
    empty="No check of this severity",
)
RESULTS_THAT_DO_NOT_COUNT = Table(
    "Invalid results",
    "Results kept but left out of best values, ceilings and boards, and why; implausible ones "
    "first.",
    mart("measurements")
    .where("not is_valid")
    .select(
        wide(250, "validity_note", grows=True),
        wide(250, "source_path", grows=True),
        "source_position",
        "measured_at",
        "measurement_id",
        then="order by is_plausible, source_path, source_position limit 500",
    ),
    empty="Every result is valid",
    is_measured=False,
)
QUARANTINED_FILES = Table(
    "Quarantined files",
    "Files that could not be read, and why.",
    quality("quarantined_files").select(
        wide(300, "path"),
        "reason",
        "line",
        wide(100, "parser"),
        "quarantined_at",
        then="order by quarantined_at desc limit 500",
    ),
    empty="Nothing is quarantined: every result could be read",
)
CHANGES_IN_REPEATED_RUNS = Table(
    "Changes in repeated runs",
    "Changes of level in repeated measurements, regressions first. An acknowledged change shows "
    "its reason and raises no alert.",
    quality("change_points").select(
        wide(150, "series_name", grows=True),
        wide(140, "metric", wraps=False),
        wide(70, "change_ratio", wraps=False),
        wide(85, "is_regression", wraps=False),
        wide(90, "likely_reason"),
        wide(135, "acknowledged_reason", "acknowledged"),
        Column("mean_before", "mean_before", Look("mean before", units.SiShort, width=80)),
        Column("mean_after", "mean_after", Look("mean after", units.SiShort, width=80)),
        run_link(50),
        wide(80, "day", of="strftime(changed_at, '%Y-%m-%d')", wraps=False),
        then="order by is_regression desc, changed_at desc limit 500",
    ),
    empty="No change of level in any series with enough runs",
)
REPEATED_RUNS = Table(
    "Repeated runs",
    "Median and range of our own runs with the same load, engine, condition and file, widest "
    "first; the link opens the newest. Two runs far apart can be noise or a change: a change of "
    "level needs several runs before and after it.",
    mart("rpt_repeated_runs").select(
        "array_label",
        "profile_label",
        wide(160, "load_label"),
        wide(235, "value_label", "median and range"),
        "spread_ratio",
        "run_count",
        run_link(60),
        then="order by spread_ratio desc nulls last, run_count desc, array_label limit 200",
    ),
    empty="No load was run more than once",
    is_measured=False,
)
NAMES_THE_CATALOG_DOES_NOT_KNOW = Table(
    "Names unknown to the catalog",
    "Names in a headroom.yml that no document or sidecar defines, with the nearest known names.",
    mart("fct_catalog_findings").select(
        "kind",
        wide(190, "name"),
        wide(80, "source_count", wraps=False),
        wide(270, "first_source_path", grows=True),
        wide(270, "nearest_names", grows=True),
        then="order by source_count desc, name",
    ),
    empty="The catalog knows every name",
    is_measured=False,
)

BOARD = Board(
    "headroom-data-quality",
    "Data quality",
    "**Did last night's results pass every check?**",
    [
        (4, [(24, LAST_NIGHT)]),
        (9, [(24, FAILED_CHECKS)]),
        (9, [(24, CHANGES_IN_REPEATED_RUNS)]),
    ],
    folded=[
        (9, [(12, CHECKS_BY_NIGHT), (12, FILES_BY_NIGHT)]),
        (9, [(24, EVERY_NIGHT)]),
        (14, [(24, CHECKS_OF_THE_LAST_NIGHT)]),
        (8, [(24, QUARANTINED_FILES)]),
        (8, [(24, RESULTS_THAT_DO_NOT_COUNT)]),
        (12, [(24, REPEATED_RUNS)]),
        (8, [(24, NAMES_THE_CATALOG_DOES_NOT_KNOW)]),
    ],
    variables=[_SEVERITY],
    has_time=True,
)
