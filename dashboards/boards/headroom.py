"""What limits a configuration, and what would the next upgrade bring?"""

from dashboards import variables
from dashboards.bars import Bars
from dashboards.board import Board
from dashboards.colours import CEILINGS
from dashboards.marts import Column, mart
from dashboards.panels import Card
from dashboards.tables import Table

_HEADROOM = mart("rpt_headroom")
_CHAIN = variables.chain(_HEADROOM, "vendor", "controller")
_CHOSEN = _HEADROOM.where(*_CHAIN)
_ARRAY = variables.one(
    "array_one",
    "Array",
    "array_label",
    _CHOSEN.select(
        "array_label",
        then="group by array_label order by max(attained_ratio) filter (where binding_ceiling != "
        "'controller' and next_binding_ceiling is not null) desc nulls last, array_label",
    ),
)
_PROFILE = variables.one(
    "profile",
    "Load profile",
    "profile_id",
    _HEADROOM.where(_ARRAY).select(
        Column("profile_id", "__value"),
        Column("profile_label", "__text"),
        then="order by next_binding_ceiling is null, profile_id",
    ),
)
_METRIC = variables.metric(_PROFILE)

_LIMITS = mart("rpt_limits").where(_ARRAY, _PROFILE)
_EMPTY = (
    "No ceiling is known for this array at this load profile: choose another profile or array above"
)

HEADROOM = Card(
    "Headroom",
    "The least of the limits that can be derived, what it allows, the best that was measured, what "
    "would bind next, and how much lifting the first can bring at most.",
    _HEADROOM.where(_ARRAY, _PROFILE).select(
        "binding_ceiling",
        "ceiling_iops",
        "ceiling_bytes_per_second",
        "attained_iops",
        "attained_bytes_per_second",
        "attained_ratio",
        "next_binding_ceiling",
        "upgrade_ratio",
    ),
    empty="not known",
)
THE_LIMITS_AND_WHAT_WAS_ATTAINED = Bars(
    "The limits, and what was attained",
    "Each limit on the practical basis beside the best that was measured; the shortest limit "
    "binds.",
    _LIMITS.where("bytes_per_second is not null").select(
        "kind",
        _METRIC,
        Column("kind", "kind_colour"),
        then="order by bytes_per_second desc",
    ),
    empty=_EMPTY,
    colour_by={"kind_colour": CEILINGS},
)
HOW_EACH_IS_DERIVED = Table(
    "How each is derived",
    "Theoretical and practical value of each limit with its formula, or why there is none.",
    _LIMITS.select(
        "kind",
        "bytes_per_second",
        "formula",
        "missing_reason",
        "iops",
        "theoretical_bytes_per_second",
        "is_binding",
        then="order by bytes_per_second nulls last, kind",
    ),
    empty=_EMPTY,
    coloured={"kind": CEILINGS},
)
ALL_ARRAYS_NEAREST_TO_THEIR_CEILING_FIRST = Table(
    "All arrays, nearest to their ceiling first",
    "The best of each array and profile that has a ceiling; across profiles only this share can be "
    "compared.",
    _CHOSEN.select(
        "array_label",
        "profile_label",
        "attained_ratio",
        "binding_ceiling",
        "next_binding_ceiling",
        "upgrade_ratio",
        "best_measurement_id",
        "attained_bytes_per_second",
        "ceiling_bytes_per_second",
        "missing_limits",
        then="order by attained_ratio desc, array_label, profile_id limit 500",
    ),
    empty="No ceiling is known for these controllers: choose others above",
    coloured={"binding_ceiling": CEILINGS},
)

BOARD = Board(
    "headroom-headroom",
    "Headroom",
    "**What limits this array, how near did it come, and what would the next upgrade bring?** "
    "Limits of links are nine tenths of the theoretical ones; docs/ceilings.md has every formula.",
    [
        (4, [(24, HEADROOM)]),
        (8, [(24, THE_LIMITS_AND_WHAT_WAS_ATTAINED)]),
        (9, [(24, HOW_EACH_IS_DERIVED)]),
        (11, [(24, ALL_ARRAYS_NEAREST_TO_THEIR_CEILING_FIRST)]),
    ],
    variables=[*_CHAIN, _ARRAY, _PROFILE, _METRIC],
)
