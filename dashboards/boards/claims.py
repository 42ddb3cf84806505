"""What do the papers say, and what does the data say?"""

from dashboards import variables
from dashboards.bars import Bars
from dashboards.board import Board
from dashboards.colours import VERDICTS
from dashboards.marts import Column, mart, wide
from dashboards.tables import Table

_CLAIMS = mart("fct_claims")
_SOURCE = variables.several(
    "source",
    "Paper",
    "document_id",
    _CLAIMS.select(
        Column("document_id", "__value"),
        Column("any_value(document_title)", "__text"),
        then="group by document_id order by 2",
    ),
)
_VERDICT = variables.several("verdict", "Verdict", "verdict", _CLAIMS)
_SEARCH = variables.typed(
    "words",
    "Claims with the words",
    "",
    "list_bool_and(list_transform(string_split(lower(trim(${words:sqlstring})), ' '), lambda word: "
    "contains(lower(concat_ws(' ', claim_label, as_printed, data_label, missing, source_label)), "
    "word)))",
)
_CHOSEN = _CLAIMS.where(_SOURCE, _VERDICT, _SEARCH)
_EMPTY = "No claims for this choice"
_IN_ORDER = f"list_position({list(VERDICTS)}, verdict)"

VERDICTS_BY_PAPER = Bars(
    "Verdicts by paper",
    "Number of claims. Contradicted: by the paper's own numbers, other documents, own runs or the "
    "formulas. Confirmed: by other documents or own runs. Consistent: with the paper's own "
    "numbers only. Insufficient data: the table in Details says what is missing.",
    _CHOSEN.select(
        Column(
            "any_value(if(length(document_title) > 50, left(document_title, 49) || '…', "
            "document_title))",
            "label",
        ),
        Column("verdict", "series"),
        Column("count(*)", "value"),
        then="group by document_id, verdict "
        "order by sum(count(*)) over (partition by document_id) desc, document_id",
    ),
    empty=_EMPTY,
    series=VERDICTS,
    metric="claims",
)
_PLACES = (
    "any_value(left(document_title, 26)) || coalesce(', p. ' || string_agg(distinct pages, ', ' "
    "order by pages), '')"
)
CLAIMS = Table(
    "Claims",
    "Contradicted first, then confirmed by others, consistent with the paper itself, and without "
    "enough data; those with a printed number first. A repeated claim stands once, with all its "
    "places. *Run* opens the value.",
    _CHOSEN.select(
        wide(305, "claim_label", grows=True),
        wide(100, "verdict"),
        wide(115, "as_printed"),
        wide(210, "data_label", of="coalesce(data_label, 'missing: ' || missing)"),
        wide(185, "source_label", of=_PLACES),
        wide(65, "subject_measurement_id", "run", of="min(subject_measurement_id)", wraps=False),
        then="group by document_id, verdict, claim_label, as_printed, data_label, missing "
        f"order by {_IN_ORDER}, as_printed is null, max(derived_ratio) desc nulls last, "
        "min(page), min(claim_id) limit 300",
    ),
    empty=_EMPTY,
    coloured={"verdict": VERDICTS},
)

BOARD = Board(
    "headroom-claims",
    "Claims",
    "**What does each paper claim, and does the data bear it out?**",
    [(9, [(24, VERDICTS_BY_PAPER)]), (20, [(24, CLAIMS)])],
    variables=[_SOURCE, _VERDICT, _SEARCH],
)
