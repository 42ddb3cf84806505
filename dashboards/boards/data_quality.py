"""Can last night's numbers be trusted?"""

from dashboards import variables
from dashboards.board import Board
from dashboards.charts import Nights
from dashboards.colours import VERDICTS
from dashboards.marts import Column, mart, quality, wide
from dashboards.tables import Table

_CHECKS = quality("check_results")
_SEVERITY = variables.several("severity", "Severity", "severity", _CHECKS)

_NIGHTS = quality("nightly_runs")
_NIGHTS_IN_TIME = _NIGHTS.where("$__timeFilter(started_at)")
_NO_NIGHT = "No night in this time: run headroom nightly, or widen the time"

LAST_NIGHT = Table(
    "Last night",
    "Whether the last nightly run published what it built, and if not why (UTC).",
    _NIGHTS.where("is_latest").select(
        wide(110, "status", wraps=False),
        "ended_at",
        wide(85, "check_passed_count", wraps=False),
        wide(85, "check_failed_count", wraps=False),
        wide(85, "file_loaded_count", wraps=False),
        wide(105, "file_quarantined_count", wraps=False),
        "reason",
    ),
    empty="No night yet: run headroom nightly PATH",
    coloured={"status": {"published": VERDICTS["confirmed"]}},
)
CHECKS_BY_NIGHT = Nights(
    "Checks by night",
    "Passed and failed checks of each night.",
    _NIGHTS_IN_TIME.select(
        Column("started_at", "time"),
        "check_passed_count",
        "check_failed_count",
        then="order by 1",
    ),
    empty=_NO_NIGHT,
)
FILES_BY_NIGHT = Nights(
    "Files by night",
    "Loaded and quarantined files of each night.",
    _NIGHTS_IN_TIME.select(
        Column("started_at", "time"),
        "file_loaded_count",
        "file_quarantined_count",
        then="order by 1",
    ),
    empty=_NO_NIGHT,
)
EVERY_NIGHT = Table(
    "Nights",
    "Each nightly run: what came in, and what the checks said.",
    _NIGHTS_IN_TIME.select(
        wide(85, "status", wraps=False),
        "ended_at",
        wide(185, "reason"),
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
CHECKS_OF_THE_LAST_NIGHT = Table(
    "Checks of the last night",
    "What each check found, with the first rows that fail it; failed ones first.",
    _CHECKS.where("is_latest", _SEVERITY).select(
        wide(200, "description"),
        wide(70, "is_passed", wraps=False),
        wide(80, "severity", wraps=False),
        wide(90, "observed"),
        wide(290, "bound"),
        wide(70, "failing_row_count", wraps=False),
        wide(205, "sample_rows"),
        then="order by is_passed, severity, check_id",
    ),
    empty="No check of this severity",
)
RESULTS_THAT_DO_NOT_COUNT = Table(
    "Results that do not count",
    "Results that are kept, but in no best, ceiling or board, and why; implausible ones first.",
    mart("measurements")
    .where("not is_valid")
    .select(
        "validity_note",
        "source_path",
        "source_position",
        "measured_at",
        "measurement_id",
        then="order by is_plausible, source_path, source_position limit 500",
    ),
    empty="Every result counts",
    is_measured=False,
)
QUARANTINED_FILES = Table(
    "Quarantined files",
    "What could not be read, and why.",
    quality("quarantined_files").select(
        wide(300, "path"),
        "reason",
        "line",
        wide(100, "parser"),
        "quarantined_at",
        then="order by quarantined_at desc limit 500",
    ),
    empty="Nothing is quarantined: every file could be read",
)
CHANGES_IN_REPEATED_RUNS = Table(
    "Changes in repeated runs",
    "Where a configuration that is measured again and again changed, regressions first.",
    quality("change_points").select(
        wide(200, "series_name"),
        wide(125, "metric", wraps=False),
        wide(75, "change_ratio", wraps=False),
        wide(95, "is_regression", wraps=False),
        wide(150, "likely_reason"),
        wide(70, "is_recent", wraps=False),
        wide(75, "mean_before", wraps=False),
        wide(75, "mean_after", wraps=False),
        wide(60, "measurement_id", "run", wraps=False),
        wide(85, "day", of="strftime(changed_at, '%Y-%m-%d')", wraps=False),
        then="order by is_regression desc, changed_at desc limit 500",
    ),
    empty=(
        "No change of level was found where there are enough runs to tell. The next table has the "
        "spread of fewer runs"
    ),
)
REPEATED_RUNS = Table(
    "Repeated runs",
    "Median and range of our own runs with the same load, engine, condition and file, widest "
    "first; the link leads to the newest. Two runs far apart are noise or a change: a change of "
    "level takes several runs before and after it.",
    mart("rpt_repeated_runs").select(
        "array_label",
        "profile_label",
        wide(160, "load_label"),
        wide(235, "value_label", "median and range"),
        "spread_ratio",
        "run_count",
        wide(60, "measurement_id", "run", wraps=False),
        then="order by spread_ratio desc nulls last, run_count desc, array_label limit 200",
    ),
    empty="No load was run twice",
    is_measured=False,
)
FINDINGS = Table(
    "Findings",
    "Measured above a ceiling, or printed and different from the formula, with the likely reason.",
    mart("rpt_verdicts")
    .where("topic in ('above ceiling', 'differs from formula')")
    .select(
        wide(140, "topic"),
        wide(230, "statement", grows=True),
        "size_ratio",
        wide(230, "source_label"),
        wide(60, "measurement_id", "run", wraps=False),
        then="order by topic, size_ratio desc",
    ),
    empty="Nothing lies above its ceiling or differs from its formula",
    is_measured=False,
)
NAMES_THE_CATALOG_DOES_NOT_KNOW = Table(
    "Names the catalog does not know",
    "What a headroom.yml names and no document or sidecar defines, with the nearest names.",
    mart("fct_catalog_findings").select(
        "kind",
        wide(190, "name"),
        wide(80, "source_count", wraps=False),
        wide(330, "first_source_path"),
        wide(230, "nearest_names"),
        then="order by source_count desc, name",
    ),
    empty="The catalog knows every name",
    is_measured=False,
)

BOARD = Board(
    "headroom-data-quality",
    "Data quality",
    "**Can last night's numbers be trusted?** A night that is held back leaves the published "
    "numbers as they were; what failed and which files could not be read stands here all the same.",
    [
        (4, [(24, LAST_NIGHT)]),
        (9, [(12, CHECKS_BY_NIGHT), (12, FILES_BY_NIGHT)]),
        (8, [(24, EVERY_NIGHT)]),
        (9, [(24, CHECKS_OF_THE_LAST_NIGHT)]),
        (6, [(24, RESULTS_THAT_DO_NOT_COUNT)]),
        (5, [(24, QUARANTINED_FILES)]),
        (6, [(24, CHANGES_IN_REPEATED_RUNS)]),
        (7, [(24, REPEATED_RUNS)]),
        (8, [(24, FINDINGS)]),
        (5, [(24, NAMES_THE_CATALOG_DOES_NOT_KNOW)]),
    ],
    variables=[_SEVERITY],
    has_time=True,
)
