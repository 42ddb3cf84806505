"""Loads sources into `raw.*`: each one atomically, each content once.

Workers read, archive and parse batches of files. One transaction records several whole batches, so
the run after a killed one ends with the same result.
"""

import os
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import duckdb

from ingest.find.packed import is_packed
from ingest.find.sources import Found, is_description
from ingest.forget import forget_gone, retire_moved
from ingest.reading import read_files
from ingest.records.archive import Archive
from ingest.records.descriptions import Descriptions
from ingest.records.ledger import Ledger, Quarantined, locate, locate_members, read_ledger
from ingest.records.packs import remove_partials
from ingest.records.readings import Batch, Place, Reading, refused
from ingest.records.recorder import Outcome, Recorder, Status
from ingest.workers import BATCH_COUNT, run_batches, start_early


def load(
    connection: duckdb.DuckDBPyConnection,
    found: Found,
    archive: Archive | None,
    *,
    is_apart: bool = False,
) -> Iterator[Outcome]:
    """Load each file (or paper's folder) and yield its outcome, unchanged files first.

    A sidecar among them is applied to the known sources below it. Without an archive no results
    are kept: a dry run. With `is_apart` only workers read files: a file may kill its reader.
    """
    ledger = read_ledger(connection)
    descriptions = Descriptions(connection, ledger, found.links)
    changed: list[tuple[Reading, int]] = []
    folders: dict[str, str] = {}
    for path in [path for path in found.files if is_description(path)]:
        found.files.remove(path)
        yield from descriptions.apply(path)
    seen: set[str] = set()
    for place in _places(found, ledger, folders, seen):
        seen.add(place.absolute)
        known = _known(place, ledger, descriptions)
        if known:
            yield known
        else:
            changed.append((Reading(place.path, place), place.size_bytes))
            if len(changed) == BATCH_COUNT:
                start_early()
    ignored = [locate(path, folders) for path in found.ignored]
    yield from (Outcome(place.shown, "ignored", None) for place in ignored)
    gone = {place.absolute for place in ignored}
    forget_gone(connection, ledger, seen, gone)
    recorder = Recorder(connection, ledger)
    if archive and changed:
        remove_partials(archive.packs)
    read = partial(read_files, archive=archive, links=found.links)
    for batch in run_batches(read, changed, refused, is_apart=is_apart):
        for reading in batch.readings:  # while the workers read the next batches
            if reading.place:
                descriptions.note(reading.place.absolute)
        for reading, outcome in zip(batch.readings, recorder.record(batch), strict=True):
            absolute = reading.place.absolute if reading.place else ""
            is_changed = outcome.status == "unchanged" and descriptions.is_changed(absolute)
            yield replace(outcome, status="loaded") if is_changed else outcome
    unread = [
        Reading(path, locate(path, folders), errors=[error])
        for error in found.faults
        for path in [Path(error.path)]
    ]
    yield from recorder.record(Batch(unread, {}))
    recorder.commit()
    retire_moved(connection, seen, gone)
    yield from descriptions.store()


def _places(
    found: Found, ledger: Ledger, folders: dict[str, str], seen: set[str]
) -> Iterator[Place]:
    """The places of files and of members of packed files.

    Adds faults and ignored members of packed files to `found`, fully listed packed files to `seen`.
    """
    for path in found.files:
        place = locate(path, folders)
        if not is_packed(path.name) or not os.path.isfile(path):
            yield place
            continue
        members, fault = locate_members(place, ledger)
        folder = os.path.dirname(place.absolute)
        for member in members:
            if found.ignores.hides(folder, member.absolute.removeprefix(f"{folder}/")):
                found.ignored.append(member.path)
            else:
                yield member
        if fault:
            found.faults.append(fault)
        else:
            seen.add(place.absolute)


def _known(place: Place, ledger: Ledger, descriptions: Descriptions) -> Outcome | None:
    """The outcome of an unchanged place; None if it has to be read."""
    known = ledger.known_as(place.absolute, place.seen_as) if place.seen_as else None
    if known is None:
        return None
    descriptions.note(place.absolute)
    if isinstance(known, Quarantined):
        status: Status = "no result" if known.kind else "quarantined"
        return Outcome(place.shown, status, known.parser, errors=known.errors)
    is_changed = descriptions.is_changed(place.absolute)
    return Outcome(place.shown, "loaded" if is_changed else "unchanged", known.parser)
