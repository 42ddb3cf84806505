"""Times every query of every board on a million measurements: `make bench`.

    python -m benchmarks.boards --warehouse warehouse --write

A copy of the published file gets more measurements: each array again under other names, each of
them measured on many nights. The queries of every panel and variable run as when a board opens, in
one process that holds the file open, as Grafana's data source does.
"""

import argparse
import shutil
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb

from benchmarks import BENCH, ROOT
from benchmarks.report import machine
from dashboards.queries import Selection, boards, panel_queries, selections, substitute

ARRAY_COPIES = 20
ROUNDS = 5
LIMIT_SECONDS = 0.2
# Tables that grow with the number of arrays, and tables that grow with arrays and nights.
_BY_ARRAY = ("dim_arrays", "rpt_headroom", "rpt_limits", "rpt_response_curves")
_BY_NIGHT = ("measurements",)
# The row order that the model sets; dbt's other tables keep the order of their sources.
_ORDER = {"measurements": "profile_id, measurement_id"}
_DETAILS = ("fct_latency_percentiles", "fct_latency_bins")


@dataclass(frozen=True)
class Timing:
    board: str
    panel: str
    seconds: list[float]


def grown(warehouse: Path, measurement_count: int) -> Path:
    """A copy of the published file, grown to that many measurements; made once, in .bench."""
    target = BENCH / f"boards-{measurement_count}.duckdb"
    if target.exists():
        return target
    BENCH.mkdir(exist_ok=True)
    partial = target.with_suffix(".partial")
    shutil.copyfile(warehouse / "headroom.duckdb", partial)
    with duckdb.connect(partial) as connection:
        _grow(connection, measurement_count)
        connection.execute("checkpoint")
    return partial.rename(target)


def _grow(connection: duckdb.DuckDBPyConnection, measurement_count: int) -> None:
    (have,) = connection.execute("select count(*) from marts.measurements").fetchall()[0]
    nights = -(-measurement_count // (have * ARRAY_COPIES))
    for table in (*_BY_ARRAY, *_BY_NIGHT, *_DETAILS):
        copies = ARRAY_COPIES * (1 if table in _BY_ARRAY else nights)
        columns = [row[0] for row in connection.execute(f"describe marts.{table}").fetchall()]
        shown = [_repeated(column) for column in columns]
        print(f"{table} x {copies} ...", file=sys.stderr)
        connection.execute(
            f"create or replace table marts.{table} as select {', '.join(shown)} "
            f"from marts.{table}, (select n, n % {ARRAY_COPIES} as a, n // {ARRAY_COPIES} as night "
            f"from range({copies}) as copies (n)) "
            f"order by {_ORDER.get(table, 'n')}"
        )


def _repeated(column: str) -> str:
    """SQL for a column in copy `n`, which belongs to the array's copy `a` and to `night`."""
    if column.endswith("measurement_id"):
        return f"if(n = 0, {column}, {column} || '-' || n) as {column}"
    if column in ("array_id", "array_label", "curve_id", "curve_label"):
        return f"if(a = 0, {column}, {column} || ' #' || a) as {column}"
    if column == "is_best_of_array":
        return f"{column} and night = 0 as {column}"
    if column == "measured_at":
        return f"{column} - to_days(cast(night as int)) as {column}"
    return column


def ask(connection: duckdb.DuckDBPyConnection) -> Iterator[Timing]:
    for board in boards():
        chosen, _ = selections(board, connection)
        for variable in board["templating"]["list"]:
            if variable["type"] == "query":
                yield _timed(connection, board["uid"], variable["name"], variable["query"], chosen)
        for query in panel_queries(board):
            if not query.is_quality:
                yield _timed(connection, query.board, query.panel, query.sql, chosen)


def _timed(
    connection: duckdb.DuckDBPyConnection, board: str, name: str, sql: str, chosen: Selection
) -> Timing:
    seconds = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        connection.execute(substitute(sql, chosen)).fetchall()
        seconds.append(time.perf_counter() - start)
    return Timing(board, name, seconds)


def as_markdown(timings: list[Timing], measurement_count: int) -> str:
    every = sorted(second for timing in timings for second in timing.seconds)
    p95 = statistics.quantiles(every, n=20)[-1]
    slowest = sorted(timings, key=lambda timing: -statistics.median(timing.seconds))[:10]
    lines = [
        "# How fast boards answer",
        "",
        "Every panel's and variable's query, as it is when the board opens, in one process on a",
        "generated warehouse (`benchmarks/boards.py`). Written by `make bench`.",
        "",
        machine(),
        "",
        f"{len(timings)} queries, {ROUNDS} times each, on {measurement_count:,} measurements: "
        f"median {statistics.median(every) * 1000:.0f} ms, 95th percentile {p95 * 1000:.0f} ms "
        f"(wanted: < {LIMIT_SECONDS * 1000:.0f} ms), most {every[-1] * 1000:.0f} ms. The slowest:",
        "",
        "| board | panel or variable | median ms | most ms |",
        "|---|---|---:|---:|",
    ]
    for timing in slowest:
        median, most = statistics.median(timing.seconds), max(timing.seconds)
        lines.append(
            f"| {timing.board} | {timing.panel} | {median * 1000:.0f} | {most * 1000:.0f} |"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.boards", description=__doc__)
    parser.add_argument("--warehouse", type=Path, default=ROOT / "warehouse")
    parser.add_argument("--measurements", type=int, default=1_000_000)
    parser.add_argument("--write", action="store_true", help="into benchmarks/BOARDS.md")
    arguments = parser.parse_args()
    with duckdb.connect(grown(arguments.warehouse, arguments.measurements), read_only=True) as file:
        (count,) = file.execute("select count(*) from marts.measurements").fetchall()[0]
        text = as_markdown(list(ask(file)), count)
    print(text)
    if arguments.write:
        (ROOT / "benchmarks/BOARDS.md").write_text(text + "\n")


if __name__ == "__main__":
    main()
