"""What reaches a target with the fewest drives?"""

from dashboards import variables
from dashboards.bars import bars
from dashboards.board import board
from dashboards.panels import rows


def _target(column: str, relation: str, name: str) -> str:
    """Nothing typed is no target; what is no number is reached by nothing."""
    typed = f"${{{name}:sqlstring}}"
    return f"({typed} = '' or {column} {relation} try_cast({typed} as double))"


_ENOUGH = (
    "where profile_id = ${profile:sqlstring} and drive_media = any([${drive_media:sqlstring}]) "
    "and raid_level = any([${raid_level:sqlstring}]) "
    f"and {_target('iops', '>=', 'target_iops')} "
    f"and {_target('megabytes_per_second', '>=', 'target_mbps')} "
    f"and {_target('usable_terabytes', '>=', 'target_tb')}"
)
_FAST_ENOUGH = _target("latency_mean_us", "<=", "most_us")
_FEWEST = (
    f"from marts.rpt_sizing {_ENOUGH} and evidence != 'measured' "
    "group by design_label order by drive_count, design_label"
)
_EMPTY = (
    "Nothing is predicted to reach this: choose another load profile if no drive is known at this "
    "one, lower a target (a plain number such as 20000), or choose more levels and media"
)
_AT_FEWEST = [
    f"arg_min({column}, (drive_count, drive_id)) as {column}"
    for column in (
        "qualified_iops", "low_iops", "qualified_throughput", "low_bytes_per_second", "evidence",
        "binding_ceiling", "usable_terabytes", "needs_expander", "formula",
    )
]  # fmt: skip

FEWEST_DRIVES_BY_PREDICTION = bars(
    "Fewest drives by prediction",
    (
        "For each controller, RAID level and drive the least number of drives whose "
        "predicted ceiling reaches every target but latency. Where no paper states the "
        "controller's own limit, the prediction is an upper bound and the label says at least."
    ),
    label="arg_min(needed_label, (drive_count, drive_id)) as needed_label",
    values=["min(drive_count) as drive_count"],
    source=f"{_FEWEST} limit 25",
    empty=_EMPTY,
).decimals(0)
BY_PREDICTION = rows(
    "By prediction",
    (
        "The same with what that many drives would reach and what limits them. Evidence: a printed "
        "limit of the controller binds; links and drives bind and the controller is known to do "
        "as much; or the controller's limit is unknown, so the value is at most that. The low "
        "value allows for the worst error of such predictions against printed values."
    ),
    ["design_label", "min(drive_count) as drive_count", *_AT_FEWEST],
    f"{_FEWEST} limit 200",
    empty=_EMPTY,
)
BY_MEASUREMENT = rows(
    "By measurement",
    "What was measured or published and reaches every target, fewest drives first.",
    [
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
    ],
    (
        f"from marts.rpt_sizing {_ENOUGH} and {_FAST_ENOUGH} and evidence = 'measured' order "
        "by drive_count, iops desc limit 200"
    ),
    empty=(
        "No measurement reaches every target: lower one (a plain number such as 20000), or choose "
        "another load profile, more levels and media"
    ),
)

BOARD = board(
    "headroom-sizing",
    "Sizing",
    "**Which controller, RAID level and drives reach a target, with the fewest drives "
    "first?** Type targets above; an empty "
    "one is no target. A prediction is the lowest known limit; it says at most where the "
    "controller's own limit is unknown. Latency is measured only.",
    [
        (12, [(24, FEWEST_DRIVES_BY_PREDICTION)]),
        (10, [(24, BY_PREDICTION)]),
        (9, [(24, BY_MEASUREMENT)]),
    ],
    variables=[
        variables.one(
            "profile",
            "Load profile",
            (
                "select profile_id as __value, any_value(profile_label) as __text from "
                "marts.rpt_sizing "
                "group by profile_id order by bool_or(evidence != 'measured') desc, profile_id"
            ),
        ),
        variables.several(
            "raid_level",
            "RAID level",
            (
                "select distinct raid_level from marts.rpt_sizing "
                "where profile_id = ${profile:sqlstring} order by 1"
            ),
        ),
        variables.several(
            "drive_media",
            "Media",
            (
                "select distinct drive_media from marts.rpt_sizing where profile_id = "
                "${profile:sqlstring} order by 1"
            ),
        ),
        variables.typed("target_iops", "IOPS at least", "20000"),
        variables.typed("target_mbps", "MB/s at least", ""),
        variables.typed("target_tb", "TB at least", "1"),
        variables.typed("most_us", "Latency at most (µs)", ""),
    ],
)
