"""What limits a configuration, and what would the next upgrade bring?"""

from dashboards import variables
from dashboards.bars import bars
from dashboards.board import board
from dashboards.colours import CEILINGS
from dashboards.panels import card, rows

_THIS = "where array_label = ${array_one:sqlstring} and profile_id = ${profile:sqlstring}"
_HEADROOM = f"from marts.rpt_headroom {_THIS}"
_CHAIN = ("vendor", "controller")
_CHOSEN = f"from marts.rpt_headroom where {variables.chosen(*_CHAIN)}"
_EMPTY = (
    "No ceiling is known for this array at this load profile: choose another profile or array above"
)
_NONE = "No ceiling is known for these controllers: choose others above"

HEADROOM = card(
    "Headroom",
    (
        "The least of the limits that can be derived, what it allows, the best that was measured, "
        "what would bind next, and how much lifting the first can bring at most."
    ),
    [
        "binding_ceiling",
        "ceiling_iops",
        "ceiling_bytes_per_second",
        "attained_iops",
        "attained_bytes_per_second",
        "attained_ratio",
        "next_binding_ceiling",
        "upgrade_ratio",
    ],
    _HEADROOM,
    empty="not known",
)
THE_LIMITS_AND_WHAT_WAS_ATTAINED = bars(
    "The limits, and what was attained",
    (
        "Each limit on the practical basis beside the best that was measured; the shortest "
        "limit binds."
    ),
    label="kind",
    values=["${metric:raw}"],
    source=(
        f"from marts.rpt_limits {_THIS} and bytes_per_second is not null order by "
        "bytes_per_second desc"
    ),
    empty=_EMPTY,
    colour_by=("kind as kind_colour", CEILINGS),
)
HOW_EACH_IS_DERIVED = rows(
    "How each is derived",
    "Theoretical and practical value of each limit with its formula, or why there is none.",
    [
        "kind",
        "bytes_per_second",
        "formula",
        "missing_reason",
        "iops",
        "theoretical_bytes_per_second",
        "is_binding",
    ],
    f"from marts.rpt_limits {_THIS} order by bytes_per_second nulls last, kind",
    empty=_EMPTY,
    coloured={"kind": CEILINGS},
)
ALL_ARRAYS_NEAREST_TO_THEIR_CEILING_FIRST = rows(
    "All arrays, nearest to their ceiling first",
    (
        "The best of each array and profile that has a ceiling; across profiles only this "
        "share can be compared."
    ),
    [
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
    ],
    f"{_CHOSEN} order by attained_ratio desc, array_label, profile_id limit 500",
    empty=_NONE,
    coloured={"binding_ceiling": CEILINGS},
)

BOARD = board(
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
    variables=[
        *variables.chain("marts.rpt_headroom", *_CHAIN),
        variables.one(
            "array_one",
            "Array",
            (
                f"select array_label {_CHOSEN} group by array_label order "
                "by max(attained_ratio) filter (where binding_ceiling != 'controller' "
                "and next_binding_ceiling is not null) "
                "desc nulls last, array_label"
            ),
        ),
        variables.one(
            "profile",
            "Load profile",
            (
                "select profile_id as __value, profile_label as __text from "
                "marts.rpt_headroom where array_label = ${array_one:sqlstring} order by "
                "next_binding_ceiling is null, profile_id"
            ),
        ),
        variables.metric(),
    ],
)
