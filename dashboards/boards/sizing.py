"""What reaches a target with the fewest drives?"""

from dashboards import variables
from dashboards.bars import Bars
from dashboards.board import Board
from dashboards.colours import CONFIDENCE, GREY, VERDICTS
from dashboards.marts import Variable, mart, run_link, source, wide
from dashboards.tables import Table


def _reached(name: str, compared: str) -> str:
    """An empty target holds for all rows; a target that is not a number holds for none."""
    typed = f"${{{name}:sqlstring}}"
    return f"({typed} = '' or {compared} try_cast({typed} as double))"


def _typed(name: str, label: str, compared: str, value: str = "") -> Variable:
    return variables.typed(name, label, value, _reached(name, compared))


_SIZES = mart("rpt_sizing")
_IS_PREDICTED = "evidence not in ('measured', 'data sheet')"
_PROFILE = variables.profile(
    _SIZES,
    f"bool_or({_IS_PREDICTED}) desc, profile_id like 'random%' desc, "
    "count(*) filter (confidence in ('high', 'medium')) desc, profile_id",
    remark=f"if(bool_or({_IS_PREDICTED}), null, 'no predictions')",
)
_OF_PROFILE = _SIZES.where(_PROFILE)
_CHAIN = variables.chain(_OF_PROFILE, "controller", "raid_level", "drive_media")
_TARGETS = [
    _typed("target_iops", "IOPS at least", "iops >=", "20000"),
    _typed("target_mbps", "MB/s at least", "megabytes_per_second >="),
    _typed("target_tb", "TB at least", "usable_terabytes >="),
]
_LATENCY = _typed("most_us", "Latency at most (µs)", "latency_mean_us <=")
# An array whose RAID level is not reported is not known to survive any failure.
_MAY_FAIL = _typed(
    "may_fail", "Drives that may fail", "coalesce(tolerated_failure_count, 0) >=", "1"
)
# By kind of target: whether fewer drives of the design reach it as well.
_FEWER = {
    "IOPS": _reached("target_iops", "fewer_drives_iops >="),
    "throughput": _reached("target_mbps", "fewer_drives_megabytes_per_second >="),
    "capacity": _reached("target_tb", "fewer_drives_usable_terabytes >="),
}

_CHOSEN = _OF_PROFILE.where(*_CHAIN, _MAY_FAIL)
_ENOUGH = _CHOSEN.where(*_TARGETS)
_PREDICTED = _CHOSEN.where(_IS_PREDICTED)
_FEWEST = _PREDICTED.where(
    *_TARGETS, f"coalesce(not ({' and '.join(_FEWER.values())}), fewer_drives_count is null)"
)
_EMPTY = (
    "No array is predicted to reach this; the table below has the highest predictions. Lower a "
    "target (a plain number such as 20000), or choose more levels and media, fewer drives that may "
    "fail, or another load profile if no drive is known at this one"
)
_REASONS = {
    "high": "high confidence: a printed limit of the controller binds",
    "medium": "medium: links and drives bind",
    "low": "low: an upper bound",
}
_SUREST = f"list_position({list(CONFIDENCE)}, confidence)"

_METRIC = variables.metric(_PROFILE)

