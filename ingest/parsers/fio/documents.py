"""Takes a fio result file apart: JSON documents, and the lines that are none.

fio writes notes, warnings and I/O errors into the same stream, before, between and behind its
documents (init.c log_info; fio issue 731), several documents with --status-interval, numbers that
are no JSON (`nan`, `inf`), and control characters in names (json.c escapes only quote and
backslash).
A pretty-printed document starts with a line that is `{` and ends with one that starts with `}`.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from ingest.parsers.fio.schema import Run

_NO_JSON_NUMBER = re.compile(r"(?<=[:\[,])(\s*)-?(?:nan|inf)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Document:
    line: int
    run: Run


@dataclass(frozen=True)
class Note:
    """A line outside of the documents."""

    line: int
    text: str


def read_documents(data: bytes) -> tuple[list[Document], list[Note]]:
    """All documents of a file and what stands around them.

    Raises:
        ValueError: a document is torn or none is there; says the line.
    """
    try:
        return [Document(1, msgspec.json.decode(data, type=Run))], []
    except msgspec.DecodeError:
        pass
    documents: list[Document] = []
    notes: list[Note] = []
    for line, text, is_document in _parts(_decode_text(data)):
        if is_document:
            documents.append(Document(line, _read_leniently(text, line)))
        elif text.strip():
            notes.append(Note(line, text.strip()))
    if not documents:
        raise ValueError("has no JSON document of fio in it")
    return documents, notes


def _decode_text(data: bytes) -> str:
    """UTF-8 with or without a mark, or the Windows code page of an older host."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _parts(text: str) -> Iterator[tuple[int, str, bool]]:
    """(line, text, is a document) in the file's order; a document is all its lines."""
    lines = text.split("\n")  # no other line ends: names may have any control character in them
    start = None
    for number, line in enumerate(lines, start=1):
        if start is None and line.startswith("{"):
            start = number
        if start is None:
            yield number, line, False
        elif line.startswith("}"):
            yield start, "\n".join([*lines[start - 1 : number - 1], "}"]), True
            yield number, line[1:], False
            start = None
        elif number == start and line.rstrip().endswith("}"):
            yield start, line, True
            start = None
    if start is not None:
        raise ValueError(f"the document that starts at line {start} does not end: a torn file")


def _read_leniently(text: str, line: int) -> Run:
    try:
        return msgspec.json.decode(text, type=Run)
    except msgspec.DecodeError:
        pass
    try:
        values = json.loads(_NO_JSON_NUMBER.sub(r"\1null", text), strict=False)
        return msgspec.convert(values, type=Run)
    except json.JSONDecodeError as error:
        raise ValueError(f"line {line + error.lineno - 1}: {error.msg}") from error
    except msgspec.ValidationError as error:
        raise ValueError(f"document at line {line}: {error}") from error
