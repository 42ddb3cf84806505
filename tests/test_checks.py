"""How checks run, and their descriptions; test_corruptions.py tests what they find."""

import datetime
import json
import re
from pathlib import Path

import duckdb
import pytest

from expectations import BOUNDS, run, suite
from expectations.run import run_checks
from tests.conftest import ROOT

CHECKS = {check.check_id: check for check in suite.checks()}


def test_every_check_is_described() -> None:
    text = (ROOT / "docs/checks.md").read_text()
    described = re.findall(r"^\| `(\w+\.\w+\.\w+)` \| (critical|warning) \|", text, re.MULTILINE)
    assert len(described) == len(CHECKS)
    assert dict(described) == {name: check.severity for name, check in CHECKS.items()}


def test_check_matches_its_file() -> None:
    for check in CHECKS.values():
        folder = ROOT / "expectations/checks" / check.table
        text = (folder / f"{check.name}.sql").read_text()
        assert text.startswith(f"-- {check.description}\n-- severity: {check.severity}\n")
        assert check.failing_rows.count("\n") == text.count("\n")
        words = ("now()", "current_date", "quality.nightly_runs")
        assert check.looks_beyond_results == any(word in text for word in words)


def test_the_same_run_twice_is_named_by_its_own_place() -> None:
    with duckdb.connect() as connection:
        connection.execute("""
            create schema marts;
            create table marts.measurements as select
                path as source_path, position as source_position, 'fio' as source_format,
                now() as measured_at, 'p' as profile_id, 1.0 as iops, 1.0 as bytes_per_second,
                1.0 as latency_mean_us, 1.0 as latency_max_us
            from (values ('a', 'jobs[9]'), ('b', 'jobs[5]'), ('c', 'jobs[0]')) as _(path, position)
        """)
        query = CHECKS["marts.measurements.same_run_twice"].failing_rows
        ((path, position, other_path, other_position, *_),) = connection.execute(query).fetchall()
    assert (path, position) == ("a", "jobs[9]")
    assert (other_path, other_position) == ("c", "jobs[0]")


def test_every_bound_is_used() -> None:
    shown = ", ".join(check.bound or "" for check in CHECKS.values())
    for table in BOUNDS.keys() - {"changes", "last_night"}:
        for name, value in BOUNDS[table].items():
            assert f"{table}.{name} = {value:g}" in shown


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("select 1\n", "expected '-- <rule>' and '-- severity: critical | warning'"),
        ("-- a rule\n-- severity: fatal\nselect 1\n", "expected '-- <rule>'"),
        (
            "-- a rule\n-- severity: warning\nselect $units_most\n",
            "neither bounds.toml nor dbt_project.yml has units_most",
        ),
    ],
)
def test_malformed_check_file_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, error: str
) -> None:
    monkeypatch.setattr(suite, "_FOLDER", tmp_path)
    path = tmp_path / "marts.measurements/wrong.sql"
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(ValueError, match=re.escape(str(path))) as raised:
        suite.checks()
    assert error in str(raised.value)


def test_large_table_is_sampled_by_whole_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOUNDS["sample"], "max_rows", 10_000)
    (check,) = (check for check in suite.checks() if check.name == "percentiles_rise")
    condition = re.search(r"where\s+(hash.*?\n        \))", check.failing_rows, re.DOTALL)
    assert condition
    sampled = condition[1].replace("percentiles.measurement_id", "key").replace(check.table, "rows")
    read = f"select count(*), count(distinct key) from rows where {sampled}"
    for keys, least, most in ((999, 9_990, 9_990), (100_000, 8_000, 12_000)):
        with duckdb.connect() as connection:
            connection.execute(
                "create table rows as "
                f"select 'run ' || n // 10 as key from range({keys} * 10) as numbers (n)"
            )
            rows, whole = connection.execute(read).fetchall()[0]
        assert least <= rows <= most
        assert rows == whole * 10


def test_check_that_cannot_run_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = CHECKS["marts.measurements.latency_mean_us_within_bounds"]
    monkeypatch.setattr(run, "checks", lambda: [one])
    with duckdb.connect(tmp_path / "other.duckdb") as connection:
        connection.execute("create schema marts; create table marts.measurements (iops double)")
    (result,) = run_checks(tmp_path / "other.duckdb").to_dicts()
    assert not result["is_passed"]
    assert "latency_mean_us" in result["observed"]


def test_check_results_are_complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database, docs = tmp_path / "small.duckdb", tmp_path / "docs"
    with duckdb.connect(database) as connection:
        connection.execute("create schema marts; create table marts.rows as from range(7) as r (n)")
        connection.execute("create table marts.rows_too as select 1 as n")
    docs.mkdir()
    (docs / "of the last run").touch()
    made = [
        suite.Check("marts.rows", name, f"rule {name}", severity, query, bound)
        for name, severity, query, bound in (
            ("broken", "warning", "select m from marts.rows", None),
            ("found", "warning", "select n, date '2026-11-23' as d, 'Größe' as p from marts.rows",
             "a.b = 7"),
            ("writes", "warning", "delete from marts.rows_too returning n", None),
            ("nothing", "critical", "from marts.rows where n in (select 9 from marts.rows_too)",
             None),
        )
    ]  # fmt: skip
    monkeypatch.setattr(run, "checks", lambda: made)
    rows = run_checks(database, "a night", docs).to_dicts()
    assert rows[0]["severity"] == "critical"
    by_name = {row["check_id"].removeprefix("marts.rows."): row for row in rows}
    nothing, broken, found = (by_name[name] for name in ("nothing", "broken", "found"))
    told = {"table_name": "marts.rows", "severity": "critical", "bound": None, "sample_rows": None}
    now = datetime.datetime.now(datetime.UTC).replace(tzinfo=None)
    for row in (nothing, broken, found):
        assert abs((now - row.pop("checked_at")).total_seconds()) < 60
    assert nothing == told | {
        "check_id": "marts.rows.nothing", "description": "rule nothing", "is_passed": True,
        "observed": "0", "failing_row_count": 0,
    }  # fmt: skip
    assert 'column "m" not found' in broken.pop("observed")
    assert broken == told | {
        "check_id": "marts.rows.broken", "description": "rule broken", "is_passed": False,
        "failing_row_count": None, "severity": "warning",
    }  # fmt: skip
    sample = [{"n": n, "d": "2026-11-23", "p": "Größe"} for n in range(5)]
    assert "Größe" in found["sample_rows"]
    assert json.loads(found.pop("sample_rows")) == sample
    assert found == {name: value for name, value in told.items() if name != "sample_rows"} | {
        "check_id": "marts.rows.found", "description": "rule found", "is_passed": False,
        "observed": "7", "failing_row_count": 7, "severity": "warning", "bound": "a.b = 7",
    }  # fmt: skip
    assert "read-only" in by_name["writes"]["observed"]
    assert (docs / "index.html").exists()
    assert not (docs / "of the last run").exists()
    with duckdb.connect(database) as connection:  # no connection is left open
        assert connection.execute("from marts.rows_too").fetchall() == [(1,)]
