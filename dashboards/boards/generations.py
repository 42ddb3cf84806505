"""What did each generation bring?"""

from dashboards.bars import Bars
from dashboards.board import Board
from dashboards.colours import EVIDENCE, VERDICTS
from dashboards.marts import Column, mart
from dashboards.tables import Table

_PAIRS = mart("rpt_generations").where("is_faster")
_EMPTY = "No other generation was measured with the same profile, RAID level and drives"

EACH_PAIR = Bars(
    "Each pair of generations",
    "How many times the throughput or IOPS of the other one, arrays alike; ≈ is approximate.",
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
    mart("dim_interfaces")
    .where("family in ('DMI', 'PCIe', 'SAS', 'SATA')")
    .select(
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
        "comparison_label",
        "values_label",
        "ratio",
        "profile_label",
        "best_measurement_id",
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
        "verdict",
        "claim_label",
        "as_printed",
        "data_label",
        "source_label",
        "missing",
        then="order by verdict, document_id, page",
    ),
    empty="No paper compares generations",
    coloured={"verdict": VERDICTS},
)

BOARD = Board(
    "headroom-generations",
    "Generations",
    "**What does one generation of controllers reach beside another?** The best of each at the "
    "same profile, RAID level, media and number of drives; all pairs that were measured.",
    [
        (9, [(24, EACH_PAIR)]),
        (8, [(24, THE_PAIRS)]),
        (9, [(24, WHAT_PAPERS_SAY_OF_GENERATIONS)]),
        (14, [(24, WHAT_A_LANE_CARRIES)]),
    ],
)
