"""Mutate SQL: checks are run on seeded faults, models on their unit tests.

Both use the tests' warehouse: the checks run in transactions on a copy, the unit tests as dbt
compiled them, with their fixtures in the query itself.
"""

import hashlib
import json
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from expectations.suite import checks
from tests.mutation.sql import Change, changes
from tests.test_corruptions import CORRUPTIONS

_FIXTURE_END = re.compile(r"\n\)[,\s]")
_ACTUAL = "\n  ) _dbt_internal_unit_test_actual"
_INVALID = (duckdb.ParserException, duckdb.BinderException, duckdb.CatalogException)


def _order(name: str, change: Change) -> bytes:
    """Sorts mutants at random, in the same order each time."""
    return hashlib.sha256(f"{name} {change.pattern} {change.index}".encode()).digest()


def mutate_checks(warehouse: Path, most: int) -> None:
    """Print the mutants of checks that still give the expected outcome for each corruption."""
    every = [(check, change) for check in checks() for change in changes(check.failing_rows)]
    sample = sorted(every, key=lambda one: _order(one[0].check_id, one[1]))[:most]
    left, invalid = sample, 0
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copyfile(warehouse / "headroom.duckdb", Path(folder, "copy.duckdb"))
        with duckdb.connect(copy) as connection:
            connection.execute("set enable_progress_bar = false")
            for corruption, expected in [("", set[str]()), *CORRUPTIONS.values()]:
                connection.begin()
                connection.execute(corruption or "select 1")
                alive = []
                for check, change in left:
                    query = change.apply(check.failing_rows)
                    try:
                        found = bool(connection.execute(str(query)).fetchone())
                    except _INVALID:
                        invalid += 1
                    except duckdb.Error:
                        pass
                    else:
                        if found == (check.check_id in expected):
                            alive.append((check, change))
                left = alive
                connection.rollback()
    for check, change in left:
        print(f"{check.check_id}: {change.told(check.failing_rows)}")
    _tell("check queries", len(sample), len(every), invalid, len(left))


@dataclass(frozen=True)
class UnitTest:
    """A unit test as dbt compiled it: its fixtures, the model's own query, the expected rows."""

    before: str
    query: str
    behind: str

    def fails(self, connection: duckdb.DuckDBPyConnection, query: str) -> bool:
        result = connection.execute(self.before + query + self.behind)
        names = [column[0] for column in result.description]
        kind = names.index("actual_or_expected")
        rows: dict[str, Counter[str]] = {"actual": Counter(), "expected": Counter()}
        for row in result.fetchall():
            rows[row[kind]][repr([cell for at, cell in enumerate(row) if at != kind])] += 1
        return rows["actual"] != rows["expected"]


def _unit_tests(warehouse: Path) -> dict[str, list[UnitTest]]:
    """Unit tests by model."""
    manifest: dict[str, Any] = json.loads((warehouse / "dbt/manifest.json").read_text())
    found: dict[str, list[UnitTest]] = {}
    for test in manifest["unit_tests"].values():
        folder = warehouse / "dbt/run/headroom" / test["original_file_path"]
        (path,) = folder.rglob(f"{test['name']}.sql")
        text = path.read_text()
        last_given = text.rfind("-- Fixture for ")
        end = _FIXTURE_END.search(text, last_given)
        start, stop = end.end() if end else 0, text.index(_ACTUAL)
        one = UnitTest(text[:start], text[start:stop], text[stop:])
        found.setdefault(test["model"], []).append(one)
    return found


def _own_lines(warehouse: Path) -> dict[str, set[str]]:
    """Each model's own lines: a line that a macro wrote is not its own."""
    manifest: dict[str, Any] = json.loads((warehouse / "dbt/manifest.json").read_text())
    return {
        node["name"]: {line.strip() for line in node["raw_code"].splitlines()}
        for node in manifest["nodes"].values()
        if node["resource_type"] == "model"
    }


def mutate_models(warehouse: Path, most: int) -> None:
    """Print the mutants of models that none of their unit tests notices.

    Raises:
        SystemExit: a unit test fails without any change.
    """
    tests = _unit_tests(warehouse)
    own_lines = _own_lines(warehouse)
    every = [
        (model, change)
        for model, of_model in tests.items()
        for change in changes(of_model[0].query)
        if change.line(of_model[0].query) in own_lines[model]
    ]
    sample = sorted(every, key=lambda one: _order(*one))[:most]
    survived = invalid = 0
    with duckdb.connect() as connection:
        connection.execute("set timezone = 'UTC'")
        if failing := [
            model
            for model, of_model in tests.items()
            if any(test.fails(connection, test.query) for test in of_model)
        ]:
            raise SystemExit(f"the unit tests fail as they are: {', '.join(failing)}")
        for model, change in sorted(sample, key=lambda one: one[0]):
            try:
                if not _is_noticed(connection, tests[model], change):
                    survived += 1
                    print(f"{model}: {change.told(tests[model][0].query)}")
            except _INVALID:
                invalid += 1
    _tell("models", len(sample), len(every), invalid, survived)


def _is_noticed(
    connection: duckdb.DuckDBPyConnection, tests: list[UnitTest], change: Change
) -> bool:
    for test in tests:
        query = change.apply(test.query)
        try:
            if query and test.fails(connection, query):
                return True
        except _INVALID:
            raise
        except duckdb.Error:
            return True
    return False


def _tell(name: str, count: int, of: int, invalid: int, survived: int) -> None:
    print(f"{name}: {count - invalid} of {of} mutants, {survived} survived", flush=True)


MUTATIONS: dict[str, Callable[[Path, int], None]] = {
    "check_queries": mutate_checks,
    "models": mutate_models,
}
