"""Runs the checks on building.duckdb; results go to `quality.check_results`."""

import json
import subprocess
import sys
import tempfile
from contextlib import AbstractContextManager
from pathlib import Path

import click
import duckdb
import polars as pl

import expectations
from expectations.suite import CHECK_RESULTS
from expectations.suite import checks as all_checks
from headroom.release.acknowledge import mark_acknowledged
from headroom.release.changes import described_changes, detect_changes
from headroom.release.history import keep_results, new_run_id, prepare_history
from headroom.release.last_night import described_last_night, judge_last_night
from headroom.release.stage import require_stage, set_stage
from headroom.warehouse import Child, Warehouse, WarehouseError, child
from ingest.records.recorder import utc_now

CHECKS = Path(expectations.__file__).parent
_MOST_SECONDS = 4 * 3600


def checks_process() -> AbstractContextManager[Child]:
    """A process that imports Great Expectations while the build runs, then checks."""
    return child([sys.executable, "-P", "-m", "expectations"], stdout=sys.stderr)


def check(
    warehouse: Warehouse, checks: Child, run_id: str | None = None
) -> tuple[pl.DataFrame, list[str]]:
    """Run the checks and store their results, for a night or as a run of their own.

    Returns the results, one row each, and the changes of repeated measurements. Raises
    WarehouseError if the marts are not up to date, or the checks crashed.
    """
    click.echo("checking with Great Expectations ...", err=True)
    with warehouse.open_building() as connection:
        require_stage(connection, "built")
        prepare_history(connection)
        run_id = run_id or new_run_id(connection, utc_now())
    warehouse.let_go()
    with tempfile.TemporaryDirectory() as folder:
        results_path = Path(folder, "results.parquet")
        order = [warehouse.building.resolve(), run_id, results_path, warehouse.data_docs.resolve()]
        try:
            checks.communicate(json.dumps([str(word) for word in order]) + "\n", _MOST_SECONDS)
        except subprocess.TimeoutExpired as error:
            raise WarehouseError(f"the checks did not end within {_MOST_SECONDS} s") from error
        if checks.returncode != 0:
            raise WarehouseError("the checks could not be run; see above")
        results = pl.read_parquet(results_path)
    with warehouse.open_building() as connection:
        keep_results(connection, results, run_id)
        detect_changes(connection)
        judge_last_night(connection)
        mark_acknowledged(connection)
        set_stage(connection, "checked")
        return results, changes_of(connection)


def changes_of(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Lines about last night and about changes of level."""
    return described_last_night(connection) + described_changes(connection)


def unchanged_results(connection: duckdb.DuckDBPyConnection, run_id: str) -> pl.DataFrame | None:
    """The last results, stored for this run too; None if the checks must run again.

    Measurements are unchanged, so only checks that depend on the date or the nights run here.
    """
    last = connection.execute("from quality.check_results where is_latest").pl()
    then = dict(last.select("check_id", "failing_row_count").iter_rows())
    for check in all_checks():
        if check.looks_beyond_results:
            query = f"select count(*) from (\n{check.failing_rows}\n)"
            try:
                found = connection.execute(query).fetchall()
            except duckdb.Error:
                return None
            if found != [(then.get(check.check_id),)]:
                return None
    results = last.select(*CHECK_RESULTS)
    keep_results(connection, results, run_id)
    set_stage(connection, "checked")
    return results


def failed_critical_checks(connection: duckdb.DuckDBPyConnection) -> list[str]:
    rows = connection.execute(
        "select check_id from quality.check_results "
        "where is_latest and not is_passed and severity = 'critical'"
    ).fetchall()
    return [row[0] for row in rows]
