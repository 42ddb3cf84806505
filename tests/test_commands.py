"""The commands as a user runs them."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from headroom.checksums import SUMS
from headroom.release.releases import prune, release_nights, release_warehouse
from headroom.release.stage import set_stage
from headroom.warehouse import Warehouse, WarehouseError
from tests.conftest import MINIMAL_PAPER, ROOT, Ask, Headroom, copy_warehouse, refusal, run_headroom


@pytest.mark.parametrize(
    ("command", "remedy"),
    [
        (("status",), "nothing published yet; run: headroom nightly"),
        (("sql", "select 1"), "nothing published yet"),
        (("build",), "nothing ingested yet; run: headroom ingest"),
        (("publish",), "nothing ingested yet"),
        (("ingest", "nowhere"), "nowhere: no such file or folder"),
    ],
)
def test_last_line_of_an_error_has_the_remedy(
    headroom: Headroom, command: tuple[str, ...], remedy: str
) -> None:
    assert remedy in refusal(headroom(*command)).splitlines()[-1]


def test_a_path_that_cannot_be_written_is_named(warehouse: Path, tmp_path: Path) -> None:
    target = tmp_path / "missing/x.html"
    told = refusal(run_headroom(warehouse, "report", str(target)))
    assert told.endswith(f"headroom: {target}: No such file or directory\n")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("nigthly", "nightly"), ("stauts", "status"), ("comparer", "compare"), ("xyzzy", None)],
)
def test_misspelt_command_suggests_the_nearest(
    headroom: Headroom, typed: str, meant: str | None
) -> None:
    told = f"No such command '{typed}'." + f" Did you mean {meant}?" * bool(meant)
    assert refusal(headroom(typed)).splitlines()[-1].endswith(told)


def _interrupted(
    warehouse: Path, *arguments: str | Path, when: Callable[[subprocess.Popen[str]], None]
) -> str:
    """A command's messages after Ctrl-C, which reaches all processes of a terminal."""
    program = [Path(sys.executable).with_name("headroom"), "--warehouse", warehouse, *arguments]
    with subprocess.Popen(
        program, cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
        start_new_session=True,
    ) as process:  # fmt: skip
        when(process)
        os.killpg(process.pid, signal.SIGINT)
        assert process.stderr
        told = process.stderr.read()
    assert process.returncode == 130
    return told


def test_ctrl_c_ends_a_night_in_one_line_and_is_recorded(tmp_path: Path) -> None:
    def build(process: subprocess.Popen[str]) -> None:
        assert process.stderr
        while "building the marts" not in process.stderr.readline():
            assert process.poll() is None

    told = _interrupted(tmp_path, "nightly", MINIMAL_PAPER, when=build)
    assert told == "headroom: interrupted\n"
    with duckdb.connect(tmp_path / "nights.duckdb", read_only=True) as connection:
        nights = connection.execute("select status, reason from quality.nightly_runs").fetchall()
    assert nights == [("failed", "interrupted")]


def test_ctrl_c_ends_the_parser_processes(tmp_path: Path) -> None:
    for number in range(4000):
        (tmp_path / f"{number}.txt").write_text("no result\n" * 100)

    def record(_: subprocess.Popen[str]) -> None:
        while not (tmp_path / "warehouse/building.duckdb.wal").exists():
            time.sleep(0.01)

    told = _interrupted(tmp_path / "warehouse", "ingest", tmp_path, when=record)
    assert told == "headroom: interrupted\n"


def test_ctrl_c_ends_a_query(warehouse: Path) -> None:
    query = "select sum(a.range % 7) from range(1000000000) a, range(1000000000)"
    told = _interrupted(warehouse, "sql", query, when=lambda _: time.sleep(2))
    assert told == "headroom: interrupted\n"


def test_each_step_needs_the_one_before(warehouse: Path, paper: Path, tmp_path: Path) -> None:
    copy = copy_warehouse(warehouse, tmp_path / "warehouse")
    assert run_headroom(copy, "ingest", paper).returncode == 0
    for command in ("check", "publish"):
        assert "not built since the last ingest" in refusal(run_headroom(copy, command))
    with Warehouse(copy).open_building() as connection:
        set_stage(connection, "built")
    assert "not checked since it was built; run: headroom check" in refusal(
        run_headroom(copy, "publish")
    )


def test_status_shows_ceiling_shares_and_missing_facts(warehouse: Path, ask: Ask) -> None:
    """The share in the project's own papers, the reasons, and papers apart from the catalog."""
    shown = run_headroom(warehouse, "status").stdout
    ((share,),) = ask(
        "select round(100 * count(*) filter "
        "(coalesce(ceiling_bytes_per_second, ceiling_iops) is not null) / count(*)) "
        "from marts.measurements where is_valid and source_format = 'white_paper'",
    )
    assert re.search(rf"white_paper +\d+ +0 +{share:.0f} % ", shown)
    title = "Missing ceilings of papers: what to add, and where"
    reasons = shown.split(f"{title}\n")[1].split("\nNames in")[0]
    assert len(re.findall(r"facts\.csv\s+of\s+fio-plot-raid-sweeps", reasons)) == 2
    documents = shown.split("\nDocuments")[1].split("\nThe catalog")[0]
    assert "demartek-ibm-hp-2009" in documents
    assert "lenovo-raid-930-16i" not in documents
    ((count,),) = ask("select count(*) from marts.dim_documents")
    assert shown.split("\nThe catalog")[1].splitlines()[2].split()[-1] == str(count)


