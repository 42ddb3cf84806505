"""The project's samples are examples: a result of one's own supersedes them, everywhere at once."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from dashboards.queries import boards, panel_queries, selections, substitute
from headroom.query import EXAMPLES
from headroom.warehouse import Warehouse
from tests.conftest import ROOT, copy_warehouse, run_headroom

Connection = duckdb.DuckDBPyConnection
SAMPLES = ROOT / "data/samples"
DISK = "virtio-blk virtual disk"
# What lists or details all that there is; all others rank, find or compare.
COMPLETE = {
    "dim_arrays", "dim_drives", "fct_ceilings", "fct_latency_bins",
    "fct_latency_percentiles", "fct_measurements", "fct_system_facts", "fct_time_series",
    "measurements", "rpt_limits", "rpt_run_facts",
}  # fmt: skip
# What has examples as long as there is nothing else.
RANKED = {
    "fct_catalog_findings", "fct_repeated_measurements", "rpt_array_results", "rpt_compare",
    "rpt_lettered_curves", "rpt_missing_ceilings", "rpt_newest_runs", "rpt_own_results",
    "rpt_repeated_runs", "rpt_response_curves", "rpt_sizing", "rpt_verdicts",
}  # fmt: skip


@pytest.fixture(scope="module")
def own(warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The samples, and a twin of each that is no example and of an SSD."""
    results = tmp_path_factory.mktemp("own") / "lab"
    shutil.copytree(SAMPLES, results)
    for sidecar in results.rglob("headroom.yml"):
        sidecar.write_text("drive: Own SSD\ndrive_media: SSD\ndrive_count: 1\n")
    for result in results.rglob("*.json"):
        result.write_text(result.read_text() + "\n")
    for log in results.rglob("*.log"):
        log.write_text(re.sub(r"\A\d+", lambda found: f"{int(found[0]) + 1}", log.read_text()))
    folder = copy_warehouse(warehouse, results.parent / "warehouse")
    night = run_headroom(folder, "nightly", results)
    assert night.returncode == 0, night.stdout + night.stderr
    return folder


@pytest.fixture(scope="module")
def before(release: Path) -> Iterator[Connection]:
    with Warehouse(release).open_published() as connection:
        yield connection


@pytest.fixture(scope="module")
def after(own: Path) -> Iterator[Connection]:
    with Warehouse(own).open_published() as connection:
        yield connection


def _tells(connection: Connection, query: str) -> bool:
    """Whether a row says something of an example."""
    ids = connection.execute("select measurement_id from measurements where is_example").fetchall()
    names = "|".join([DISK, *(rf"{name}\b" for (name,) in ids)])
    sql = f"from ({query.rstrip().rstrip(';')}) as rows where regexp_matches(rows::text, $1)"
    return bool(connection.execute(f"{sql} limit 1", [names]).fetchall())


def _with_examples(connection: Connection) -> set[str]:
    tables = connection.execute(
        "select table_name from information_schema.tables where table_schema = 'marts'"
    ).fetchall()
    return {
        name for (name,) in tables if name not in COMPLETE and _tells(connection, f"from {name}")
    }


def test_nothing_ranks_finds_or_compares_a_superseded_example(
    before: Connection, after: Connection
) -> None:
    assert _with_examples(before) == RANKED
    assert _with_examples(after) == set()


def test_superseded_examples_are_there_where_they_are_named(own: Path, after: Connection) -> None:
    counts = "select count(*), count(*) filter (is_superseded) from measurements where is_example"
    assert after.execute(counts).fetchall() == [(16, 16)]
    compared = run_headroom(own, "compare", f"{DISK} 256 GiB", "Own SSD")
    assert compared.returncode == 0, compared.stderr
    assert "1 x" in compared.stdout


def test_no_question_is_answered_with_a_superseded_example(
    before: Connection, after: Connection
) -> None:
    answered = {
        name: path.read_text()
        for name, path in EXAMPLES.items()
        if _tells(before, path.read_text())
    }
    assert {"iops-per-drive", "over-time", "what-changed"} <= answered.keys()
    assert [name for name, query in answered.items() if _tells(after, query)] == []
    beside = EXAMPLES["ours-beside-papers"].read_text()
    assert {row[1] for row in before.execute(beside).fetchall()} == {f"1 x {DISK} 256 GiB"}
    assert {row[1] for row in after.execute(beside).fetchall()} == {"1 x Own SSD"}


@pytest.mark.parametrize("board", boards(), ids=lambda board: board["uid"])
def test_no_board_opens_with_a_superseded_example(board: dict[str, Any], after: Connection) -> None:
    choice, _ = selections(board, after)
    told = {
        query.panel
        for query in panel_queries(board)
        if not query.is_quality
        if _tells(after, substitute(query.sql, choice))
    }
    assert told == set()


def test_a_report_is_of_superseded_examples_where_it_is_asked_for(
    own: Path, tmp_path: Path
) -> None:
    page = tmp_path / "report.html"
    for asked, is_there in ([], False), (["--runs", SAMPLES], True):
        made = run_headroom(own, "report", page, *asked)
        assert made.returncode == 0, made.stderr
        assert (DISK in page.read_text()) == is_there
