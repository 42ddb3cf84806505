"""What limits a configuration, and what would the next upgrade bring?"""

from dashboards import variables
from dashboards.bars import Bars
from dashboards.board import Board
from dashboards.colours import CEILINGS, LIMITS
from dashboards.marts import Column, mart, wide
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
        then="group by array_label order by max(comparable_attained_ratio) "
        "filter (where next_binding_ceiling is not null) desc nulls last, array_label",
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
_THROUGHPUT = variables.throughput()
_METRIC = variables.metric(_PROFILE)

_LIMITS = mart("rpt_limits").where(_ARRAY, _PROFILE)
_EMPTY = (
    "No ceiling is known for this array at this load profile: choose another profile or array above"
)

HEADROOM = Card(
    "Headroom",
    "The lowest known limit, the best measured value, the next limit, and the maximum gain from "
    "lifting the first: ≤ if an unknown limit may bind earlier.",
    _HEADROOM.where(_ARRAY, _PROFILE).select(
        "binding_ceiling",
        "ceiling_value_label",
        "attained_value_label",
        "attained_label",
        "room_label",
        "unknown_limits",
        "next_binding_ceiling",
        "upgrade_label",
    ),
    empty="none",
)
THE_LIMITS_AND_WHAT_WAS_ATTAINED = Bars(
    "Limits and attained value",
    "Each practical limit and the best measured value; the shortest limit binds.",
    _LIMITS.where("bytes_per_second is not null").select(
        "kind",
        _METRIC,
        Column("kind", "kind_colour"),
        then="order by bytes_per_second desc",
    ),
    empty=_EMPTY,
    colour_by={"kind_colour": LIMITS},
)
HOW_EACH_IS_DERIVED = Table(
    "How each limit is derived",
    "Theoretical and practical value of each limit with its formula, or why it is not derived.",
    _LIMITS.select(
        "kind",
        wide(90, "bytes_per_second", "throughput", wraps=False),
        wide(90, "iops", "IOPS", wraps=False),
        wide(90, "theoretical_bytes_per_second", "in theory", wraps=False),
        wide(230, "formula", grows=True),
        wide(200, "missing_reason"),
        wide(65, "is_binding", wraps=False),
        then="order by bytes_per_second nulls last, kind",
    ),
    empty=_EMPTY,
    coloured={"kind": LIMITS},
)
NEAREST_TO_THEIR_CEILING_FIRST = Table(
    "Closest to the ceiling",
    "The best value of each array and profile with all limits known; comparable across profiles.",
    _CHOSEN.where("comparable_attained_ratio is not null").select(
        "array_label",
        wide(260, "profile_label"),
        "attained_label",
        "binding_ceiling",
        wide(90, "attained_bytes_per_second", wraps=False),
        "next_binding_ceiling",
        "upgrade_label",
        wide(55, "best_measurement_id", "run", wraps=False),
        then="order by comparable_attained_ratio desc, array_label, profile_id limit 500",
    ),
    empty="No array has a comparable % of ceiling: the table below says why",
    coloured={"binding_ceiling": CEILINGS},
)
WHERE_A_LIMIT_IS_NOT_KNOWN = Table(
    "Arrays without a comparable % of ceiling",
    "≥: a limit is unknown and may be lower than the ceiling. A value that its source calls the "
    "limit has no %. Sorted by name.",
    _CHOSEN.where("comparable_attained_ratio is null").select(
        "array_label",
        wide(230, "profile_label"),
        "attained_label",
        "binding_ceiling",
        wide(150, "unknown_limits"),
        "ceiling_scope",
        wide(88, "attained_bytes_per_second", wraps=False),
        wide(55, "best_measurement_id", "run", wraps=False),
        then="order by array_label, profile_id limit 500",
    ),
    empty="Every array has a comparable % of ceiling",
    coloured={"attained_label": {}, "ceiling_scope": {}},
)

BOARD = Board(
    "headroom-headroom",
    "Headroom",
    "**What limits this array, how close did it come, and what would the next upgrade bring?** "
    "Links count with 90 % of their theoretical limit; docs/ceilings.md has every formula. ≥: an "
    "unknown limit may be lower.",
    [
        (5, [(24, HEADROOM)]),
        (8, [(24, THE_LIMITS_AND_WHAT_WAS_ATTAINED)]),
        (9, [(24, HOW_EACH_IS_DERIVED)]),
        (10, [(24, NEAREST_TO_THEIR_CEILING_FIRST)]),
        (10, [(24, WHERE_A_LIMIT_IS_NOT_KNOWN)]),
    ],
    variables=[*_CHAIN, _ARRAY, _PROFILE, _THROUGHPUT, _METRIC],
)
