"""Writes readings into the warehouse, some batches a transaction."""

import datetime
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

import duckdb
import polars as pl
import pyarrow as pa

from ingest.common.errors import InputError
from ingest.common.paths import printable
from ingest.find.other_formats import quotes_results
from ingest.parsers import VERSIONS
from ingest.records.ledger import Ledger, Place, Revision
from ingest.records.raw_tables import (
    FILES,
    NO_RESULTS,
    QUARANTINE,
    RESULTS,
    SOURCES,
    append,
    rows_as,
)
from ingest.records.readings import Batch, Reading, read_stream

# A commit costs as much as inserting a batch: DuckDB writes its rows to the log and to the file.
# Rows of some batches at once take half of the time that they take batch by batch; with many the
# workers would wait for it.
_BATCHES_A_COMMIT = 32
_BATCHES_AN_INSERT = 8
_LARGEST_INSERT_BYTES = 256 << 20
Status = Literal["loaded", "unchanged", "copy", "quarantined", "no result", "ignored"]
Row = dict[str, Any]
Pairs = Sequence[tuple[Reading, Place | None]]


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

    Whoever records the last batch commits: up to then some may be uncommitted.
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
        connection.execute("set threads = 1")  # more make inserts cost twice the CPU

    def record(self, batch: Batch, places: Sequence[Place | None]) -> list[Outcome]:
        """Replace the rows of a batch's contents and places; a content may have no place."""
        pairs: Pairs = list(zip(batch.readings, places, strict=True))
        for reading, place in pairs:
            self._refuse_second_place(reading, place)
            self._refuse_lost_result(reading, place)
        sound = [pair for pair in pairs if not pair[0].errors and not pair[0].kind]
        fresh = {
            reading.file_id: reading
            for reading, _ in reversed(sound)
            if not self._ledger.file_ids.get(reading.file_id or "")
        }
        if not self._uncommitted_count:
            self._connection.begin()
        self._uncommitted_count += 1
        try:
            self._record_contents(batch, fresh)
            self._record_sources(sound)
            self._release(pairs)
            self._quarantine([pair for pair in pairs if pair[0].errors])
            self._note_no_results([pair for pair in pairs if pair[0].kind])
        except BaseException:
            self._connection.rollback()
            raise
        is_much = self._waiting_bytes > _LARGEST_INSERT_BYTES
        if is_much or self._uncommitted_count % _BATCHES_AN_INSERT == 0:
            self._append_all()
        if self._uncommitted_count == _BATCHES_A_COMMIT:
            self.commit()
        return [self._outcome(reading, place, fresh) for reading, place in pairs]

    def commit(self) -> None:
        if self._uncommitted_count:
            self._append_all()
            self._connection.commit()
            self._uncommitted_count = 0

    def _append_later(self, table: str, rows: pa.Table) -> None:
        self._waiting[table].append(rows)
        self._waiting_bytes += rows.nbytes

    def _append_all(self) -> None:
        for table in [*self._waiting]:
            self._append_waiting(table)
        self._waiting_bytes = 0

    def _append_waiting(self, table: str) -> None:
        append(self._connection, table, pa.concat_tables(self._waiting.pop(table)))

    def _outcome(
        self, reading: Reading, place: Place | None, fresh: dict[str | None, Reading]
    ) -> Outcome:
        shown = place.shown if place else printable(reading.path)
        if reading.errors:
            return Outcome(shown, "quarantined", reading.parser, errors=reading.errors)
        if reading.kind:
            return Outcome(shown, "no result", None, kind=reading.kind)
        is_new_revision = place is not None and place.absolute in self._changed_places
        if fresh.get(reading.file_id) is not reading and not is_new_revision:
            original = self._original(reading, place)
            status: Status = "copy" if original else "unchanged"
            return Outcome(shown, status, reading.parser, copy_of=original)
        return Outcome(shown, "loaded", reading.parser, reading.row_count)

    def _original(self, reading: Reading, place: Place | None) -> str | None:
        """Another place with the content of a new place, as it is shown."""
        if place is None or place.absolute not in self._new_places:
            return None
        other = self._ledger.first_place(reading.file_id or "")
        if other is None or other == place.absolute:
            return None
        return Place(Path(other), other, None).shown

    def _refuse_second_place(self, reading: Reading, place: Place | None) -> None:
        if place is None or reading.source_key is None:
            return
        other = self._place_by_key.setdefault(reading.source_key, place)
        if other.absolute != place.absolute:
            reason = f"{reading.source_key!r} is already {other.shown}"
            reading.errors = [InputError(place.path, reason)]

    def _refuse_lost_result(self, reading: Reading, place: Place | None) -> None:
        """Quarantine a file that is no result any more, unless only older parsers read it."""
        if place is None or reading.kind is None or quotes_results(place.path.name):
            return
        if place.absolute in self._ledger.by_place:
            reason = "is no result any more: restore it, or forget it with `headroom forget`"
            reading.kind, reading.errors = None, [InputError(place.path, reason)]

    def _record_contents(self, batch: Batch, fresh: dict[str | None, Reading]) -> None:
        ids = [file_id for file_id in fresh if file_id]
        if any(file_id in self._ledger.file_ids for file_id in ids):
            for table in (*RESULTS, "files"):
                self._execute(f"delete from raw.{table} where file_id", ids)
        is_all_fresh = len(ids) == len({reading.file_id for reading in batch.readings})
        for table, stream in batch.streams.items():
            rows = read_stream(stream, None if is_all_fresh else ids)
            self._append_later(f"raw.{table}", rows)
        now = utc_now()
        files = [
            {
                "file_id": reading.file_id,
                "parser": reading.parser,
                "parser_version": VERSIONS[reading.parser],
                "size_bytes": reading.size_bytes,
                "ingested_at": now,
            }
            for reading in fresh.values()
        ]
        self._append_later("raw.files", pl.DataFrame(files, schema=FILES).to_arrow())
        self._ledger.file_ids.update(dict.fromkeys(ids, True))

    def _record_sources(self, pairs: Pairs) -> None:
        """Make new revisions current; a place that only looks new keeps its revision."""
        keys = [reading.source_key or place.key for reading, place in pairs if place]
        replaced = {key for key in keys if key in self._ledger.by_key}
        rows = {
            row["source_key"]: row
            for row in (self._next_revision(reading, place) for reading, place in pairs if place)
        }
        frame = pl.DataFrame([*rows.values()], schema=SOURCES)
        if replaced:
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
            "path": place.shown,
            "absolute_path": place.key,
            "seen_as": place.seen_as,
            "sidecar_sha256": revision.sidecar_sha256,
            "loaded_at": utc_now(),
        }

    def _release(self, pairs: Pairs) -> None:
        """Take the places, and the contents that can be read now, off the quarantine."""
        if not self._has_quarantined:
            return
        places = [place.key for _, place in pairs if place]
        contents = [reading.file_id for reading, _ in pairs if not reading.errors]
        self._execute("delete from quality.files_without_results where absolute_path", places)
        self._execute("delete from quality.quarantined_files where absolute_path", places)
        self._execute("delete from quality.quarantined_files where file_id", contents)

    def _quarantine(self, pairs: Pairs) -> None:
        self._has_quarantined |= bool(pairs)
        for reading, place in pairs:
            facts = {
                "absolute_path": place.key if place else None,
                "path": place.shown if place else printable(reading.path),
                "parser": reading.parser,
                "file_id": reading.file_id,
                # files that were not read, or killed their reader, are tried again
                "seen_as": place.seen_as if place and reading.is_read else None,
                "parser_version": VERSIONS[reading.parser],
            }
            quarantine(self._connection, facts, reading.errors)

    def _note_no_results(self, pairs: Pairs) -> None:
        places = [(place, reading.kind) for reading, place in pairs if place]
        if not places:
            return
        self._has_quarantined = True
        retired = [place.key for place, _ in places if place.absolute in self._ledger.by_place]
        query = "update raw.sources set is_current = false where is_current and absolute_path"
        self._execute(query, retired)
        code, now = VERSIONS[None], utc_now()
        rows = [(place.key, place.shown, kind, place.seen_as, code, now) for place, kind in places]
        frame = pl.DataFrame(rows, schema=NO_RESULTS, orient="row")
        append(self._connection, "quality.files_without_results", frame)

    def _execute(self, query: str, values: Sequence[str | None]) -> None:
        """A query that ends with the column to be one of the values."""
        frame = pl.DataFrame({"value": values}, schema={"value": pl.String()})
        with rows_as(self._connection, "gone", frame):
            self._connection.execute(f"{query} in (from gone)")


def utc_now() -> datetime.datetime:
    """UTC, without a zone: the Grafana plugin's DuckDB needs no extension for it."""
    return datetime.datetime.now(datetime.UTC).replace(tzinfo=None)


def quarantine(
    connection: duckdb.DuckDBPyConnection, facts: dict[str, Any], errors: Iterable[InputError]
) -> None:
    """Quarantine one file, a row an error; `facts` are the columns that its rows share."""
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
