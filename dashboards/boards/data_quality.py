"""Can last night's numbers be trusted?"""

from dashboards import variables
from dashboards.board import board
from dashboards.charts import over_time
from dashboards.colours import NIGHT_COLOURS
from dashboards.panels import card, rows

_NO_NIGHT = "No night in this time: run headroom nightly, or widen the time"

LAST_NIGHT = card(
    "Last night",
    "Whether the last nightly run published what it built, and if not why (UTC).",
    [
        "status",
        "ended_at",
        "check_passed_count",
        "check_failed_count",
        "file_loaded_count",
        "file_quarantined_count",
        "reason",
    ],
    "from quality.nightly_runs where is_latest",
    empty="none",
)
CHECKS_BY_NIGHT = over_time(
    "Checks by night",
    "Passed and failed checks of each night.",
    (
        "select started_at as time, check_passed_count, check_failed_count from "
        "quality.nightly_runs where $__timeFilter(started_at) order by 1"
    ),
    empty=_NO_NIGHT,
    colours=NIGHT_COLOURS,
)
FILES_BY_NIGHT = over_time(
    "Files by night",
    "Loaded and quarantined files of each night.",
    (
        "select started_at as time, file_loaded_count, file_quarantined_count from "
        "quality.nightly_runs where $__timeFilter(started_at) order by 1"
    ),
    empty=_NO_NIGHT,
    colours=NIGHT_COLOURS,
)
NIGHTS = rows(
    "Nights",
    "Each nightly run: what came in, what the checks said, what was published.",
    [
        "status",
        "ended_at",
        "reason",
        "check_passed_count",
        "check_failed_count",
        "file_loaded_count",
        "file_quarantined_count",
        "file_unchanged_count",
        "measurement_count",
        "started_at",
        "release",
    ],
    "from quality.nightly_runs where $__timeFilter(started_at) order by started_at desc limit 400",
    empty=_NO_NIGHT,
)
CHECKS_OF_THE_LAST_NIGHT = rows(
    "Checks of the last night",
    "What each check found, with the first rows that fail it; failed ones first.",
    [
        "check_id",
        "is_passed",
        "severity",
        "observed",
        "bound",
        "failing_row_count",
        "sample_rows",
        "description",
    ],
    (
        "from quality.check_results where is_latest and severity = "
        "any([${severity:sqlstring}]) order by is_passed, severity, check_id"
    ),
    empty="No check of this severity",
)
QUARANTINED_FILES = rows(
    "Quarantined files",
    "What could not be read, and why.",
    ["path", "reason", "line", "parser", "quarantined_at"],
    "from quality.quarantined_files order by quarantined_at desc limit 500",
    empty="Nothing is quarantined: every file could be read",
)
CHANGES_IN_REPEATED_RUNS = rows(
    "Changes in repeated runs",
    "Where a configuration that is measured again and again changed, regressions first.",
    [
        "series_name",
        "metric",
        "change_ratio",
        "is_regression",
        "is_recent",
        "mean_before",
        "mean_after",
        "measurement_id",
        "changed_at",
    ],
    "from quality.change_points order by is_regression desc, changed_at desc limit 500",
    empty="No change was found in repeated runs",
)
FINDINGS = rows(
    "Findings",
    (
        "Measured above a ceiling, or printed otherwise than the formula gives, with the "
        "likely reason."
    ),
    [
        "finding_kind",
        "subject",
        "observed_value",
        "expected_value",
        "unit",
        "excess_ratio",
        "likely_reason",
        "document_id",
        "page",
        "measurement_id",
    ],
    "from marts.fct_findings order by finding_kind, excess_ratio desc",
    empty="Nothing lies above its ceiling or differs from its formula",
)
NAMES_THE_CATALOG_DOES_NOT_KNOW = rows(
    "Names the catalog does not know",
    "What a headroom.yml names and no document or sidecar defines, with the nearest names.",
    ["kind", "name", "source_count", "first_source_path", "nearest_names"],
    "from marts.fct_catalog_findings order by source_count desc, name",
    empty="The catalog knows every name",
)

BOARD = board(
    "headroom-data-quality",
    "Data quality",
    "**Can last night's numbers be trusted?** A night that is held back leaves the "
    "published numbers as they were; what failed "
    "and which files could not be read stands here all the same.",
    [
        (4, [(24, LAST_NIGHT)]),
        (9, [(12, CHECKS_BY_NIGHT), (12, FILES_BY_NIGHT)]),
        (8, [(24, NIGHTS)]),
        (9, [(24, CHECKS_OF_THE_LAST_NIGHT)]),
        (7, [(24, QUARANTINED_FILES)]),
        (8, [(24, CHANGES_IN_REPEATED_RUNS)]),
        (8, [(24, FINDINGS)]),
        (8, [(24, NAMES_THE_CATALOG_DOES_NOT_KNOW)]),
    ],
    variables=[
        variables.several(
            "severity", "Severity", "select distinct severity from quality.check_results order by 1"
        ),
    ],
    has_time=True,
)
