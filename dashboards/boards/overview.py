"""What was found, what is new, and where to look."""

from dashboards import variables
from dashboards.bars import Bars
from dashboards.board import Board
from dashboards.boards.data_quality import LAST_NIGHT
from dashboards.colours import MEASURED, RUN_VERDICTS, VERDICTS
from dashboards.marts import Column, mart, quality, run_link, wide
from dashboards.panels import Card, Sentences
from dashboards.tables import Table, Trends

_NEWEST = mart("rpt_newest_runs")
_FOUND = mart("rpt_verdicts")
_HISTORY = mart("rpt_series_history")
_NO_RUNS = "No runs of our own yet: run headroom nightly PATH"
_NONE_FOUND = (
    "No claim is contradicted, no rating exceeded, no value above its ceiling, and no repeated "
    "runs are far apart"
)
_FIRST_FINDINGS = _FOUND.ask(
    "select coalesce(any_value(counted) || chr(10) || chr(10) || string_agg("
    "concat('- **', topic, '**: ', statement, ' ', coalesce('[' || source_label || "
    "'](/d/headroom-run?var-measurement=' || measurement_id || ')', source_label)), chr(10) "
    f"order by finding_order), '{_NONE_FOUND}') as findings from (select *, "
    "(select count(*) filter (topic = 'claim contradicted') || ' contradicted claims and ' "
    "|| count(*) filter (topic != 'claim contradicted') || ' other findings. The largest, one of "
    f"each kind first:' {_FOUND}) as counted {_FOUND} where finding_order <= 5)",
    "findings",
)
_FINDINGS = variables.hidden("findings", _FIRST_FINDINGS)

OUR_RUNS = Card(
    "Our newest runs",
    "The newest run of each array, load profile and load: whether it can be trusted, else the "
    "most frequent verdict on it, and how many lie outside the range of their earlier runs. All "
    "newest runs are in Details.",
    _NEWEST.select(
        Column(
            "count(*) filter (run_verdict = 'trusted') || ' of ' || count(*) "
            "|| coalesce(', mostly ' || mode(run_verdict) filter (run_verdict != 'trusted'), '')",
            "trusted",
        ),
        Column(
            "count(*) filter (history_change_label like '%outside the range%')", "outside the range"
        ),
    ),
    empty=_NO_RUNS,
    patterns={
        "trusted": {"^0 of [1-9]": VERDICTS["contradicted"]},
        "outside the range": {"^[1-9]": VERDICTS["contradicted"]},
    },
)
CHANGES = Card(
    "Sudden changes",
    "Series with a recent change of level beyond their noise that nobody has acknowledged. Data "
    "quality lists older ones, too.",
    quality("change_points")
    .where("is_recent")
    .select(
        Column("count(distinct series_id)", "series"),
        Column("coalesce(strftime(max(changed_at), '%-d %b'), 'none')", "latest since"),
    ),
    empty="none",
    patterns={"series": {"^[1-9]": VERDICTS["contradicted"]}},
)
HISTORY = Trends(
    "What changed",
    "Our series that were run more than once: up to 60 runs as a line, the oldest at the left, "
    "each line on a scale of its own; the newest value, and its change from the median of the "
    "runs before. Largest changes first. Recent steps beyond the noise are counted above.",
    _HISTORY.ask(
        # spread evenly over the board's 90 days, which are the width of a line
        "select cast(now() as timestamp) - interval 1 minute * cast(60 * 24 * 88 * (age - 1) / "
        "(max(age) over (partition by series_id) - 1) as bigint) as time, headline_value as value, "
        "series_label as a, value_label as b, "
        "history_change_label as c "
        "from (select *, row_number() over (partition by series_id order by measured_at desc) "
        f"as age {_HISTORY} qualify age <= 60 and dense_rank() over ("
        "order by abs(history_change_ratio) desc, series_id) <= 12) order by time",
        "time",
        "value",
        wide(200, "a", "array and load profile", grows=True),
        wide(215, "b", "newest"),
        wide(215, "c", "change from the median before"),
    ),
    empty="No series has more than one run yet",
    trend_heading="runs, oldest first, on a scale of its own",
)
BESIDE_PUBLISHED = Bars(
    "Our runs beside the best published",
    "The median of each series, and its range in grey, as a share of the best published value at "
    "the same load profile and medium, single drives beside single drives. The tick is that value. "
    "A bar opens the newest run.",
    _NEWEST.where("published_ratio is not null").select(
        Column(
            "concat_ws(', ', array_label, profile_short_label) || '   ' "
            "|| round(100 * published_ratio)::integer || ' %'",
            "label",
        ),
        Column("'our run'", "series"),
        Column("published_ratio", "value"),
        Column("min_published_ratio", "low"),
        Column("max_published_ratio", "high"),
        Column("1", "mark"),
        Column("value_label", "newest"),
        wide(120, "published_label"),
        "run_verdict",
        "measurement_id",
        then="order by measured_at desc, published_ratio desc limit 12",
    ),
    empty="No document prints a value at the load profile and medium of our runs",
    series={"our run": MEASURED},
    metric="published_ratio",
    range_name="range of runs",
    mark_name="best published",
)
FINDINGS = Sentences(
    "Findings",
    "The five largest, one of each kind first. Details lists all.",
    _FIRST_FINDINGS,
    empty=_NONE_FOUND,
    variable=_FINDINGS,
)
OUR_NEWEST_RUNS = Table(
    "All newest runs",
    "The newest run of each array, profile and load, compared with earlier runs; the median of all "
    "with the best published value at the same profile and medium, single drives with single "
    "drives. The verdict says whether the number can be trusted.",
    _NEWEST.select(
        wide(140, "array_label"),
        wide(140, "profile_short_label", grows=True),
        wide(130, "value_label"),
        wide(90, "run_verdict"),
        wide(115, "history_change_label"),
        wide(84, "published_ratio", wraps=False),
        wide(110, "published_label", grows=True),
        run_link(52),
        wide(98, "day", of="strftime(measured_at, '%Y-%m-%d')", wraps=False),
        then="order by measured_at::date desc, earlier_run_count > 0 desc, "
        "published_label is not null desc, measured_at desc, measurement_id limit 100",
    ),
    empty=_NO_RUNS,
    coloured={"run_verdict": RUN_VERDICTS},
)
ALL_FINDINGS = Table(
    "All findings",
    "Claims that the data contradicts, values above their ceiling or different from the formula, "
    "and repeated runs that are far apart.",
    _FOUND.select(
        wide(140, "topic"),
        wide(470, "statement", grows=True),
        wide(320, "source_label"),
        run_link(60),
        then="order by min(finding_order) over (partition by topic), finding_order limit 100",
    ),
    empty=_NONE_FOUND,
    coloured={"topic": {"claim contradicted": VERDICTS["contradicted"]}},
)
BOARD = Board(
    "headroom-overview",
    "Overview",
    "**Is last night all right, what is new, and what was found?** The menu *Boards* leads on: "
    "[Compare](/d/headroom-compare) for which is faster, [Headroom](/d/headroom-headroom) for "
    "what limits, [Sizing](/d/headroom-sizing) for how many drives.",
    [
        (4, [(12, LAST_NIGHT), (6, OUR_RUNS), (6, CHANGES)]),
        (11, [(24, HISTORY)]),
        (9, [(24, FINDINGS)]),
        (7, [(24, BESIDE_PUBLISHED)]),
    ],
    folded=[(16, [(24, OUR_NEWEST_RUNS)]), (16, [(24, ALL_FINDINGS)])],
    variables=[_FINDINGS],
)
