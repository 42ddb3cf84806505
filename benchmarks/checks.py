"""Times the checks on ten million measurements, and what they take of memory: `make bench`.

    python -m benchmarks.checks --warehouse warehouse --write

The published file is copied, and its fio runs are repeated in it, each with files, latencies and
percentiles of its own. The checks run as `headroom check` runs them, in a process of their own: as
they are, and again with every measurement broken, so that they have as much as can be to report.
"""

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import duckdb
import polars as pl

from benchmarks.boards import BENCH, ROOT
from benchmarks.measure import Cost, run
from benchmarks.report import machine

SIZES = {"full": [100_000, 1_000_000, 10_000_000], "small": [100_000]}
CHECKS_MD = Path(__file__).with_name("CHECKS.md")
# What the checks read and what grows with the runs, with the condition that keeps those of fio.
_TABLES = {
    "raw.sources": "file_id in (select file_id from raw.fio_jobs)",
    "raw.fio_directions": "true",
    "raw.fio_latencies": "true",
    "marts.measurements": "source_format = 'fio'",
    "marts.fct_latency_percentiles": "measurement_id like 'fio-%'",
}
_REPEATED = {
    "file_id": "sha256(file_id || n)",
    "measurement_id": "measurement_id || '-' || n",
    "source_path": "source_path || n",
    "measured_at": "measured_at - to_minutes(n)",
}
_BREAK = """
    update marts.measurements set iops = -1, latency_p50_us = 1e9;
    update raw.fio_latencies set latency_min = latency_max + 1;
"""
_MOST_BROKEN = 1_000_000  # a copy of ten million takes 14 GB of disk
_KEPT_FROM = "\n## How this is to be read"


def grown(warehouse: Path, count: int) -> Path:
    """The published file with that many fio runs, made once in .bench."""
    target = BENCH / f"checks-{count}.duckdb"
    if not target.exists():
        BENCH.mkdir(exist_ok=True)
        partial = target.with_suffix(".partial")
        shutil.copyfile(warehouse / "headroom.duckdb", partial)
        with duckdb.connect(partial) as connection:
            connection.execute("set preserve_insertion_order = false")
            _grow(connection, count)
        partial.rename(target)
    return target


def _grow(connection: duckdb.DuckDBPyConnection, count: int) -> None:
    runs = connection.table("marts.measurements").filter(_TABLES["marts.measurements"]).shape[0]
    copies = -(-count // runs)
    for table, is_repeated in _TABLES.items():
        print(f"{table} x {copies} ...", file=sys.stderr)
        columns = [row[0] for row in connection.execute(f"describe {table}").fetchall()]
        shown = (
            f"if(n = 0, {name}, {_REPEATED[name]}) as {name}" if name in _REPEATED else name
            for name in columns
        )
        connection.execute(
            f"create or replace table {table} as select {', '.join(shown)} "
            f"from {table}, range({copies}) as copies (n) where n = 0 or ({is_repeated})"
        )


def check(database: Path) -> tuple[Cost, pl.DataFrame]:
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder, "results.parquet")
        order = json.dumps([str(database), "bench", str(results), str(Path(folder, "docs"))])
        program = [sys.executable, "-m", "expectations"]
        return run(program, given=order + "\n"), pl.read_parquet(results)


def broken(database: Path) -> Path:
    copy = database.with_suffix(".broken")
    shutil.copyfile(database, copy)
    with duckdb.connect(copy) as connection:
        connection.execute(_BREAK)
    return copy


def rows(warehouse: Path, counts: list[int]) -> Iterator[str]:
    for count in counts:
        database = grown(warehouse, count)
        yield _row(count, "as they are", *check(database))
        if count <= _MOST_BROKEN:
            copy = broken(database)
            yield _row(count, "all broken", *check(copy))
            copy.unlink()


def _row(count: int, state: str, cost: Cost, results: pl.DataFrame) -> str:
    failed = results.filter(~pl.col("is_passed"))
    cells = f"{count:,} | {state} | {cost.seconds:.0f} | {cost.cpu_seconds:.0f} | "
    return f"| {cells}{cost.peak_bytes / 2**20:,.0f} | {failed.height} of {results.height} |"


def as_markdown(warehouse: Path, counts: list[int]) -> str:
    head = [
        "# What the checks cost",
        "",
        "`python -m expectations` on a generated warehouse (`benchmarks/checks.py`): fio runs,",
        "each a file, with 19 percentiles. Start of the program included. Written by `make bench`.",
        "",
        machine(),
        "",
        "| measurements | their values | s | CPU s | peak MiB | checks that fail |",
        "|---:|---|---:|---:|---:|---:|",
    ]
    return "\n".join([*head, *rows(warehouse, counts)]) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.checks", description=__doc__)
    parser.add_argument("--warehouse", type=Path, default=ROOT / "warehouse")
    parser.add_argument("--size", choices=[*SIZES], default="full")
    parser.add_argument("--write", action="store_true", help="into benchmarks/CHECKS.md")
    arguments = parser.parse_args()
    text = as_markdown(arguments.warehouse, SIZES[arguments.size])
    print(text)
    if arguments.write:
        before = CHECKS_MD.read_text() if CHECKS_MD.exists() else _KEPT_FROM
        CHECKS_MD.write_text(text + before[before.index(_KEPT_FROM) :])


if __name__ == "__main__":
    main()
