"""`make trino`: builds all models on a Trino of three nodes, and compares them with DuckDB's.

Prints a line for each table when it is built, and one for each comparison; exits with 1 if a row
differs, the build fails or DuckDB has to build a large model.
"""

import argparse
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import duckdb

from headroom.engines.duckdb.build_state import compiled_nodes
from headroom.engines.trino.tables import Tables
from tests.trino import LARGE
from tests.trino.artifacts import install
from tests.trino.compare import Comparison, compare
from tests.trino.samples import compare_samples
from tests.trino.server import cluster

CACHE = Path(__file__).parents[2] / ".trino"


def main() -> None:
    parser = argparse.ArgumentParser(prog="make trino")
    parser.add_argument("--warehouse", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # also ends the nodes
    work = CACHE / "work"
    with cluster(install(CACHE), work, arguments.workers) as connection:
        tables = Tables(connection, str(work / "data/shared"), "local:///shared")
        samples = [_is_equal(f"function: {rule}", found) for rule, found in compare_samples(tables)]
        by_duckdb = _build(arguments.warehouse, work / "warehouse", tables)
        models = _compare(arguments.warehouse, work / "warehouse")
    for what, found in (("functions", samples), ("models and seeds", models)):
        print(f"{found.count(True)} of {len(found)} {what} have DuckDB's rows")
    print(f"{len(by_duckdb)} models were built by DuckDB: {', '.join(sorted(by_duckdb))}")
    sys.exit(not all(samples + models) or bool(by_duckdb & set(LARGE)))


def _build(warehouse: Path, folder: Path, tables: Tables) -> set[str]:
    """Build a copy of the warehouse on Trino; returns the models that DuckDB built."""
    folder.mkdir()
    shutil.copy(warehouse / "building.duckdb", folder)
    command = [sys.executable, "-m", "headroom.engines.trino", "--warehouse", str(folder)]
    command += ["--folder", tables.folder, "--location", tables.location]
    command += ["--port", str(tables.cluster.port)]
    by_duckdb = set()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as build:
        for line in build.stdout or ():
            print(line, end="", flush=True)
            if "  DuckDB: " in line:
                by_duckdb.add(line.split()[0])
    if build.returncode:
        sys.exit("the build failed")
    return by_duckdb


def _compare(warehouse: Path, built: Path) -> list[bool]:
    with (
        duckdb.connect(warehouse / "building.duckdb", read_only=True) as ours,
        duckdb.connect(built / "building.duckdb", read_only=True) as theirs,
    ):
        return [
            _is_equal(node.name, _compare_tables(node.name, ours, theirs))
            for node in compiled_nodes(built / "dbt" / "manifest.json")
            if node.kind not in ("raw", "test")
        ]


def _compare_tables(
    name: str, ours: duckdb.DuckDBPyConnection, theirs: duckdb.DuckDBPyConnection
) -> Comparison:
    with duckdb.connect() as connection:
        connection.register("ours", ours.sql(f"from {name}").to_arrow_table())
        connection.register("theirs", theirs.sql(f"from {name}").to_arrow_table())
        return compare(connection, "ours", "theirs")


def _is_equal(name: str, found: Comparison) -> bool:
    differs = f"DIFFERS: {found.missing_count} rows missing, {found.added_count} others"
    print(
        f"{name:44} {found.row_count:7} rows, {'equal' if found.is_equal else differs}", flush=True
    )
    return found.is_equal


if __name__ == "__main__":
    main()
