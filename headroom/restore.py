"""Rebuilds `building.duckdb` from the newest sound release and the archive, or from that alone.

The archive has every content, and in `archive/ledger/` what is known of them and of the nights. A
release spares it reading contents again. Without either nothing was lost.
"""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import duckdb

from headroom import show
from headroom.history import HISTORY, prepare_history
from headroom.releases import newest_sound as newest_sound_release
from headroom.state import set_stage
from headroom.warehouse import STORAGE, Warehouse, WarehouseError
from ingest.disk import flush
from ingest.errors import InputError
from ingest.names import quoted
from ingest.records.kept_tables import Kept, keep_tables, load_table, newest_sound
from ingest.records.recording import Outcome
from ingest.records.tables import LEDGER, RESULTS, prepare
from ingest.reparse import read_results

_KEPT = LEDGER | HISTORY.keys()


@dataclass(frozen=True)
class Restored:
    """What a file was rebuilt from, and what is lost."""

    release: str | None
    has_ledger: bool
    source_count: int
    read_count: int
    lost: list[str]
    """Contents that the archive could not give, with the reason."""

    def __str__(self) -> str:
        parts = [f"the release {self.release}"] * bool(self.release)
        parts += [f"{self.read_count} archived files"] * (self.has_ledger or not parts)
        return f"{' and '.join(parts)}: {self.source_count} sources"


def keep_ledger(warehouse: Warehouse) -> None:
    """Have the archive know what is known of its contents."""
    with warehouse.open_building() as connection:
        present = {
            f"{schema}.{table}"
            for schema, table in connection.execute(
                "select schema_name, table_name from duckdb_tables()"
            ).fetchall()
        }
        keep_tables(connection, warehouse.archive.ledger, _KEPT & present)


def restore_if_lost(
    warehouse: Warehouse, tell: Callable[[str], None] = lambda _: None
) -> Restored | None:
    """Make the file that is being built again where it is missing or damaged; None where it is not.

    A damaged one stays beside it, as `building.duckdb.damaged`. `tell` gets why, before it begins.

    Raises:
        WarehouseError: it is damaged, and there is nothing to make it of.
    """
    fault = warehouse.fault_of_building()
    if fault is None:
        return None
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
    tell(fault)
    warehouse.set_building_aside()
    restored = _restore(warehouse, kept, release)
    click.echo(f"rebuilt {warehouse.building} from {restored}")
    for lost in restored.lost:
        click.echo(f"  LOST {lost}")
    return restored


def _has_no_rows(warehouse: Warehouse) -> bool:
    """Whether nothing is lost with it: a first run was killed before it committed anything."""
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
    """Make the file that is being built, where there is none, of what the folder has.

    Raises:
        WarehouseError: there is one, or nothing to make it of.
    """
    if warehouse.fault_of_building() is None:
        raise WarehouseError(f"{warehouse.building} exists and is readable: nothing to restore")
    restored = restore_if_lost(warehouse)
    if restored is None:
        reason = "has no undamaged release and no archive/ledger; copy archive/ into it first"
        raise WarehouseError(f"{warehouse.folder}: {reason}")
    return restored


def _restore(warehouse: Warehouse, kept: Kept | None, release: Path | None) -> Restored:
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


def _make(warehouse: Warehouse, partial: Path, kept: Kept | None, release: Path | None) -> Restored:
    if release and not _copy(release, partial, warehouse, has_kept=kept is not None):
        release = None
    if not release and not kept:
        raise WarehouseError(f"{warehouse.folder}: no release can be used, and there is no ledger")
    with duckdb.connect(partial, config=STORAGE) as connection:
        prepare(connection)
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
    """Whether the release could be taken; its nights are as of the newest history."""
    shutil.copyfile(release, partial)
    try:
        with duckdb.connect(partial, config=STORAGE) as connection:
            connection.execute("drop schema if exists marts cascade")
            prepare(connection)
            if not has_kept and warehouse.nights.exists():
                _take_history(connection, warehouse.nights.resolve())
    except (duckdb.Error, InputError) as error:
        click.echo(f"headroom: {release.name} cannot be used: {error}", err=True)
        _remove(partial)
        return False
    return True


def _take_history(connection: duckdb.DuckDBPyConnection, nights: Path) -> None:
    connection.execute(f"attach {quoted(nights)} as nights (read_only)")
    query = "select schema_name || '.' || table_name from duckdb_tables() where database_name = $1"
    known = {table for (table,) in connection.execute(query, ["nights"]).fetchall()}
    for table in HISTORY.keys() & known:  # an older version had fewer
        connection.execute(f"create or replace table {table} as from nights.{table}")
    connection.execute("detach nights")


def _fill(
    connection: duckdb.DuckDBPyConnection, warehouse: Warehouse, held: dict[str, Any]
) -> list[Outcome]:
    """Read what the release has not, or as another version read it; what cannot be read is lost."""
    known = connection.execute(
        "select file_id, parser_version, ingested_at from raw.files"
    ).fetchall()
    wanted = {file_id for file_id, code, _ in known if held.get(file_id, "") != code}
    for table in RESULTS:
        connection.execute(
            f"delete from raw.{table} where file_id not in (select file_id from raw.files)"
        )
    connection.execute("create or replace temp table first_seen as select * from raw.files")
    count, reading = read_results(connection, warehouse.archive, wanted)
    outcomes = show.progress(reading, count)
    connection.execute(
        "update raw.files set ingested_at = first_seen.ingested_at from temp.first_seen "
        "where files.file_id = first_seen.file_id"
    )
    _forget_lost(connection)
    return outcomes


def _forget_lost(connection: duckdb.DuckDBPyConnection) -> None:
    """What has no rows now is not loaded: the next ingest that finds it loads it."""
    lost = "(select file_id from quality.quarantined_files where absolute_path is null)"
    connection.execute(f"update raw.sources set is_current = false where file_id in {lost}")
    connection.execute(f"delete from raw.files where file_id in {lost}")