_ALL_REACHED = " and ".join(target.condition for target in _TARGETS)
_REACHED_BY_LOW = (
    f"{_reached('target_iops', 'low_iops >=')} "
    f"and {_reached('target_mbps', 'low_bytes_per_second / 1e6 >=')} "
    f"and {_reached('target_tb', 'usable_terabytes >=')}"
)
BY_MEDIA_AND_LEVEL = Table(
    "Fewest drives by media and RAID level",
    "The fewest drives predicted to reach every target except latency; *at worst*: the fewest "
    "that reach them even if the prediction is as far off as the worst tested one; – if no "
    "number of drives is known to. For equal numbers the surest prediction. If none reaches them: "
    "the highest prediction for any number of drives that the controllers support.",
    _PREDICTED.ask(
        "select sized_label, drive_media, raid_level, "
        "if(is_reached, '', 'not reached by ') || drive_count as fewest, "
        "arg_min(capacity_label, drive_count) filter (is_sure) over (partition by design_label) "
        "as surely, "
        "predicted_iops_label, predicted_throughput_label, capacity_label, confidence "
        f"from (select *, coalesce({_ALL_REACHED}, false) as is_reached, "
        f"{_REACHED_BY_LOW} as is_sure {_PREDICTED}) "
        "qualify row_number() over (partition by drive_media, raid_level order by is_reached desc, "
        f"if(is_reached, drive_count, -iops), {_SUREST}, sized_label) = 1 "
        "order by is_reached desc, drive_count, drive_media desc, raid_level",
        wide(190, "sized_label", grows=True),
        wide(62, "drive_media", "media", wraps=False),
        wide(80, "raid_level"),
        wide(105, "fewest", "drives"),
        wide(99, "surely", "drives at worst"),
        wide(130, "predicted_iops_label"),
        wide(130, "predicted_throughput_label"),
        wide(110, "capacity_label"),
        wide(90, "confidence", wraps=False),
    ),
    empty="No drive is known at this load profile for these levels and media",
    is_measured=False,
    patterns={"fewest": {"^not": VERDICTS["contradicted"]}},
)
_TARGET = (
    f"if({_METRIC.text} = 'iops', try_cast(${{target_iops:sqlstring}} as double), "
    "1e6 * try_cast(${target_mbps:sqlstring} as double))"
)
DESIGNS = Bars(
    "The fewest drives of each design, as predicted",
    "Designs with the fewest drives whose prediction reaches every target except latency, in the "
    "colour of its confidence. Where the low value of a prediction is known, the bar is grey from "
    "there on. Tick: the target. Designs whose low value reaches the target come first, upper "
    "bounds last; then fewest drives. Controllers with the same values and confidence share a bar.",
    _FEWEST.ask(
        "select arg_min(substr(sized_label, length(controller) + 3), sized_label) || ', ' "
        "|| if(count(*) > 1, count(*) || ' controllers', any_value(controller)) "
        "|| '   ' || value_label as label, "
        f"list_extract({list(_REASONS.values())}, {_SUREST}) as series, "
        "max(headline_value) as value, min(low_headline_value) as low, "
        "max(headline_value) as high, "
        f"{_TARGET} as mark, any_value(capacity_label) as capacity_label, "
        f"string_agg(controller, '; ' order by controller) as controllers {_FEWEST} "
        "group by raid_level, drive_id, drive_count, confidence, value_label, "
        "round(low_headline_value) "
        f"order by min(low_headline_value) >= {_TARGET} desc nulls last, confidence = 'low', "
        f"drive_count, {_SUREST}, low desc nulls last, label limit 20",
        "label",
        "series",
        "value",
        "low",
        "high",
        "mark",
        "capacity_label",
        "controllers",
    ),
    empty=_EMPTY,
    is_measured=False,
    series={_REASONS[name]: colour for name, colour in CONFIDENCE.items()},
    metric=_METRIC,
    range_name="worst case to prediction",
    mark_name="target",
)
_SET_BY = ", ".join(f"if({reached}, null, '{word}')" for word, reached in _FEWER.items())
BY_PREDICTION = Table(
    "By prediction",
    "Fewer drives would miss: a target, or the smallest number of drives of the RAID level. "
    "Confidence is high if a printed limit of the controller binds, medium if links and drives "
    "bind and the controller is known to reach it, low if its limit is unknown and the value is "
    "an upper bound. The low value is what was measured with as many or fewer of the drives, or "
    "allows for the largest error of such predictions against five or more printed values.",
    _FEWEST.select(
        wide(150, "sized_label", grows=True),
        wide(90, "confidence", wraps=False),
        wide(
            80,
            "set_by",
            "fewer drives would miss",
            of="if(fewer_drives_count is null, 'RAID level', "
            f"coalesce(nullif(concat_ws(' and ', {_SET_BY}), ''), 'RAID level'))",
        ),
        "predicted_iops_label",
        "predicted_throughput_label",
        wide(
            105,
            "capacity_label",
            of="capacity_label || if("
            "usable_terabytes = try_cast(${target_tb:sqlstring} as double), ', no margin', '')",
        ),
        wide(85, "binding_ceiling", "limited by"),
        wide(80, "needs_expander", "expander", wraps=False),
        wide(135, "formula", grows=True),
        then=f"order by drive_count, {_SUREST}, low_iops desc, sized_label limit 200",
    ),
    empty=_EMPTY,
    is_measured=False,
    coloured={"confidence": CONFIDENCE},
)
BY_MEASUREMENT = Table(
    "By measurement",
    "Measured or published arrays that reach every target, fewest drives first. Last those with an "
    "upper bound (≤, grey), which may not reach it.",
    _ENOUGH.where(_LATENCY, "evidence = 'measured'").select(
        wide(190, "sized_label", grows=True),
        wide(85, "qualified_iops"),
        wide(115, "qualified_throughput"),
        wide(80, "latency_mean_us"),
        "capacity_label",
        wide(160, "as_printed"),
        source(150),
        run_link(60),
        then="order by value_qualifier = 'at_most', drive_count, iops desc, sized_label, "
        "measurement_id limit 200",
    ),
    empty=(
        "No measurement with a reported number of drives reaches every target. Lower one, or "
        "choose another load profile, RAID level or media"
    ),
    patterns={name: {"^≤ ": GREY} for name in ("qualified_iops", "qualified_throughput")},
)

BOARD = Board(
    "headroom-sizing",
    "Sizing",
    "**Which controller, RAID level and drives reach a target with the fewest drives?** Type "
    "targets above; an empty field is no target. Upper bounds come last. Latency is only "
    "measured, never predicted. *Drives that may fail*: 0 allows RAID 0 and single drives, 2 asks "
    "for RAID 6.",
    [
        (15, [(24, DESIGNS)]),
        (14, [(24, BY_MEDIA_AND_LEVEL)]),
        (9, [(24, BY_MEASUREMENT)]),
    ],
    folded=[(16, [(24, BY_PREDICTION)])],
    variables=[_PROFILE, *_CHAIN, _MAY_FAIL, *_TARGETS, _LATENCY, _METRIC],
)
