"""What does a RAID level cost?"""

from dashboards import variables
from dashboards.bars import Bars
from dashboards.board import Board
from dashboards.colours import GREY, MEASURED
from dashboards.marts import Column, mart, run_link, wide
from dashboards.tables import Table

_LEVELS = mart("rpt_compare_raid_levels")
_READS = variables.one(
    "reads",
    "Share of reads",
    "read_label",
    _LEVELS.each("read_label", "sum(pair_count) desc nulls last, min(read_ratio)"),
)
_MEASURED = mart("rpt_raid_levels")
_CHAIN = variables.chain(_MEASURED, "vendor", "controller", "raid_level")
_CHOSEN = _MEASURED.where(*_CHAIN)
_PROFILES = variables.profiles(_CHOSEN)

SHARE_OF_RAID_0 = Bars(
    "Random IOPS compared with RAID 0",
    "Of the same drives at this share of reads. Tick: in theory, by the operations that a write "
    "costs the drives (a mirror writes twice, RAID 5 reads and writes data and parity, RAID 6 "
    "both parities; small arrays, named with their drives, read less). Bar: measured in pairs of "
    "arrays with the same controller, drives and load; blue up to the lowest, grey up to the "
    "highest.",
    _LEVELS.where(_READS, "raid_level not in ('RAID 0', 'JBOD')").select(
        Column("theory_and_measured", "label"),
        Column("'lowest measured'", "series"),
        Column("max_measured_ratio", "value"),
        Column("min_measured_ratio", "low"),
        Column("max_measured_ratio", "high"),
        Column("theoretical_ratio", "mark"),
        then="order by theoretical_ratio desc, raid_level",
    ),
    empty="No RAID level at this share of reads: choose another",
    is_measured=False,
    series={"lowest measured": MEASURED},
    metric="measured_ratio",
    range_name="up to the highest measured",
    mark_name="in theory",
)
MEASURED_PAIRS = Table(
    "Measured and theoretical, pair by pair",
    "Throughput compared with another RAID level with the same controller, drives and load: "
    "measured, and by the write penalty or the number of data drives, with the source; *about* "
    "is approximate.",
    _CHOSEN.where(_PROFILES).select(
        wide(175, "comparison_label", grows=True),
        wide(95, "baseline_raid_level", "compared with"),
        wide(115, "measured_ratio", "measured"),
        wide(115, "theoretical_ratio", "in theory"),
        wide(112, "values", of="value_label || ' / ' || baseline_value_label"),
        wide(90, "conditions_label", "condition"),
        wide(160, "source_label", grows=True),
        run_link(50),
        wide(65, "baseline_measurement_id", "other run", wraps=False),
        then="order by raid_level desc, baseline_raid_level, theoretical_ratio, controller, "
        "drive_count, profile_id, outstanding_io_count",
    ),
    empty="No two RAID levels were measured with the same controller, drives and load",
    bars={"measured_ratio": MEASURED, "theoretical_ratio": GREY},
)
WHAT_EACH_LEVEL_COSTS = Table(
    "What each level costs",
    "Copies, parity drives, the cost of one random write on the drives (less for RAID 5 of three "
    "drives and RAID 6 of four or five), and how many drives may fail, whichever they are.",
    mart("dim_raid_levels").select(
        wide(140, "raid_level", grows=True),
        wide(140, "random_write_operation_count", "operations per write", grows=True),
        wide(140, "copy_count", grows=True),
        wide(140, "parity_drive_count", grows=True),
        wide(140, "min_drive_count", grows=True),
        wide(140, "tolerated_failure_count", grows=True),
        then="order by raid_level",
    ),
    empty="No RAID levels are known",
    is_measured=False,
)

BOARD = Board(
    "headroom-raid-levels",
    "RAID levels",
    "**What does each RAID level cost, in theory and measured?** Levels are compared with the same "
    "controller, drives and load.",
    [(10, [(24, SHARE_OF_RAID_0)]), (13, [(24, WHAT_EACH_LEVEL_COSTS)])],
    folded=[(19, [(24, MEASURED_PAIRS)])],
    variables=[_READS, *_CHAIN, _PROFILES],
)
