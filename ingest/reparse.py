"""Reads archived contents again with newer parsers, wherever their files are now."""

from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import duckdb

from ingest.common.errors import InputError
from ingest.common.paths import real_path
from ingest.find.links import NOWHERE
from ingest.reading import read_archived
from ingest.records.archive import Archive
from ingest.records.descriptions import Descriptions
from ingest.records.ledger import Ledger, Place, read_ledger
from ingest.records.readings import Batch, Reading
from ingest.records.recorder import Outcome, Recorder
from ingest.workers import run_batches


def reparse(
    connection: duckdb.DuckDBPyConnection, archive: Archive, *, everything: bool
) -> tuple[int, Iterator[Outcome]]:
    """Read archived contents again: those that another version of the parsers read or refused.

    Returns how many there are, and what became of each.
    """
    ledger = read_ledger(connection)
    descriptions = Descriptions(connection, ledger, NOWHERE)
    again = [*_loaded(connection, ledger, everything), *_refused(ledger)]
    ledger.file_ids.update((content.file_id, False) for content in again if not content.place)
    for content in again:
        if content.place:
            descriptions.note(content.place.absolute)

    def outcomes() -> Iterator[Outcome]:
        yield from _read_again(connection, archive, ledger, again)
        yield from descriptions.store()

    return len(again), outcomes()


def read_results(
    connection: duckdb.DuckDBPyConnection, archive: Archive, file_ids: Container[str]
) -> tuple[int, Iterator[Outcome]]:
    """Read those contents of the ledger whose rows are missing; as `reparse`."""
    ledger = read_ledger(connection)
    again = [one for one in _loaded(connection, ledger, True) if one.file_id in file_ids]
    ledger.file_ids.update((content.file_id, False) for content in again)
    return len(again), _read_again(connection, archive, ledger, again)


def _read_again(
    connection: duckdb.DuckDBPyConnection,
    archive: Archive,
    ledger: Ledger,
    again: "list[_Content]",
) -> Iterator[Outcome]:
    recorder = Recorder(connection, ledger)
    read = partial(_read_contents, archive=archive)
    sized = [(content, content.size_bytes) for content in again]
    for contents, batch in run_batches(read, sized, _refuse_content):
        yield from recorder.record(batch, [content.place for content in contents])
    recorder.commit()


@dataclass(frozen=True)
class _Content:
    """An archived content; with its place if that is no source yet."""

    file_id: str
    path: Path
    size_bytes: int = 0
    place: Place | None = None


def _loaded(
    connection: duckdb.DuckDBPyConnection, ledger: Ledger, everything: bool
) -> list[_Content]:
    rows = connection.execute(
        """
        select file_id, max_by(path, (is_current, loaded_at, path)), any_value(size_bytes)
        from raw.files inner join raw.sources using (file_id)
        group by file_id order by file_id
        """
    ).fetchall()
    return [
        _Content(file_id, Path(real_path(path)), size)
        for file_id, path, size in rows
        if everything or not ledger.file_ids[file_id]
    ]


def _refused(ledger: Ledger) -> list[_Content]:
    return [
        _Content(entry.file_id, path, place=Place(path, absolute, None))
        for absolute, entry in ledger.quarantined.items()
        if entry.file_id
        for path in [Path(real_path(entry.path))]
    ]


def _read_contents(contents: list[_Content], archive: Archive) -> Batch:
    return read_archived([(content.file_id, content.path) for content in contents], archive)


def _refuse_content(content: _Content, reason: str) -> Batch:
    error = InputError(content.path, reason)
    return Batch([Reading(content.path, file_id=content.file_id, errors=[error])], {})
