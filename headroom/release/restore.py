"""Rebuilds `building.duckdb` from the newest undamaged release and the archive.

The archive has every file, and in `archive/ledger/` the tables about files and nights. A release
saves parsing the files again.
"""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import duckdb

from headroom import terminal
from headroom.release.history import HISTORY, prepare_history
from headroom.release.releases import newest_sound as newest_sound_release
from headroom.release.stage import set_stage
from headroom.warehouse import STORAGE, Warehouse, WarehouseError, tables_in
from ingest.common.disk import flush
from ingest.common.errors import InputError
from ingest.common.paths import quoted
from ingest.records.archived_tables import TableList, archive_tables, load_table, newest_sound
from ingest.records.raw_tables import LEDGER, RESULTS, make_tables
from ingest.records.recorder import Outcome
from ingest.reparse import read_results

_KEPT = LEDGER | HISTORY.keys()


@dataclass(frozen=True)
class Restored:
    """What building.duckdb was rebuilt from."""

    release: str | None
    has_ledger: bool
    source_count: int
    read_count: int
    lost: list[str]
    """Files missing or damaged in the archive, with the reason."""

    def __str__(self) -> str:
        parts = [f"the release {self.release}"] * bool(self.release)
        parts += [f"{self.read_count} archived files"] * (self.has_ledger or not parts)
        return f"{' and '.join(parts)}: {self.source_count} sources"


def archive_ledger(warehouse: Warehouse) -> None:
    """Copy the tables about files and nights to the archive."""
    with warehouse.open_building() as connection:
        present = tables_in(connection, warehouse.building.stem)
        archive_tables(connection, warehouse.archive.ledger, _KEPT.intersection(present))


def restore_if_lost(
    warehouse: Warehouse, on_fault: Callable[[str], None] = lambda _: None
) -> Restored | None:
    """Rebuild building.duckdb if it is missing or damaged; else return None.

    A damaged one is kept as `building.duckdb.damaged`. `on_fault` is called first, with the reason.
    Raises WarehouseError if there is nothing to rebuild it from.
    """
    fault = warehouse.fault_of_building()
    if fault is None:
        return None
    warehouse.let_go()
    kept = newest_sound(warehouse.archive.ledger)
    release = newest_sound_release(warehouse, warehouse.published)
    if kept is None and release is None:
        if warehouse.building.exists() and not _has_no_rows(warehouse):
            remedy = "move it away and ingest everything again"
            raise WarehouseError(
                f"{fault}, and there is no release and no ledger to rebuild it from; {remedy}"
            )
        _remove(warehouse.building)
        return None
    click.echo(f"headroom: {fault}; rebuilding it", err=True)
    on_fault(fault)
    warehouse.set_building_aside()
    restored = _restore(warehouse, kept, release)
    click.echo(f"rebuilt {warehouse.building} from {restored}")
    for lost in restored.lost:
        click.echo(f"  LOST {lost}")
    return restored


def _has_no_rows(warehouse: Warehouse) -> bool:
    """Whether a first run was killed before it committed anything."""
    if warehouse.building.stat().st_size == 0:
        return True
    try:
        with warehouse.open_building() as connection:
            query = "select coalesce(sum(estimated_size), 0) from duckdb_tables()"
            ((row_count,),) = connection.execute(query).fetchall()
    except duckdb.Error:
        return False
    return bool(row_count == 0)


def restore(warehouse: Warehouse) -> Restored:
    """Rebuild building.duckdb; raises WarehouseError if it is intact or nothing is left of it."""
    if warehouse.fault_of_building() is None:
        raise WarehouseError(f"{warehouse.building} exists and is readable: nothing to restore")
    restored = restore_if_lost(warehouse)
    if restored is None:
        reason = "has no undamaged release and no archive/ledger; copy archive/ into it first"
        raise WarehouseError(f"{warehouse.folder}: {reason}")
    return restored


