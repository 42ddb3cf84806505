"""The sheets of a paper's folder: which columns each has, and what makes a row of it unique.

`docs/white-papers.md` describes them for the person who digitises. A sheet that a paper has no use
for may be absent.
"""

from dataclasses import dataclass

from ingest.parsers.white_paper.columns import (
    Cells,
    Column,
    base,
    boolean,
    choice,
    curve_end,
    integer,
    limit_of,
    load,
    pages,
    percent,
    printed_value,
    size,
    text,
)
from ingest.parsers.white_paper.vocabulary import (
    CLAIM_METRICS,
    COMPARABLES,
    DERIVATIONS,
    EVIDENCE,
    LIMITED,
    LIMITS_OF_CLAIMS,
    QUANTITY_BY_ATTRIBUTE,
    QUANTITY_BY_BASIS,
    QUANTITY_BY_METRIC,
    QUANTITY_BY_RELATION,
    SCOPES,
    STATISTICS,
    SUBJECT_TYPES,
)
from ingest.vocabulary import RAID_LEVELS


@dataclass(frozen=True)
class Sheet:
    """A CSV of a paper's folder. `key` names the columns that no two rows share."""

    file: str
    table: str
    key: tuple[str, ...]
    columns: dict[str, Column]


def _place() -> dict[str, Column]:
    return {
        "edition": text("edition", required=True),
        "page": pages(),
        "locator": text("locator", required=True),
    }


def _measurement_value(cells: Cells) -> str:
    return QUANTITY_BY_METRIC[cells["metric"]]


def _claim_value(cells: Cells) -> str | None:
    if cells["metric"] == "initialisation_time" and cells["relation"] == "value":
        return "time"
    return QUANTITY_BY_RELATION[cells["relation"]]


MEASUREMENTS = Sheet(
    "measurements.csv",
    "white_paper_measurements",
    (
        "edition", "page", "locator", "server", "controller", "raid_level", "drive", "drive_count",
        "stripe", "profile", "outstanding_io_count", "queue_depth_per_drive", "worker_count",
        "condition", "metric",
    ),
    {
        **_place(),
        "server": text("server"),
        "controller": text("controller"),
        "raid_level": choice("raid_level", RAID_LEVELS),
        "raid_level_as_printed": text("raid_level_as_printed"),
        "drive": text("drive"),
        "drive_count": integer("drive_count"),
        "stripe": size("stripe"),
        "profile": text("profile", required=True),
        "outstanding_io_count": integer("outstanding_io_count"),
        "queue_depth_per_drive": integer("queue_depth_per_drive"),
        "worker_count": integer("worker_count"),
        "condition": text("condition"),
        "metric": choice("metric", tuple(QUANTITY_BY_METRIC), required=True),
        "as_printed": printed_value(_measurement_value),
        "derivation": choice("derivation", DERIVATIONS),
        "limit_of": limit_of("limit_of", LIMITED, _measurement_value),
        "unit_base": base("unit_base"),
        "note": text("note"),
        "reading_note": text("reading_note"),
    },
)  # fmt: skip

LIMITS = Sheet(
    "limits.csv",
    "white_paper_limits",
    ("edition", "page", "locator", "controller", "side", "interface", "connection", "condition",
     "basis"),
    {
        **_place(),
        "controller": text("controller"),
        "side": choice("side", ("disk", "host"), required=True),
        "interface": text("interface", required=True),
        "connection": text("connection", required=True),
        "link_count": integer("link_count"),
        "condition": text("condition"),
        "basis": choice("basis", tuple(QUANTITY_BY_BASIS), required=True),
        "as_printed": printed_value(
            lambda cells: QUANTITY_BY_BASIS[cells["basis"]], allows_ranges=False
        ),
        "is_binding": boolean("is_binding"),
        "unit_base": base("unit_base"),
        "note": text("note"),
        "reading_note": text("reading_note"),
    },
)  # fmt: skip

FACTS = Sheet(
    "facts.csv",
    "white_paper_facts",
    ("edition", "page", "locator", "subject_type", "subject", "attribute", "condition",
     "as_printed"),
    {
        **_place(),
        "subject_type": choice("subject_type", SUBJECT_TYPES, required=True),
        "subject": text("subject", required=True),
        "attribute": choice("attribute", tuple(QUANTITY_BY_ATTRIBUTE), required=True),
        "condition": text("condition"),
        "as_printed": printed_value(lambda cells: QUANTITY_BY_ATTRIBUTE[cells["attribute"]]),
        "corrected": text("corrected"),
        "note": text("note"),
        "reading_note": text("reading_note"),
    },
)  # fmt: skip

PROFILES = Sheet(
    "profiles.csv",
    "white_paper_profiles",
    ("edition", "page", "locator", "profile", "block"),
    {
        **_place(),
        "profile": text("profile", required=True),
        "application": text("application"),
        "random": percent("random"),
        "read": percent("read"),
        "block": size("block"),
        "share": percent("share"),
        "alignment": size("alignment"),
        "stream_count": integer("stream_count"),
        "note": text("note"),
    },
)

FIGURES = Sheet(
    "figures.csv",
    "white_paper_figures",
    ("edition", "figure_id"),
    {
        "edition": text("edition", required=True),
        "page": pages(),
        "figure_id": text("figure_id", required=True),
        "title": text("title", required=True),
        "shows": text("shows", required=True),
        "controller": text("controller"),
        "profile": text("profile"),
        "raid_level": text("raid_level"),
        "drive": text("drive"),
        "drive_count": text("drive_count"),
        "x_axis": text("x_axis"),
        "y_axis": text("y_axis"),
        "axis_minimum": integer("axis_minimum", minimum=0),
        "axis_maximum": integer("axis_maximum", minimum=0),
        "axis_unit": text("axis_unit"),
        "is_digitised": boolean("is_digitised"),
        "series_column": choice("series_column", ("controller", "raid_level", "drive", "profile",
                                                  "drive_count", "server", "condition")),
        "x_column": choice("x_column", ("outstanding_io_count", "queue_depth_per_drive", "profile",
                                        "drive_count", "controller")),
        "y_metric": choice("y_metric", tuple(QUANTITY_BY_METRIC)),
        "note": text("note"),
    },
)  # fmt: skip

CLAIMS = Sheet(
    "claims.csv",
    "white_paper_claims",
    ("edition", "claim_id"),
    {
        **_place(),
        "claim_id": text("claim_id", required=True),
        "compares": choice("compares", COMPARABLES, required=True),
        "subject": text("subject", required=True),
        "object": text("object"),
        "controller": text("controller"),
        "raid_level": text("raid_level"),
        "drive": text("drive"),
        "drive_count": text("drive_count"),
        "profile": text("profile"),
        "condition": text("condition"),
        "requires": text("requires"),
        "load": load(),
        "from": curve_end("from", "to"),
        "to": curve_end("to", "from"),
        "statistic": choice("statistic", STATISTICS),
        "limit_of": choice("limit_of", LIMITS_OF_CLAIMS),
        "scope": choice("scope", SCOPES),
        "evidence": choice("evidence", EVIDENCE),
        "metric": choice("metric", CLAIM_METRICS, required=True),
        "relation": choice("relation", tuple(QUANTITY_BY_RELATION), required=True),
        "as_printed": printed_value(_claim_value),
        "note": text("note"),
        "reading_note": text("reading_note"),
    },
)

SHEETS = (MEASUREMENTS, LIMITS, FACTS, PROFILES, FIGURES, CLAIMS)
