"""fio's JSON results (`--output-format=json` and `json+`), of every version since 2.0.10.

Nothing is summed: each job of each document is a row, an "All clients" row of client/server runs is
marked as a total, and the documents that --status-interval prints before the last are marked as
snapshots, since the last one includes their numbers.
"""

from pathlib import Path

from ingest.common.errors import InputError
from ingest.parsers.fio.documents import read_documents
from ingest.parsers.fio.raw_tables import TABLES
from ingest.parsers.fio.rows import Rows, add_document
from ingest.parsers.fio.snapshots import find_snapshots

NAME = "fio"
VERSION = 4
__all__ = ["NAME", "TABLES", "VERSION", "matches", "parse"]


def matches(head: str) -> bool:
    """Whether it has a document's first key, or starts with fio's text before a document."""
    return '"fio version"' in head or head.startswith(("fio: ", "hostname="))


def parse(path: Path, data: bytes) -> Rows:
    """Read a result file: its jobs, their directions that did I/O, their latencies, and notes.

    Raises:
        InputError: a document is truncated, or is not fio's.
    """
    rows: Rows = {table: [] for table in TABLES}
    try:
        documents, notes = read_documents(data)
        for document in documents:
            if not document.run.all_jobs:
                raise ValueError(f"the document at line {document.line} has no jobs")
        snapshots = find_snapshots([document.run for document in documents])
        for document, is_snapshot in zip(documents, snapshots, strict=True):
            add_document(rows, document, is_snapshot=is_snapshot)
    except ValueError as error:
        raise InputError(path, f"not a fio JSON result: {error}") from error
    rows["fio_notes"] += notes
    return rows
