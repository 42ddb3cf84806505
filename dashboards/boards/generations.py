"""What did each generation bring?"""

from dashboards.bar_tables import BarTable, bar_of
from dashboards.bars import Bars
from dashboards.board import Board
from dashboards.colours import EVIDENCE, MEASURED, VERDICTS
from dashboards.marts import Column, mart, wide
from dashboards.tables import Table

_PAIRS = mart("rpt_generations").where("is_faster")


EACH_PAIR = BarTable(
    "Each pair of generations",
    "The highest IOPS or throughput of the faster generation, of the slower one, and the first "
    "as a multiple of the second, with the same RAID level and drives. Of repeated runs the "
    "median and range; ≈ is approximate.",
    _PAIRS.select(
        wide(105, "controllers_label", "faster"),
        wide(80, "value_label", "value of the faster"),
        wide(95, "baseline_controllers_label", "slower"),
        wide(80, "baseline_value_label", "value of the slower"),
        wide(62, "factor_label", "factor", wraps=False),
        bar_of("ratio", 85),
        wide(118, "profile_label", "load profile", grows=True),
        wide(85, "alike_label", "RAID level, drives"),
        wide(140, "source_label", "source"),
        wide(60, "best_measurement_id", "run of the faster", wraps=False),
        wide(60, "baseline_measurement_id", "run of the slower", wraps=False),
        then="order by ratio desc, profile_label",
    ),
    empty="No other generation was measured with the same profile, RAID level and drives",
    bars={"ratio_bar": MEASURED},
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
    "beside the ratio in the data. The board Claims says what data is missing.",
    mart("fct_claims")
    .where("compares in ('generation', 'drive')")
    .select(
        "verdict",
        wide(232, "claim_label", "claim", grows=True),
        wide(165, "as_printed"),
        wide(232, "data_label", "data says", grows=True),
        wide(232, "source_label", "source", grows=True),
        then="order by compares = 'generation' desc, verdict, document_id, page, claim_id",
    ),
    empty="No paper compares generations",
    coloured={"verdict": VERDICTS},
)

BOARD = Board(
    "headroom-generations",
    "Generations",
    "**How do controller generations compare?** The highest value of each at the same profile, "
    "RAID level, media and number of drives as far as they are reported, the median of repeated "
    "runs. A load profile without a row was measured with only one generation.",
    [
        (20, [(24, EACH_PAIR)]),
        (11, [(24, WHAT_PAPERS_SAY_OF_GENERATIONS)]),
        (14, [(24, WHAT_A_LANE_CARRIES)]),
    ],
)
