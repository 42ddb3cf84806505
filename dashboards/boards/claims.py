"""What do the papers say, and what does the data say?"""

from dashboards import variables
from dashboards.bar_tables import BarTable
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

_CHOSEN = _CLAIMS.where(_SOURCE, _VERDICT)
_EMPTY = "No claims for this choice"

VERDICTS_BY_PAPER = BarTable(
    "Verdicts by paper",
    "Each paper's claims: confirmed by other documents or own runs, consistent with the paper's "
    "own numbers, contradicted by either, or with insufficient data for a verdict.",
    _CHOSEN.select(
        wide(300, "document_title", "paper", of="any_value(document_title)"),
        *(
            Column(f"nullif(count(*) filter (verdict = '{verdict}'), 0)", verdict)
            for verdict in VERDICTS
        ),
        then="group by document_id order by document_id",
    ),
    empty=_EMPTY,
    bars=VERDICTS,
    has_one_scale=True,
)
_JUDGED = (
    wide(135, "judged_label"),
    wide(60, "subject_measurement_id", "run", wraps=False),
    wide(75, "object_measurement_id", "beside", wraps=False),
)
CONTRADICTED = Table(
    "Contradicted",
    "Claims contradicted by the paper's own numbers, by other documents, by own runs or by the "
    "formulas. The links open the value and the one it is compared with.",
    _CHOSEN.where("verdict = 'contradicted'").select(
        wide(165, "claim_label", grows=True),
        wide(115, "as_printed"),
        wide(165, "data_label", grows=True),
        wide(130, "source_label"),
        wide(165, "note", grows=True),
        *_JUDGED,
        then="order by document_id, page, claim_id",
    ),
    empty="The data contradicts no claim of this choice",
)
_PLACES = (
    "any_value(document_title) || ', ' || "
    "string_agg(distinct replace(source_label, document_title || ', ', ''), '; ' "
    "order by replace(source_label, document_title || ', ', ''))"
)
BORNE_OUT = Table(
    "Confirmed and consistent",
    "Confirmed: other documents or own runs bear the claim out. Consistent: the paper's own "
    "numbers or the formulas do. A repeated claim once, with all its places; those with a printed "
    "number first. The links open the value and the one it is compared with.",
    _CHOSEN.where("verdict in ('confirmed', 'consistent')").select(
        wide(90, "verdict"),
        wide(205, "claim_label", grows=True),
        wide(105, "as_printed"),
        wide(205, "data_label", grows=True),
        wide(205, "source_label", of=_PLACES, grows=True),
        wide(150, "judged_label", of="min(judged_label)"),
        wide(60, "subject_measurement_id", "run", of="min(subject_measurement_id)", wraps=False),
        wide(75, "object_measurement_id", "beside", of="min(object_measurement_id)", wraps=False),
        then="group by document_id, verdict, claim_label, as_printed, data_label "
        "order by verdict, as_printed is null, max(derived_ratio) desc nulls last, min(page), "
        "min(claim_id)",
    ),
    empty="The data bears out no claim of this choice",
)
INSUFFICIENT_DATA = Table(
    "Insufficient data",
    "Claims that the data neither bears out nor contradicts, and what is missing.",
    _CHOSEN.where("verdict = 'insufficient data'").select(
        wide(205, "claim_label", grows=True),
        wide(135, "as_printed"),
        wide(205, "missing", grows=True),
        wide(360, "source_label"),
        then="order by reason, document_id, page, claim_id",
    ),
    empty="No claim of this choice lacks data",
)

BOARD = Board(
    "headroom-claims",
    "Claims",
    "**What does each paper claim, and does the data bear it out?** *Consistent*: the paper's own "
    "numbers bear it out. *Confirmed*: other documents or own runs do. If the data is "
    "insufficient, the board shows what is missing.",
    [
        (8, [(24, VERDICTS_BY_PAPER)]),
        (10, [(24, CONTRADICTED)]),
        (14, [(24, BORNE_OUT)]),
        (12, [(24, INSUFFICIENT_DATA)]),
    ],
    variables=[_SOURCE, _VERDICT],
)
