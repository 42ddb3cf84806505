"""`quality.nightly_runs` and `quality.check_results`: every night and every check, for good.

A night is written when it starts, so that one that was killed is known too.
"""

import datetime
import itertools
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Literal

import duckdb
import polars as pl

from expectations.results import CHECK_RESULTS
from headroom.acknowledge import ACKNOWLEDGED
from ingest.records.recording import utc_now
from ingest.records.tables import NO_RESULTS, QUARANTINE, append, make_tables

Status = Literal["running", "published", "held back", "failed"]
NIGHTLY_RUNS: dict[str, pl.DataType] = {
    "run_id": pl.String(),
    "started_at": pl.Datetime("us"),
    "ended_at": pl.Datetime("us"),
    "status": pl.String(),
    "reason": pl.String(),
    "file_loaded_count": pl.Int64(),
    "file_unchanged_count": pl.Int64(),
    "file_copy_count": pl.Int64(),
    "file_quarantined_count": pl.Int64(),
    "file_no_result_count": pl.Int64(),
    "row_count": pl.Int64(),
    "measurement_count": pl.Int64(),
    "source_retired_count": pl.Int64(),
    "check_passed_count": pl.Int64(),
    "check_failed_count": pl.Int64(),
    "critical_failed_count": pl.Int64(),
    "release": pl.String(),
    "headroom_version": pl.String(),
    "is_latest": pl.Boolean(),
    "night_number": pl.Int64(),
}
"""By their numbers nights follow each other: their times are those of a clock that may be wrong."""
HISTORY: dict[str, dict[str, pl.DataType]] = {
    "quality.nightly_runs": NIGHTLY_RUNS,
    "quality.check_results": CHECK_RESULTS | {"run_id": pl.String(), "is_latest": pl.Boolean()},
    "quality.quarantined_files": QUARANTINE,
    "quality.files_without_results": NO_RESULTS,
    "quality.acknowledged_changes": ACKNOWLEDGED,
}


@dataclass
class Night:
    """What is known of one run of the nightly so far: a row of NIGHTLY_RUNS; None is unknown."""

    run_id: str = field(init=False)
    started_at: datetime.datetime = field(default_factory=utc_now)
    ended_at: datetime.datetime | None = None
    status: Status = "running"
    reason: str | None = None
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

    def __post_init__(self) -> None:
        self.run_id = _slug(self.started_at)

    def end(self, status: Status, *, reason: str | None = None, release: str | None = None) -> None:
        self.ended_at = utc_now()
        self.status, self.reason, self.release = status, reason, release


def prepare_history(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the tables that are missing; what an older version checked becomes a run of its own.

    Nights that have no number, of an older version, get the next ones.
    """
    make_tables(connection, HISTORY)
    connection.execute(
        "update quality.check_results set is_latest = true, run_id = "
        "(select strftime(max(checked_at), '%Y%m%dT%H%M%SZ') from quality.check_results) "
        "where run_id is null"
    )
    connection.execute(
        """
        update quality.nightly_runs set night_number = numbered.night_number
        from (
            select run_id, row_number() over (order by started_at, run_id)
                + (select coalesce(max(night_number), 0) from quality.nightly_runs) as night_number
            from quality.nightly_runs where night_number is null
        ) as numbered
        where nightly_runs.run_id = numbered.run_id
        """
    )


def begin_night(connection: duckdb.DuckDBPyConnection, night: Night) -> None:
    """Give the night its id and write it down; close what a killed run left open.

    Whoever calls it holds the lock, so that no other night can be running.
    """
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
    """When it started, with a number behind it where another run has that already."""
    slug = _slug(started_at)
    query = "select run_id from quality.nightly_runs union select run_id from quality.check_results"
    taken = {row[0] for row in connection.execute(query).fetchall()}
    numbered = (f"{slug}-{number}" for number in itertools.count(2))
    return next(name for name in itertools.chain([slug], numbered) if name not in taken)


def _slug(time: datetime.datetime) -> str:
    return f"{time:%Y%m%dT%H%M%SZ}"


def record_night(connection: duckdb.DuckDBPyConnection, night: Night) -> None:
    """Write the night's row, in place of the one that is there."""
    connection.execute("delete from quality.nightly_runs where run_id = ?", [night.run_id])
    append(connection, "quality.nightly_runs", pl.DataFrame([vars(night)], schema=NIGHTLY_RUNS))


def keep_results(connection: duckdb.DuckDBPyConnection, results: pl.DataFrame, run_id: str) -> None:
    """Add what a run of the checks found to what all the ones before found."""
    connection.execute("update quality.check_results set is_latest = false where is_latest")
    rows = results.with_columns(pl.lit(run_id).alias("run_id"), pl.lit(True).alias("is_latest"))
    append(connection, "quality.check_results", rows)
