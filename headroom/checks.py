"""Checks the file that is being built; `quality.check_results` keeps what was found."""

import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import polars as pl

from headroom.changes import detect_changes
from headroom.history import keep_results, new_run_id, prepare_history
from headroom.state import require_stage, set_stage
from headroom.warehouse import Warehouse, WarehouseError
from ingest.records.recording import utc_now


def check(warehouse: Warehouse, run_id: str | None = None) -> pl.DataFrame:
    """Run the checks on what was built and keep what they found, as a run of its own or a night's.

    Raises:
        WarehouseError: not built since the last ingest, or the checks themselves broke; then their
            traceback is on stderr.
    """
    with warehouse.open_building() as connection:
        require_stage(connection, "built")
        prepare_history(connection)
        run_id = run_id or new_run_id(connection, utc_now())
    docs = warehouse.data_docs.resolve()
    with tempfile.TemporaryDirectory() as folder:
        results_path = Path(folder, "results.parquet")
        program = [sys.executable, "-P", "-m", "expectations"]
        result = subprocess.run(
            [*program, warehouse.building.resolve(), run_id, results_path, docs],
            stdout=sys.stderr,
            close_fds=False,
        )
        if result.returncode != 0:
            raise WarehouseError("the checks could not be run; see above")
        results = pl.read_parquet(results_path)
    with warehouse.open_building() as connection:
        keep_results(connection, results, run_id)
        detect_changes(connection)
        set_stage(connection, "checked")
    return results


def failed_critical_checks(connection: duckdb.DuckDBPyConnection) -> list[str]:
    rows = connection.execute(
        "select check_id from quality.check_results "
        "where is_latest and not is_passed and severity = 'critical'"
    ).fetchall()
    return [row[0] for row in rows]
