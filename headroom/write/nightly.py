"""`headroom nightly`: ingest, build, check, publish, and report the outcome.

The outcome goes to `quality.nightly_runs`, which is always published, to `nightly.log`, to stdout
and to HEADROOM_WEBHOOK_URL.
"""

import json
import signal
import time
from pathlib import Path
from typing import Any

import click
import duckdb
import polars as pl

from headroom.engines.duckdb.build import dbt_if_models_changed
from headroom.release.checks import check, checks_process
from headroom.release.failed_checks import failed_checks
from headroom.release.history import Night, begin_night, record_night
from headroom.release.publish import publish, publish_nights, refuse_empty_release
from headroom.release.restore import restore_if_lost
from headroom.warehouse import ChecksFailed, Warehouse, WarehouseError
from headroom.write import night_steps, webhook
from headroom.write.ingest_summary import kinds_of, places_by_reason, refusals, status_text
from ingest.common.errors import InputError
from ingest.records.recorder import Outcome, count_by_status, utc_now

_MOST_PLACES = 1000  # in a line of the log; the warehouse has them all


def nightly(
    warehouse: Warehouse,
    paths: tuple[Path, ...],
    follow: tuple[Path, ...] = (),
    *,
    is_verbose: bool = False,
) -> None:
    """Run a night. An error is reported, then raised.

    Raises:
        InputError: before it begins, for a path that does not exist.
    """
    for path in paths:
        if not path.exists():
            raise InputError(path, "no such file or folder")
    signal.signal(signal.SIGTERM, _stop)
    with warehouse.lock(), warehouse.kept_open():
        run = _Run(warehouse)
        try:
            run.do_steps(paths, follow, is_verbose=is_verbose)
        except BaseException as error:
            if isinstance(error, duckdb.Error):
                warehouse.let_go()  # DuckDB cannot go on after a fatal error, such as a full disk
            if isinstance(error, RuntimeError) and error.__cause__:  # a signal during a query
                run.stop(error.__cause__)
                raise error.__cause__ from None
            run.stop(error)
            raise
        finally:
            run.close()


def _stop(*_: object) -> None:
    """Handle SIGTERM, by which systemd and containers stop a process: the night has failed."""
    raise WarehouseError("stopped by SIGTERM")


