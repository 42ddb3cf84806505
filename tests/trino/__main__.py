"""`make trino`: all models on a Trino of three nodes, and every one compared with DuckDB's."""

import argparse
import sys
from pathlib import Path

import duckdb
import trino

from headroom.built import quoted
from headroom.trino.build import Built, build, models, open_warehouse
from tests.trino.artifacts import install
from tests.trino.compare import Comparison, compare
from tests.trino.server import cluster

CACHE = Path(__file__).parents[2] / ".trino"


def main() -> None:
    """Prints a line for each model; exits with 1 if a table differs or is missing."""
    parser = argparse.ArgumentParser(prog="make trino", description=__doc__)
    parser.add_argument("--warehouse", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    work = CACHE / "work"
    warehouse = open_warehouse(arguments.warehouse / "building.duckdb")
    with cluster(install(CACHE), work, arguments.workers) as connection:
        faults = 0
        for built in build(warehouse, connection, work / "data/shards", "local:///shards"):
            found = None if built.problem else _compared(built.name, warehouse, connection)
            faults += found is None or not found.is_equal
            print(_line(built, found), flush=True)
    count = len(models(warehouse))
    print(f"{count - faults} of {count} models have DuckDB's rows, {faults} do not")
    sys.exit(faults > 0)


def _compared(
    name: str, warehouse: duckdb.DuckDBPyConnection, connection: trino.dbapi.Connection
) -> Comparison:
    relation = warehouse.sql(f"from {quoted(name)}")
    cursor = connection.cursor()
    cursor.execute(f"select * from {name}")
    theirs = (tuple(row) for row in cursor.fetchall())
    return compare(relation.columns, relation.fetchall(), theirs)


def _line(built: Built, found: Comparison | None) -> str:
    start = f"{built.name:44} {built.seconds:6.1f} s"
    if found is None:
        return f"{start}  NOT BUILT: {built.problem}"
    if found.is_equal:
        return f"{start} {found.row_count:7} rows, equal"
    differing = ", ".join(
        f"{name} {ours!r} and {theirs!r}" for name, (ours, theirs) in found.columns.items()
    )
    return (
        f"{start}  DIFFERS: {found.row_count} rows in DuckDB, {found.other_row_count} in Trino, "
        f"{found.unequal_count} unequal by up to {found.most_relative:.2g}: {differing}"
    )


if __name__ == "__main__":
    main()
