"""`headroom verdict`: which results can be trusted, for people, for scripts, and for CI."""

import re
import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest

from headroom.analyse.places import require_read
from headroom.warehouse import WarehouseError
from tests.conftest import ROOT, Ask, refusal
from tests.in_process import printed_rows, run

RUNS = "data/samples/fio-virtual-disk-runs"
DATABASE = f"{RUNS}/2026-11-21-database.json"
JOBS = "data/samples/fio-virtual-disk/2026-11-21-libaio.json"


def _rows(warehouse: Path, *arguments: str | Path) -> list[dict[str, Any]]:
    return printed_rows(warehouse, "verdict", *arguments, codes=(0, 1))


@pytest.fixture(scope="module")
def ours(ask: Ask) -> dict[str, tuple[str, str]]:
    """The verdict and reason of each own result."""
    rows = ask("select measurement_id, verdict, reason from marts.rpt_run_verdicts")
    return {measurement: (verdict, reason) for measurement, verdict, reason in rows}


def test_each_own_result_has_a_verdict(release: Path, ours: dict[str, tuple[str, str]]) -> None:
    found = _rows(release)
    assert {row["measurement_id"]: (row["verdict"], row["reason"]) for row in found} == ours
    shown = run(release, "verdict")
    assert shown.exit_code == 1
    heads, *_, counted = shown.stdout.splitlines()
    assert heads.split() == ["verdict", "value", "run:", "reason"]
    assert re.fullmatch(rf"\d+ of {len(ours)} trusted; each rule: --all-rules", counted)
    text = " ".join(shown.stdout.split())
    assert all(f"{row['run']}: {row['reason']}" in text for row in found)


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
    refused = run(release, "verdict", *arguments)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert reason in refused.stderr


def test_a_quarantined_file_is_named_as_such() -> None:
    with duckdb.connect() as connection:
        connection.execute("""
            create schema raw; create schema quality;
            create table raw.sources (path varchar, absolute_path varchar, is_current boolean);
            create table quality.quarantined_files as select
                'runs/torn.json' as path, '/lab/runs/torn.json' as absolute_path,
                'truncated file' as reason;
        """)
        for place in ("runs/torn.json", "/lab/runs"):
            with pytest.raises(WarehouseError, match=f"^{place}: quarantined: truncated file$"):
                require_read(connection, place)


def test_missing_own_results_are_a_usage_error(empty: Path, tmp_path: Path) -> None:
    shutil.copy(empty, tmp_path / "headroom.duckdb")
    assert "headroom: no results of your own; read them: headroom nightly PATH" in refusal(
        run(tmp_path, "verdict")
    )


def test_each_rule_has_its_value_and_threshold(release: Path, ask: Ask) -> None:
    found = _rows(release, DATABASE, "--all-rules")
    rules = ask(
        "select rule, verdict, value, threshold from marts.fct_run_verdicts "
        "where measurement_id = $1 order by rule_order",
        found[0]["measurement_id"],
    )
    said = [(row["rule"], row["verdict"], row["value"], row["threshold"]) for row in found]
    assert said == rules
    shown = run(release, "verdict", DATABASE, "--all-rules").stdout
    assert shown.startswith(f"{found[0]['run_verdict']}, 61.962 kIOPS: {DATABASE}")
    lines = [re.split(r" {2,}", line.strip()) for line in shown.splitlines()]
    assert ["rule", "verdict", "value", "threshold", "reason"] in lines
    assert ["runtime", "passed", "67.003 s", "at least 10 s", "ran for 67.003 s"] in lines


def test_compare_says_which_side_is_not_trusted(release: Path) -> None:
    shown = " ".join(run(release, "compare", JOBS.split("/")[2], "EP420i").stdout.split())
    assert "A is not trusted: too short (ran for 8.00" in shown
    assert "B is not trusted" not in shown