class _Run:
    """A running night."""

    def __init__(self, warehouse: Warehouse) -> None:
        self.night = Night()
        self._warehouse = warehouse
        self._failed_checks: list[str] = []
        self._changes: list[str] = []
        self._step_started = time.monotonic()

    def do_steps(
        self, paths: tuple[Path, ...], follow: tuple[Path, ...], *, is_verbose: bool
    ) -> None:
        self.night.paths = "; ".join(sorted(str(path.absolute()) for path in paths)) or None
        restore_if_lost(self._warehouse, lambda fault: self._log("restoring", reason=fault))
        with self._warehouse.open_building(must_exist=not paths) as connection:
            begin_night(connection, self.night)
        self._log("started")
        with dbt_if_models_changed(self._warehouse) as dbt, checks_process() as checks:
            if paths:
                found = night_steps.ingest(self._warehouse, paths, follow)
                refusals(found, is_verbose=is_verbose)
                self._count_files(found)
            night_steps.build_what_is_new(self._warehouse, dbt)
            with self._warehouse.open_building() as connection:
                self._count(connection)
                refuse_empty_release(self._warehouse, connection)
            self._log("built")
            kept = night_steps.unchanged_release(self._warehouse, self.night.run_id)
            if kept:
                release, results, self._changes = kept
                self._note_checks(results)
                self.night.end("published", release=release)
            else:
                results, self._changes = check(self._warehouse, checks, self.night.run_id)
                self._note_checks(results)
                publish(self._warehouse, self.night)

    def _count_files(self, found: list[Outcome]) -> None:
        counts = count_by_status(found)
        for status in ("loaded", "unchanged", "copy", "quarantined"):
            setattr(self.night, f"file_{status}_count", counts[status])
        self.night.file_no_result_count = counts["no result"]
        self.night.row_count = sum(outcome.row_count for outcome in found)
        self._log("ingested")
        for (parser, reason), places in places_by_reason(found).items():
            facts = {"parser": parser, "reason": reason, "count": len(places)}
            facts["places"] = places[:_MOST_PLACES]
            self._write({"event": "quarantined"} | facts)
        if kinds := kinds_of(found):
            self._write({"event": "no results", "kinds": kinds})

    def _count(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Counts that checks compare between nights."""
        self.night.measurement_count = connection.table("marts.measurements").shape[0]
        retired = connection.table("raw.sources").filter("not is_current")
        self.night.source_retired_count = retired.shape[0]
        record_night(connection, self.night)

    def _note_checks(self, results: pl.DataFrame) -> None:
        failed_checks(results.to_dicts())
        failed = results.filter(~pl.col("is_passed"))
        self.night.check_passed_count = results.height - failed.height
        self.night.check_failed_count = failed.height
        self.night.critical_failed_count = failed.filter(severity="critical").height
        self._failed_checks = [f"{row['severity']} {row['check_id']}" for row in failed.to_dicts()]
        self._log("checked")

    def stop(self, error: BaseException) -> None:
        """End the night with the error, unless it has published."""
        if self._warehouse.published.resolve().name != self.night.release:
            is_interrupt = isinstance(error, KeyboardInterrupt)
            name = "interrupted" if is_interrupt else type(error).__name__
            reason = (str(error) or name).splitlines()[0]
            is_held_back = isinstance(error, ChecksFailed)
            if not is_held_back:
                reason = self._set_aside_if_damaged() or reason
            self.night.end("held back" if is_held_back else "failed", reason=reason)

    def _set_aside_if_damaged(self) -> str | None:
        """Rename a damaged building.duckdb, which the next night rebuilds; return the damage."""
        if not self._warehouse.building.exists():
            return None
        try:
            fault = self._warehouse.fault_of_building(is_thorough=True)
        except (duckdb.Error, OSError):
            return None
        if fault:
            self._warehouse.set_building_aside()
            return f"{fault}; the next run rebuilds it"
        return None

    def close(self) -> None:
        try:
            if self._warehouse.building.exists():
                with self._warehouse.open_building() as connection:
                    record_night(connection, self.night)
                publish_nights(self._warehouse)
            if self.night.status != "published":
                night_steps.keep_published(self._warehouse)
        finally:
            self._report()

    def _report(self) -> None:
        text = summary(self.night, self._failed_checks, self._changes)
        problem = webhook.post(text)
        self._log(self.night.status, reason=self.night.reason, release=self.night.release)
        if problem:
            self._log("webhook failed", reason=problem)
            click.echo(f"headroom: posting the summary to the webhook failed: {problem}", err=True)
        click.echo(text)

    def _log(self, event: str, **facts: Any) -> None:
        """Append a line with the counts so far and the seconds since the last line."""
        now = time.monotonic()
        counts = {name: value for name, value in vars(self.night).items() if "_count" in name}
        seconds = {"seconds": round(now - self._step_started, 3)}
        known = {name: value for name, value in (counts | facts).items() if value is not None}
        self._step_started = now
        self._write({"event": event} | seconds | known)

    def _write(self, facts: dict[str, Any]) -> None:
        time_and_run = {"time": f"{utc_now():%Y-%m-%dT%H:%M:%SZ}", "run_id": self.night.run_id}
        line = time_and_run | facts
        try:
            with self._warehouse.log.open("a", errors="backslashreplace") as file:
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
        except OSError as error:  # such as a full disk
            click.echo(f"headroom: {error}", err=True)


def summary(night: Night, failed_checks: list[str], changes: list[str]) -> str:
    """Files, checks, changes, and the release or the reason why there is none."""
    seconds = ((night.ended_at or utc_now()) - night.started_at).total_seconds()
    outcome = f"{night.status} after {seconds:.0f} s: {night.release or night.reason}"
    lines = [f"night {night.run_id} {outcome}"]
    if night.file_loaded_count is not None:
        counts = {
            "loaded": night.file_loaded_count,
            "unchanged": night.file_unchanged_count,
            "copy": night.file_copy_count or None,
            "quarantined": night.file_quarantined_count,
            "no result": night.file_no_result_count or None,
        }
        counted = (status_text(name, n) for name, n in counts.items() if n is not None)
        lines.append(f"files: {', '.join(counted)}")
    if night.measurement_count is not None:
        lines.append(f"measurements: {night.measurement_count}")
    if night.check_passed_count is not None:
        failed = f"; failed: {', '.join(failed_checks)}" if failed_checks else ""
        lines.append(
            f"checks: {night.check_passed_count} passed, {night.check_failed_count} failed{failed}"
        )
    return "\n".join(lines + changes)
