"""What do the papers say, and what does the data say?"""

from dashboards import variables
from dashboards.bars import Bars
from dashboards.board import Board
from dashboards.colours import VERDICTS
from dashboards.columns import Look
from dashboards.marts import Column, mart
from dashboards.tables import Table

_CLAIMS = mart("fct_claims")
_SOURCE = variables.several("source", "Paper", "document_id", _CLAIMS)
_VERDICT = variables.several("verdict", "Verdict", "verdict", _CLAIMS)

_CHOSEN = _CLAIMS.where(_SOURCE, _VERDICT)
_EMPTY = "No paper with claims is in the warehouse for this choice"

VERDICTS_BY_PAPER = Bars(
    "Verdicts by paper",
    "How many of each paper's claims the data confirms or contradicts, and for how many it is "
    "insufficient.",
    _CHOSEN.select(
        Column("split_part(any_value(source_label), ', p. ', 1)", "document_title"),
        *(
            Column(f"nullif(count(*) filter (verdict = '{verdict}'), 0)", verdict)
            for verdict in VERDICTS
        ),
        then="group by document_id order by document_id",
    ),
    empty=_EMPTY,
    colours=VERDICTS,
    least_rows=4,
)
_COLUMNS = ("claim_label", "as_printed", "data_label", "source_label")
_JUDGED = ("judged_by", "subject_measurement_id", "object_measurement_id")
CONTRADICTED = Table(
    "Contradicted",
    "Claims that the paper's own values or the formulas do not bear out.",
    _CHOSEN.where("verdict = 'contradicted'").select(
        *_COLUMNS,
        Column("note", "note", Look(width=195)),
        *_JUDGED,
        then="order by document_id, page, claim_id",
    ),
    empty="The data contradicts no claim of this choice",
)
CONFIRMED = Table(
    "Confirmed",
    "Claims that the paper's own values or the formulas bear out.",
    _CHOSEN.where("verdict = 'confirmed'").select(
        *_COLUMNS, *_JUDGED, then="order by document_id, page, claim_id"
    ),
    empty="The data confirms no claim of this choice",
)
WITHOUT_A_VERDICT = Table(
    "Without a verdict",
    "Claims of which too little is printed, and what is missing.",
    _CHOSEN.where("verdict = 'insufficient data'").select(
        "claim_label",
        "as_printed",
        "missing",
        "source_label",
        then="order by reason, document_id, page, claim_id",
    ),
    empty="Every claim of this choice has a verdict",
)

BOARD = Board(
    "headroom-claims",
    "Claims",
    "**What does each paper claim, and does the data bear it out?** A claim is judged on the "
    "paper's own measurements and on the formulas. A claim without a verdict shows why, and what "
    "is missing.",
    [
        (8, [(24, VERDICTS_BY_PAPER)]),
        (9, [(24, CONTRADICTED)]),
        (14, [(24, CONFIRMED)]),
        (12, [(24, WITHOUT_A_VERDICT)]),
    ],
    variables=[_SOURCE, _VERDICT],
)
