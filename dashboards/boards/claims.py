"""What do the papers say, and what does the data say?"""

from dashboards import variables
from dashboards.bars import Bars
from dashboards.board import Board
from dashboards.colours import RATING_VERDICTS, VERDICTS
from dashboards.marts import Column, mart, wide
from dashboards.tables import Table

_CLAIMS = mart("fct_claims")
_SOURCE = variables.several(
    "source",
    "Paper",
    "document_id",
    _CLAIMS.each("document_id", "2", text="any_value(document_title)"),
)
_VERDICT = variables.several("verdict", "Verdict", "verdict", _CLAIMS)
_SEARCH = variables.typed(
    "words",
    "Claims that contain",
    "",
    "contains(lower(concat_ws(' ', claim_label, as_printed, data_label, missing)), "
    "lower(trim(${words:sqlstring})))",
)
_CHOSEN = _CLAIMS.where(_SOURCE, _VERDICT, _SEARCH)
_EMPTY = "No claims for this choice"
BY_VERDICT = f"list_position({list(VERDICTS)}, verdict)"

VERDICTS_BY_PAPER = Bars(
    "Verdicts by paper",
    "Number of claims, the paper with most contradicted claims first. Contradicted: by the paper's "
    "own numbers, other documents, own runs or the formulas. Confirmed: by other documents or own "
    "runs. Consistent: with the paper's own numbers only. Insufficient data: the table says what "
    "is missing.",
    _CHOSEN.ask(
        "select if(length(title) > 38, left(title, 37) || '…', title) || '   ' || contradicted "
        "|| ' of ' || claims || ' contradicted' as label, verdict as series, "
        "count(*) as value from (select *, document_title as title, "
        "count(*) over (partition by document_id) as claims, "
        "count(*) filter (verdict = 'contradicted') over (partition by document_id) "
        f"as contradicted {_CHOSEN}) group by document_id, title, claims, contradicted, verdict "
        "order by contradicted desc, claims desc, document_id",
        "label",
        "series",
        "value",
    ),
    empty=_EMPTY,
    series=VERDICTS,
    metric="claims",
)
_PLACES = (
    "any_value(if(length(document_title) > 26, trim(left(document_title, 25)) || '…', "
    "document_title)) || coalesce(', p. ' || string_agg(distinct pages, ', ' order by pages), '')"
)
CLAIMS = Table(
    "Claims",
    "Contradicted first, then confirmed by others, consistent with the paper itself, and without "
    "enough data; those with a printed number first. *A against B*: A is what the claim begins "
    "with. A repeated claim stands once, with all its places. *Run* opens the value.",
    _CHOSEN.select(
        wide(305, "claim_label", grows=True),
        wide(100, "verdict"),
        wide(115, "as_printed"),
        wide(210, "data_label", of="coalesce(data_label, 'missing: ' || missing)"),
        wide(185, "source_label", of=_PLACES),
        wide(65, "subject_measurement_id", "run", of="min(subject_measurement_id)", wraps=False),
        then="group by document_id, verdict, claim_label, as_printed, data_label, missing "
        f"order by {BY_VERDICT}, as_printed is null, max(derived_ratio) desc nulls last, "
        "min(page), min(claim_id) limit 300",
    ),
    empty=_EMPTY,
    coloured={"verdict": VERDICTS},
)
RATINGS = Bars(
    "Data-sheet ratings, measured by others",
    "The highest value that another document or an own run measured for one drive, as a share of "
    "its data-sheet rating: 4 KiB for random I/O, large blocks for sequential. Reached: 90 to "
    "110 %. Not reached refutes nothing: load, link and controller may differ from the maker's. "
    "The choices above do not apply.",
    mart("rpt_ratings").select(
        Column("rating_label", "label"),
        Column("verdict", "series"),
        Column("measured_ratio", "value"),
        Column("1::double", "mark"),
        "as_printed",
        "rating_source_label",
        "controller",
        "outstanding_io_count",
        "condition",
        "source_label",
        "measurement_id",
        then="order by measured_ratio desc, rating_label",
    ),
    empty="No rated drive was measured by another document or in an own run",
    series=RATING_VERDICTS,
    metric="measured_ratio",
    mark_name="the rating",
)

BOARD = Board(
    "headroom-claims",
    "Claims",
    "**What does each paper claim, and does the data bear it out?**",
    [(9, [(24, VERDICTS_BY_PAPER)]), (20, [(24, CLAIMS)]), (16, [(24, RATINGS)])],
    variables=[_SOURCE, _VERDICT, _SEARCH],
)
