"""Writes readings into the warehouse, several batches per transaction."""

import datetime
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import duckdb
import polars as pl
import pyarrow as pa

from ingest.common.errors import InputError
from ingest.common.paths import printable
from ingest.find.other_formats import quotes_results
from ingest.parsers import VERSIONS
from ingest.records.ledger import Ledger, Revision
from ingest.records.raw_tables import (
    FILES,
    NO_RESULTS,
    QUARANTINE,
    RESULTS,
    SOURCES,
    append,
    change_where,
    rows_as,
    take_off_quarantine,
)
from ingest.records.readings import Batch, Place, Reading, read_stream

# An insert and a commit of several batches take half the time of one for each; of very many they
# would make the workers wait.
_BATCHES_A_COMMIT = 16
_MOST_BYTES_A_COMMIT = 256 << 20
Status = Literal["loaded", "unchanged", "copy", "quarantined", "no result", "ignored"]
Row = dict[str, Any]


@dataclass(frozen=True)
class Outcome:
    """The outcome of one source."""

    path: str
    status: Status
    parser: str | None
    row_count: int = 0
    errors: list[InputError] = field(default_factory=list)
    kind: str | None = None
    """The kind of a new file that is no result."""
    copy_of: str | None = None
    """The place whose content it repeats."""


def count_by_status(found: Iterable[Outcome]) -> dict[Status, int]:
    counts: dict[Status, int] = dict.fromkeys(get_args(Status), 0)
    for outcome in found:
        counts[outcome.status] += 1
    return counts


