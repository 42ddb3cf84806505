"""What limits a configuration, and what would the next upgrade bring?"""

from dashboards import variables
from dashboards.bars import Bars
from dashboards.board import Board
from dashboards.colours import CEILINGS, LIMITS
from dashboards.columns import Look
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
    _CHOSEN.each(
        "array_label",
        "max(comparable_attained_ratio) filter (where next_binding_ceiling is not null) "
        "desc nulls last, array_label",
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

SHARE = Card(
    "% of ceiling",
    "The value as a share of the lowest known limit; ≥ if an unknown limit may be lower. A value "
    "that its source calls the limit stands by its share of the next limit.",
    _HEADROOM.where(_ARRAY, _PROFILE).select(
        Column("coalesce(next_attained_label, attained_label)", "share", Look(" "))
    ),
    empty="none",
    value_size=38,
)
HEADROOM = Card(
    "Headroom",
    "With the next limit: the most that lifting the first one can bring, and what would limit "
    "then; ≤ if an unknown limit may bind earlier.",
    _HEADROOM.where(_ARRAY, _PROFILE).select(
        Column("attained_value_label || ' of ' || ceiling_value_label", "value and ceiling"),
        Column(
            "binding_ceiling || if(next_attained_label is null, '', ', as the document says')",
            "limited by",
        ),
        "next_limit_label",
        Column("coalesce(unknown_limits, 'none')", "unknown limits"),
    ),
    empty="none",
    value_size=16,
)
LIMITS_AND_VALUE = Bars(
    "Limits, and the value attained as a tick",
    "Each practical limit, the lowest first: it binds. The value is the best that was measured or "
    "published.",
    _LIMITS.where("bytes_per_second is not null").select(
        Column(
            "kind || if(is_binding, ' (binds)', '') || '   ' || coalesce(value_label, '')", "label"
        ),
        Column("kind", "series"),
        Column("headline_value", "value"),
        Column(
            "if(kind = 'attained', null, "
            f"(select max(headline_value) {_LIMITS} and kind = 'attained'))",
            "mark",
        ),
        "formula",
        "measurement_id",
        then="order by kind != 'attained', headline_value",
    ),
    empty=_EMPTY,
    series=LIMITS,
    metric=_METRIC,
    mark_name="value attained",
    has_legend=False,
)
HOW_EACH_IS_DERIVED = Table(
    "How each limit is derived",
    "Theoretical and practical value of each limit with its formula, or why it is not derived.",
    _LIMITS.select(
        wide(130, "kind"),
        wide(90, "bytes_per_second", wraps=False),
        wide(90, "iops", wraps=False),
        wide(90, "theoretical_bytes_per_second", "in theory", wraps=False),
        wide(260, "formula", grows=True),
        wide(230, "missing_reason"),
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
        wide(200, "array_label", grows=True),
        wide(200, "profile_short_label", grows=True),
        "attained_label",
        "binding_ceiling",
        wide(105, "attained_value_label", wraps=False),
        wide(215, "next_limit_label"),
        wide(55, "best_measurement_id", "run", wraps=False),
        then="order by comparable_attained_ratio desc, array_label, profile_id limit 500",
    ),
    empty="No array has a comparable % of ceiling: the table in Details says why",
    coloured={"binding_ceiling": CEILINGS},
)
WHERE_A_LIMIT_IS_NOT_KNOWN = Table(
    "Arrays without a comparable % of ceiling",
    "≥: a limit is unknown and may be lower than the ceiling. A value that its source calls the "
    "limit has no % of it. Sorted by what is missing.",
    _CHOSEN.where("comparable_attained_ratio is null").select(
        wide(160, "unknown_limits", "missing"),
        wide(220, "array_label", grows=True),
        wide(220, "profile_label", grows=True),
        "attained_label",
        "binding_ceiling",
        wide(105, "attained_value_label", wraps=False),
        wide(55, "best_measurement_id", "run", wraps=False),
        then="order by unknown_limits nulls last, array_label, profile_id limit 500",
    ),
    empty="Every array has a comparable % of ceiling",
    coloured={"attained_label": {}},
)

BOARD = Board(
    "headroom-headroom",
    "Headroom",
    "**What limits this array, how close did it come, and what would the next upgrade bring?** "
    "Links count with 90 % of their theoretical limit.",
    [
        (4, [(6, SHARE), (18, HEADROOM)]),
        (7, [(24, LIMITS_AND_VALUE)]),
        (10, [(24, HOW_EACH_IS_DERIVED)]),
        (12, [(24, NEAREST_TO_THEIR_CEILING_FIRST)]),
    ],
    folded=[(12, [(24, WHERE_A_LIMIT_IS_NOT_KNOWN)])],
    variables=[*_CHAIN, _ARRAY, _PROFILE, _METRIC],
)
