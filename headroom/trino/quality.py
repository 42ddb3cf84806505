"""`quality.*` on Trino: how far a build has come, what checks found, what was published.

state          building, built or checked; what broke off stays at `building`
check_results  as DuckDB's: every check of every run
nightly_runs   as DuckDB's, of publications on Trino: checks compare with the one before
"""

from typing import Literal

import polars as pl
import trino

from headroom.history import HISTORY
from headroom.trino.load import run
from headroom.trino.releases import columns_of
from headroom.warehouse import WarehouseError

Stage = Literal["building", "built", "checked"]
_REMEDY = {
    "built": "not built: no build on Trino got to its end without a problem; "
    "run: python -m headroom.trino ... build",
    "checked": "not checked since it was built; run: python -m headroom.trino ... check",
}
_ORDER: tuple[Stage, ...] = ("building", "built", "checked")
TABLES = ("quality.check_results", "quality.nightly_runs")
TYPES: dict[pl.DataType, str] = {
    pl.String(): "varchar",
    pl.Boolean(): "boolean",
    pl.Int64(): "bigint",
    pl.Datetime("us"): "timestamp(6)",
}


def make_history(cluster: trino.dbapi.Connection) -> None:
    """Make the tables that are missing, and the columns that an older version did not have."""
    run(cluster, "create schema if not exists quality")
    known = columns_of(cluster, "quality")
    for table in TABLES:
        columns = ", ".join(f'"{name}" {TYPES[kind]}' for name, kind in HISTORY[table].items())
        run(cluster, f"create table if not exists {table} ({columns})")
        has = known.get(table.partition(".")[2], HISTORY[table])
        for name in HISTORY[table].keys() - has.keys():
            kind = TYPES[HISTORY[table][name]]
            run(cluster, f'alter table {table} add column "{name}" {kind}')


def add(cluster: trino.dbapi.Connection, table: str, rows: pl.DataFrame) -> None:
    """Rows of a run, the latest one now."""
    columns = ", ".join(f'"{name}"' for name in rows.columns)
    places = ", ".join(f"({', '.join('?' * rows.width)})" for _ in range(rows.height))
    values = [value for row in rows.rows() for value in row]
    run(cluster, f"update {table} set is_latest = false where is_latest")
    cursor = cluster.cursor()
    cursor.execute(f"insert into {table} ({columns}) values {places}", values)
    cursor.fetchall()


def set_stage(cluster: trino.dbapi.Connection, stage: Stage) -> None:
    """Note how far what is built has come."""
    run(cluster, "create schema if not exists quality")
    run(cluster, f"create or replace table quality.state as select varchar '{stage}' as stage")


def require_stage(cluster: trino.dbapi.Connection, stage: Stage) -> None:
    """Raises WarehouseError with what to run first."""
    known = (
        "select 1 from information_schema.tables "
        "where table_schema = 'quality' and table_name = 'state'"
    )
    reached = 0
    if run(cluster, known):
        ((found,),) = run(cluster, "select stage from quality.state")
        reached = _ORDER.index(found)
    if reached < _ORDER.index(stage):
        raise WarehouseError(_REMEDY[_ORDER[reached + 1]])


def failed_critical_checks(cluster: trino.dbapi.Connection) -> list[str]:
    """Of the latest run of the checks."""
    failed = run(
        cluster,
        "select check_id from quality.check_results "
        "where is_latest and not is_passed and severity = 'critical' order by check_id",
    )
    return [name for (name,) in failed]
