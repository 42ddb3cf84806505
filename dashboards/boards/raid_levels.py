"""What does a RAID level cost?"""

from grafana_foundation_sdk.models import units

from dashboards import variables
from dashboards.bar_tables import BarTable
from dashboards.board import Board
from dashboards.charts import Curves
from dashboards.colours import GREY, MEASURED, RAID_LEVELS
from dashboards.columns import Look
from dashboards.marts import Column, mart, wide
from dashboards.tables import Table

_MEASURED = mart("rpt_raid_levels")
_CHAIN = variables.chain(_MEASURED, "vendor", "controller", "raid_level")
_CHOSEN = _MEASURED.where(*_CHAIN)
_PROFILES = variables.profiles(_CHOSEN)

_PENALTIES = mart("rpt_write_penalties")
_MAIN = "('RAID 0', 'RAID 10', 'RAID 5', 'RAID 6')"


def _share(name: str, heading: str) -> Column:
    return Column(name, name, Look(heading=heading, unit=units.PercentUnit, width=95))


AGAINST_ANOTHER = BarTable(
    "Random writes: RAID levels compared",
    "Random writes per second of the same drives, by the cost of a write: a mirror writes twice, "
    "RAID 5 reads and writes data and parity, RAID 6 both parities. Measured: the ratio to the "
    "other level, with the same controller, drives and load.",
    mart("rpt_raid_level_pairs")
    .where(
        f"(raid_level in {_MAIN} and baseline_raid_level in {_MAIN} or measured_label is not null)"
    )
    .select(
        wide(340, "verdict", "in theory", grows=True),
        _share("random_write_ratio", "share"),
        wide(110, "operations_label", "operations per write", wraps=False),
        wide(220, "measured_label", "measured"),
        wide(190, "source_labels", "source"),
        then="order by raid_level desc, baseline_raid_level != 'RAID 10', baseline_raid_level",
    ),
    empty="No RAID levels are known",
    is_measured=False,
    bars={"random_write_ratio": GREY},
)
MEASURED_PAIRS = BarTable(
    "Measured and theoretical",
    "Throughput compared with another RAID level with the same controller, drives and load: "
    "measured, and by the write penalty or the number of data drives, with the source; *about* "
    "is approximate.",
    _CHOSEN.where(_PROFILES).select(
        wide(160, "comparison_label", "array and load", grows=True),
        wide(95, "baseline_raid_level", "compared with"),
        _share("measured_ratio", "measured"),
        _share("theoretical_ratio", "in theory"),
        wide(80, "value_label", "its value", wraps=False),
        wide(80, "baseline_value_label", "value of the other", wraps=False),
        wide(120, "conditions_label", "condition"),
        wide(140, "source_label", "source"),
        wide(50, "measurement_id", "run", wraps=False),
        wide(95, "baseline_measurement_id", "run of the other", wraps=False),
        then="order by raid_level desc, baseline_raid_level, theoretical_ratio, controller, "
        "drive_count, profile_id, outstanding_io_count",
    ),
    empty="No two RAID levels were measured with the same controller, drives and load",
    bars={"measured_ratio": MEASURED, "theoretical_ratio": GREY},
)
THE_WRITE_PENALTY = Curves(
    "The write penalty",
    "The share of the drives' random IOPS left as the share of reads falls from 100 % to 0: a "
    "mirror writes twice, RAID 5 reads data and parity and writes both, RAID 6 both parities. "
    "RAID 1 and 1E equal RAID 10, RAID 50 equals 5, RAID 60 equals 6.",
    _PENALTIES.ask(
        f"from (pivot (select raid_level, read_ratio, remaining_iops_ratio {_PENALTIES}) "
        "on raid_level in ('RAID 0', 'RAID 10', 'RAID 5', 'RAID 6') "
        "using max(remaining_iops_ratio) group by read_ratio) order by read_ratio",
        "read_ratio",
        *RAID_LEVELS,
    ),
    empty="No RAID levels are known",
    is_measured=False,
    unit=units.PercentUnit,
    colours=RAID_LEVELS,
    x_title="share of reads",
    y_title="IOPS of RAID 0",
)
WHAT_EACH_LEVEL_COSTS = Table(
    "What each level costs",
    "Copies, parity drives, and the cost of one random write on the drives.",
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
    "**What does each RAID level cost, in theory and measured?** The same controller, drives, "
    "profile and load; if the conditions differ, both are named.",
    [
        (11, [(24, AGAINST_ANOTHER)]),
        (14, [(24, MEASURED_PAIRS)]),
        (11, [(7, THE_WRITE_PENALTY), (17, WHAT_EACH_LEVEL_COSTS)]),
    ],
    variables=[*_CHAIN, _PROFILES],
)