def _restore(warehouse: Warehouse, kept: TableList | None, release: Path | None) -> Restored:
    partial = warehouse.folder / "restoring.duckdb"
    _remove(partial)
    try:
        restored = _make(warehouse, partial, kept, release)
    except BaseException:
        _remove(partial)
        raise
    flush(partial)
    partial.replace(warehouse.building)
    flush(warehouse.folder)
    return restored


def _make(
    warehouse: Warehouse, partial: Path, kept: TableList | None, release: Path | None
) -> Restored:
    if release and not _copy(release, partial, warehouse, has_kept=kept is not None):
        release = None
    if not release and not kept:
        raise WarehouseError(f"{warehouse.folder}: no release can be used, and there is no ledger")
    with duckdb.connect(partial, config=STORAGE) as connection:
        make_tables(connection)
        prepare_history(connection)
        held = dict(connection.execute("select file_id, parser_version from raw.files").fetchall())
        if kept:
            for table in _KEPT & kept.keys():
                load_table(connection, warehouse.archive.ledger, table, kept)
        outcomes = _fill(connection, warehouse, held)
        sources = connection.execute("select count(*) from raw.sources where is_current").fetchall()
        set_stage(connection, "ingested")
    lost = [f"{outcome.path}: {error.reason}" for outcome in outcomes for error in outcome.errors]
    read_count = len(outcomes) - sum(bool(outcome.errors) for outcome in outcomes)
    name = release.name if release else None
    return Restored(name, kept is not None, sources[0][0], read_count, lost)


def _remove(database: Path) -> None:
    for file in (database, Path(f"{database}.wal")):
        file.unlink(missing_ok=True)


def _copy(release: Path, partial: Path, warehouse: Warehouse, *, has_kept: bool) -> bool:
    """Copy the release, with the newest history; False if it cannot be used."""
    shutil.copyfile(release, partial)
    try:
        with duckdb.connect(partial, config=STORAGE) as connection:
            connection.execute("drop schema if exists marts cascade")
            make_tables(connection)
            if not has_kept and warehouse.nights.exists():
                _take_history(connection, warehouse.nights.resolve())
    except (duckdb.Error, InputError) as error:
        click.echo(f"headroom: {release.name} cannot be used: {error}", err=True)
        _remove(partial)
        return False
    return True


def _take_history(connection: duckdb.DuckDBPyConnection, nights: Path) -> None:
    connection.execute(f"attach {quoted(nights)} as nights (read_only)")
    for table in HISTORY.keys() & tables_in(connection, "nights"):
        connection.execute(f"create or replace table {table} as from nights.{table}")
    connection.execute("detach nights")


def _fill(
    connection: duckdb.DuckDBPyConnection, warehouse: Warehouse, held: dict[str, Any]
) -> list[Outcome]:
    """Parse files that the release lacks or that another version parsed."""
    known = connection.execute("select file_id, parser_version from raw.files").fetchall()
    wanted = {file_id for file_id, code in known if held.get(file_id, "") != code}
    for table in RESULTS:
        connection.execute(
            f"delete from raw.{table} where file_id not in (select file_id from raw.files)"
        )
    connection.execute("create or replace temp table first_seen as select * from raw.files")
    count, reading = read_results(connection, warehouse.archive, wanted)
    outcomes = terminal.progress(reading, count)
    connection.execute(
        "update raw.files set ingested_at = first_seen.ingested_at from temp.first_seen "
        "where files.file_id = first_seen.file_id"
    )
    _forget_lost(connection)
    return outcomes


def _forget_lost(connection: duckdb.DuckDBPyConnection) -> None:
    """Mark lost files as not loaded, so that the next ingest loads them."""
    lost = "(select file_id from quality.quarantined_files where absolute_path is null)"
    connection.execute(f"update raw.sources set is_current = false where file_id in {lost}")
    connection.execute(f"delete from raw.files where file_id in {lost}")
