"""`quality.nightly_runs` and `quality.check_results`: the history of nights and checks.

A night is inserted when it starts, so a killed one shows too.
"""

import datetime
import itertools
from dataclasses import dataclass, field, fields
from importlib.metadata import version
from typing import Literal

import duckdb
import polars as pl

from expectations.suite import CHECK_RESULTS
from headroom.release.acknowledge import ACKNOWLEDGED
from ingest.records.raw_tables import NO_RESULTS, QUARANTINE, append, make_tables
from ingest.records.recorder import utc_now

Status = Literal["running", "published", "held back", "failed"]


@dataclass
class Night:
    """A row of `quality.nightly_runs`. None is not known yet, or not reported."""

    run_id: str = field(init=False)
    started_at: datetime.datetime = field(default_factory=utc_now)
    ended_at: datetime.datetime | None = None
    status: Status = "running"
    reason: str | None = None
    paths: str | None = None
    file_loaded_count: int | None = None
    file_unchanged_count: int | None = None
    file_copy_count: int | None = None
    file_quarantined_count: int | None = None
    file_no_result_count: int | None = None
    row_count: int | None = None
    measurement_count: int | None = None
    source_retired_count: int | None = None
    check_passed_count: int | None = None
    check_failed_count: int | None = None
    critical_failed_count: int | None = None
    release: str | None = None
    headroom_version: str = field(default_factory=lambda: version("headroom"))
    is_latest: bool = True
    night_number: int | None = None
    """The order of the nights; the clock may be wrong."""

    def __post_init__(self) -> None:
        self.run_id = _slug(self.started_at)

    def end(self, status: Status, *, reason: str | None = None, release: str | None = None) -> None:
        self.ended_at = utc_now()
        self.status, self.reason, self.release = status, reason, release


_POLARS_TYPES: dict[object, pl.DataType] = {
    str: pl.String(), str | None: pl.String(), Status: pl.String(), bool: pl.Boolean(),
    int | None: pl.Int64(),
    datetime.datetime: pl.Datetime("us"), datetime.datetime | None: pl.Datetime("us"),
}  # fmt: skip
NIGHTLY_RUNS = {column.name: _POLARS_TYPES[column.type] for column in fields(Night)}
HISTORY: dict[str, dict[str, pl.DataType]] = {
    "quality.nightly_runs": NIGHTLY_RUNS,
    "quality.check_results": CHECK_RESULTS | {"run_id": pl.String(), "is_latest": pl.Boolean()},
    "quality.quarantined_files": QUARANTINE,
    "quality.files_without_results": NO_RESULTS,
    "quality.acknowledged_changes": ACKNOWLEDGED,
}


def prepare_history(connection: duckdb.DuckDBPyConnection) -> None:
    make_tables(connection, HISTORY)


def begin_night(connection: duckdb.DuckDBPyConnection, night: Night) -> None:
    """Insert the night with a new id and close killed runs. The caller holds the lock."""
    prepare_history(connection)
    night.run_id = new_run_id(connection, night.started_at)
    query = "select coalesce(max(night_number), 0) + 1 from quality.nightly_runs"
    ((night.night_number,),) = connection.execute(query).fetchall()
    connection.execute(
        "update quality.nightly_runs set status = 'failed', "
        "reason = 'did not end: killed or crashed' where status = 'running'"
    )
    connection.execute("update quality.nightly_runs set is_latest = false")
    record_night(connection, night)


def new_run_id(connection: duckdb.DuckDBPyConnection, started_at: datetime.datetime) -> str:
    """The start time, numbered if another run has the same."""
    slug = _slug(started_at)
    query = "select run_id from quality.nightly_runs union select run_id from quality.check_results"
    taken = {row[0] for row in connection.execute(query).fetchall()}
    numbered = (f"{slug}-{number}" for number in itertools.count(2))
    return next(name for name in itertools.chain([slug], numbered) if name not in taken)


def _slug(time: datetime.datetime) -> str:
    return f"{time:%Y%m%dT%H%M%SZ}"


def record_night(connection: duckdb.DuckDBPyConnection, night: Night) -> None:
    """Insert or replace the night's row."""
    connection.execute("delete from quality.nightly_runs where run_id = ?", [night.run_id])
    append(connection, "quality.nightly_runs", pl.DataFrame([vars(night)], schema=NIGHTLY_RUNS))


def keep_results(connection: duckdb.DuckDBPyConnection, results: pl.DataFrame, run_id: str) -> None:
    """Append the results of a run of the checks."""
    connection.execute("update quality.check_results set is_latest = false where is_latest")
    rows = results.with_columns(pl.lit(run_id).alias("run_id"), pl.lit(True).alias("is_latest"))
    append(connection, "quality.check_results", rows)