class Recorder:
    """Keeps the ledger in step with the warehouse while batches are recorded.

    The caller commits after the last batch: until then some batches may be uncommitted.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, ledger: Ledger) -> None:
        self._connection = connection
        self._ledger = ledger
        self._place_by_key: dict[str, Place] = {}
        self._changed_places: set[str] = set()
        self._new_places: set[str] = set()
        self._uncommitted_count = 0
        self._waiting: dict[str, list[pa.Table]] = defaultdict(list)
        self._waiting_bytes = 0
        self._has_quarantined = bool(ledger.quarantined)
        connection.execute("set threads = 1")  # with more, inserts cost twice the CPU

    def record(self, batch: Batch) -> list[Outcome]:
        """Replace the rows of a batch's contents and places."""
        for reading in batch.readings:
            if reading.place:
                self._refuse_second_place(reading, reading.place)
                self._refuse_lost_result(reading, reading.place)
        sound = [one for one in batch.readings if not one.errors and not one.kind]
        fresh = {
            reading.file_id: reading
            for reading in reversed(sound)
            if not self._ledger.file_ids.get(reading.file_id or "")
        }
        if not self._uncommitted_count:
            self._connection.begin()
        self._uncommitted_count += 1
        try:
            self._record_contents(batch, fresh)
            self._record_sources(sound)
            self._release(batch.readings)
            self._quarantine([one for one in batch.readings if one.errors])
            self._note_no_results([one for one in batch.readings if one.kind])
        except BaseException:
            self._connection.rollback()
            raise
        is_much = self._waiting_bytes > _MOST_BYTES_A_COMMIT
        if is_much or self._uncommitted_count == _BATCHES_A_COMMIT:
            self.commit()
        return [self._outcome(reading, fresh) for reading in batch.readings]

    def commit(self) -> None:
        if self._uncommitted_count:
            for table in [*self._waiting]:
                self._append_waiting(table)
            self._connection.commit()
            self._uncommitted_count = self._waiting_bytes = 0

    def _append_later(self, table: str, rows: pa.Table) -> None:
        self._waiting[table].append(rows)
        self._waiting_bytes += rows.nbytes

    def _append_waiting(self, table: str) -> None:
        append(self._connection, table, pa.concat_tables(self._waiting.pop(table)))

    def _outcome(self, reading: Reading, fresh: dict[str | None, Reading]) -> Outcome:
        shown = reading.shown
        if reading.errors:
            return Outcome(shown, "quarantined", reading.parser, errors=reading.errors)
        if reading.kind:
            return Outcome(shown, "no result", None, kind=reading.kind)
        place = reading.place
        is_new_revision = place is not None and place.absolute in self._changed_places
        if fresh.get(reading.file_id) is not reading and not is_new_revision:
            original = self._original(reading, place) if place else None
            status: Status = "copy" if original else "unchanged"
            return Outcome(shown, status, reading.parser, copy_of=original)
        return Outcome(shown, "loaded", reading.parser, reading.row_count)

    def _original(self, reading: Reading, place: Place) -> str | None:
        """The path of another place with the content of a new place."""
        if place.absolute not in self._new_places:
            return None
        other = self._ledger.first_place(reading.file_id or "")
        return self._ledger.path_of(other) if other and other != place.absolute else None

    def _refuse_second_place(self, reading: Reading, place: Place) -> None:
        if reading.source_key is None:
            return
        other = self._place_by_key.setdefault(reading.source_key, place)
        if other.absolute != place.absolute:
            reason = f"{reading.source_key!r} is already {other.shown}"
            reading.errors = [InputError(place.path, reason)]

    def _refuse_lost_result(self, reading: Reading, place: Place) -> None:
        """Quarantine a file that is no result any more, unless only older parsers read it."""
        if reading.kind is None or quotes_results(place.path.name):
            return
        if place.absolute in self._ledger.by_place:
            reason = "is no result any more: restore it, or forget it with `headroom forget`"
            reading.kind, reading.errors = None, [InputError(place.path, reason)]

    def _record_contents(self, batch: Batch, fresh: dict[str | None, Reading]) -> None:
        ids = [file_id for file_id in fresh if file_id]
        if any(file_id in self._ledger.file_ids for file_id in ids):
            for table in (*RESULTS, "files"):
                change_where(self._connection, f"delete from raw.{table} where file_id", ids)
        is_all_fresh = len(ids) == len({reading.file_id for reading in batch.readings})
        for table, stream in batch.streams.items():
            rows = read_stream(stream, None if is_all_fresh else ids)
            self._append_later(f"raw.{table}", rows)
        now = utc_now()
        files = [
            (one.file_id, one.parser, VERSIONS[one.parser], one.size_bytes, now)
            for one in fresh.values()
        ]
        self._append_later("raw.files", pl.DataFrame(files, FILES, orient="row").to_arrow())
        self._ledger.file_ids.update(dict.fromkeys(ids, True))

    def _record_sources(self, readings: list[Reading]) -> None:
        """Make new revisions current; a place whose content is the same keeps its revision."""
        keys = {one.source_key or one.place.key for one in readings if one.place}
        is_known = not keys.isdisjoint(self._ledger.by_key)
        rows = (self._next_revision(one, one.place) for one in readings if one.place)
        rows_by_key = {row["source_key"]: row for row in rows}
        frame = pl.DataFrame([*rows_by_key.values()], schema=SOURCES)
        if is_known:
            if "raw.sources" in self._waiting:  # a place that was found twice
                self._append_waiting("raw.sources")
            with rows_as(self._connection, "rows", frame):
                self._connection.execute(
                    "delete from raw.sources using rows where sources.source_key = rows.source_key "
                    "and sources.revision = rows.revision"
                )
                self._connection.execute(
                    "update raw.sources set is_current = false from rows "
                    "where sources.source_key = rows.source_key"
                )
        self._append_later("raw.sources", frame.to_arrow())

    def _next_revision(self, reading: Reading, place: Place) -> Row:
        """The source's row; the same content keeps its revision."""
        key = reading.source_key or place.key
        before = self._ledger.by_key.get(key)
        number = before.revision if before else self._ledger.forgotten.get(key, 0)
        if before is None or before.file_id != reading.file_id:
            number += 1
            known = self._changed_places if number > 1 else self._new_places
            known.add(place.absolute)
        revision = Revision(
            source_key=key,
            revision=number,
            file_id=reading.file_id or "",
            parser=reading.parser or "",
            absolute=place.absolute,
            seen_as=place.seen_as,
            sidecar_sha256=before.sidecar_sha256 if before else None,
            is_read_by_this_version=True,
        )
        self._ledger.note_revision(revision)
        return {
            "source_key": key,
            "revision": revision.revision,
            "is_current": True,
            "file_id": revision.file_id,
            "path": self._ledger.path_of(place.absolute),
            "absolute_path": place.key,
            "seen_as": place.seen_as,
            "sidecar_sha256": revision.sidecar_sha256,
            "loaded_at": utc_now(),
        }

    def _release(self, readings: list[Reading]) -> None:
        """Take the places, and the contents that can be read now, off the quarantine."""
        if not self._has_quarantined:
            return
        places = [one.place.key for one in readings if one.place]
        contents = [one.file_id for one in readings if not one.errors]
        take_off_quarantine(self._connection, places)
        query = "delete from quality.quarantined_files where file_id"
        change_where(self._connection, query, contents)

    def _quarantine(self, readings: list[Reading]) -> None:
        self._has_quarantined |= bool(readings)
        for reading in readings:
            place = reading.place
            facts = {
                "absolute_path": place.key if place else None,
                "path": self._ledger.path_of(place.absolute) if place else reading.shown,
                "parser": reading.parser,
                "file_id": reading.file_id,
                # files that were not read, or killed their reader, are tried again
                "seen_as": place.seen_as if place and reading.is_read else None,
                "parser_version": VERSIONS[reading.parser],
            }
            quarantine(self._connection, facts, reading.errors)

    def _note_no_results(self, readings: list[Reading]) -> None:
        places = [(one.place, one.kind) for one in readings if one.place]
        if not places:
            return
        self._has_quarantined = True
        retired = [place.key for place, _ in places if place.absolute in self._ledger.by_place]
        query = "update raw.sources set is_current = false where is_current and absolute_path"
        change_where(self._connection, query, retired)
        code, now = VERSIONS[None], utc_now()
        path_of = self._ledger.path_of
        rows = [
            (place.key, path_of(place.absolute), kind, place.seen_as, code, now)
            for place, kind in places
        ]
        frame = pl.DataFrame(rows, schema=NO_RESULTS, orient="row")
        append(self._connection, "quality.files_without_results", frame)


def utc_now() -> datetime.datetime:
    """UTC without a time zone: the Grafana plugin's DuckDB needs no extension to read it."""
    return datetime.datetime.now(datetime.UTC).replace(tzinfo=None)


def quarantine(
    connection: duckdb.DuckDBPyConnection, facts: dict[str, Any], errors: Iterable[InputError]
) -> None:
    """Quarantine one file, one row per error; `facts` are the columns that its rows share."""
    now = utc_now()
    rows = [
        {
            **facts,
            "file_path": printable(error.path),
            "line": error.line,
            "reason": error.reason,
            "quarantined_at": now,
        }
        for error in errors
    ]
    append(connection, "quality.quarantined_files", pl.DataFrame(rows, schema=QUARANTINE))
