"""Each promise of docs/promises.md is backed by tests and targets that exist."""

import re

from expectations.suite import checks
from tests.conftest import ROOT

TEXT = (ROOT / "docs/promises.md").read_text()


def _rows(text: str, first: str) -> list[list[str]]:
    """The rows of the table with this first heading."""
    table = text[text.index(f"| {first} |") :].split("\n\n")[0]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines()[2:]]


ROWS = _rows(TEXT, "promise")


def test_named_tests_and_targets_exist() -> None:
    named = re.findall(r"`(tests/\w+\.py)::(\w+)`", TEXT)
    assert len(named) > len(ROWS)
    for file, test in named:
        assert f"\ndef {test}(" in (ROOT / file).read_text(), f"{file}::{test}"
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"`make ([\w-]+)`", TEXT):
        assert f"\n{target}:" in makefile


def test_last_pass_is_date_and_commit_or_not_yet() -> None:
    for promise, tests, last_passed in ROWS:
        assert last_passed == "not yet" or re.match(r"\d{4}-\d\d-\d\d, [0-9a-f]{7,}\b", last_passed)
        assert tests or last_passed == "not yet", promise


def test_each_critical_check_says_why_no_file_can_cause_it() -> None:
    rows = _rows(TEXT, "critical check")
    critical = {f"`{check.check_id}`" for check in checks() if check.severity == "critical"}
    assert {row[0] for row in rows} == critical
    assert len(rows) == len(critical)
    assert all(len(row) == 3 and all(row) for row in rows)
