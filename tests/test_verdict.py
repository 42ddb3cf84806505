"""`headroom verdict`: which results may be believed, for people, for scripts, and for CI."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml
from click.testing import CliRunner, Result

from headroom.cli import main
from tests.conftest import ROOT, built_of

RUNS = "data/samples/fio-virtual-disk-runs"
DATABASE = f"{RUNS}/2026-11-21-database.json"
JOBS = "data/samples/fio-virtual-disk/2026-11-21-libaio.json"


def _verdict(warehouse: Path, *arguments: str | Path) -> Result:
    command = ["--warehouse", str(warehouse), "verdict", *map(str, arguments)]
    return CliRunner().invoke(main, command)


def _rows(warehouse: Path, *arguments: str | Path) -> list[dict[str, Any]]:
    found = _verdict(warehouse, *arguments, "--format", "json")
    assert found.exit_code in (0, 1), found.output
    rows: list[dict[str, Any]] = json.loads(found.stdout)
    return rows


@pytest.fixture(scope="module")
def ours(published: duckdb.DuckDBPyConnection) -> dict[str, tuple[str, str]]:
    """The verdict and reason of each own result."""
    rows = published.execute("select measurement_id, verdict, reason from marts.rpt_run_verdicts")
    return {measurement: (verdict, reason) for measurement, verdict, reason in rows.fetchall()}


def test_each_own_result_has_a_verdict(release: Path, ours: dict[str, tuple[str, str]]) -> None:
    rows = _rows(release)
    assert {row["measurement_id"]: (row["verdict"], row["reason"]) for row in rows} == ours
    shown = _verdict(release)
    assert shown.exit_code == 1
    heads, *_, counted = shown.stdout.splitlines()
    assert heads.split() == ["verdict", "value", "run:", "reason"]
    assert re.fullmatch(rf"\d+ of {len(ours)} trusted; each rule: --all-rules", counted)
    text = " ".join(shown.stdout.split())
    assert all(f"{row['run']}: {row['reason']}" in text for row in rows)


@pytest.mark.parametrize("path", [DATABASE, f"./{DATABASE}", str(ROOT / DATABASE)])
def test_a_file_has_the_verdicts_of_its_jobs(
    release: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert [row["run"] for row in _rows(release, path)] == [f"{DATABASE}, jobs[0] database"]


def test_paths_and_measurement_ids_combine(release: Path) -> None:
    jobs = _rows(release, f"{Path(JOBS).parent}/")
    assert [row["source_position"].split()[0] for row in jobs] == [f"jobs[{n}]" for n in range(5)]
    both = _rows(release, DATABASE, jobs[0]["measurement_id"], jobs[0]["measurement_id"])
    assert [row["source_path"] for row in both] == [DATABASE, JOBS]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["typo"], "typo: no run was read from there; the nearest: data/samples/"),
        (["new/run.json"], "; read it: headroom nightly new/run.json"),
        ([DATABASE, "typo"], "typo: no run was read from there; the nearest: data/samples/"),
        (["data/white_papers"], "data/white_papers: no results of your own; read them: headroom n"),
    ],
)
def test_a_place_without_results_is_a_usage_error(
    release: Path, arguments: list[str], reason: str
) -> None:
    refused = _verdict(release, *arguments)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert reason in refused.stderr


def test_missing_own_results_are_a_usage_error(empty: Path, tmp_path: Path) -> None:
    shutil.copy(empty, tmp_path / "headroom.duckdb")
    refused = _verdict(tmp_path)
    assert refused.exit_code == 2
    assert "headroom: no results of your own; read them: headroom nightly PATH" in refused.stderr


def test_each_rule_has_its_value_and_threshold(
    release: Path, published: duckdb.DuckDBPyConnection
) -> None:
    rows = _rows(release, DATABASE, "--all-rules")
    rules = published.execute(
        "select rule, verdict, value, threshold from marts.fct_run_verdicts "
        "where measurement_id = $1 order by rule_order",
        [rows[0]["measurement_id"]],
    ).fetchall()
    said = [(row["rule"], row["verdict"], row["value"], row["threshold"]) for row in rows]
    assert said == rules
    shown = _verdict(release, DATABASE, "--all-rules").stdout
    assert shown.startswith(f"{rows[0]['run_verdict']}, 61.962 kIOPS: {DATABASE}")
    lines = [re.split(r" {2,}", line.strip()) for line in shown.splitlines()]
    assert ["rule", "verdict", "value", "threshold", "reason"] in lines
    assert ["runtime", "passed", "67.003 s", "at least 10 s", "ran for 67.003 s"] in lines


def test_compare_says_which_side_is_not_trusted(release: Path) -> None:
    command = ["--warehouse", str(release), "compare", JOBS.split("/")[2], "EP420i"]
    shown = " ".join(CliRunner().invoke(main, command).stdout.split())
    assert "A is not trusted: too short (ran for 8.00" in shown
    assert "B is not trusted" not in shown


def test_a_rule_is_muted_with_a_reason(
    empty: Path, published: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    """A sample that few rules speak against is trusted once these are muted."""
    against = published.execute(
        "select rule from marts.fct_run_verdicts inner join marts.measurements "
        "using (measurement_id) where source_path = $1 "
        "and (verdict = 'failed' or verdict = 'insufficient data' and is_required)",
        [DATABASE],
    ).fetchall()
    reasons = {rule: f"{rule}: “as we want it”" for (rule,) in against}
    for name in ("muted", "plain"):
        (tmp_path / "lab" / name).mkdir(parents=True)
        for path in (ROOT / RUNS).glob("*database*"):
            shutil.copy(path, tmp_path / "lab" / name)
    described = {"server": "A", "mute": reasons}
    (tmp_path / "lab/muted/headroom.yml").write_text(yaml.safe_dump(described, allow_unicode=True))
    (tmp_path / "lab/plain/headroom.yml").write_text("server: B\n")
    warehouse, lab = tmp_path / "warehouse", tmp_path / "lab"
    warehouse.mkdir()
    built_of([lab], empty, tmp_path / "built").rename(warehouse / "headroom.duckdb")

    trusted = _verdict(warehouse, lab / "muted")
    assert trusted.exit_code == 0
    assert "1 of 1 trusted" in trusted.stdout
    muted = _said(warehouse, lab / "muted", "muted")
    assert muted == {rule: f"muted: {reason}" for rule, reason in reasons.items()}
    assert _verdict(warehouse, lab).exit_code == 1
    assert _said(warehouse, lab / "plain", "muted") == {}
    pages = {name: _report(warehouse, lab / name) for name in ("muted", "plain")}
    assert all("Verdicts on our runs" in page for page in pages.values())
    assert ["Not trusted: " in page for page in pages.values()] == [False, True]


def _said(warehouse: Path, place: Path, verdict: str) -> dict[str, str]:
    """The reasons of the rules with this verdict."""
    rows = _rows(warehouse, place, "--all-rules")
    return {row["rule"]: row["reason"] for row in rows if row["verdict"] == verdict}


def _report(warehouse: Path, runs: Path) -> str:
    page = warehouse / "report.html"
    command = ["--warehouse", str(warehouse), "report", str(page), "--runs", str(runs)]
    assert CliRunner().invoke(main, command).exit_code == 0
    return page.read_text()
