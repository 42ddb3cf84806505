"""What do the papers say, and what does the data say?"""

from dashboards import variables
from dashboards.bars import bars
from dashboards.board import board
from dashboards.colours import VERDICTS
from dashboards.panels import rows

_CLAIMS = (
    "from marts.fct_claims where document_id = any([${source:sqlstring}]) "
    "and verdict = any([${verdict:sqlstring}])"
)
_EMPTY = "No paper with claims is in the warehouse for this choice"

VERDICTS_BY_PAPER = bars(
    "Verdicts by paper",
    (
        "How many of each paper's claims the data confirms or contradicts, and for how many it "
        "is insufficient."
    ),
    label="document_id",
    values=[f"count(*) filter (verdict = '{verdict}') as \"{verdict}\"" for verdict in VERDICTS],
    source=f"{_CLAIMS} group by document_id order by document_id",
    empty=_EMPTY,
    colours=VERDICTS,
)
THE_CLAIMS = rows(
    "The claims",
    (
        "The claim in short, as the paper prints it, and what the data says: both values "
        "and their ratio."
    ),
    [
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
    ],
    f"{_CLAIMS} order by verdict = 'insufficient data', verdict desc, document_id, page, claim_id",
    empty=_EMPTY,
    coloured={"verdict": VERDICTS},
)

BOARD = board(
    "headroom-claims",
    "Claims",
    "**What does each paper claim, and does the data bear it out?** A claim is judged "
    "on the paper's own measurements and on the "
    "formulas. A claim without a verdict shows why, and what is missing.",
    [
        (11, [(24, VERDICTS_BY_PAPER)]),
        (18, [(24, THE_CLAIMS)]),
    ],
    variables=[
        variables.several(
            "source", "Paper", "select distinct document_id from marts.fct_claims order by 1"
        ),
        variables.several(
            "verdict", "Verdict", "select distinct verdict from marts.fct_claims order by 1"
        ),
    ],
)
