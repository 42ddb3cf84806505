"""Reads archived contents again with newer parsers, wherever their files are now."""

from collections.abc import Container, Iterator
from functools import partial
from pathlib import Path

import duckdb

from ingest.common.paths import real_path
from ingest.find.links import NOWHERE
from ingest.reading import read_archived
from ingest.records.archive import Archive
from ingest.records.descriptions import Descriptions
from ingest.records.ledger import Ledger, read_ledger
from ingest.records.readings import Place, Reading, refused
from ingest.records.recorder import Outcome, Recorder
from ingest.workers import run_batches


def reparse(
    connection: duckdb.DuckDBPyConnection, archive: Archive, *, everything: bool
) -> tuple[int, Iterator[Outcome]]:
    """Read the archived contents of other parser versions, or all, and all refused contents again.

    Returns their number, and the outcome of each.
    """
    ledger = read_ledger(connection)
    descriptions = Descriptions(connection, ledger, NOWHERE)
    again = [*_loaded(connection, ledger, everything), *_refused(ledger)]
    for reading in again:
        if reading.place:
            descriptions.note(reading.place.absolute)

    def outcomes() -> Iterator[Outcome]:
        yield from _read_again(connection, archive, ledger, again)
        yield from descriptions.store()

    return len(again), outcomes()


def read_results(
    connection: duckdb.DuckDBPyConnection, archive: Archive, file_ids: Container[str]
) -> tuple[int, Iterator[Outcome]]:
    """Read the given contents, whose rows are missing, again. Returns the same as `reparse`."""
    ledger = read_ledger(connection)
    again = [one for one in _loaded(connection, ledger, True) if one.file_id in file_ids]
    return len(again), _read_again(connection, archive, ledger, again)


def _read_again(
    connection: duckdb.DuckDBPyConnection, archive: Archive, ledger: Ledger, again: list[Reading]
) -> Iterator[Outcome]:
    ledger.file_ids.update((one.file_id, False) for one in again if one.file_id and not one.place)
    recorder = Recorder(connection, ledger)
    read = partial(read_archived, archive=archive)
    sized = [(reading, reading.size_bytes) for reading in again]
    for batch in run_batches(read, sized, refused):
        yield from recorder.record(batch)
    recorder.commit()


def _loaded(
    connection: duckdb.DuckDBPyConnection, ledger: Ledger, everything: bool
) -> list[Reading]:
    """The contents of known sources."""
    rows = connection.execute(
        """
        select file_id, max_by(path, (is_current, loaded_at, path)), any_value(size_bytes)
        from raw.files inner join raw.sources using (file_id)
        group by file_id order by file_id
        """
    ).fetchall()
    return [
        Reading(Path(real_path(path)), file_id=file_id, size_bytes=size)
        for file_id, path, size in rows
        if everything or not ledger.file_ids[file_id]
    ]


def _refused(ledger: Ledger) -> list[Reading]:
    """Quarantined contents, with their places, which are not sources yet."""
    return [
        Reading(path, Place(path, absolute, None), file_id=entry.file_id)
        for absolute, entry in ledger.quarantined.items()
        if entry.file_id
        for path in [Path(real_path(entry.path))]
    ]
