"""fio's JSON results (`--output-format=json` and `json+`), of every version since 2.0.10.

Nothing is summed: each job of each document is a row, an "All clients" row of client/server runs is
marked as the total it is, and the documents that --status-interval prints before the last are
marked as snapshots, since their numbers are contained in it.
"""

from pathlib import Path
from typing import Any

from ingest.errors import InputError
from ingest.parsers.fio.documents import Document, read_documents
from ingest.parsers.fio.head import matches
from ingest.parsers.fio.raw_tables import TABLES
from ingest.parsers.fio.rows import DIRECTIONS, Rows, add_document
from ingest.parsers.fio.schema import Run

NAME = "fio"
__all__ = ["NAME", "TABLES", "matches", "parse", "source_key"]


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
            if not document.run.all_jobs:
                raise ValueError(f"the document at line {document.line} has no jobs")
        for number, document in enumerate(documents):
            later = documents[number + 1 :]
            is_snapshot = any(_is_print_of_same_run(document, other) for other in later)
            add_document(rows, document, is_snapshot=is_snapshot)
    except ValueError as error:
        raise InputError(path, f"not a fio JSON result: {error}") from error
    rows["fio_notes"] = [(note.line, note.text) for note in notes]
    return rows


def _is_print_of_same_run(document: Document, later: Document) -> bool:
    """Whether two documents are prints of one running process, and not two runs.

    Both then started at the same second, give or take the rounding of fio's clock; no counter fell;
    and the runtime advanced as the clock did, which it does not from one run to the next.
    """
    run, later_run = document.run, later.run
    names = [(job.jobname, job.groupid) for job in run.all_jobs]
    if names != [(job.jobname, job.groupid) for job in later_run.all_jobs]:
        return False
    starts = [_started_at_seconds(one) for one in (run, later_run)]
    if starts[0] is not None and starts[1] is not None and abs(starts[0] - starts[1]) > 1:
        return False
    before, after = _progress(run), _progress(later_run)
    if any(value < before.get(key, 0) for key, value in after.items()):
        return False
    advanced = max(
        (after[key] - before.get(key, 0) for key in after if key[0] == "runtime"), default=0
    )
    if run.timestamp_ms is None or later_run.timestamp_ms is None:
        return advanced > 0
    passed = later_run.timestamp_ms - run.timestamp_ms
    is_idle = not any(before.values())  # as long as it ramps up
    return is_idle or passed - advanced <= 150 + passed / 4


def _started_at_seconds(run: Run) -> int | None:
    elapsed = [job.elapsed for job in run.all_jobs if job.elapsed is not None]
    return run.timestamp - max(elapsed) if elapsed and run.timestamp is not None else None


def _progress(run: Run) -> dict[tuple[str, int, str], int]:
    """Runtime in ms and I/Os of each job and direction."""
    return {
        (counter, index, direction): getattr(result, counter) or 0
        for index, job in enumerate(run.all_jobs)
        for direction in DIRECTIONS
        if (result := getattr(job, direction)) is not None
        for counter in ("runtime", "total_ios")
    }
