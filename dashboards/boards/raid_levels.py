"""What does a RAID level cost?"""

from grafana_foundation_sdk.models import units

from dashboards import variables
from dashboards.bars import Bars
from dashboards.board import Board
from dashboards.charts import Curves
from dashboards.colours import EVIDENCE, RAID_LEVELS
from dashboards.marts import Column, mart
from dashboards.tables import Table

_MEASURED = mart("rpt_raid_levels")
_CHAIN = variables.chain(_MEASURED, "vendor", "controller", "raid_level")
_CHOSEN = _MEASURED.where(*_CHAIN)
_PROFILES = variables.profiles(_CHOSEN)

_PAIRS = _CHOSEN.where(_PROFILES)
_PENALTIES = mart("rpt_write_penalties")
_ORDER = "order by raid_level, controller, drive_count, profile_id, outstanding_io_count"
_EMPTY = "No RAID level was measured beside RAID 0 of the same controller, drives and load"

BESIDE_RAID_0 = Bars(
    "Compared with RAID 0",
    "Throughput over that of RAID 0: measured, and as the write penalty or the number of data "
    "drives has it; ≈ is approximate.",
    _PAIRS.select(
        "comparison_label",
        Column("measured_ratio", "measured"),
        Column("theoretical_ratio", "theoretical"),
        "measurement_id",
        then=_ORDER,
    ),
    empty=_EMPTY,
    colours=EVIDENCE,
)
THE_WRITE_PENALTY = Curves(
    "The write penalty",
    "What is left of the drives' random IOPS while the share of reads falls from 100 % to 0: a "
    "mirror writes twice, RAID 5 reads data and parity and writes both, RAID 6 both parities. RAID "
    "1 and 1E are as RAID 10, RAID 50 as 5, RAID 60 as 6.",
    _PENALTIES.ask(
        f"pivot (select raid_level, read_ratio, remaining_iops_ratio {_PENALTIES}) "
        "on raid_level in ('RAID 0', 'RAID 10', 'RAID 5', 'RAID 6') "
        "using max(remaining_iops_ratio) group by read_ratio order by read_ratio",
        "read_ratio",
        *RAID_LEVELS,
    ),
    empty="No RAID levels are known",
    is_measured=False,
    unit=units.PercentUnit,
    colours=RAID_LEVELS,
)
THE_PAIRS = Table(
    "The pairs",
    "Both sides of each ratio, with the measurements behind them.",
    _PAIRS.select(
        "comparison_label",
        "measured_ratio",
        "theoretical_ratio",
        "bytes_per_second",
        "baseline_bytes_per_second",
        "condition",
        "baseline_condition",
        "measurement_id",
        "baseline_measurement_id",
        then=_ORDER,
    ),
    empty=_EMPTY,
)
WHAT_EACH_LEVEL_COSTS = Table(
    "What each level costs",
    "Copies, drives of parity, and what one random write does on the drives.",
    mart("dim_raid_levels").select(
        "raid_level",
        "random_write_operation_count",
        "copy_count",
        "parity_drive_count",
        "min_drive_count",
        "written_bytes_ratio",
        "extra_read_bytes_ratio",
        then="order by raid_level",
    ),
    empty="No RAID levels are known",
    is_measured=False,
)

BOARD = Board(
    "headroom-raid-levels",
    "RAID levels",
    "**What does each RAID level cost beside RAID 0, measured and in theory?** The same "
    "controller, drives, profile and load; where the conditions differ the pairs name both.",
    [
        (16, [(24, BESIDE_RAID_0)]),
        (11, [(9, THE_WRITE_PENALTY), (15, WHAT_EACH_LEVEL_COSTS)]),
        (9, [(24, THE_PAIRS)]),
    ],
    variables=[*_CHAIN, _PROFILES],
)
