"""Which is faster, by how much, how far from the limit, and who says so?"""

from dashboards import variables
from dashboards.bars import Bars
from dashboards.board import Board
from dashboards.colours import GREY, MEASURED, RUN_VERDICTS, SHADES, SIDES
from dashboards.marts import mart, run_link, wide
from dashboards.panels import Sentences
from dashboards.tables import Shades, Table, bar_of

_ROWS = mart("rpt_compare").where("is_example is not true")
_PAIRS = mart("rpt_compare_pairs")
_WITH_VALUE = "headline_value is not null"
_PROFILE = variables.profile(
    _ROWS.where(_WITH_VALUE),
    "any_value(headline_metric) desc, count(distinct controller) desc, profile_id",
)
_LEVEL = variables.several(
    "raid_level",
    "RAID level",
    "raid_level",
    _ROWS.where(_PROFILE, _WITH_VALUE, "not has_any_raid_level"),
    first="RAID 5",
    always="has_any_raid_level",
)
_TRUST = variables.trust(_ROWS.where(_PROFILE, _LEVEL))
_OF_PROFILE = _ROWS.where(_PROFILE, _LEVEL, _TRUST)
_HIGHEST_FIRST = "order by headline_value desc, array_label"
_SIDE_A = variables.several(
    "array_a",
    "Side A",
    "array_label",
    _OF_PROFILE.where(_WITH_VALUE).select("array_label", then=_HIGHEST_FIRST),
)
_SIDE_B = variables.several(
    "array_b",
    "Side B",
    "baseline_label",
    _ROWS.where(_PROFILE, _TRUST, _WITH_VALUE).select("array_label", then=_HIGHEST_FIRST),
)
_METRIC = variables.metric(_PROFILE)
_TOLD = _PAIRS.where(_PROFILE, _LEVEL, _SIDE_A, _SIDE_B, "verdict is not null")
_NOTHING = (
    "Nothing to compare: fewer than two values for this choice. Choose another load profile or "
    "RAID level, or All as A and B"
)
_SENTENCES = _TOLD.ask(
    "select coalesce(string_agg(size || verdict || chr(10) || pair_kind || ': ' || verdict_basis, "
    f"chr(10) || chr(10) order by place), '{_NOTHING}') as sentences from (select *, "
    "row_number() over (order by is_first desc, pair_kind) as place, "
    "if(place = 1, '### ', '#### ') as size from (select *, "
    "row_number() over (order by headline_value desc, pair_kind) = 1 as is_first "
    "from (select distinct on (pair_kind) * "
    f"{_TOLD} order by pair_kind, headline_value desc, ratio < 1, is_lead desc, ratio)) "
    "qualify place <= 2)",
    "sentences",
)
_VERDICT = variables.hidden("verdict", _SENTENCES)
_BESIDE = variables.one(
    "beside",
    "Compare the matrix with",
    "baseline_label",
    _PAIRS.select(
        "baseline_label",
        then="group by 1 order by min(pair_kind) != 'Ceiling', count(*) desc, baseline_label",
    ),
)
_CELLS = _PAIRS.where(_BESIDE, _LEVEL, "factor_label is not null")
_CELL_PROFILES = variables.columns("matrix_profiles", "profile_short_label", _CELLS, most=8)
_BANDS = {
    r"^(\D+ )?(\d(\.\d)?|1\d|2[0-4]) %|^(. )?0(\.[0-4]\d*)? x$": SHADES[0],
    r"^(\D+ )?(2[5-9]|[34]\d) %|^(. )?0\.[5-8]\d* x$": SHADES[1],
    r"^(\D+ )?([56]\d|7[0-4]) %|^(. )?(0\.9\d*|1(\.0\d*)?) x$": SHADES[2],
    r"^(\D+ )?(7[5-9]|8\d) %|^(. )?1\.[1-9]\d* x$": SHADES[3],
    r"^(\D+ )?(9\d(\.\d)?|\d{3,}) %|^is the limit$|^(. )?([2-9]|\d{2,})(\.\d+)? x$": SHADES[4],
}
_IN_A = f"array_label = any([{_SIDE_A.text}])"
_IN_B = f"array_label = any([{_SIDE_B.text}])"
_SIDE = (
    f"case when {_IN_A} and not {_IN_B} then 'A' when {_IN_B} and not {_IN_A} then 'B' "
    "else 'measured' end"
)

