"""What did each generation bring?"""

from dashboards import variables
from dashboards.bars import Bars
from dashboards.board import Board
from dashboards.colours import EVIDENCE
from dashboards.marts import Column, mart
from dashboards.tables import Table

_GENERATIONS = mart("rpt_generations")
_BASELINE = variables.one(
    "baseline",
    "Baseline",
    "baseline_generation_name",
    _GENERATIONS.select("baseline_generation_name", then="group by 1 order by count(*) desc, 1"),
)

_PAIRS = _GENERATIONS.where(_BASELINE)
_EMPTY = "No other generation was measured with the same profile, RAID level and drives"

RATIO_TO_THE_BASELINE = Bars(
    "Ratio to the baseline",
    "Throughput or IOPS over those of the baseline generation, arrays alike; ≈ is approximate.",
    _PAIRS.select(
        "comparison_label",
        "ratio",
        Column("best_measurement_id", "measurement_id"),
        then="order by ratio desc",
    ),
    empty=_EMPTY,
)
WHAT_A_LANE_CARRIES = Bars(
    "What a lane carries",
    "Each interface generation, one lane in one direction: in theory, and the nine tenths that are "
    "practical.",
    mart("dim_interfaces").select(
        "interface",
        Column("lane_theoretical_bytes_per_second", "theoretical"),
        Column("lane_practical_bytes_per_second", "practical"),
        then="order by family, generation",
    ),
    empty="No interfaces are known",
    is_measured=False,
    colours=EVIDENCE,
)
THE_PAIRS = Table(
    "The pairs",
    "Both sides of each ratio, with the measurements behind them.",
    _PAIRS.select(
        "generation_name",
        "profile_label",
        "raid_level",
        "drive_count",
        "drive_media",
        "ratio",
        "iops",
        "bytes_per_second",
        "best_measurement_id",
        "attained_ratio",
        "baseline_measurement_id",
        then="order by ratio desc",
    ),
    empty=_EMPTY,
)
WHAT_PAPERS_SAY_OF_GENERATIONS = Table(
    "What papers say of generations",
    "Every claim of a paper that compares generations, or single drives of them: the papers' own "
    "quotient tables. What the data gives stands beside.",
    mart("fct_claims")
    .where("compares in ('generation', 'drive')")
    .select(
        "claim_label",
        "as_printed",
        "data_label",
        "verdict",
        "derived_ratio",
        "document_id",
        "pages",
        "missing",
        then="order by verdict, document_id, page",
    ),
    empty="No paper compares generations",
)

BOARD = Board(
    "headroom-generations",
    "Generations",
    "**What does one generation of controllers reach beside another?** The best of each at the "
    "same profile, RAID level, media and number of drives; the baseline is 1.",
    [
        (14, [(14, RATIO_TO_THE_BASELINE), (10, WHAT_A_LANE_CARRIES)]),
        (9, [(24, THE_PAIRS)]),
        (9, [(24, WHAT_PAPERS_SAY_OF_GENERATIONS)]),
    ],
    variables=[_BASELINE],
)
