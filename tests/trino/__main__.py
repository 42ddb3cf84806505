"""`make trino`: all models on a Trino of three nodes, and every one compared with DuckDB's.

Prints a line for each model when it is built and one when it is compared; exits with 1 if a model
is not built or a row differs.
"""

import argparse
import signal
import subprocess
import sys
from pathlib import Path

from headroom.built import read_nodes
from headroom.trino.build import open_warehouse
from headroom.trino.load import Lake
from tests.test_store import running_bucket
from tests.trino.artifacts import install
from tests.trino.compare import Comparison, compare_tables
from tests.trino.samples import compare_samples
from tests.trino.server import cluster
from tests.trino.stores import compare_stores

CACHE = Path(__file__).parents[2] / ".trino"
TABLES = ("seed", "table", "view")


def main() -> None:
    parser = argparse.ArgumentParser(prog="make trino")
    parser.add_argument("--warehouse", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # the nodes end, too
    work = CACHE / "work"
    with (
        running_bucket() as bucket,
        cluster(install(CACHE), work, arguments.workers) as connection,
    ):
        lake = Lake(connection, work / "data/shards", "local:///shards")
        _build(arguments.warehouse, lake)
        warehouse = open_warehouse(arguments.warehouse / "building.duckdb")
        names = [node.name for node in read_nodes(warehouse) if node.kind in TABLES]
        of_models = [_is_equal(name, compare_tables(name, warehouse, connection)) for name in names]
        compared = compare_samples(lake)
        of_samples = [_is_equal(f"function: {rule}", found) for rule, found in compared]
        compared = compare_stores(lake, arguments.warehouse, work, bucket)
        of_stores = [_is_equal(name, found) for name, found in compared]
    for what, found in (
        ("models and seeds", of_models),
        ("functions", of_samples),
        ("tables of stores", of_stores),
    ):
        print(
            f"{sum(found)} of {len(found)} {what} have DuckDB's rows, {found.count(False)} do not"
        )
    sys.exit(not all(of_models + of_samples + of_stores))


def _build(warehouse: Path, lake: Lake) -> None:
    """As on any Trino; what could not be built is found missing when it is compared."""
    command: list[str | Path] = [sys.executable, "-m", "headroom.trino", "--warehouse", warehouse]
    command += ["--port", str(lake.cluster.port)]
    command += ["build", "--shards", lake.folder, "--location", lake.location]
    subprocess.run(command, check=False)


def _is_equal(name: str, found: Comparison | None) -> bool:
    print(f"{name:44} {_words(found)}", flush=True)
    return found is not None and found.is_equal


def _words(found: Comparison | None) -> str:
    if found is None:
        return "NOT BUILT"
    if found.is_equal:
        return f"{found.row_count:7} rows, equal"
    differing = ", ".join(
        f"{name} {ours!r} and {theirs!r}" for name, (ours, theirs) in found.columns.items()
    )
    return (
        f"DIFFERS: {found.row_count} rows in DuckDB, {found.other_row_count} in Trino, "
        f"{found.unequal_count} unequal by up to {found.most_relative:.2g}: {differing}"
    )


if __name__ == "__main__":
    main()
