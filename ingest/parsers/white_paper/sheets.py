"""The sheets of a paper's folder: their columns and keys.

`docs/white-papers.md` describes them for the person who digitises. A sheet that a paper does not
need may be absent.
"""

from typing import Annotated

from msgspec import field

from ingest.parsers.white_paper import vocabulary as words
from ingest.parsers.white_paper.cells import (
    AxisEnd,
    Base,
    Count,
    Day,
    Flag,
    Load,
    Percent,
    Printed,
    RaidLevel,
    Rate,
    Row,
    Size,
    one_of,
)

Metric = Annotated[str, one_of(words.QUANTITY_BY_METRIC)]
SERIES_COLUMNS = (
    "controller", "raid_level", "drive", "profile", "drive_count", "server", "condition",
)  # fmt: skip
X_COLUMNS = (
    "outstanding_io_count", "queue_depth_per_drive", "profile", "drive_count", "controller",
)  # fmt: skip


class Measurement(Row, kw_only=True):
    file = "measurements.csv"
    table = "white_paper_measurements"
    key = (
        "edition", "page", "locator", "server", "controller", "raid_level", "drive", "drive_count",
        "stripe", "profile", "outstanding_io_count", "queue_depth_per_drive", "worker_count",
        "condition", "metric",
    )  # fmt: skip

    locator: str
    server: str | None = None
    controller: str | None = None
    raid_level: RaidLevel | None = None
    raid_level_as_printed: str | None = None
    drive: str | None = None
    drive_count: Count | None = None
    stripe: Size | None = None
    profile: str
    outstanding_io_count: Count | None = None
    queue_depth_per_drive: Count | None = None
    worker_count: Count | None = None
    condition: str | None = None
    metric: Metric
    as_printed: Printed | None = None
    derivation: Annotated[str, one_of(words.DERIVATIONS)] | None = None
    limit_of: Annotated[str, one_of(words.LIMITED)] | None = None
    unit_base: Base | None = None
    note: str | None = None
    reading_note: str | None = None

    def quantity(self) -> str:
        return words.QUANTITY_BY_METRIC[self.metric]

    def __post_init__(self) -> None:
        value = self.value()
        if self.limit_of and value and value.qualifier == "at_least":
            raise ValueError(f"limit_of: {self.as_printed!r} is a lower bound, not a maximum")


class Limit(Row, kw_only=True):
    file = "limits.csv"
    table = "white_paper_limits"
    key = ("edition", "page", "locator", "controller", "side", "interface", "connection",
           "condition", "basis")  # fmt: skip

    locator: str
    controller: str | None = None
    side: Annotated[str, one_of(("disk", "host"))]
    interface: str
    connection: str
    link_count: Count | None = None
    condition: str | None = None
    basis: Annotated[str, one_of(words.QUANTITY_BY_BASIS)]
    as_printed: Printed | None = None
    is_binding: Flag = False
    unit_base: Base | None = None
    note: str | None = None
    reading_note: str | None = None

    def quantity(self) -> str:
        return words.QUANTITY_BY_BASIS[self.basis]

    def __post_init__(self) -> None:
        value = self.value()
        if value and value.qualifier == "range":
            raise ValueError(f"as_printed {self.as_printed!r} is a range; expected one value")


class Fact(Row, kw_only=True):
    file = "facts.csv"
    table = "white_paper_facts"
    key = ("edition", "page", "locator", "subject_type", "subject", "attribute", "condition",
           "as_printed")  # fmt: skip

    locator: str
    subject_type: Annotated[str, one_of(words.SUBJECT_TYPES)]
    subject: str
    attribute: Annotated[str, one_of(words.QUANTITY_BY_ATTRIBUTE)]
    condition: str | None = None
    as_printed: Printed | None = None
    corrected: str | None = None
    note: str | None = None
    reading_note: str | None = None

    def quantity(self) -> str | None:
        return words.QUANTITY_BY_ATTRIBUTE[self.attribute]


class Profile(Row, kw_only=True):
    file = "profiles.csv"
    table = "white_paper_profiles"
    key = ("edition", "page", "locator", "profile", "block")

    locator: str
    profile: str
    application: str | None = None
    random_percent: Percent | None = field(name="random", default=None)
    read_percent: Percent | None = field(name="read", default=None)
    block: Size | None = None
    share_percent: Percent | None = field(name="share", default=None)
    alignment: Size | None = None
    stream_count: Count | None = None
    note: str | None = None


