"""`quality.check_results`: what the checks found on the file that is being built."""

import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import polars as pl

from headroom.changes import detect_changes
from headroom.state import require_stage, set_stage
from headroom.warehouse import Warehouse, WarehouseError


def check(warehouse: Warehouse) -> pl.DataFrame:
    """Run the checks on what was built and keep what they found.

    Raises:
        WarehouseError: not built since the last ingest, or the checks themselves broke; then their
            traceback is on stderr.
    """
    with warehouse.open_building() as connection:
        require_stage(connection, "built")
    with tempfile.TemporaryDirectory() as folder:
        results_path = Path(folder, "results.parquet")
        program = [sys.executable, "-P", "-m", "expectations"]
        result = subprocess.run(
            [*program, str(warehouse.building.resolve()), str(results_path)],
            stdout=sys.stderr,
            close_fds=False,
        )
        if result.returncode != 0:
            raise WarehouseError("the checks could not be run; see above")
        results = pl.read_parquet(results_path)
    with warehouse.open_building() as connection:
        connection.register("results", results)
        connection.execute("create or replace table quality.check_results as from results")
        detect_changes(connection)
        set_stage(connection, "checked")
    return results


def failed_critical_checks(connection: duckdb.DuckDBPyConnection) -> list[str]:
    rows = connection.execute(
        "select check_id from quality.check_results where not is_passed and severity = 'critical'"
    ).fetchall()
    return [row[0] for row in rows]