VERDICT = Sentences(
    "Which is faster",
    "The highest value compared with the next most similar array, or A with B. Two bounds have "
    "no factor, unless both are maxima in one paper.",
    _SENTENCES,
    empty=_NOTHING,
    variable=_VERDICT,
)
ALL_ARRAYS = Bars(
    "Arrays and drives, highest first",
    "The 25 highest, one value per array or drive: the median of our own runs, with their range in "
    "grey, or the highest in papers. The tick is the practical ceiling, if all limits are known "
    "and it is no higher than twice the longest bar. Arrays measured at another load profile or "
    "RAID level only share the last row. Choose sides A and B above to colour them. A bar opens "
    "its measurement.",
    _OF_PROFILE.ask(
        "select if(side = 'measured', '', side || ': ') || concat_ws('   ', array_label, "
        "value_label) as label, side as series, headline_value as value, "
        "if(measurement_count > 1, min_headline_value, null) as low, "
        "if(measurement_count > 1, max_headline_value, null) as high, "
        "if(ceiling_scope != 'some limits unknown' and ceiling_headline_value "
        f"<= 2 * (select max(headline_value) {_OF_PROFILE}), ceiling_headline_value, null) "
        "as mark, attained_label, ceiling_label, run_verdict, source_label, measurement_id "
        f"from (select *, {_SIDE} as side {_OF_PROFILE} and {_WITH_VALUE} "
        "order by headline_value desc, array_label limit 25) "
        "union all by name select any_value(value_label) || ': ' || count(*) "
        "|| if(count(*) = 1, ' array', ' arrays') as label, 'measured' as series, "
        "string_agg(array_label, '; ' order by array_label) as source_label "
        f"{_OF_PROFILE} and not ({_WITH_VALUE}) having count(*) > 0",
        "label",
        "series",
        "value",
        "low",
        "high",
        "mark",
        wide(100, "attained_label"),
        "ceiling_label",
        "run_verdict",
        "source_label",
        "measurement_id",
    ),
    empty="Nothing was measured or printed here: choose another load profile or RAID level",
    series={"measured": MEASURED} | SIDES,
    unlisted=SIDES,
    metric=_METRIC,
    range_name="range of runs",
    mark_name="ceiling",
)
ALL_VALUES = Table(
    "All values",
    "Highest first. One value per array or drive: the median of our own runs, or the highest in "
    "papers. The factor is to the array or drive that it is compared with: the next of the same "
    "RAID level and media, our own or printed like this one. % of ceiling has ≥ if an unknown "
    "limit may be lower. The verdict is on the run that stands for our own array.",
    _OF_PROFILE.select(
        wide(160, "array_label", "array or drive", grows=True),
        wide(74, "value_label"),
        wide(62, "next_label", "factor", wraps=False),
        wide(150, "next_array_label", "compared with"),
        wide(74, "attained_label"),
        wide(80, "ceiling_label", "ceiling"),
        wide(87, "run_verdict"),
        wide(132, "as_printed", of="coalesce(repeats_label, as_printed, remark)"),
        wide(
            125,
            "source_label",
            of="coalesce(document_id || coalesce(', p. ' || pages, ''), source_label)",
        ),
        run_link(52),
        then="order by headline_value desc nulls last, array_label limit 200",
    ),
    empty="Nothing was measured or printed here: choose another load profile or RAID level",
    patterns={"attained_label": {"^(≥|no) ": GREY}, "value_label": {"^not measured$": GREY}},
    coloured={"run_verdict": RUN_VERDICTS},
)
MATRIX = Shades(
    "Arrays and load profiles",
    "Each array's % of ceiling, or its multiple of the array chosen as *Compare the matrix with*, "
    "at the eight load profiles that most arrays have. Darker is higher; ≥ if an unknown limit may "
    "be lower.",
    _CELLS.ask(
        f"from (pivot (select array_label, profile_short_label, factor_label {_CELLS} "
        f"and profile_short_label in ({_CELL_PROFILES.raw})) "
        f"on profile_short_label in ({_CELL_PROFILES.raw}) using max(factor_label) "
        "group by array_label) order by array_label like '1 x %', array_label limit 100",
        wide(220, "array_label", "array or drive"),
        _CELL_PROFILES,
    ),
    empty="There is nothing to compare with at this RAID level",
    patterns=_BANDS,
)
TOOLS = Table(
    "Tools at one load",
    "Our own runs of one load on one array by several tools and I/O engines: medians, and the "
    "factor to fio, or to the tool with the most runs, with its interval at 95 %.",
    mart("rpt_tools").select(
        wide(180, "load_label", "array and load", grows=True),
        wide(95, "tool_label", "tool"),
        wide(90, "value_label", "median", wraps=False),
        bar_of("headline_value", 75),
        wide(105, "range_label", "lowest and highest"),
        wide(75, "latency_label", "mean latency"),
        wide(50, "run_count", wraps=False),
        wide(100, "factor_label", "factor"),
        wide(85, "interval_label", "interval"),
        wide(90, "differences", "differs"),
        run_link(50),
        then="order by load_label, load_id, ratio is null desc, tool_label limit 100",
    ),
    empty="No two tools measured the same load on one array: docs/compare.md says how",
    bars={"headline_value_bar": MEASURED},
)

BOARD = Board(
    "headroom-compare",
    "Compare",
    "**Which is faster, by how much, and how far from the limit?** All at one load profile. "
    "≈ is approximate, ≥ at least, ≤ at most.",
    [(7, [(24, VERDICT)]), (14, [(24, ALL_ARRAYS)])],
    folded=[(18, [(24, ALL_VALUES)]), (12, [(24, MATRIX)]), (15, [(24, TOOLS)])],
    variables=[
        _PROFILE, _LEVEL, _TRUST, _SIDE_A, _SIDE_B, _METRIC, _BESIDE, _CELL_PROFILES, _VERDICT,
    ],
)  # fmt: skip
