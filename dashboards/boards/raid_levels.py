"""What does a RAID level cost?"""

from dashboards import variables
from dashboards.bars import bars
from dashboards.board import board
from dashboards.charts import curves
from dashboards.colours import EVIDENCE, RAID_LEVELS
from dashboards.panels import rows

_CHAIN = ("vendor", "controller", "raid_level")
_PAIRS = (
    f"from marts.rpt_raid_levels where {variables.chosen(*_CHAIN)} "
    "and profile_id = any([${profiles:sqlstring}])"
)
_ORDER = "order by raid_level, controller, drive_count, profile_id, outstanding_io_count"
_EMPTY = "No RAID level was measured beside RAID 0 of the same controller, drives and load"

BESIDE_RAID_0 = bars(
    "Beside RAID 0",
    (
        "Throughput over that of RAID 0: measured, and as the write penalty or the number "
        "of data drives has it; ≈ is approximate."
    ),
    label="comparison_label",
    values=["measured_ratio as measured", "theoretical_ratio as theoretical"],
    source=f"{_PAIRS} {_ORDER}",
    empty=_EMPTY,
    run="measurement_id",
    colours=EVIDENCE,
    unit="percentunit",
)
THE_WRITE_PENALTY = curves(
    "The write penalty",
    (
        "What is left of the drives' random IOPS while the share of reads falls from 100 % "
        "to 0: a mirror writes twice, RAID 5 reads data and parity and writes both, RAID 6 "
        "both parities. RAID 1 and 1E are as RAID 10, RAID 50 as 5, RAID 60 as 6."
    ),
    (
        "pivot (select raid_level, read_ratio, remaining_iops_ratio "
        "from marts.rpt_write_penalties) "
        "on raid_level in ('RAID 0', 'RAID 10', 'RAID 5', 'RAID 6') "
        "using max(remaining_iops_ratio) group by read_ratio order by read_ratio"
    ),
    x="read_ratio",
    unit="percentunit",
    empty="No RAID levels are known",
    colours=RAID_LEVELS,
)
THE_PAIRS = rows(
    "The pairs",
    "Both sides of each ratio, with the measurements behind them.",
    [
        "comparison_label",
        "measured_ratio",
        "theoretical_ratio",
        "bytes_per_second",
        "baseline_bytes_per_second",
        "condition",
        "baseline_condition",
        "measurement_id",
        "baseline_measurement_id",
    ],
    f"{_PAIRS} {_ORDER}",
    empty=_EMPTY,
)
WHAT_EACH_LEVEL_COSTS = rows(
    "What each level costs",
    "Copies, drives of parity, and what one random write does on the drives.",
    [
        "raid_level",
        "random_write_operation_count",
        "copy_count",
        "parity_drive_count",
        "min_drive_count",
        "written_bytes_ratio",
        "extra_read_bytes_ratio",
    ],
    "from marts.dim_raid_levels order by raid_level",
    empty="No RAID levels are known",
)

BOARD = board(
    "headroom-raid-levels",
    "RAID levels",
    (
        "**What does each RAID level cost beside RAID 0, measured and in theory?** The same "
        "controller, drives, profile and load; where the conditions differ the pairs name both."
    ),
    [
        (16, [(24, BESIDE_RAID_0)]),
        (11, [(9, THE_WRITE_PENALTY), (15, WHAT_EACH_LEVEL_COSTS)]),
        (9, [(24, THE_PAIRS)]),
    ],
    variables=[
        *variables.chain("marts.rpt_raid_levels", *_CHAIN),
        variables.profiles("marts.rpt_raid_levels", *_CHAIN),
    ],
)
