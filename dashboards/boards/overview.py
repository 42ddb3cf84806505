"""What was found, what is new, and where to look."""

from dashboards.board import Board
from dashboards.boards.data_quality import last_night
from dashboards.colours import RUN_VERDICTS, VERDICTS
from dashboards.columns import Look
from dashboards.marts import Column, mart, quality, wide
from dashboards.panels import Card
from dashboards.tables import Table

_MEASURED = mart("rpt_measurements")
_MEASUREMENTS = Column("count(*)", "measurements", Look(width=120, wraps=False))
_ARRAYS = Column("count(distinct array_id)", "arrays", Look(width=90, wraps=False))
_SOURCE = "coalesce(document_title, source_format)"
_EMPTY = "The warehouse is empty: run headroom nightly PATH"

LAST_NIGHT = last_night(
    wide(110, "file_loaded_count", wraps=False),
    wide(140, "file_quarantined_count", wraps=False),
    wide(120, "check_failed_count", wraps=False),
)
FINDINGS = Table(
    "Findings",
    "Claims that the data contradicts, values above their ceiling or different from the formula, "
    "and repeated runs that are far apart.",
    mart("rpt_verdicts").select(
        wide(175, "topic"),
        wide(230, "statement", grows=True),
        wide(360, "source_label"),
        wide(60, "measurement_id", "run", wraps=False),
        then="order by topic = 'runs apart' desc, topic = 'claim contradicted' desc, topic, "
        "size_ratio desc nulls last limit 100",
    ),
    empty="No claim is contradicted, no value is above its ceiling, no repeated runs are far apart",
    coloured={"topic": {"claim contradicted": VERDICTS["contradicted"]}},
)
OUR_NEWEST_RUNS = Table(
    "Our newest runs",
    "The newest run of each array, profile and load, compared with earlier runs and with the "
    "best published value at the same profile and medium; single drives with single drives. The "
    "verdict says whether the number may be believed.",
    mart("rpt_newest_runs").select(
        wide(140, "array_label"),
        wide(145, "profile_label", grows=True),
        wide(122, "value_label"),
        "run_verdict",
        wide(105, "history_change_label"),
        wide(117, "history_label"),
        wide(84, "published_ratio", wraps=False),
        wide(145, "published_label", grows=True),
        wide(52, "measurement_id", "run", wraps=False),
        wide(98, "day", of="strftime(measured_at, '%Y-%m-%d')", wraps=False),
        then="order by measured_at::date desc, earlier_run_count > 0 desc, "
        "published_label is not null desc, measured_at desc, measurement_id limit 100",
    ),
    empty="No runs of our own yet: run headroom nightly PATH",
    coloured={"run_verdict": RUN_VERDICTS},
)
VERDICTS_ON_OUR_NEWEST_RUNS = Card(
    "Verdicts on our newest runs",
    "How many of the newest runs have each verdict: whether their number may be believed. The "
    "board Run has the reasons.",
    mart("rpt_newest_runs").select(
        Column("count(*)", "newest runs"),
        *(Column(f"count(*) filter (run_verdict = '{word}')", word) for word in RUN_VERDICTS),
    ),
    empty="none",
)
CLAIMS_OF_PAPERS = Table(
    "Claims of papers",
    "Each paper's claims: contradicted, confirmed by other documents or own runs, consistent with "
    "the paper's own numbers, or with insufficient data for a verdict.",
    mart("fct_claims").select(
        wide(190, "document_title", "paper", of="any_value(document_title)", grows=True),
        *(
            Column(f"count(*) filter (verdict = '{verdict}')", verdict, Look(width=95, wraps=False))
            for verdict in ("contradicted", "confirmed", "consistent", "insufficient data")
        ),
        then="group by document_id order by 2 desc, 3 desc",
    ),
    empty="No paper with claims is in the warehouse",
)
CHECKS_THAT_FAILED = Table(
    "Failed checks of last night",
    "Failed data-quality checks; the board Data quality lists all checks.",
    quality("check_results")
    .where("is_latest", "not is_passed")
    .select(
        wide(230, "description"),
        "severity",
        "failing_row_count",
        then="order by severity, check_id",
    ),
    empty="Every check passed",
)
FILES_THAT_COULD_NOT_BE_READ = Table(
    "Files that could not be read",
    "Those that could be opened are in the archive.",
    quality("quarantined_files").select(
        "path", "reason", "quarantined_at", then="order by quarantined_at desc limit 100"
    ),
    empty="Nothing is quarantined: every result could be read",
)
BY_SOURCE = Table(
    "By source",
    "Papers and tools, the paper's sponsor, and the number of points from each.",
    _MEASURED.select(
        wide(170, "source", of=_SOURCE),
        _MEASUREMENTS,
        _ARRAYS,
        "commissioned_by",
        then=f"group by {_SOURCE}, commissioned_by order by 2 desc, 1",
    ),
    empty=_EMPTY,
)
BOARD = Board(
    "headroom-overview",
    "Overview",
    "**What was found, what is new, and where do I look?** "
    "[Compare](/d/headroom-compare): which is faster, what a paper prints. "
    "[Vendors](/d/headroom-vendors): what each does. "
    "[Generations](/d/headroom-generations): what is new. "
    "[Response curve](/d/headroom-response-curve): the knee. "
    "[RAID levels](/d/headroom-raid-levels): their cost. "
    "[Headroom](/d/headroom-headroom): what limits. "
    "[Sizing](/d/headroom-sizing): how many drives. "
    "[Claims](/d/headroom-claims): do they hold. "
    "[Run](/d/headroom-run): one value. "
    "[Sustained](/d/headroom-sustained): how long it lasts. "
    "[Data quality](/d/headroom-data-quality): can it be trusted.",
    [
        (4, [(24, LAST_NIGHT)]),
        (11, [(24, OUR_NEWEST_RUNS)]),
        (4, [(24, VERDICTS_ON_OUR_NEWEST_RUNS)]),
        (11, [(24, FINDINGS)]),
        (7, [(12, CHECKS_THAT_FAILED), (12, FILES_THAT_COULD_NOT_BE_READ)]),
    ],
    folded_title="Papers and sources",
    folded=[(8, [(14, CLAIMS_OF_PAPERS), (10, BY_SOURCE)])],
)
