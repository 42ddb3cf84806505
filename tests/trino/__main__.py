"""`make trino`: all models on a Trino of three nodes, and every one compared with DuckDB's.

So is the answer of every query of the boards. Prints a line for each model when it is built and one
when it is compared; exits with 1 if a model is not built or a row differs.
"""

import argparse
import signal
import subprocess
import sys
from pathlib import Path

import duckdb
import trino

from headroom.built import quoted, read_nodes
from headroom.trino.build import open_warehouse
from tests.trino.artifacts import install
from tests.trino.boards import compare_boards
from tests.trino.compare import Comparison, compare
from tests.trino.samples import compare_samples
from tests.trino.server import cluster

CACHE = Path(__file__).parents[2] / ".trino"
TABLES = ("seed", "table", "view")


def main() -> None:
    parser = argparse.ArgumentParser(prog="make trino")
    parser.add_argument("--warehouse", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # the nodes end, too
    work = CACHE / "work"
    with cluster(install(CACHE), work, arguments.workers) as connection:
        _build(arguments.warehouse, connection, work / "data/shards", "local:///shards")
        warehouse = open_warehouse(arguments.warehouse / "building.duckdb")
        names = [node.name for node in read_nodes(warehouse) if node.kind in TABLES]
        of_models = [_is_equal(name, _compared(name, warehouse, connection)) for name in names]
        compared = compare_samples(connection, work / "data/shards", "local:///shards")
        of_samples = [_is_equal(f"function: {rule}", found) for rule, found in compared]
        asked = compare_boards(arguments.warehouse, connection, work / "boards")
        of_boards = [_is_alike(query, problem) for query, problem in asked]
    kinds = {"models and seeds": of_models, "functions": of_samples, "queries of boards": of_boards}
    for what, found in kinds.items():
        print(
            f"{sum(found)} of {len(found)} {what} have DuckDB's rows, {found.count(False)} do not"
        )
    sys.exit(not all(of_models + of_samples + of_boards))


def _build(
    warehouse: Path, connection: trino.dbapi.Connection, shards: Path, location: str
) -> None:
    """As on any Trino; what could not be built is found missing when it is compared."""
    command: list[str | Path] = [sys.executable, "-m", "headroom.trino", "--warehouse", warehouse]
    command += ["--port", str(connection.port)]
    command += ["build", "--shards", shards, "--location", location]
    subprocess.run(command, check=False)


def _compared(
    name: str, warehouse: duckdb.DuckDBPyConnection, connection: trino.dbapi.Connection
) -> Comparison | None:
    """What the two tables differ in; None where Trino has none."""
    cursor = connection.cursor()
    try:
        cursor.execute(f"select * from {name}")
        theirs = [tuple(row) for row in cursor.fetchall()]
    except trino.exceptions.TrinoUserError as error:
        if error.error_name != "TABLE_NOT_FOUND":
            raise
        return None
    relation = warehouse.sql(f"from {quoted(name)}")
    return compare(relation.columns, relation.fetchall(), theirs)


def _is_equal(name: str, found: Comparison | None) -> bool:
    print(f"{name:44} {_words(found)}", flush=True)
    return found is not None and found.is_equal


def _is_alike(query: str, problem: str) -> bool:
    print(f"{query:44} {problem or 'the same rows'}", flush=True)
    return not problem


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
