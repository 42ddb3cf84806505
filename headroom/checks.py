"""`quality.check_results`: what the checks found on the file that is being built."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import polars as pl

from expectations.results import CHECK_RESULTS
from headroom.warehouse import Warehouse, WarehouseError


def check(warehouse: Warehouse) -> pl.DataFrame:
    """Run the checks on what was built and keep what they found.

    Raises:
        WarehouseError: the checks themselves broke; their traceback is on stderr.
    """
    with warehouse.open_building() as connection:
        forget_checks(connection)
    with tempfile.TemporaryDirectory() as folder:
        results_path = Path(folder, "results.parquet")
        command = [sys.executable, "-m", "expectations", str(warehouse.building), str(results_path)]
        # Great Expectations leaves semaphores behind, which the interpreter reports at its end.
        environment = os.environ | {"PYTHONWARNINGS": "ignore::UserWarning"}
        if subprocess.run(command, stdout=sys.stderr, env=environment).returncode != 0:
            raise WarehouseError("the checks could not be run; see above")
        results = pl.read_parquet(results_path)
    with warehouse.open_building() as connection:
        store_checks(connection, results)
    return results


def forget_checks(connection: duckdb.DuckDBPyConnection) -> None:
    """What was checked has changed: the results no longer hold."""
    store_checks(connection, pl.DataFrame(schema=CHECK_RESULTS))


def store_checks(connection: duckdb.DuckDBPyConnection, results: pl.DataFrame) -> None:
    connection.register("results", results)
    connection.execute("create schema if not exists quality")
    connection.execute("create or replace table quality.check_results as from results")
    connection.unregister("results")


def has_checks(connection: duckdb.DuckDBPyConnection) -> bool:
    return bool(connection.execute("from quality.check_results limit 1").fetchall())


def failed_critical_checks(connection: duckdb.DuckDBPyConnection) -> list[str]:
    rows = connection.execute(
        "select check_id from quality.check_results where not is_passed and severity = 'critical'"
    ).fetchall()
    return [row[0] for row in rows]
