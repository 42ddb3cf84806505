"""What did each generation bring?"""

from dashboards.bar_tables import BarTable
from dashboards.bars import Bars
from dashboards.board import Board
from dashboards.colours import EVIDENCE, MEASURED, VERDICTS
from dashboards.columns import Look
from dashboards.marts import Column, mart, shown
from dashboards.tables import Table

_PAIRS = mart("rpt_generations").where("is_faster")


EACH_PAIR = BarTable(
    "Each pair of generations",
    "How many times the IOPS or throughput of the other one, arrays alike: the controllers that "
    "reach the best of their generation, both values, and who says so. ≈ is approximate.",
    _PAIRS.select(
        shown("controllers_label", 130, "controllers"),
        shown("value_label", 85, "reach", wraps=False),
        shown("factor_label", 70, "factor", wraps=False),
        Column("ratio", "ratio_value", Look(width=60, heading=" ")),
        shown("baseline_controllers_label", 115, "compared with"),
        shown("baseline_value_label", 90, "which reach", wraps=False),
        Column("profile_label", "profile_label", Look("load profile", width=140, grows=True)),
        shown("alike_label", 80, "alike"),
        shown("source_label", 120, "source"),
        shown("best_measurement_id", 50, "Run", wraps=False),
        shown("baseline_measurement_id", 60, "of the other", wraps=False),
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
        Column("claim_label", "claim_label", Look("claim", width=230, grows=True)),
        "as_printed",
        shown("data_label", 190, "data says"),
        shown("source_label", 230, "source"),
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
