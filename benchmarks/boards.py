"""Times every query of every board on a published file, as when the board opens.

    python -m benchmarks.boards --warehouse warehouse

The queries of every panel and variable run in one process that holds the file open, as Grafana's
data source does. `make bench` does the same on the labs of `benchmarks.nightly`.
"""

import argparse
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb

from benchmarks import ROOT
from benchmarks.board_queries import Selection, boards, panel_queries, selections, substitute

ROUNDS = 5


@dataclass(frozen=True)
class Timing:
    board: str
    panel: str
    seconds: list[float]


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


def p50_and_p95_ms(timings: list[Timing]) -> tuple[float, float]:
    milliseconds = [1000 * second for timing in timings for second in timing.seconds]
    return statistics.median(milliseconds), statistics.quantiles(milliseconds, n=20)[-1]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.boards", description=__doc__)
    parser.add_argument("--warehouse", type=Path, default=ROOT / "warehouse")
    published = parser.parse_args().warehouse / "headroom.duckdb"
    with duckdb.connect(published, read_only=True) as connection:
        timings = list(ask(connection))
    p50, p95 = p50_and_p95_ms(timings)
    print(f"{len(timings)} queries, {ROUNDS} times each: p50 {p50:.0f} ms, p95 {p95:.0f} ms\n")
    print("| board | panel or variable | median ms | most ms |\n|---|---|---:|---:|")
    for timing in sorted(timings, key=lambda timing: -statistics.median(timing.seconds))[:10]:
        median, most = statistics.median(timing.seconds), max(timing.seconds)
        print(f"| {timing.board} | {timing.panel} | {1000 * median:.0f} | {1000 * most:.0f} |")


if __name__ == "__main__":
    main()
