"""My own fio runs against published values, from files to `headroom compare`. An own result also
supersedes the project's samples, which are examples, everywhere at once."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from scipy.stats import mannwhitneyu

from benchmarks.board_queries import boards, panel_queries, selections, substitute
from headroom.read.query import EXAMPLES
from headroom.warehouse import Warehouse
from tests.conftest import ROOT, first_night
from tests.in_process import printed_rows, run
from tests.lab import write_database_run

ARRAY = "controller: EP420i\nraid_level: RAID 5\ndrive: 8 x SAS-12G-SSD\n"
A = (38_300, 41_200, 47_200, 53_800, 57_300)
B = (39_400, 41_900, 48_500, 50_600, 52_900)
NODES = ((10_000, 11_000), (12_000, 14_000))
PAPER = "fujitsu-raid-controllers-2016"
PAPERS = (PAPER, "demartek-ibm-hp-2009")
Rows = list[dict[str, Any]]
Connection = duckdb.DuckDBPyConnection
SAMPLES = ROOT / "data/samples"
DISK = "virtio-blk virtual disk"
# Marts that list or detail all results; the other marts rank, find or compare.
COMPLETE = {
    "dim_arrays", "dim_drives", "fct_ceilings", "fct_latency_bins",
    "fct_latency_percentiles", "fct_measurements", "fct_run_rates", "fct_run_verdicts",
    "fct_system_facts", "fct_time_series", "measurements", "rpt_limits", "rpt_measurements",
    "rpt_run_facts", "rpt_run_verdicts",
}  # fmt: skip
# Marts that show examples only until there are own results.
RANKED = {
    "fct_catalog_findings", "fct_repeated_measurements", "rpt_array_results", "rpt_compare",
    "rpt_missing_ceilings", "rpt_newest_runs", "rpt_own_results", "rpt_repeated_runs",
    "rpt_response_curves", "rpt_sizing", "rpt_verdicts",
}  # fmt: skip


def _write_own_samples(folder: Path) -> None:
    """Write a copy of each sample as an own result, measured on an SSD."""
    shutil.copytree(SAMPLES, folder)
    for sidecar in folder.rglob("headroom.yml"):
        sidecar.write_text("drive: Own SSD\ndrive_media: SSD\ndrive_count: 1\n")
    for result in folder.rglob("*.json"):
        result.write_text(result.read_text() + "\n")
    for log in folder.rglob("*.log"):
        log.write_text(re.sub(r"\A\d+", lambda found: f"{int(found[0]) + 1}", log.read_text()))


@pytest.fixture(scope="module")
def mine(empty: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A night of own runs of several kinds, papers and the samples."""
    folder = tmp_path_factory.mktemp("mine")
    _write_own_samples(folder / "own")
    for number, iops in enumerate((29_800, 50_362)):
        write_database_run(folder / f"results/{number}.json", iops, minute=number)
    for number, (depth, iops) in enumerate({1: 5e3, 16: 3e4, 64: 124e3, 256: 12e4}.items()):
        write_database_run(folder / f"sweep/{depth}.json", iops, depth, minute=10 + number)
    for name in ("results", "sweep"):
        (folder / name / "headroom.yml").write_text(ARRAY)
    for place, (name, values) in enumerate({"a": A, "b": B}.items()):
        for number, iops in enumerate(values):
            minute = 100 * place + number
            write_database_run(folder / f"captured-{name}/run{number}.json", iops, minute=minute)
            write_database_run(
                folder / f"named-{name}/run{number}.json", iops, minute=1000 + minute
            )
            write_database_run(folder / f"bare-{name}/run{number}.json", iops, minute=2000 + minute)
        shutil.copytree(ROOT / "tests/describe/vm/system", folder / f"captured-{name}/system")
        (folder / f"named-{name}/headroom.yml").write_text(f"server: host {name}\n")
    for night, values in enumerate(NODES):
        for node, iops in enumerate(values, start=108):
            for name in ("hosts", "places"):
                minute = 4000 + 60 * night + (1000 if name == "places" else 0)
                path = folder / f"{name}/2026-11-2{night}/nid00{node}/output.json"
                write_database_run(path, iops, minute=minute)
    (folder / "hosts/headroom.yml").write_text("combine: host\n")
    papers = (ROOT / "data/white_papers" / name for name in PAPERS)
    first_night(empty, folder / "warehouse", *papers, SAMPLES, *folder.iterdir())
    return folder / "warehouse"


