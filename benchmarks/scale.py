"""Builds all models on growing numbers of measurements, on each engine: `make bench-scale`.

    python -m benchmarks.scale --copies 1 4 --engines DuckDB Trino --write

The generated lab of 20,000 fio runs and 2,000 Iometer sessions is ingested. Its raw rows are copied
as those of other files and of later nights, and each engine builds every model from them.
"""

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import duckdb

from benchmarks.engines import ENGINES
from benchmarks.ingest import BENCH, HEADROOM, ROOT, made_lab
from benchmarks.measure import run
from benchmarks.report import machine

NIGHTS_A_COPY = 20
_LAB = "lab-20000-2000"
_HEAD = """\
# What all models cost on each engine

All models from raw tables, once, on one machine: `dbt run` on a DuckDB file and on a DuckLake
(Parquet files, catalog in a Postgres on the same machine), `headroom.engines.trino` on one node of
Trino, which copies its tables into a DuckDB file. Of Trino the start of the server (some 10 s) is
not counted, writing and registering the raw rows is. CPU seconds and peak memory are of all
processes, without the Postgres; memory that processes share counts in each. Gigabytes are 10^9
bytes. The raw rows are those of a generated lab (`benchmarks/lab.py`) of 22,000 files, copied as
those of other files and later nights. One run each. Written by `make bench-scale`.

{machine}

| measurements | engine | s | CPU s | peak memory, GB | raw, GB | all tables, GB |
|---:|---|---:|---:|---:|---:|---:|
"""


class Built(NamedTuple):
    """What an engine took for all models."""

    measurement_count: int
    engine: str
    seconds: float
    cpu_seconds: float
    peak_bytes: float
    raw_bytes: float | None
    all_bytes: float


def base() -> Path:
    """A warehouse of the lab and the project's data, built; made once in .bench."""
    folder = BENCH / "scale"
    if not folder.exists():
        partial = folder.with_suffix(".partial")
        shutil.rmtree(partial, ignore_errors=True)
        for step in (["ingest", ROOT / "data", made_lab("full")], ["build"]):
            subprocess.run([HEADROOM, "--warehouse", partial, *step], check=True)
        partial.rename(folder)
    return folder


def grown(copies: int) -> Path:
    """A warehouse whose raw tables have the lab so many times; its marts are the base's."""
    folder = BENCH / f"scale-{copies}"
    if not folder.exists():
        partial = folder.with_suffix(".partial")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir()
        shutil.copyfile(base() / "building.duckdb", partial / "building.duckdb")
        with duckdb.connect(partial / "building.duckdb") as connection:
            _grow(connection, copies)
        partial.rename(folder)
    return folder


def _grow(connection: duckdb.DuckDBPyConnection, copies: int) -> None:
    connection.execute(
        f"create temp table lab as select file_id, source_key from raw.sources "
        f"where contains(path, '/{_LAB}/')"
    )
    tables = connection.execute(
        "select table_name, list(column_name order by column_index) from duckdb_columns() "
        "where schema_name = 'raw' group by all having list_has_any("
        "list(column_name), ['file_id', 'source_key'])"
    ).fetchall()
    for table, columns in tables:
        key = "file_id" if "file_id" in columns else "source_key"
        shown = ", ".join(_copied(column) for column in columns)
        # In pieces: one large insert would keep all of its rows in memory.
        for copy in range(1, copies):
            connection.execute(
                f"insert into raw.{table} select {shown} from raw.{table}, (select {copy} as n) "
                f"where {key} in (select {key} from lab)"
            )
        print(f"raw.{table} x {copies}", file=sys.stderr)
    connection.execute("checkpoint")


def _copied(column: str) -> str:
    """A column's value in copy n: another file, read some nights later."""
    if column == "file_id":
        # Of which ids in marts have the first 12 digits.
        return "left(md5(file_id || n), 12) || substr(file_id, 13) as file_id"
    if column in ("source_key", "path", "absolute_path"):
        return f"replace({column}, '/{_LAB}/', '/{_LAB}/copy-' || n || '/') as {column}"
    if column in ("printed_at_ms", "job_start_ms"):
        return f"{column} + cast(n as bigint) * {NIGHTS_A_COPY * 86_400_000} as {column}"
    if column in ("started_at_local", "ended_at_local"):
        return f"{column} + to_days(cast(n * {NIGHTS_A_COPY} as int)) as {column}"
    return column


def measure(copies: int, engine: str) -> None:
    """Keeps what was found beside the warehouse: such runs take long, and one may be left out."""
    warehouse = grown(copies)
    cost = run([sys.executable, "-m", "benchmarks.engines", engine, warehouse])
    said = json.loads(cost.output)
    with duckdb.connect(warehouse / "building.duckdb", read_only=True) as connection:
        ((count,),) = connection.execute("select count(*) from marts.measurements").fetchall()
    found = Built(
        count, engine, said["seconds"], cost.cpu_seconds, cost.peak_bytes,
        said.get("raw_bytes"), said["all_bytes"],
    )  # fmt: skip
    print(_line(found), file=sys.stderr)
    (warehouse / f"{engine}.json").write_text(json.dumps(found))


def _measured() -> list[Built]:
    files = BENCH.glob("scale-*/*.json")
    return sorted(Built(*json.loads(file.read_text())) for file in files)


def _line(built: Built) -> str:
    raw = f"{built.raw_bytes / 1e9:.2f}" if built.raw_bytes else ""
    return (
        f"| {built.measurement_count:,} | {built.engine} | {built.seconds:,.0f} "
        f"| {built.cpu_seconds:,.0f} | {built.peak_bytes / 1e9:.1f} | {raw} "
        f"| {built.all_bytes / 1e9:.2f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument("--copies", type=int, nargs="+", default=[1, 4])
    parser.add_argument("--engines", choices=[*ENGINES], nargs="+", default=[*ENGINES])
    parser.add_argument("--write", action="store_true", help="into benchmarks/SCALE.md")
    arguments = parser.parse_args()
    for copies in arguments.copies:
        for engine in arguments.engines:  # DuckDB first: its marts say how many measurements
            measure(copies, engine)
    text = _HEAD.format(machine=machine()) + "\n".join(map(_line, _measured()))
    print(text)
    if arguments.write:
        (ROOT / "benchmarks/SCALE.md").write_text(text + "\n")


if __name__ == "__main__":
    main()
