"""What reaches a target with the fewest drives?"""

from dashboards import variables
from dashboards.bars import Bars
from dashboards.board import Board
from dashboards.marts import Column, Variable, mart
from dashboards.tables import Table


def _target(name: str, label: str, value: str, compared: str) -> Variable:
    """Nothing typed is no target; what is no number is reached by nothing."""
    typed = f"${{{name}:sqlstring}}"
    reached = f"({typed} = '' or {compared} try_cast({typed} as double))"
    return variables.typed(name, label, value, reached)


_SIZES = mart("rpt_sizing")
_PROFILE = variables.profile(_SIZES, "order by bool_or(evidence != 'measured') desc, profile_id")
_OF_PROFILE = _SIZES.where(_PROFILE)
_RAID_LEVEL = variables.several("raid_level", "RAID level", "raid_level", _OF_PROFILE)
_MEDIA = variables.several("drive_media", "Media", "drive_media", _OF_PROFILE)
_TARGETS = [
    _target("target_iops", "IOPS at least", "20000", "iops >="),
    _target("target_mbps", "MB/s at least", "", "megabytes_per_second >="),
    _target("target_tb", "TB at least", "1", "usable_terabytes >="),
]
_LATENCY = _target("most_us", "Latency at most (µs)", "", "latency_mean_us <=")

_ENOUGH = _OF_PROFILE.where(_MEDIA, _RAID_LEVEL, *_TARGETS)
_PREDICTED = _ENOUGH.where("evidence != 'measured'")
_FEWEST = "group by design_label order by drive_count, design_label"
_EMPTY = (
    "Nothing is predicted to reach this: choose another load profile if no drive is known at this "
    "one, lower a target (a plain number such as 20000), or choose more levels and media"
)


def _at_fewest(column: str) -> Column:
    return Column(f"arg_min({column}, (drive_count, drive_id))", column)


FEWEST_DRIVES_BY_PREDICTION = Bars(
    "Fewest drives by prediction",
    "For each controller, RAID level and drive the least number of drives whose predicted ceiling "
    "reaches every target but latency. Where no paper states the controller's own limit, the "
    "prediction is an upper bound and the label says at least.",
    _PREDICTED.select(
        _at_fewest("needed_label"),
        Column("min(drive_count)", "drive_count"),
        then=f"{_FEWEST} limit 25",
    ),
    empty=_EMPTY,
    is_measured=False,
    decimals=0,
)
BY_PREDICTION = Table(
    "By prediction",
    "The same with what that many drives would reach and what limits them. Evidence: a printed "
    "limit of the controller binds; links and drives bind and the controller is known to do as "
    "much; or the controller's limit is unknown, so the value is at most that. The low value "
    "allows for the worst error of such predictions against printed values.",
    _PREDICTED.select(
        "design_label",
        Column("min(drive_count)", "drive_count"),
        _at_fewest("qualified_iops"),
        _at_fewest("low_iops"),
        _at_fewest("qualified_throughput"),
        _at_fewest("low_bytes_per_second"),
        _at_fewest("evidence"),
        _at_fewest("binding_ceiling"),
        _at_fewest("usable_terabytes"),
        _at_fewest("needs_expander"),
        _at_fewest("formula"),
        then=f"{_FEWEST} limit 200",
    ),
    empty=_EMPTY,
    is_measured=False,
)
BY_MEASUREMENT = Table(
    "By measurement",
    "What was measured or published and reaches every target, fewest drives first.",
    _ENOUGH.where(_LATENCY, "evidence = 'measured'").select(
        "controller",
        "raid_level",
        "drive",
        "drive_count",
        "iops",
        "bytes_per_second",
        "latency_mean_us",
        "usable_terabytes",
        "value_qualifier",
        "measurement_id",
        then="order by drive_count, iops desc limit 200",
    ),
    empty=(
        "No measurement reaches every target: lower one (a plain number such as 20000), or choose "
        "another load profile, more levels and media"
    ),
)

BOARD = Board(
    "headroom-sizing",
    "Sizing",
    "**Which controller, RAID level and drives reach a target, with the fewest drives first?** "
    "Type targets above; an empty one is no target. A prediction is the lowest known limit; it "
    "says at most where the controller's own limit is unknown. Latency is measured only.",
    [
        (12, [(24, FEWEST_DRIVES_BY_PREDICTION)]),
        (10, [(24, BY_PREDICTION)]),
        (9, [(24, BY_MEASUREMENT)]),
    ],
    variables=[_PROFILE, _RAID_LEVEL, _MEDIA, *_TARGETS, _LATENCY],
)
