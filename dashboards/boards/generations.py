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
    "The highest IOPS or throughput of one generation as a multiple of the other's, with the "
    "same RAID level and drives: the controllers, both values (median and range of repeated "
    "runs) and the source. ≈ is approximate.",
    _PAIRS.select(
        wide(105, "controllers_label", "controllers"),
        wide(90, "value_label", "reach"),
        wide(60, "factor_label", "factor", wraps=False),
        Column("ratio", "ratio_value", Look(width=70, heading=" ")),
        wide(100, "baseline_controllers_label", "compared with"),
        wide(90, "baseline_value_label", "which reach"),
        wide(125, "profile_label", "load profile", grows=True),
        wide(80, "alike_label", "alike"),
        wide(160, "source_label", "source"),
        wide(50, "best_measurement_id", "Run", wraps=False),
        wide(60, "baseline_measurement_id", "of the other", wraps=False),
        then="order by ratio desc, profile_label",
    ),
    empty="No other generation was measured with the same profile, RAID level and drives",
    bars={"ratio_value": MEASURED},
)
WHAT_A_LANE_CARRIES = Bars(
    "Bandwidth of one lane",
    "One lane in one direction for each interface generation: theoretical, and practical (90 % "
    "of it).",
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
    "Papers' claims about generations",
    "Every claim that compares generations or their single drives (the papers' ratio tables), "
    "beside the ratio in the data. The board Claims explains missing verdicts.",
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
    "**How do controller generations compare?** The highest value of each at the same profile, "
    "RAID level, media and number of drives, the median of repeated runs; all measured pairs.",
    [
        (15, [(24, EACH_PAIR)]),
        (11, [(24, WHAT_PAPERS_SAY_OF_GENERATIONS)]),
        (14, [(24, WHAT_A_LANE_CARRIES)]),
    ],
)
