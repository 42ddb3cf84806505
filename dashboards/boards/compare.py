"""Which is faster, by how much, how far from the limit, and who says so?"""

from dashboards import variables
from dashboards.bar_tables import BarTable, Shades, bar_of
from dashboards.board import Board
from dashboards.colours import GREY, MEASURED, RUN_VERDICTS, SHADES
from dashboards.marts import mart, wide
from dashboards.panels import Sentences
from dashboards.tables import Table

_ROWS = mart("rpt_compare")
_PAIRS = mart("rpt_compare_pairs")
_WITH_VALUE = "headline_value is not null"
_PROFILE = variables.profile(
    _ROWS.where(_WITH_VALUE),
    "order by any_value(headline_metric) desc, count(distinct controller) desc, profile_id",
)
_LEVEL = variables.some(
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
    "A",
    "array_label",
    _OF_PROFILE.where(_WITH_VALUE).select("array_label", then=_HIGHEST_FIRST),
)
_SIDE_B = variables.several(
    "array_b",
    "B",
    "baseline_label",
    _ROWS.where(_PROFILE, _TRUST, _WITH_VALUE).select("array_label", then=_HIGHEST_FIRST),
)
_TOLD = _PAIRS.where(_PROFILE, _LEVEL, _SIDE_A, _SIDE_B, "verdict is not null")
_NOTHING = (
    "Nothing to compare: fewer than two values for this choice. Choose another load profile or "
    "RAID level, or All as A and B"
)
_SENTENCES = _TOLD.ask(
    "select coalesce(string_agg(size || verdict || chr(10) || pair_kind || ': ' || verdict_basis, "
    f"chr(10) || chr(10) order by place), '{_NOTHING}') as sentences from (select *, "
    "row_number() over (order by is_first desc, pair_kind) as place, "
    "if(place = 1, '## ', '#### ') as size from (select *, "
    "row_number() over (order by headline_value desc, pair_kind) = 1 as is_first "
    "from (select distinct on (pair_kind) * "
    f"{_TOLD} order by pair_kind, headline_value desc, ratio < 1, is_lead desc, ratio)) "
    "qualify place <= 3)",
    "sentences",
)
_VERDICT = variables.hidden("verdict", _SENTENCES)
_BESIDE = variables.one(
    "beside",
    "Compare matrix with",
    "baseline_label",
    _PAIRS.select(
        "baseline_label",
        then="group by 1 order by min(pair_kind) != 'Ceiling', count(*) desc, baseline_label",
    ),
)
_CELLS = _PAIRS.where(_BESIDE, _LEVEL, "factor_label is not null")
_CELL_PROFILES = variables.columns("matrix_profiles", "profile_short_label", _CELLS, most=8)
_RAID_LEVELS = mart("rpt_compare_raid_levels").where(
    "raid_level not in ('RAID 0', 'JBOD')", "read_ratio < 1"
)
_READS = variables.columns("reads", "read_label", _RAID_LEVELS)
_TYPED = "lower(trim(${search:sqlstring}))"
# as typed, and without what parts thousands: a point, a comma or a space
_SEARCH = variables.typed(
    "search",
    "Find a printed value",
    "5900",
    f"(contains(search_text, ' ' || {_TYPED}) or contains(search_text, ' ' || "
    rf"regexp_replace({_TYPED}, '[., ](\d{{3}})\b', '\1', 'g'))) and {_TYPED} != ''",
)
_BAR = MEASURED
_BANDS = {
    r"^(\D+ )?(0\.\d|\d|1\d|2[0-4]) %|^(. )?0(\.[0-4]\d*)? x$": SHADES[0],
    r"^(\D+ )?(2[5-9]|[34]\d) %|^(. )?0\.[5-8]\d* x$": SHADES[1],
    r"^(\D+ )?([56]\d|7[0-4]) %|^(. )?(0\.9\d*|1(\.0\d*)?) x$": SHADES[2],
    r"^(\D+ )?(7[5-9]|8\d) %|^(. )?1\.[1-9]\d* x$": SHADES[3],
    r"^(\D+ )?(9\d|\d{3,}) %|^is the limit$|^(. )?([2-9]|\d{2,})(\.\d+)? x$": SHADES[4],
}


