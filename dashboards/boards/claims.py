"""What do the papers say, and what does the data say?"""

from dashboards import variables
from dashboards.bars import Bars
from dashboards.board import Board
from dashboards.colours import VERDICTS
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
        "document_id",
        *(Column(f"count(*) filter (verdict = '{verdict}')", verdict) for verdict in VERDICTS),
        then="group by document_id order by document_id",
    ),
    empty=_EMPTY,
    colours=VERDICTS,
)
THE_CLAIMS = Table(
    "The claims",
    "The claim in short, as the paper prints it, and what the data says: both values and their "
    "ratio.",
    _CHOSEN.select(
        "verdict",
        "claim_label",
        "as_printed",
        "data_label",
        "reason",
        "missing",
        "document_id",
        "pages",
        "judged_by",
        "inputs",
        "locator",
        "subject_measurement_id",
        "object_measurement_id",
        then="order by verdict = 'insufficient data', verdict desc, document_id, page, claim_id",
    ),
    empty=_EMPTY,
    coloured={"verdict": VERDICTS},
)

BOARD = Board(
    "headroom-claims",
    "Claims",
    "**What does each paper claim, and does the data bear it out?** A claim is judged on the "
    "paper's own measurements and on the formulas. A claim without a verdict shows why, and what "
    "is missing.",
    [
        (11, [(24, VERDICTS_BY_PAPER)]),
        (18, [(24, THE_CLAIMS)]),
    ],
    variables=[_SOURCE, _VERDICT],
)