def _compare(mine: Path, a: str, b: str, *options: str) -> Rows:
    """Compare the night's folders by their names, or anything else by its name."""
    folders = {path.name: str(path) for path in mine.parent.iterdir()}
    names = (folders.get(name, name) for name in (a, b))
    return printed_rows(mine, "compare", *names, *options)


def test_my_runs_are_compared_with_the_paper(mine: Path) -> None:
    """Fujitsu 2016, page 49: PRAID EP420i, RAID 5, up to 133000 IO/s."""
    found = _compare(mine, "results", "EP420i", "--profile", "Database")
    pairs = {row["b_document_id"]: row for row in found if row["raid_level"] == "RAID 5"}
    # the sweep has the same array and load
    assert pairs[None]["pair_kind"] == "same load"
    assert pairs[PAPER]["b_value"] == 133_000
    (first, *_) = _compare(mine, "sweep", f"document:{PAPER}", "--profile", "Database")
    assert first["setting"] == "Database, OLTP 8K, RAID 5, maxima over all loads"
    assert (first["b_value"], first["b_pages"]) == (133_000, "49")
    assert first["a_value"] == pytest.approx(124_000, rel=1e-3)
    assert first["factor_label"] == "1.07 x, of maxima"
    assert first["a_share_label"] == "93 %"


def test_single_load_has_no_factor_but_a_hint(mine: Path) -> None:
    first, *others = _compare(mine, "results", f"document:{PAPER}", "--profile", "Database")
    rest = [row for row in others if row["pair_kind"] == "other"]
    assert (first["b_label"], first["b_pages"], first["factor"]) == ("≤ 133 kIOPS", "49", None)
    assert "run iodepth 1 to 256" in first["remedy"]
    assert {row["raid_level"] for row in rest} - {"RAID 5"}, "other levels follow"


def test_my_array_is_compared_with_a_single_drive(mine: Path) -> None:
    """Fujitsu 2016, page 18: one SAS-12G-SSD, 55865 IO/s."""
    found = _compare(mine, "results", "SAS-12G-SSD", "--profile", "Database")
    assert any(row["b_value"] == 55_865 for row in found)


def _p_value(factor: float) -> float:
    """The p-value that B is this many times A, by scipy's rank-sum test."""
    scaled = [value * factor for value in A]
    return float(mannwhitneyu(B, scaled, method="asymptotic").pvalue)


@pytest.mark.parametrize("described", ["captured", "named"])
def test_repeats_have_one_interval_with_and_without_a_server(mine: Path, described: str) -> None:
    """Five files per side; scipy's test accepts the factors in the interval, and no others."""
    row = _compare(mine, f"{described}-a", f"{described}-b")[0]
    assert (row["a_run_count"], row["b_run_count"], row["is_within_noise"]) == (5, 5, True)
    assert row["factor"] == pytest.approx(48_500 / 47_200, rel=1e-3)
    low, high = row["low_factor"], row["high_factor"]
    assert [_p_value(low * (1 + step)) > 0.05 for step in (-2e-3, 2e-3)] == [False, True]
    assert [_p_value(high * (1 + step)) > 0.05 for step in (-2e-3, 2e-3)] == [True, False]


def test_undescribed_files_are_not_repeats(mine: Path) -> None:
    found = _compare(mine, "bare-a", "bare-b")
    assert {row["a_run_count"] for row in found} == {1}
    assert all("add server to a headroom.yml beside them" in row["remedy"] for row in found)
    assert {"run0.json", "run4.json"} < {row["setting"].split("path ")[1] for row in found}


def test_compare_and_the_marts_count_the_same_repeats(mine: Path) -> None:
    with duckdb.connect(mine / "headroom.duckdb", read_only=True) as connection:
        counts = connection.execute(
            "select parse_filename(parse_dirpath(source_label)) as folder, run_count "
            "from marts.rpt_repeated_runs where source_label like '%/run_.json' order by folder"
        ).fetchall()
    assert counts == [(f"{name}-{side}", 5) for name in ("captured", "named") for side in "ab"]


def _rows(mine: Path, query: str) -> list[tuple[Any, ...]]:
    with duckdb.connect(mine / "headroom.duckdb", read_only=True) as connection:
        connection.execute("use marts")
        return connection.execute(query).fetchall()


