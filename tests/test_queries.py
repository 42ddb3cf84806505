"""The questions of docs/queries are answered, and its README shows the answers.

`pytest tests/test_queries.py --regenerate` writes the README anew.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from headroom.asking import EXAMPLES
from headroom.query import answer
from headroom.warehouse import Warehouse
from tests.conftest import ROOT, run_headroom

README = ROOT / "docs/queries/README.md"
ASKERS = ("a buyer", "a storage engineer", "a lab", "a reviewer")
MOST_ROWS = 14
# Nothing is wrong with the project's own data.
EMPTY = {"quarantined-files", "regressions"}
_HEADER = re.compile(rf"-- (.+)\n-- asked by: ({'|'.join(ASKERS)})\n")
_INTRODUCTION = """\
# Questions and answers in SQL

Common questions about results, one SQL file each, answered with the project's papers and samples.
With your own warehouse:

    headroom sql --example NAME
    headroom sql --format csv --example NAME > answer.csv

Each is a SELECT from marts (`headroom schema`) to copy and adapt. An empty cell is "not reported".
`tests/test_queries.py` runs them and writes this page.
"""


@pytest.fixture(scope="module")
def sealed(release: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """As `headroom sql` opens it."""
    with Warehouse(release).open_published() as connection:
        yield connection


def _header(name: str) -> tuple[str, str]:
    found = _HEADER.match(EXAMPLES[name].read_text())
    assert found, f"{name}: expected '-- <question>' and '-- asked by: {' | '.join(ASKERS)}'"
    return found[1], found[2]


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_question_has_a_short_answer(name: str, sealed: duckdb.DuckDBPyConnection) -> None:
    _header(name)
    (statement,) = sealed.extract_statements(EXAMPLES[name].read_text())
    rows = sealed.execute(statement).fetchall()
    assert len(rows) <= MOST_ROWS
    assert bool(rows) == (name not in EMPTY)


def test_the_page_shows_every_answer(
    sealed: duckdb.DuckDBPyConnection,
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    text = _INTRODUCTION
    for asker in ASKERS:
        text += f"\n## {asker.capitalize()} asks\n"
        for name in EXAMPLES:
            question, asked_by = _header(name)
            if asked_by == asker:
                answer(sealed, EXAMPLES[name].read_text(), {}, "md")
                table = capsys.readouterr().out
                shown = table if len(table.splitlines()) > 2 else "No rows.\n"
                text += f"\n### {question}\n\n[`{name}`]({name}.sql)\n\n{shown}"
    if request.config.getoption("--regenerate"):
        README.write_text(text)
    assert README.read_text() == text


def test_an_example_is_asked_by_its_name(warehouse: Path) -> None:
    by_name = run_headroom(warehouse, "sql", "--example", "units")
    by_file = run_headroom(warehouse, "sql", "--file", EXAMPLES["units"])
    assert by_name.returncode == 0
    assert by_name.stdout == by_file.stdout != ""
    assert run_headroom(warehouse, "sql", "--example", "units", "select 1").returncode == 2


def test_an_unknown_example_gets_the_known_names(warehouse: Path) -> None:
    result = run_headroom(warehouse, "sql", "--example", "unit")
    assert result.returncode == 2
    assert "'units'" in result.stderr
