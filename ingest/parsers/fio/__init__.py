"""fio's JSON results (`--output-format=json` and `json+`), of every version since 2.0.10.

Nothing is summed: each job of each document is a row, an "All clients" row of client/server runs is
marked as the total it is, and the documents that --status-interval prints before the last are
marked as snapshots, since their numbers are contained in it.
"""

from pathlib import Path
from typing import Any

from ingest.errors import InputError
from ingest.parsers.fio.documents import Document, read_documents
from ingest.parsers.fio.raw_tables import TABLES
from ingest.parsers.fio.rows import DIRECTIONS, Rows, add_document
from ingest.parsers.fio.schema import Job

NAME = "fio"
__all__ = ["NAME", "TABLES", "matches", "members", "parse", "source_key"]


def members(path: Path) -> list[Path]:
    return [path]


def matches(head: str) -> bool:
    """A document's first key, or what fio says before its first document."""
    return '"fio version"' in head or head.startswith(("fio: ", "hostname="))


def source_key(path: Path) -> None:
    return None


def parse(path: Path, data: bytes) -> dict[str, list[tuple[Any, ...]]]:
    """Read a result file: its jobs, their directions that did I/O, their latencies, and notes.

    Raises:
        InputError: a document is torn, or is none of fio's.
    """
    rows: Rows = {table: [] for table in TABLES}
    try:
        documents, notes = read_documents(data)
        for document in documents:
            if not _jobs(document):
                raise ValueError(f"the document at line {document.line} has no jobs")
        for number, document in enumerate(documents):
            is_snapshot = any(_is_later(document, other) for other in documents[number + 1 :])
            add_document(rows, document, is_snapshot=is_snapshot)
    except ValueError as error:
        raise InputError(path, f"not a fio JSON result: {error}") from error
    rows["fio_notes"] = [(note.line, note.text) for note in notes]
    return rows


def _is_later(document: Document, other: Document) -> bool:
    """Whether `other` is a later print of the same running process, and no run of its own.

    Both then started at the same second, give or take the rounding of fio's clock; before 2.2.9,
    which prints no `elapsed`, the later print has run longer.
    """
    names = [(job.jobname, job.groupid) for job in _jobs(document)]
    if names != [(job.jobname, job.groupid) for job in _jobs(other)]:
        return False
    starts = [_started_at_seconds(one) for one in (document, other)]
    if starts[0] is None or starts[1] is None:
        return _runtime(document) < _runtime(other)
    return abs(starts[0] - starts[1]) <= 1


def _jobs(document: Document) -> list[Job]:
    return document.run.jobs or document.run.client_stats or []


def _started_at_seconds(document: Document) -> int | None:
    elapsed = [job.elapsed for job in _jobs(document) if job.elapsed is not None]
    if not elapsed or document.run.timestamp is None:
        return None
    return document.run.timestamp - max(elapsed)


def _runtime(document: Document) -> int:
    results = [getattr(job, name) for job in _jobs(document) for name in DIRECTIONS]
    return sum(result.runtime or 0 for result in results if result is not None)