def test_simultaneous_nodes_are_separate_series(mine: Path) -> None:
    """Two nodes in two nights: each node's second night is a repeat of its first."""
    series = (
        "select array_agg(round(iops) order by iops) from measurements "
        "where source_path like '%/places/%' group by series_id order by all"
    )
    assert _rows(mine, series) == [([first, second],) for first, second in zip(*NODES, strict=True)]


def test_simultaneous_hosts_are_summed_and_count_once(mine: Path) -> None:
    of_hosts = "from measurements where source_path like '%/hosts/%'"
    sums = (
        "select round(iops), part_count, outstanding_io_count, latency_p99_us, is_valid, "
        f"is_superseded, parse_filename(source_path), source_position {of_hosts} "
        "and part_count > 0 order by measured_at"
    )
    rest = (2, 32, None, True, False, "**", "jobs[0] database in 2 files")
    assert _rows(mine, sums) == [(sum(values), *rest) for values in NODES]
    parts = f"select count(*), count(distinct combined_id) {of_hosts} and is_superseded"
    assert _rows(mine, parts) == [(4, 2)]
    repeated = "select run_count, headline_value from rpt_repeated_runs"
    assert _rows(mine, f"{repeated} where source_label like '%/hosts/%'") == [
        (2, pytest.approx(sum(map(sum, NODES)) / 2, rel=1e-4)),
    ]


def test_compare_table_shows_both_values(mine: Path) -> None:
    folder = str(mine.parent / "results")
    shown = run(mine, "compare", folder, "array:PRAID EP420i, RAID 5, SSDs").stdout
    assert "≤ 133 kIOPS" in shown
    assert "% of ceiling  30 %" in shown
    assert "controllers-2016, p. 49" in shown


@pytest.fixture(scope="module")
def before(few_predictions: Path) -> Iterator[Connection]:
    with Warehouse(few_predictions).open_published() as connection:
        yield connection


@pytest.fixture(scope="module")
def after(mine: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    """Of a copy: commands open the release itself."""
    folder = tmp_path_factory.mktemp("after")
    shutil.copy(mine / "headroom.duckdb", folder)
    with Warehouse(folder).open_published() as connection:
        yield connection


def _tells(connection: Connection, query: str) -> bool:
    """Whether a text column of any row mentions an example."""
    ids = connection.execute("select measurement_id from measurements where is_example").fetchall()
    names = "|".join([DISK, *(rf"{name}\b" for (name,) in ids)])
    query = query.rstrip().rstrip(";")
    kinds = {f"c{place}": str(kind) for place, kind in enumerate(connection.sql(query).types)}
    texts = ", ".join(["''", *(name for name, kind in kinds.items() if "VARCHAR" in kind)])
    rows = f"from ({query}) as rows ({', '.join(kinds)})"
    sql = f"{rows} where regexp_matches(concat_ws(' ', {texts}), $1) limit 1"
    return bool(connection.execute(sql, [names]).fetchall())


def test_nothing_ranks_finds_or_compares_a_superseded_example(
    before: Connection, after: Connection
) -> None:
    assert {name for name in RANKED if _tells(before, f"from {name}")} == RANKED
    marts = "select table_name from information_schema.tables where table_schema = 'marts'"
    tables = {name for (name,) in after.execute(marts).fetchall()}
    assert {name for name in tables - COMPLETE if _tells(after, f"from {name}")} == set()


def test_superseded_examples_appear_when_named(mine: Path, after: Connection) -> None:
    counts = "select count(*), count(*) filter (is_superseded) from measurements where is_example"
    assert after.execute(counts).fetchall() == [(16, 16)]
    compared = run(mine, "compare", f"{DISK} 256 GiB", "Own SSD")
    assert compared.exit_code == 0, compared.stderr
    assert "1 x" in compared.stdout
    for asked, example_count in ([], 0), ([SAMPLES], 16):
        verdicts = printed_rows(mine, "verdict", *asked, codes=(0, 1))
        assert verdicts
        assert sum("data/samples" in row["run"] for row in verdicts) == example_count


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
    own = f"1 x {DISK} 256 GiB"
    assert {row[1] for row in before.execute(beside).fetchall()} == {own}
    after_own = {row[1] for row in after.execute(beside).fetchall()}
    assert "1 x Own SSD" in after_own and own not in after_own


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


def test_report_has_superseded_examples_only_on_request(mine: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    for asked, is_there in ([], False), (["--runs", SAMPLES], True):
        made = run(mine, "report", page, *asked)
        assert made.exit_code == 0, made.stderr
        assert (DISK in page.read_text()) == is_there
