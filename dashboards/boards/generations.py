"""What did each generation bring?"""

from dashboards.bar_tables import BarTable
from dashboards.bars import Bars
from dashboards.board import Board
from dashboards.colours import EVIDENCE, MEASURED, VERDICTS
from dashboards.columns import Look
from dashboards.marts import Column, mart, wide
from dashboards.tables import Table

_PAIRS = mart("rpt_generations").where("is_faster")


EACH_PAIR = BarTable(
    "Each pair of generations",
    "How many times the IOPS or throughput of the other one, arrays alike: the controllers that "
    "reach the best of their generation, both values, and the source. ≈ is approximate.",
    _PAIRS.select(
        wide(130, "controllers_label", "controllers"),
        wide(85, "value_label", "reach", wraps=False),
        wide(70, "factor_label", "factor", wraps=False),
        Column("ratio", "ratio_value", Look(width=60, heading=" ")),
        wide(115, "baseline_controllers_label", "compared with"),
        wide(90, "baseline_value_label", "which reach", wraps=False),
        wide(140, "profile_label", "load profile", grows=True),
        wide(80, "alike_label", "alike"),
        wide(120, "source_label", "source"),
        wide(50, "best_measurement_id", "Run", wraps=False),
        wide(60, "baseline_measurement_id", "of the other", wraps=False),
        then="order by ratio desc, profile_label",
    ),
    empty="No other generation was measured with the same profile, RAID level and drives",
    bars={"ratio_value": MEASURED},
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
WHAT_PAPERS_SAY_OF_GENERATIONS = Table(
    "What papers say of generations",
    "Every claim of a paper that compares generations, or single drives of them: the papers' own "
    "quotient tables. What the data gives stands beside; the board Claims has why where it gives "
    "nothing.",
    mart("fct_claims")
    .where("compares in ('generation', 'drive')")
    .select(
        "verdict",
        wide(230, "claim_label", "claim", grows=True),
        "as_printed",
        wide(190, "data_label", "data says"),
        wide(230, "source_label", "source"),
        then="order by compares = 'generation' desc, verdict, document_id, page",
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
        (15, [(24, EACH_PAIR)]),
        (11, [(24, WHAT_PAPERS_SAY_OF_GENERATIONS)]),
        (14, [(24, WHAT_A_LANE_CARRIES)]),
    ],
)
