"""Models build texts from columns, and no query parses a text that a model built."""

import re
from collections.abc import Iterator

import pytest

from tests.conftest import ROOT

# Text columns that models build from other columns.
_MADE = (
    r"\w*(?:_label|_labels|formula|verdict|statement|remedy|missing_limits|unknown_limits)|reason"
)
_TAKES = "regexp_|split_part|string_split|contains|starts_with|strpos|translate|replace|left|right"
_TAKEN_APART = re.compile(
    rf"\b(?:{_TAKES})\w*\(\s*(?:\w+\.)?({_MADE})\b|\b(?:\w+\.)?({_MADE}) (?:not )?i?like\b"
)
# (file, column): why it is allowed.
_ALLOWED = {
    ("rpt_compare_pairs.sql", "array_label"): "a single drive goes by its name, without '1 x'",
}


def _taken_apart() -> Iterator[tuple[str, str]]:
    folders = ("dbt_project/models", "dbt_project/macros", "headroom", "expectations", "docs")
    for path in (path for folder in folders for path in (ROOT / folder).rglob("*.sql")):
        for found in _TAKEN_APART.finditer(path.read_text()):
            yield path.name, found[1] or found[2]


def test_no_query_parses_text_built_by_a_model() -> None:
    assert set(_taken_apart()) - _ALLOWED.keys() == set()


@pytest.mark.parametrize(
    "query",
    [
        "regexp_extract(limits.formula, '^published: ([^ ,]+)', 1)",
        "split_part(profile_label, ' (', 1)",
        "attained_label like 'no %'",
        "practical.missing_limits like '%drives%'",
    ],
)
def test_parsing_of_built_text_is_detected(query: str) -> None:
    """Models had these before limits were rows."""
    assert _TAKEN_APART.search(query)
