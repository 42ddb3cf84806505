"""What is in the warehouse, and can it be trusted?"""

from dashboards.bars import Bars
from dashboards.board import Board
from dashboards.colours import VENDORS
from dashboards.columns import Look
from dashboards.links import to_vendor
from dashboards.marts import Column, mart, quality
from dashboards.panels import Card
from dashboards.tables import Table

_MEASURED = mart("measurements")
_MEASUREMENTS = Column("count(*)", "measurements", Look(width=120, wraps=False))
_ARRAYS = Column("count(distinct array_id)", "arrays")
_EMPTY = "The warehouse is empty: run headroom nightly PATH"

HOLDINGS = Card(
    "In the warehouse",
    "How much there is, and when the newest of the lab's own results was measured (UTC).",
    _MEASURED.select(
        _MEASUREMENTS,
        _ARRAYS,
        Column("count(distinct profile_id)", "load_profiles"),
        Column("count(distinct document_id)", "papers_with_values"),
        Column("count(distinct vendor)", "vendors"),
        Column("max(measured_at)", "newest_own_result_at", Look(heading="newest own result")),
    ),
    empty="none yet",
)
LAST_NIGHT = Card(
    "Last night",
    "Whether the last nightly run published what it built, and if not why (UTC).",
    quality("nightly_runs")
    .where("is_latest")
    .select("status", "ended_at", "file_loaded_count", "check_failed_count", "reason"),
    empty="none",
)
BY_VENDOR = Bars(
    "By vendor",
    "How many measurements there are of each vendor's controllers, else drives.",
    _MEASURED.select(
        Column("vendor_label", "vendor"),
        _MEASUREMENTS,
        Column("vendor_label", "vendor_colour"),
        then="group by vendor_label order by 2 desc, 1 limit 15",
    ),
    empty=_EMPTY,
    link=to_vendor("${__data.fields.vendor}"),
    colour_by={"vendor_colour": VENDORS},
)
BY_CONTROLLER_GENERATION = Bars(
    "By controller generation",
    "How many measurements there are of each generation.",
    _MEASURED.select(
        Column("controller_generation_label", "controller_generation"),
        _MEASUREMENTS,
        then="group by controller_generation_label order by 2 desc, 1 limit 15",
    ),
    empty=_EMPTY,
)
BY_LOAD_PROFILE = Table(
    "By load profile",
    "What was measured with which profile; the name in brackets is what publishers call it.",
    _MEASURED.select(
        "profile_label",
        _MEASUREMENTS,
        _ARRAYS,
        Column("count(distinct source)", "sources"),
        Column("max(attained_ratio)", "attained_ratio"),
        then="group by profile_label order by 2 desc, 1",
    ),
    empty=_EMPTY,
)
BY_SOURCE = Table(
    "By source",
    "Papers and tools, who paid for the paper, and how many points each gave.",
    _MEASURED.select(
        "source",
        _MEASUREMENTS,
        _ARRAYS,
        "commissioned_by",
        then="group by source, commissioned_by order by 2 desc, 1",
    ),
    empty=_EMPTY,
)
LAST_NIGHTS_CHECKS = Table(
    "Last night's checks",
    "What Great Expectations found; failed checks come first.",
    quality("check_results")
    .where("is_latest")
    .select(
        "check_id",
        "is_passed",
        "severity",
        "description",
        then="order by is_passed, severity, check_id",
    ),
    empty="No night yet: run headroom nightly",
)
QUARANTINE = Table(
    "Quarantine",
    "Files that could not be read, and why. Each is kept in the archive.",
    quality("quarantined_files").select(
        "path", "reason", "line", "quarantined_at", then="order by quarantined_at desc limit 100"
    ),
    empty="Nothing is quarantined: every file could be read",
)

BOARD = Board(
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
