"""The questions of docs/queries are answered, and its pages show the answers.

`pytest tests/test_queries.py --regenerate` writes the pages anew.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from headroom.read.query import EXAMPLES, answer
from headroom.warehouse import Warehouse
from tests.conftest import ROOT, refusal, run_headroom

PAGES = ROOT / "docs/queries"
ASKERS = ("a buyer", "a storage engineer", "a lab", "a reviewer")
SHOWN_ROWS = 6
# Queries without rows: nothing is wrong with the project's own data.
EMPTY = {"quarantined-files", "regressions"}
_HEADER = re.compile(rf"-- (.+)\n-- asked by: ({'|'.join(ASKERS)})\n")
_INTRODUCTION = f"""\
# Questions and answers in SQL

Common questions about results, one SQL file each, answered with the project's papers and samples.
With your own warehouse:

    headroom sql --example NAME
    headroom sql --format csv --example NAME > answer.csv

Each is a SELECT from marts (`headroom schema`) to copy and adapt. An empty cell is "not reported".
The pages show at most {SHOWN_ROWS} rows of an answer. `tests/test_queries.py` writes them.
"""


@pytest.fixture(scope="module")
def sealed(release: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """The release as `headroom sql` opens it."""
    with Warehouse(release).open_published() as connection:
        yield connection


def _header(name: str) -> tuple[str, str]:
    found = _HEADER.match(EXAMPLES[name].read_text())
    assert found, f"{name}: expected '-- <question>' and '-- asked by: {' | '.join(ASKERS)}'"
    return found[1], found[2]


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_query_has_rows_and_no_limit(name: str, sealed: duckdb.DuckDBPyConnection) -> None:
    _header(name)
    text = EXAMPLES[name].read_text()
    assert not re.search(r"^limit \d", text, re.MULTILINE), "nobody would see what is left out"
    (statement,) = sealed.extract_statements(text)
    assert bool(sealed.execute(statement).fetchall()) == (name not in EMPTY)


def test_saturating_drives_match_the_paper(sealed: duckdb.DuckDBPyConnection) -> None:
    """Fujitsu 2016, pages 41 and 43: five SAS-12G-SSDs in RAID 0, seven in RAID 5."""
    rows = sealed.sql(EXAMPLES["saturating-drives"].read_text()).fetchall()
    limited = "select distinct controller from fct_predictions where binding_ceiling = 'controller'"
    assert {row[0] for row in rows} == {name for (name,) in sealed.sql(limited).fetchall()}
    (database,) = (row for row in rows if row[0] == "PRAID EP420i" and "Database" in row[1])
    fewest = [drives.split(",")[0] for drives in database[2:]]
    assert fewest == ["5 x SAS-12G-SSD", "7 x SAS-12G-SSD"]


def test_runs_of_different_length_are_not_repeats() -> None:
    """Two runs of 5 s and two of 10 s that agree in everything that names a series."""
    with duckdb.connect() as connection:
        connection.execute(
            "create table measurements as "
            "from (values ('a', 5.0), ('b', 5.0), ('c', 10.0), ('d', 10.0)) "
            "as runs (measurement_id, requested_runtime_seconds)"
        )
        connection.execute(
            "create table fct_repeated_measurements as "
            "from (values ('a', 100), ('b', 300), ('c', 700), ('d', 900)) "
            "as runs (measurement_id, value) "
            "select *, 'iops' as metric, 'one name' as series_name, value // 500 as series_id"
        )
        answered = connection.sql(EXAMPLES["spread-of-repeats"].read_text())
        rows = answered.select("runtime_seconds", "runs", "least", "greatest").fetchall()
    assert sorted(rows) == [(5, 2, 100, 300), (10, 2, 700, 900)]


def test_the_pages_show_every_answer(
    sealed: duckdb.DuckDBPyConnection,
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    """README.md lists the questions; each asker has a page with the answers."""
    pages = {"README": _INTRODUCTION}
    for asker in ASKERS:
        page = asker.removeprefix("a ").replace(" ", "-")
        pages["README"] += f"\n## [{asker.capitalize()} asks]({page}.md)\n\n"
        pages[page] = f"# {asker.capitalize()} asks\n\n[All questions](README.md)\n"
        for name in EXAMPLES:
            question, asked_by = _header(name)
            if asked_by == asker:
                answer(sealed, EXAMPLES[name].read_text(), {}, "md")
                shown = _first_rows(capsys.readouterr().out, name)
                pages["README"] += f"- `{name}`: {question}\n"
                pages[page] += f"\n## {question}\n\n[`{name}`]({name}.sql)\n\n{shown}"
    for page, text in pages.items():
        assert len(text.splitlines()) <= 150
        if request.config.getoption("--regenerate"):
            (PAGES / f"{page}.md").write_text(text)
        assert (PAGES / f"{page}.md").read_text() == text


def _first_rows(table: str, name: str) -> str:
    head, rule, *rows = table.splitlines(keepends=True)
    if not rows:
        return "No rows.\n"
    left_out = len(rows) - SHOWN_ROWS
    more = f"\nand {left_out} more: `headroom sql --example {name}`\n" if left_out > 0 else ""
    return "".join([head, rule, *rows[:SHOWN_ROWS], more])


def test_example_query_runs_by_name(warehouse: Path) -> None:
    by_name = run_headroom(warehouse, "sql", "--example", "units")
    by_file = run_headroom(warehouse, "sql", "--file", EXAMPLES["units"])
    assert by_name.returncode == 0
    assert by_name.stdout == by_file.stdout != ""
    assert refusal(run_headroom(warehouse, "sql", "--example", "units", "select 1"))


def test_unknown_example_suggests_known_names(warehouse: Path) -> None:
    assert "'units'" in refusal(run_headroom(warehouse, "sql", "--example", "unit"))
