"""What checks are made of: a rule in SQL with its bounds, and which rows of a table it reads."""

import great_expectations.expectations as gxe
from great_expectations.expectations.expectation import Expectation

from expectations import BOUNDS

PLACE = "source_path, source_position"


def rule(
    check_id: str,
    description: str,
    failing_rows: str,
    *,
    bounds: str = "",
    is_critical: bool = False,
) -> Expectation:
    """A rule: `failing_rows` selects what breaks it from {batch}, by `bounds` of BOUNDS.

    The names of those bounds stand in the SQL as $name.
    """
    used = BOUNDS.get(bounds, {})
    for name, value in used.items():
        failing_rows = failing_rows.replace(f"${name}", f"{value}")
    return gxe.UnexpectedRowsExpectation(
        unexpected_rows_query=failing_rows,
        description=description,
        severity="critical" if is_critical else "warning",
        meta={
            "check_id": check_id,
            "bound": ", ".join(f"{name} = {value:g}" for name, value in used.items()) or None,
        },
    )


def has_rows(description: str) -> Expectation:
    return gxe.ExpectTableRowCountToBeBetween(
        min_value=1,
        description=description,
        severity="critical",
        meta={"check_id": "has_rows", "bound": "min = 1"},
    )


def sampled(key: str) -> str:
    """The condition that keeps all rows of a key, and of a large table other keys each day."""
    rows, most = BOUNDS["sample"]["max_rows"], 2**64 - 1
    share = f"(select cast({most} // (1 + count(*) // {rows}) as ubigint) from {{batch}})"
    return f"hash({key}, current_date) <= {share}"


def with_source(failing: str) -> str:
    """Rows of a raw table, `failing`, with the place they are from; none that was forgotten."""
    return (
        f"with failing as ({failing}) select sources.path as source_path, failing.* "
        "from failing inner join raw.sources as sources using (file_id) where sources.is_current"
    )