def test_status_fits_100_columns_and_groups_equal_reasons(warehouse: Path, tmp_path: Path) -> None:
    for name in ("headroom.duckdb", "nights.duckdb"):
        shutil.copy(warehouse / name, tmp_path)
    with duckdb.connect(tmp_path / "nights.duckdb") as connection:
        connection.execute(
            "insert into quality.quarantined_files by name select 'lab/' || i || '.txt' as path, "
            "'is a result of vdbench: there is no parser' as reason from range(107) as r (i) "
            "union all by name select 'lab/torn.json' as path, 7 as line, 'is torn' as reason"
        )
    shown = run_headroom(tmp_path, "status").stdout
    lines = shown.split("Next:")[0].splitlines()
    assert max(len(line) for line in lines if line.startswith("  ")) <= 100
    assert shown.count("vdbench") == 1
    assert re.search(r"^  107 +is a result of vdbench: .*\S+\.txt and\s+106 more$", shown, re.M)
    assert re.search(r"^  1 +is torn: lab/torn\.json:7$", shown, re.M)


def test_csv_and_json(warehouse: Path) -> None:
    query = "-- a query may begin with a comment\nselect 1 as a, 'x' as b"
    assert run_headroom(warehouse, "sql", query, "--format", "csv").stdout == "a,b\n1,x\n"
    assert run_headroom(warehouse, "sql", query, "--format", "json").stdout == '[{"a":1,"b":"x"}]\n'
    assert "cast to varchar" in refusal(
        run_headroom(warehouse, "sql", "select [1]", "--format", "csv")
    )


def test_sql_and_status_do_not_import_ingest_libraries(warehouse: Path) -> None:
    program = (
        "import sys; from headroom.cli import main; "
        "main(sys.argv[1:], standalone_mode=False); "
        "assert not {'polars', 'pyarrow', 'yaml'} & sys.modules.keys()"
    )
    for asked in (["sql", "select 1"], ["status"]):
        command = [sys.executable, "-c", program, "--warehouse", str(warehouse), *asked]
        subprocess.run(command, check=True, capture_output=True)


def test_strict_ingest_fails_on_quarantine(headroom: Headroom, tmp_path: Path) -> None:
    (tmp_path / "torn.json").write_text("{")
    assert headroom("ingest", tmp_path / "torn.json").returncode == 0
    assert headroom("ingest", "--strict", tmp_path / "torn.json").returncode == 1


@pytest.mark.parametrize(
    "query",
    [
        "create table t as select 1",
        "delete from marts.measurements",
        "select * from read_text('/etc/hostname')",
        "attach '/tmp/other.duckdb'",
        "copy marts.measurements to '/tmp/measurements.csv'",
        "set enable_external_access = true",
    ],
)
def test_sql_reads_the_published_file_and_nothing_else(warehouse: Path, query: str) -> None:
    assert refusal(run_headroom(warehouse, "sql", query)).startswith("headroom: ")


def test_publish_flips_the_link_and_keeps_open_releases(
    warehouse: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAFANA_URL", "http://localhost:3000")
    copy = copy_warehouse(warehouse, tmp_path / "warehouse")
    first = (copy / "headroom.duckdb").resolve()
    with duckdb.connect(copy / "headroom.duckdb", read_only=True) as reader:
        assert run_headroom(copy, "publish").returncode == 0
        assert reader.execute("select count(*) from marts.measurements").fetchall()[0][0] > 0
    assert (copy / "headroom.duckdb").resolve() != first
    assert first.exists()


def test_old_releases_are_pruned(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    with warehouse.open_building(must_exist=False) as connection:
        connection.execute("create schema marts; create schema staging")
        connection.execute("create view staging.v as select 1")
        connection.execute("create schema quality; create table quality.t as select 1 as a")
    (tmp_path / "releases").mkdir()
    (tmp_path / "releases/headroom-killed.partial").touch()
    for number in range(7):
        release_warehouse(warehouse, f"headroom-{number}.duckdb", lambda _: None)
        release_nights(warehouse, f"nights-{number}.duckdb")
        prune(warehouse, 5)
    kept = sorted(path.name for path in warehouse.releases.iterdir())
    kinds = ("headroom", "nights")
    assert kept == [SUMS, *(f"{kind}-{number}.duckdb" for kind in kinds for number in range(2, 7))]
    assert warehouse.published.resolve().name == "headroom-6.duckdb"
    assert warehouse.nights.resolve().name == "nights-6.duckdb"
    subprocess.run(["sha256sum", "--check", "--strict", SUMS], cwd=warehouse.releases, check=True)
    with warehouse.open_published() as connection:
        assert not connection.execute(
            "from duckdb_schemas() where schema_name = 'staging'"
        ).fetchall()
        assert connection.execute("from quality.t").fetchall() == [(1,)]


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    with Warehouse(tmp_path).lock():
        with (
            pytest.raises(WarehouseError, match="another headroom process is writing"),
            Warehouse(tmp_path).lock(),
        ):
            pass
        assert "another headroom process is writing" in refusal(
            run_headroom(tmp_path, "ingest", ROOT / "data")
        )
