"""What is in the warehouse, and can it be trusted?"""

from dashboards.bars import bars
from dashboards.board import board
from dashboards.colours import VENDORS
from dashboards.links import to_vendor
from dashboards.panels import card, rows

_MEASURED = "from marts.measurements"
_LAST_NIGHT = "from quality.nightly_runs where is_latest"
_EMPTY = "The warehouse is empty: run headroom nightly PATH"
_NO_NIGHT = "No night yet: run headroom nightly"

HOLDINGS = card(
    "In the warehouse",
    "How much there is, and when the newest of the lab's own results was measured (UTC).",
    [
        "count(*) as measurements",
        "count(distinct array_id) as arrays",
        "count(distinct profile_id) as load_profiles",
        "count(distinct document_id) as papers_with_values",
        "count(distinct vendor) as vendors",
        "max(measured_at) as newest_own_result_at",
    ],
    _MEASURED,
    empty="none yet",
)
LAST_NIGHT = card(
    "Last night",
    "Whether the last nightly run published what it built, and if not why (UTC).",
    ["status", "ended_at", "file_loaded_count", "check_failed_count", "reason"],
    _LAST_NIGHT,
    empty="none",
)
BY_VENDOR = bars(
    "By vendor",
    "How many measurements there are of each vendor's controllers, else drives.",
    label="vendor_label as vendor",
    values=["count(*) as measurements"],
    source=f"{_MEASURED} group by vendor_label order by 2 desc, 1 limit 15",
    empty=_EMPTY,
    link=to_vendor("${__data.fields.vendor}"),
    colour_by=("vendor_label as vendor_colour", VENDORS),
)
BY_CONTROLLER_GENERATION = bars(
    "By controller generation",
    "How many measurements there are of each generation.",
    label="controller_generation_label as controller_generation",
    values=["count(*) as measurements"],
    source=f"{_MEASURED} group by controller_generation_label order by 2 desc, 1 limit 15",
    empty=_EMPTY,
)
BY_LOAD_PROFILE = rows(
    "By load profile",
    "What was measured with which profile; the name in brackets is what publishers call it.",
    [
        "profile_label",
        "count(*) as measurements",
        "count(distinct array_id) as arrays",
        "count(distinct source) as sources",
        "max(attained_ratio) as attained_ratio",
    ],
    f"{_MEASURED} group by profile_label order by 2 desc, 1",
    empty=_EMPTY,
)
BY_SOURCE = rows(
    "By source",
    "Papers and tools, who paid for the paper, and how many points each gave.",
    [
        "source",
        "count(*) as measurements",
        "count(distinct array_id) as arrays",
        "commissioned_by",
    ],
    f"{_MEASURED} group by source, commissioned_by order by 2 desc, 1",
    empty=_EMPTY,
)
LAST_NIGHTS_CHECKS = rows(
    "Last night's checks",
    "What Great Expectations found; failed checks come first.",
    [
        "check_id",
        "is_passed",
        "severity",
        "description",
    ],
    "from quality.check_results where is_latest order by is_passed, severity, check_id",
    empty=_NO_NIGHT,
)
QUARANTINE = rows(
    "Quarantine",
    "Files that could not be read, and why. Each is kept in the archive.",
    ["path", "reason", "line", "quarantined_at"],
    "from quality.quarantined_files order by quarantined_at desc limit 100",
    empty="Nothing is quarantined: every file could be read",
)

BOARD = board(
    "headroom-overview",
    "Overview",
    "**What is in the warehouse, how fresh is it, and did last night's checks pass?** "
    "Every number leads back to a file and a line, or to a paper and a page.",
    [
        (4, [(24, HOLDINGS)]),
        (4, [(24, LAST_NIGHT)]),
        (9, [(12, BY_VENDOR), (12, BY_CONTROLLER_GENERATION)]),
        (10, [(13, BY_LOAD_PROFILE), (11, BY_SOURCE)]),
        (9, [(24, LAST_NIGHTS_CHECKS)]),
        (7, [(24, QUARANTINE)]),
    ],
)
