"""What did each generation bring?"""

from dashboards.bars import Bars
from dashboards.board import Board
from dashboards.boards.claims import BY_VERDICT
from dashboards.colours import EVIDENCE, GREY, MEASURED, VERDICTS
from dashboards.marts import Column, mart, source, wide
from dashboards.tables import Table

_PAIRS = mart("rpt_generations").where("is_faster")
_SAME = "same RAID level, media and number of drives"
_PARTLY = "RAID level or drives not reported"
_KNOWN_FIRST = (
    "order by is_configuration_known desc, raid_level is null, ratio desc, "
    "profile_label, configuration_label"
)

FACTORS = Bars(
    "Each generation compared with a slower one",
    "The highest value of the faster generation as a multiple of the slower one's, with the same "
    "load profile, RAID level, media and number of drives as far as reported; in grey, and last, "
    "pairs that may differ in what is not reported. The tick is 1: no difference. A bar opens the "
    "run of the faster.",
    _PAIRS.select(
        Column(
            "concat_ws(', ', generation_name || ' over ' || baseline_generation_name, "
            "nullif(regexp_replace(configuration_label, '(, )?drives not reported', ''), ''), "
            "profile_short_label) "
            "|| '   ' || factor_label",
            "label",
        ),
        Column(f"if(is_configuration_known, '{_SAME}', '{_PARTLY}')", "series"),
        Column("ratio", "value"),
        Column("1", "mark"),
        Column("controllers_label || ': ' || value_label", "faster"),
        Column("baseline_controllers_label || ': ' || baseline_value_label", "slower"),
        "source_label",
        Column("best_measurement_id", "measurement_id"),
        then=f"{_KNOWN_FIRST} limit 20",
    ),
    empty="No other generation was measured with the same profile, RAID level and drives",
    series={_SAME: MEASURED, _PARTLY: GREY},
    metric="factor",
    mark_name="no difference",
)
DRIVES_AND_THEIR_LINKS = Bars(
    "Drives beside their links, from slow links to fast ones",
    "The highest throughput of a single drive for each year, medium and disk interface, without "
    "random I/O; where none was measured alone, its share of an array. The tick is what its link "
    "carries in practice: 90 % of the theoretical limit, with reads and writes in both directions "
    "at once where the load mixes them. A bar opens its measurement.",
    mart("rpt_drive_links").select(
        Column("link_label", "label"),
        Column("if(drive_count > 1, 'share of an array', 'one drive')", "series"),
        Column("bytes_per_second", "value"),
        Column("link_bytes_per_second", "mark"),
        "drive",
        "source_label",
        "measurement_id",
        then="order by link_bytes_per_second, measured_year nulls last, drive_media, link_label",
    ),
    empty="No drive was measured whose link is known",
    series={"one drive": MEASURED, "share of an array": GREY},
    metric="bytes_per_second",
    mark_name="its link",
)
EACH_PAIR = Table(
    "Each pair of generations",
    "The highest IOPS or throughput of the faster generation, of the slower one, and the first "
    "as a multiple of the second, with the same RAID level and drives. Of repeated runs the "
    "median and range; ≈ is approximate.",
    _PAIRS.select(
        wide(140, "controllers_label", "faster"),
        wide(85, "value_label", "value of the faster"),
        wide(125, "baseline_controllers_label", "slower"),
        wide(85, "baseline_value_label", "value of the slower"),
        wide(70, "factor_label", "factor", wraps=False),
        wide(130, "profile_short_label", grows=True),
        wide(100, "configuration_label", "RAID level, drives"),
        source(150),
        wide(50, "best_measurement_id", "run", wraps=False),
        wide(60, "baseline_measurement_id", "other run", wraps=False),
        then=_KNOWN_FIRST,
    ),
    empty="No other generation was measured with the same profile, RAID level and drives",
)
WHAT_A_LANE_CARRIES = Bars(
    "Bandwidth of one lane",
    "One lane in one direction for each interface generation: practical (90 % of the "
    "theoretical limit). The tick is the theoretical limit.",
    mart("dim_interfaces")
    .where("family in ('DMI', 'PCIe', 'SAS', 'SATA')")
    .select(
        Column("interface || '   ' || lane_label", "label"),
        Column("'practical'", "series"),
        Column("lane_practical_bytes_per_second", "value"),
        Column("lane_theoretical_bytes_per_second", "mark"),
        then="order by family, generation",
    ),
    empty="No interfaces are known",
    is_measured=False,
    series={"practical": EVIDENCE["practical"]},
    metric="bytes_per_second",
    mark_name="theoretical",
)
WHAT_PAPERS_SAY_OF_GENERATIONS = Table(
    "Papers' claims about generations",
    "Every claim that compares generations or their single drives (the papers' ratio tables), "
    "beside the ratio in the data. The board Claims says what data is missing.",
    mart("fct_claims")
    .where("compares in ('generation', 'drive')")
    .select(
        "verdict",
        wide(232, "claim_label", grows=True),
        wide(155, "as_printed"),
        wide(232, "data_label", grows=True),
        wide(232, "source_label", grows=True),
        then=f"order by compares = 'generation' desc, {BY_VERDICT}, document_id, page, claim_id",
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
        (12, [(24, FACTORS)]),
        (11, [(24, DRIVES_AND_THEIR_LINKS)]),
    ],
    folded=[
        (13, [(24, WHAT_A_LANE_CARRIES)]),
        (17, [(24, EACH_PAIR)]),
        (14, [(24, WHAT_PAPERS_SAY_OF_GENERATIONS)]),
    ],
)
