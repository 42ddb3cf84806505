"""Each promise of docs/promises.md is shown by what there is."""

import re

from tests.conftest import ROOT

TEXT = (ROOT / "docs/promises.md").read_text()
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in TEXT.splitlines()
    if line.startswith("| ") and not line.startswith("| promise ")
]


def test_every_test_and_target_that_is_named_exists() -> None:
    named = re.findall(r"`(tests/\w+\.py)::(\w+)`", TEXT)
    assert len(named) > len(ROWS)
    for file, test in named:
        assert f"\ndef {test}(" in (ROOT / file).read_text(), f"{file}::{test}"
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"`make ([\w-]+)`", TEXT):
        assert f"\n{target}:" in makefile


def test_each_has_a_date_and_a_commit_or_none() -> None:
    for promise, tests, last_passed in ROWS:
        assert last_passed == "not yet" or re.match(r"\d{4}-\d\d-\d\d, [0-9a-f]{7,}\b", last_passed)
        assert tests or last_passed == "not yet", promise
