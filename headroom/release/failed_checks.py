"""Prints failed checks: the rule and the first rows that break it."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from headroom import terminal

_PLACE = ("source_path", "source_position", "document_id", "page")


def failed_checks(results: Iterable[Mapping[str, Any]], start: str = "FAILED ") -> None:
    """Print the failed ones of rows of `quality.check_results`."""
    for row in results:
        if not row["is_passed"]:
            title = f"{start}{row['severity']} {row['check_id']}: {row['description']}"
            terminal.hanging(f"{title} ({_found(row)})", 4, "  ")
            for sample in json.loads(row["sample_rows"] or "[]"):
                terminal.hanging(_sample_text(sample), 6, "    ")


def _found(row: Mapping[str, Any]) -> str:
    """The number of failing rows, or why the check could not run."""
    count = row["failing_row_count"]
    if count is None:
        return f"could not be run: {row['observed']}"
    found = f"{count} row{'' if count == 1 else 's'}"
    return f"{found}; bound {row['bound']}" if row["bound"] else found


def _sample_text(sample: dict[str, Any]) -> str:
    """The row's source and its values, without nulls."""
    known = {name: value for name, value in sample.items() if value is not None}
    place = ", ".join(
        f"page {known.pop(name)}" if name == "page" else str(known.pop(name))
        for name in _PLACE
        if name in known
    )
    values = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in known.items())
    return ": ".join(filter(None, (place, values)))
