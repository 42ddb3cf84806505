"""What reaches a target with the fewest drives?"""

from dashboards import variables
from dashboards.bars import Bars
from dashboards.board import Board
from dashboards.colours import EVIDENCE, GREY, MEASURED, VERDICTS
from dashboards.columns import Look
from dashboards.marts import Column, Variable, mart
from dashboards.tables import Table


def _target(name: str, label: str, value: str, compared: str) -> Variable:
    """Nothing typed is no target; what is no number is reached by nothing."""
    typed = f"${{{name}:sqlstring}}"
    reached = f"({typed} = '' or {compared} try_cast({typed} as double))"
    return variables.typed(name, label, value, reached)


_SIZES = mart("rpt_sizing")
_PROFILE = variables.profile(
    _SIZES, "order by count(*) filter (confidence in ('high', 'medium')) desc, profile_id"
)
_OF_PROFILE = _SIZES.where(_PROFILE)
_RAID_LEVEL = variables.several("raid_level", "RAID level", "raid_level", _OF_PROFILE)
_MEDIA = variables.several("drive_media", "Media", "drive_media", _OF_PROFILE)
_TARGETS = [
    _target("target_iops", "IOPS at least", "20000", "iops >="),
    _target("target_mbps", "MB/s at least", "", "megabytes_per_second >="),
    _target("target_tb", "TB at least", "", "usable_terabytes >="),
]
_LATENCY = _target("most_us", "Latency at most (µs)", "", "latency_mean_us <=")

_CHOSEN = _OF_PROFILE.where(_MEDIA, _RAID_LEVEL)
_ENOUGH = _CHOSEN.where(*_TARGETS)
_PREDICTED = _CHOSEN.where("evidence != 'measured'")
_EMPTY = (
    "Nothing is predicted to reach this: choose another load profile if no drive is known at this "
    "one, lower a target (a plain number such as 20000), or choose more levels and media"
)
_DRIVE_SIZE = Column("drive_terabytes", "drive_terabytes", Look(heading="drive size"))
_CONFIDENCE = {"high": VERDICTS["confirmed"], "medium": MEASURED, "low": GREY}


def _fewest(*targets: Variable) -> str:
    reached = " and ".join(target.condition for target in targets)
    return f"min(drive_count) filter ({reached})"


def _at_fewest(column: str) -> str:
    reached = " and ".join(target.condition for target in _TARGETS)
    return f"arg_min({column}, (drive_count, drive_id)) filter ({reached}) as {column}"


_SUREST = "list_position(['high', 'medium', 'low'], confidence)"
_BY_SURENESS = f"({_SUREST}, sized_label)"
# What a target alone asks for, beside what all of them do.
_SET_BY = ", ".join(
    f"if({_fewest(target)} = {_fewest(*_TARGETS)} and {_fewest(target)} > min(drive_count), "
    f"'{name}', null)"
    for name, target in zip(("IOPS", "throughput", "capacity"), _TARGETS, strict=True)
)
_SHOWN = (
    "sized_label", "qualified_iops", "low_iops", "qualified_throughput", "low_bytes_per_second",
    "confidence", "binding_ceiling", "drive_terabytes", "usable_terabytes", "needs_expander",
    "formula", "iops", "raid_level", "drive_id",
)  # fmt: skip


def _designs(shown: str, limit: int) -> str:
    """Each design with its fewest drives; of as many the surer one first."""
    return (
        f"select {shown} from (select {_fewest(*_TARGETS)} as drive_count, "
        f"coalesce(nullif(concat_ws(' and ', {_SET_BY}), ''), 'RAID level') as set_by, "
        f"{', '.join(map(_at_fewest, _SHOWN))} {_PREDICTED} group by design_label) "
        "where drive_count is not null order by drive_count, "
        f"{_SUREST}, low_iops desc, sized_label limit {limit}"
    )


_TARGETED = _PREDICTED.where(*_TARGETS)
WHAT_THE_FEWEST_DRIVES_DO = Bars(
    "What the fewest drives do",
    "The least number of drives whose predicted ceiling reaches every target but latency: what "
    "they are predicted to do, and what is left if the prediction is as wrong as the worst of its "
    "kind was. Controllers that do the same stand together, the surest of them by name. Fewest "
    "drives first, then the surest.",
    _TARGETED.ask(
        f"select arg_min(sized_label, {_BY_SURENESS}) || if(count(*) > 1, ', and ' || count(*) - 1 "
        "|| if(count(*) > 2, ' other controllers', ' other controller'), '') as sized_label, "
        'max(low_iops) as "at the worst", max(iops) as predicted '
        f"from ({_designs('*', 1000)}) group by raid_level, drive_id, drive_count, round(iops) "
        f"order by drive_count, min({_SUREST}), max(low_iops) desc, 1 limit 12",
        "sized_label",
        Column("low_iops", "at the worst"),
        Column("iops", "predicted"),
    ),
    empty=_EMPTY,
    is_measured=False,
    colours={"at the worst": GREY, "predicted": EVIDENCE["practical"]},
)
BY_PREDICTION = Table(
    "By prediction",
    "Set by: the target that asks for so many drives. Confidence is high where a printed limit of "
    "the controller binds, medium where links and drives bind and the controller is known to do "
    "as much, low where its limit is unknown, so that the value is at most that. The low value "
    "allows for the worst error of such predictions against printed values.",
    _TARGETED.ask(
        _designs(
            "drive_count, sized_label, confidence, set_by, drive_terabytes, usable_terabytes, "
            "qualified_iops, low_iops, qualified_throughput, low_bytes_per_second, "
            "binding_ceiling, needs_expander, formula",
            200,
        ),
        "drive_count",
        "sized_label",
        "confidence",
        Column("set_by", "set_by", Look(width=100)),
        _DRIVE_SIZE,
        "usable_terabytes",
        "qualified_iops",
        "low_iops",
        "qualified_throughput",
        "low_bytes_per_second",
        "binding_ceiling",
        "needs_expander",
        "formula",
    ),
    empty=_EMPTY,
    is_measured=False,
    coloured={"confidence": _CONFIDENCE},
)
BY_MEASUREMENT = Table(
    "By measurement",
    "What was measured or published and reaches every target, fewest drives first.",
    _ENOUGH.where(_LATENCY, "evidence = 'measured'").select(
        "drive_count",
        "sized_label",
        "qualified_iops",
        "qualified_throughput",
        "latency_mean_us",
        _DRIVE_SIZE,
        "usable_terabytes",
        "as_printed",
        "source_label",
        "measurement_id",
        then="order by drive_count, iops desc limit 200",
    ),
    empty=(
        "No measurement with a stated number of drives reaches every target. Lower one, or choose "
        "another load profile, RAID level or media"
    ),
)

BOARD = Board(
    "headroom-sizing",
    "Sizing",
    "**Which controller, RAID level and drives reach a target, with the fewest drives first?** "
    "Type targets above; an empty one is no target. A prediction is the lowest known limit; it "
    "has a ≤ where the controller's own limit is unknown. Latency is measured only.",
    [
        (12, [(24, WHAT_THE_FEWEST_DRIVES_DO)]),
        (11, [(24, BY_PREDICTION)]),
        (7, [(24, BY_MEASUREMENT)]),
    ],
    variables=[_PROFILE, _RAID_LEVEL, _MEDIA, *_TARGETS, _LATENCY],
)
