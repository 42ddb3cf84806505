"""What did each generation bring?"""

from dashboards import variables
from dashboards.bars import bars
from dashboards.board import board
from dashboards.colours import EVIDENCE
from dashboards.panels import rows

_PAIRS = "from marts.rpt_generations where baseline_generation_name = ${baseline:sqlstring}"
_EMPTY = "No other generation was measured with the same profile, RAID level and drives"

RATIO_TO_THE_BASELINE = bars(
    "Ratio to the baseline",
    "Throughput or IOPS over those of the baseline generation, arrays alike; ≈ is approximate.",
    label="comparison_label",
    values=["ratio"],
    source=f"{_PAIRS} order by ratio desc",
    empty=_EMPTY,
    run="best_measurement_id as measurement_id",
)
WHAT_A_LANE_CARRIES = bars(
    "What a lane carries",
    (
        "Each interface generation, one lane in one direction: in theory, and the nine "
        "tenths that are practical."
    ),
    label="interface",
    values=[
        "lane_theoretical_bytes_per_second as theoretical",
        "lane_practical_bytes_per_second as practical",
    ],
    source="from marts.dim_interfaces order by family, generation",
    empty="No interfaces are known",
    colours=EVIDENCE,
    unit="Bps",
)
THE_PAIRS = rows(
    "The pairs",
    "Both sides of each ratio, with the measurements behind them.",
    [
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
    ],
    f"{_PAIRS} order by ratio desc",
    empty=_EMPTY,
)
WHAT_PAPERS_SAY_OF_GENERATIONS = rows(
    "What papers say of generations",
    (
        "Every claim of a paper that compares generations, or single drives of them: the "
        "papers' own quotient tables. What the data gives stands beside."
    ),
    [
        "claim_label",
        "as_printed",
        "data_label",
        "verdict",
        "derived_ratio",
        "document_id",
        "pages",
        "missing",
    ],
    (
        "from marts.fct_claims where compares in ('generation', 'drive') order by verdict, "
        "document_id, page"
    ),
    empty="No paper compares generations",
)

BOARD = board(
    "headroom-generations",
    "Generations",
    "**What does one generation of controllers reach beside another?** The best of each "
    "at the same profile, "
    "RAID level, media and number of drives; the baseline is 1.",
    [
        (14, [(14, RATIO_TO_THE_BASELINE), (10, WHAT_A_LANE_CARRIES)]),
        (9, [(24, THE_PAIRS)]),
        (9, [(24, WHAT_PAPERS_SAY_OF_GENERATIONS)]),
    ],
    variables=[
        variables.one(
            "baseline",
            "Baseline",
            (
                "select baseline_generation_name from marts.rpt_generations group by 1 "
                "order by count(*) desc, 1"
            ),
        ),
    ],
)