class Figure(Row, kw_only=True):
    file = "figures.csv"
    table = "white_paper_figures"
    key = ("edition", "figure_id")

    figure_id: str
    title: str
    shows: str
    controller: str | None = None
    profile: str | None = None
    raid_level: str | None = None
    drive: str | None = None
    drive_count: str | None = None
    x_axis: str | None = None
    y_axis: str | None = None
    axis_minimum: AxisEnd | None = None
    axis_maximum: AxisEnd | None = None
    axis_unit: str | None = None
    is_digitised: Flag = False
    series_column: Annotated[str, one_of(SERIES_COLUMNS)] | None = None
    x_column: Annotated[str, one_of(X_COLUMNS)] | None = None
    y_metric: Metric | None = None
    note: str | None = None


class Claim(Row, kw_only=True):
    file = "claims.csv"
    table = "white_paper_claims"
    key = ("edition", "claim_id")

    locator: str
    claim_id: str
    compares: Annotated[str, one_of(words.COMPARABLES)]
    subject: str
    object: str | None = None
    controller: str | None = None
    server: str | None = None
    raid_level: str | None = None
    drive: str | None = None
    drive_media: Annotated[str, one_of(words.MEDIA)] | None = None
    drive_count: str | None = None
    profile: str | None = None
    access: Annotated[str, one_of(words.ACCESSES)] | None = None
    read_percent: Percent | None = field(name="read", default=None)
    condition: str | None = None
    load: Load | None = None
    from_step: str | None = field(name="from", default=None)
    to_step: str | None = field(name="to", default=None)
    statistic: Annotated[str, one_of(words.STATISTICS)] | None = None
    limit_of: Annotated[str, one_of(words.LIMITS_OF_CLAIMS)] | None = None
    scope: Annotated[str, one_of(words.SCOPES)] | None = None
    evidence: Annotated[str, one_of(words.EVIDENCE)] | None = None
    metric: Annotated[str, one_of(words.CLAIM_METRICS)]
    relation: Annotated[str, one_of(words.QUANTITY_BY_RELATION)]
    as_printed: Printed | None = None
    note: str | None = None
    reading_note: str | None = None

    def quantity(self) -> str | None:
        if self.metric == "initialisation_time" and self.relation == "value":
            return "time"
        return words.QUANTITY_BY_RELATION[self.relation]

    def __post_init__(self) -> None:
        """Check the ends of the curve that a claim follows: two numbers, or less and more."""
        first, last = self.from_step or "", self.to_step or ""
        ends = {first, last}
        is_span = len(ends) == 2 and (ends == {"less", "more"} or all(map(str.isdecimal, ends)))
        if ends != {""} and not is_span:
            raise ValueError(
                f"from {first!r} with to {last!r} is not a curve; write two different numbers, or "
                "less and more"
            )


class Forecast(Row, kw_only=True):
    """An array of the document, and the prediction of `headroom forecast` for it."""

    file = "forecasts.csv"
    table = "white_paper_forecasts"
    key = ("controller", "raid_level", "drive", "drive_count", "profile")

    locator: str
    controller: str | None = None
    raid_level: RaidLevel
    drive: str
    drive_count: Count
    profile: str
    predicted_iops: Rate | None = None
    predicted_bytes_per_second: Rate | None = None
    low_iops: Rate | None = None
    low_bytes_per_second: Rate | None = None
    high_iops: Rate | None = None
    high_bytes_per_second: Rate | None = None
    predicted_qualifier: str | None = None
    evidence: str | None = None
    binding_ceiling: str | None = None
    missing_reason: str | None = None
    headroom_version: str | None = None
    forecast_date: Day | None = None

    def __post_init__(self) -> None:
        if (self.forecast_date is None) != (self.evidence is None and self.missing_reason is None):
            raise ValueError(
                "a forecast has a forecast_date and either evidence or a missing_reason; "
                "empty all three for headroom forecast to fill in"
            )


SHEETS: tuple[type[Row], ...] = (Measurement, Limit, Fact, Profile, Figure, Claim, Forecast)