VERDICT = Sentences(
    "Which is faster",
    "The highest value compared with the next most similar array, or A with B. Two bounds have "
    "no factor, unless both are maxima in one paper.",
    _SENTENCES,
    empty=_NOTHING,
    variable=_VERDICT,
)
ALL_VALUES = BarTable(
    "All values",
    "Highest first. One value per array or drive: the median of our own runs, or the highest in "
    "papers. The factor is to the array or drive that it is compared with: the next of the same "
    "RAID level and media, our own or printed like this one. % of ceiling has ≥ if an unknown "
    "limit may be lower. The verdict is on the run that stands for our own array.",
    _OF_PROFILE.select(
        wide(175, "array_label", "array or drive"),
        wide(74, "value_label", "value"),
        wide(62, "next_label", "factor", wraps=False),
        wide(118, "next_array_label", "compared with"),
        wide(86, "attained_label", "% of ceiling"),
        wide(92, "ceiling_label", "ceiling"),
        "run_verdict",
        wide(102, "as_printed"),
        wide(150, "source_label", "source"),
        wide(52, "measurement_id", "run", wraps=False),
        wide(96, "remark", grows=True),
        then="order by headline_value desc nulls last, array_label limit 200",
    ),
    empty="Nothing was measured or printed here: choose another load profile or RAID level",
    patterns={"attained_label": {"^(≥|no) ": GREY}, "value_label": {"^not measured$": GREY}},
    coloured={"run_verdict": RUN_VERDICTS},
)
RAID_LEVELS = Shades(
    "Share of RAID 0: theory / measured",
    "Random IOPS compared with RAID 0, by share of reads: by the write penalty / measured with "
    "the same controller, drives and load; – if not measured.",
    _RAID_LEVELS.ask(
        f"from (pivot (select raid_level, read_label, theory_and_measured {_RAID_LEVELS}) "
        f"on read_label in ({_READS.raw}) using max(theory_and_measured) "
        "group by raid_level) order by raid_level",
        wide(90, "raid_level", "RAID level"),
        _READS,
    ),
    empty="No RAID levels are known",
    is_measured=False,
    patterns={},
)
GENERATIONS = Table(
    "Generations",
    "The highest value of one controller generation and of a slower one, with the same load "
    "profile, RAID level and drives; the median of repeated runs.",
    mart("rpt_generations")
    .where("is_faster")
    .select(
        wide(115, "controllers_label", "faster"),
        wide(90, "value_label", "value of the faster"),
        wide(65, "factor_label", "factor", wraps=False),
        wide(110, "baseline_controllers_label", "slower"),
        wide(90, "baseline_value_label", "value of the slower"),
        wide(100, "profile_label", "load profile", grows=True),
        then="order by ratio desc, profile_label",
    ),
    empty="No two generations were measured under the same conditions",
)
MATRIX = Shades(
    "Arrays and load profiles",
    "Each array's % of ceiling, or its multiple of the array chosen as *Compare matrix with*, at "
    "the eight load profiles that most arrays have. Darker is higher; ≥ if an unknown limit may "
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
KNEES = BarTable(
    "Knees: outstanding I/Os / mean latency",
    "The point beyond which a curve's latency grows faster than its throughput, at all load "
    "profiles.",
    mart("rpt_response_curves")
    .where("is_knee")
    .select(
        wide(300, "curve_label", "curve", grows=True),
        wide(250, "profile_label", "load profile"),
        wide(140, "knee_label", "knee", wraps=False),
        wide(100, "iops_label", "IOPS", wraps=False),
        bar_of("iops", 160),
        then="order by iops desc, curve_label limit 100",
    ),
    empty="No curve has a knee: the load was too low",
    bars={"iops_bar": _BAR},
)
TOOLS = BarTable(
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
        wide(50, "run_count", "runs", wraps=False),
        wide(100, "factor_label", "factor"),
        wide(85, "interval_label", "interval"),
        wide(165, "differences", "differs"),
        wide(50, "measurement_id", "run", wraps=False),
        then="order by load_label, load_id, ratio is null desc, tool_label limit 100",
    ),
    empty="No two tools measured the same load on one array: docs/compare.md says how",
    bars={"headline_value_bar": _BAR},
)
PRINTED = Table(
    "Printed values that start with the search text",
    "Measured values, facts, limits and claims as printed, and in base units: Fujitsu's MB is "
    "2^20 bytes, MB here is 10^6. 5900, 5,900 and 5.900 find the same.",
    mart("rpt_printed_values")
    .where(_SEARCH)
    .select(
        wide(140, "as_printed"),
        wide(150, "value_label", "read as"),
        wide(75, "printed_kind", "kind", wraps=False),
        wide(230, "printed_of", "of", grows=True),
        wide(130, "document_title", "document"),
        wide(50, "pages", "page", wraps=False),
        wide(50, "measurement_id", "run", wraps=False),
        wide(185, "locator", "place"),
        then="order by document_title, page, printed_of limit 200",
    ),
    empty="No document prints this: type the first digits of a number, such as 5900",
)

BOARD = Board(
    "headroom-compare",
    "Compare",
    "**Which is faster, by how much, how far from the limit, and what is the source?** All at "
    "one load profile. ≈ is approximate, ≥ at least, ≤ at most.",
    [
        (8, [(24, VERDICT)]),
        (16, [(24, ALL_VALUES)]),
        (9, [(9, RAID_LEVELS), (15, GENERATIONS)]),
        (12, [(24, MATRIX)]),
        (8, [(24, KNEES)]),
        (15, [(24, TOOLS)]),
        (9, [(24, PRINTED)]),
    ],
    variables=[
        _PROFILE, _LEVEL, _TRUST, _SIDE_A, _SIDE_B, _BESIDE, _SEARCH, _CELL_PROFILES, _READS,
        _VERDICT,
    ],
)  # fmt: skip
