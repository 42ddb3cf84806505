"""The commands that read the published file: sql, schema, catalog, cat and export."""

import csv
import io
import json
import os
import pty
import re
import subprocess
import time
from pathlib import Path

import duckdb
import pyarrow.parquet
import pytest

from headroom.read.contents import KINDS
from headroom.read.query import parameters
from tests.conftest import INSTALLED, MINIMAL_PAPER, ROOT, program, refusal, run_headroom


def _ask(warehouse: Path, *arguments: str, given: str | None = None) -> str:
    command = [program(), "--warehouse", warehouse, "sql", *arguments]
    return subprocess.run(
        command, input=given, capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout


def test_query_as_argument_file_or_standard_input(warehouse: Path, tmp_path: Path) -> None:
    file = tmp_path / "two.sql"
    file.write_text("select 2 as two")
    answer = "two\n2\n"
    assert _ask(warehouse, "--format", "csv", "select 2 as two") == answer
    assert _ask(warehouse, "--format", "csv", "--file", str(file)) == answer
    assert _ask(warehouse, "--format", "csv", given="select 2 as two;") == answer
    assert "one of a query, --file and --example" in refusal(
        run_headroom(warehouse, "sql", "select 1", "--file", file)
    )


def test_numeric_looking_parameters_are_numbers(warehouse: Path) -> None:
    query = "select $a + 1 as a, $b || '!' as b, $c * 2 as c"
    values = ["--param", "a=18", "--param", "b=RAID 5", "-p", "c=0.5"]
    assert json.loads(_ask(warehouse, query, *values, "--format", "json")) == [
        {"a": 19, "b": "RAID 5!", "c": 1.0}
    ]
    texts = ["'18'", "007", "1_000", "12e34567", "nan", "'", ""]
    assert [parameters([f"v={text}"])["v"] for text in texts] == ["18", *texts[1:]]
    assert refusal(run_headroom(warehouse, "sql", query))
    assert refusal(run_headroom(warehouse, "sql", "select 1", "--param", "a"))


def test_output_as_markdown_line_and_parquet(warehouse: Path) -> None:
    query = "select 'a|b' as name, null as empty, e'x\\ny' as text"
    assert _ask(warehouse, query, "--format", "md") == (
        "| name | empty | text |\n|---|---|---|\n| a\\|b |  | x y |\n"
    )
    assert _ask(warehouse, "select 1 as a, null as bc", "--format", "line") == (
        "row 1\n a = 1\nbc = NULL\n"
    )
    command = [program(), "--warehouse", warehouse, "sql", "select 7 as a", "--format", "parquet"]
    content = subprocess.run(command, capture_output=True, check=True).stdout
    assert pyarrow.parquet.read_table(io.BytesIO(content)).to_pylist() == [{"a": 7}]


def test_line_format_takes_several_queries_csv_takes_one(warehouse: Path) -> None:
    answers = _ask(warehouse, "select 1 as a; select 2 as b", "--format", "line")
    assert answers == "row 1\na = 1\nrow 1\nb = 2\n"
    assert "csv takes one query, not 2" in refusal(
        run_headroom(warehouse, "sql", "select 1; select 2", "--format", "csv")
    )
    assert refusal(run_headroom(warehouse, "sql", " -- nothing"))


def test_marts_need_no_schema(warehouse: Path) -> None:
    tables = _ask(warehouse, "--format", "csv", "show tables").split()
    assert {"measurements", "dim_controllers"} <= {*tables}
    assert not {"files", "nightly_runs"} & {*tables}


def test_closed_pipe_ends_sql_quietly(warehouse: Path) -> None:
    command = [INSTALLED, "--warehouse", warehouse, "sql", "from range(1000000)", "--format", "csv"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_closed_pipe_fails_ingest(warehouse: Path, tmp_path: Path) -> None:
    command = [INSTALLED, "--warehouse", tmp_path, "ingest", MINIMAL_PAPER]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.close()
        process.communicate()
    assert process.returncode == 2


def on_terminal(*command: str | Path, width: int = 80, lines: tuple[bytes, ...] = ()) -> str:
    """The output of a command on a terminal that answers each prompt with the next line."""
    main, terminal = pty.openpty()
    waiting, shown = [*lines], b""
    with subprocess.Popen(
        command, stdin=terminal, stdout=terminal, stderr=terminal, close_fds=True,
        env=os.environ | {"COLUMNS": f"{width}", "TERM": "dumb"}, cwd=ROOT,
    ) as process:  # fmt: skip
        os.close(terminal)
        try:
            while chunk := os.read(main, 1 << 16):
                shown += chunk
                if shown.endswith(b"> ") and waiting:
                    os.write(main, waiting.pop(0))
        except OSError:  # Linux reports the end like this
            pass
    os.close(main)
    assert process.returncode == 0, shown
    return shown.decode().replace("\r\n", "\n")


def test_narrow_terminal_gets_a_line_per_column(warehouse: Path) -> None:
    shown = on_terminal(INSTALLED, "--warehouse", warehouse, "sql", "from measurements limit 2")
    assert "row 2\n" in shown
    assert " iops = " in shown
    assert "│" in on_terminal(INSTALLED, "--warehouse", warehouse, "sql", "select 1 as a, 2 as b")


def test_terminal_without_a_query_gets_a_prompt(warehouse: Path) -> None:
    lines = (b"select 40 +\n", b"2 as answer;\n", b"select nothing;\n")
    completed = b"select count(*) from dim_contro\t;\n"
    shown = on_terminal(
        INSTALLED,
        "--warehouse",
        warehouse,
        "sql",
        "--format",
        "line",
        lines=(*lines, completed, b"\x04"),
    )
    assert "answer = 42" in shown
    assert "Binder Error" in shown
    assert "count_star() = " in shown


def test_schema_lists_marts_and_columns(warehouse: Path) -> None:
    marts = run_headroom(warehouse, "schema").stdout
    assert "One row per point." in " ".join(marts.split())
    columns = run_headroom(warehouse, "schema", "marts.measurements").stdout
    assert "latency_p99_us" in columns
    assert "did you mean: measurements" in refusal(run_headroom(warehouse, "schema", "measurement"))


@pytest.mark.parametrize(
    ("kind", "known"),
    [
        ("controllers", "PRAID EP420i"),
        ("drives", "SAS-12G-SSD"),
        ("profiles", "random-read67-8KiB"),
        ("documents", "fujitsu-raid-controllers-2016"),
        ("arrays", "RAID 5"),
    ],
)
def test_catalog_lists_the_names(warehouse: Path, kind: str, known: str) -> None:
    assert kind in KINDS
    assert known in run_headroom(warehouse, "catalog", kind).stdout


def test_cat_prints_the_original_file(warehouse: Path) -> None:
    path = "data/samples/fio-virtual-disk/2026-11-21-libaio.json"
    content = (ROOT / path).read_bytes()
    query = f"select file_id from raw.sources where is_current and path like '%{path}'"
    (row,) = json.loads(_ask(warehouse, query, "--format", "json"))
    for name in (str(ROOT / path), row["file_id"], row["file_id"][:8]):
        command = [program(), "--warehouse", warehouse, "cat", name]
        assert subprocess.run(command, capture_output=True, check=True).stdout == content
    assert "no source has this path or file_id" in refusal(
        run_headroom(warehouse, "cat", "nowhere.json")
    )


def test_csv_escapes_spreadsheet_formulas(warehouse: Path) -> None:
    """File and job names may come from strangers."""
    query = """
        select unnest(['=1+2', '+1', '-1', '@a', 'a=b', '', null]) as label, -1 as number,
            0 as label
    """
    rows = [*csv.reader(_ask(warehouse, "--format", "csv", query).splitlines())]
    assert rows[0] == ["label", "number", "label_1"]
    assert [label for label, *_ in rows[1:]] == ["'=1+2", "'+1", "'-1", "'@a", "a=b", "", ""]
    assert {number for _, number, _ in rows[1:]} == {"-1"}
    assert _ask(warehouse, "--format", "csv", "--raw", "select '=1+2' as label") == "label\n=1+2\n"
    assert _ask(warehouse, "--format", "json", "select '=1' as label") == '[{"label":"=1"}]\n'


def _limited(warehouse: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the console script: the kernel's memory limit counts imported modules, too."""
    command = [INSTALLED, "--warehouse", warehouse, "sql", *arguments]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("limit", "query", "told"),
    [
        (("SECONDS", "0.2"), "select sum(a.range % 7) from range(1000000000) a, range(1000000000)",
         "stopped after 0.2 s; set HEADROOM_QUERY_SECONDS"),
        (("MEMORY", "20MB"), "select list(i) from range(3000000) t(i)", "set HEADROOM_QUERY_MEM"),
        (("DISK", "1MB"), "select error(current_setting('max_temp_directory_size'))", "976.5 KiB"),
        (("MEMORY", "much"), "select 1", "QUERY_MEMORY: 'much' is not a size, such as 4GB"),
        (("SECONDS", "a minute"), "select 1", "'a minute' is not a number of seconds, such as 300"),
        # what DuckDB evaluates before a query runs ignores interrupts and its memory limit
        (("SECONDS", "0.2"), "select len(list_transform(range(20000000), lambda x: x + 1))",
         "stopped after 0.2 s; set HEADROOM_QUERY_SECONDS"),
        (("MEMORY", "100MB"), "select length(repeat('z', 2000000000))", "set HEADROOM_QUERY_MEM"),
        (("MEMORY", "20MB"), "select i, repeat('z', 400) as text from range(3000000) t(i)",
         "set HEADROOM_QUERY_MEM"),
        (("SECONDS", "300"), "call enable_logging(storage = 'file', storage_path = 'logs')",
         "the query ended its process (SIGABRT)"),
    ],
)  # fmt: skip
def test_query_limits_are_enforced(
    warehouse: Path, monkeypatch: pytest.MonkeyPatch, limit: tuple[str, str], query: str, told: str
) -> None:
    monkeypatch.setenv("HEADROOM_QUERY_MEMORY", "20MB")
    monkeypatch.setenv(f"HEADROOM_QUERY_{limit[0]}", limit[1])
    result = _limited(warehouse, "--format", "csv", query)
    assert (result.returncode, result.stdout) == (2, "")
    assert told in result.stderr


def test_spill_files_are_removed_after_a_timeout(
    warehouse: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("HEADROOM_QUERY_SECONDS", "0.2")
    hanging = "select len(list_transform(range(20000000), lambda x: x + 1))"
    assert refusal(_limited(warehouse, hanging))
    assert [*tmp_path.iterdir()] == []


def test_prompt_continues_after_a_query_timeout(
    warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADROOM_QUERY_SECONDS", "0.2")
    slow = b"select sum(a.range % 7) from range(1000000000) a, range(1000000000);\n"
    lines = (slow, b"select 40 + 2 as answer;\n", b"\x04")
    shown = on_terminal(INSTALLED, "--warehouse", warehouse, "sql", "--format", "line", lines=lines)
    assert "stopped after 0.2 s" in shown
    assert "answer = 42" in shown


def test_slow_reader_does_not_use_up_the_query_time(
    warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADROOM_QUERY_SECONDS", "1")
    command = [INSTALLED, "--warehouse", warehouse, "sql", "from range(100000)", "--format", "csv"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        time.sleep(4)
        assert process.stdout
        assert process.stdout.read().endswith(b"\n99999\n")
    assert process.returncode == 0


def test_terminating_sql_ends_its_query_process(warehouse: Path) -> None:
    query = "select len(list_transform(range(100000000), lambda x: x + 1))"
    command = [INSTALLED, "--warehouse", warehouse, "sql", query]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        time.sleep(1)
        process.terminate()
        assert process.stdout
        assert process.stdout.read() == b""  # returns once no process holds the pipe


def test_export_writes_every_mart_and_column_descriptions(
    few_predictions: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "tables"
    assert run_headroom(few_predictions, "export", folder).returncode == 0
    with duckdb.connect(few_predictions / "headroom.duckdb", read_only=True) as release:
        marts = release.execute(
            "select distinct table_name from duckdb_columns() where schema_name = 'marts'"
        ).fetchall()
        counted = release.table("marts.measurements").shape[0]
    files = {f"{name}.parquet" for (name,) in marts} | {"columns.csv"}
    assert {path.name for path in folder.iterdir()} == files
    assert duckdb.sql(f"from '{folder}/measurements.parquet'").shape[0] == counted
    rows = [*csv.DictReader((folder / "columns.csv").open())]
    assert {row["mart"] for row in rows} == {name for (name,) in marts}
    assert all(row["description"] for row in rows)
    assert "not empty" in refusal(run_headroom(few_predictions, "export", folder))


def test_no_query_has_an_aggregate_over_an_empty_window() -> None:
    """`max(x) over ()` may fail at random in DuckDB 1.5 (its issues 22846 and 25713); the database
    then answers no query until Grafana restarts. A window with an order and a subquery do not fail;
    row_number streams."""
    folders = ("headroom", "ingest", "dashboards", "expectations", "dbt_project", "docs/queries")
    texts = [path for name in folders for path in (ROOT / name).rglob("*.*")]
    found = [
        f"{path.relative_to(ROOT)}: {words}"
        for path in texts
        if path.suffix in {".sql", ".py", ".md", ".yml", ".json"} and "target" not in path.parts
        for words in re.findall(r"(?<!row_number\(\)) over \(\s*\)| as \(\s*\)", path.read_text())
    ]
    assert found == []
