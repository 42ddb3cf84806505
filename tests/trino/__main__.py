"""`make trino`: all models on a Trino of three nodes, and every one compared with DuckDB's.

So are the checks, on data that breaks them, what readers see of a release, and the answer of every
query of the boards. Prints a line for each model when it is built, and one for each comparison;
exits with 1 if a row differs, a model is not built or a rule of publication does not hold.
"""

import argparse
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb
import trino

from headroom.built import read_nodes
from headroom.trino.build import open_warehouse
from headroom.trino.load import Lake
from tests.trino.artifacts import install
from tests.trino.boards import compare_boards
from tests.trino.checks import compare_checks
from tests.trino.compare import Comparison, compare_tables
from tests.trino.publication import publication_rules
from tests.trino.samples import compare_samples
from tests.trino.server import another, cluster

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
        lake = Lake(connection, str(work / "data/shards"), "local:///shards")
        _build(arguments.warehouse, lake)
        warehouse = open_warehouse(arguments.warehouse / "building.duckdb")
        names = [node.name for node in read_nodes(warehouse) if node.kind in TABLES]
        of_models = [_is_equal(name, compare_tables(name, warehouse, connection)) for name in names]
        compared = compare_samples(lake)
        of_samples = [_is_equal(f"function: {rule}", found) for rule, found in compared]
        of_published = [
            _is_equal(name, found)
            for name, found in _published(arguments.warehouse, warehouse, connection)
        ]
        asked = compare_boards(arguments.warehouse, connection, work / "boards")
        of_boards = [_is_alike(query, problem) for query, problem in asked]
        compared = compare_checks(
            arguments.warehouse,
            Lake(another(connection, "broken"), str(work / "data/failing"), "local:///failing"),
        )
        of_checks = [_is_equal(check, found) for check, found in compared]
        of_rules = list(publication_rules(another(connection, "small")))
    results = {
        "models and seeds have DuckDB's rows": of_models,
        "functions have DuckDB's answers": of_samples,
        "published marts have DuckDB's rows": of_published,
        "queries of boards have DuckDB's rows": of_boards,
        "results of checks are DuckDB's": of_checks,
        "rules of publication hold": of_rules,
    }
    for what, found in results.items():
        print(f"{sum(found)} of {len(found)} {what}, {found.count(False)} do not")
    sys.exit(not all(each for found in results.values() for each in found))


def _build(warehouse: Path, lake: Lake) -> None:
    """As on any Trino; what could not be built is found missing when it is compared."""
    _run(warehouse, lake.cluster, "build", "--shards", lake.folder, "--location", lake.location)


def _run(warehouse: Path, connection: trino.dbapi.Connection, *words: str) -> None:
    command = [sys.executable, "-m", "headroom.trino", "--warehouse", str(warehouse)]
    subprocess.run([*command, "--port", str(connection.port), *words], check=False)


def _published(
    folder: Path, warehouse: duckdb.DuckDBPyConnection, connection: trino.dbapi.Connection
) -> Iterator[tuple[str, Comparison | None]]:
    """What readers see of each mart after `check` and `publish`."""
    for command in ("check", "publish", "releases"):
        _run(folder, connection, command)
    for node in read_nodes(warehouse):
        schema, _, mart = node.name.partition(".")
        if schema == "marts" and node.kind in TABLES:
            seen = f"published.{mart}"
            yield seen, compare_tables(node.name, warehouse, connection, theirs_is=seen)


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
