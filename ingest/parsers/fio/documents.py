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
from dataclasses import dataclass, field
from typing import Any

import msgspec

from ingest.parsers.fio.schema import Direction, Job, Run, Unknown

_NO_JSON_NUMBER = re.compile(r"(?<=[:\[,])(\s*)-?(?:nan|inf)\b", re.IGNORECASE)
_RUN = msgspec.json.Decoder(Run)
_FIELDS = {
    kind: {one.encode_name for one in msgspec.structs.fields(kind)} for kind in (Job, Direction)
}
_DIRECTIONS = {"read", "write", "trim", "mixed", "sync"}


@dataclass(frozen=True)
class Document:
    """A run, and by job's position the keys that no version known here writes."""

    line: int
    run: Run
    unknown: dict[int, Unknown] = field(default_factory=dict)


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
        return [Document(1, _RUN.decode(data))], []
    except msgspec.DecodeError:
        pass
    documents: list[Document] = []
    notes: list[Note] = []
    for line, text, is_document in _parts(_decode_text(data)):
        if is_document:
            documents.append(_read_document(text, line))
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


def _read_document(text: str, line: int) -> Document:
    try:
        return Document(line, _RUN.decode(text))
    except msgspec.DecodeError:
        pass
    try:
        values = json.loads(_NO_JSON_NUMBER.sub(r"\1null", text), strict=False)
        unknown = _take_unknown(values)
        return Document(line, _RUN.decode(msgspec.json.encode(values)), unknown)
    except json.JSONDecodeError as error:
        raise ValueError(f"line {line + error.lineno - 1}: {error.msg}") from error
    except msgspec.ValidationError as error:
        raise ValueError(f"document at line {line}: {error}") from error


def _take_unknown(values: dict[str, Any]) -> dict[int, Unknown]:
    """Moves keys that no struct has out of the jobs: a later fio may write others."""
    unknown: dict[int, Unknown] = {}
    jobs = values.get("jobs") or values.get("client_stats")
    for index, job in enumerate(jobs if isinstance(jobs, list) else []):
        if not isinstance(job, dict):
            continue  # decoding says what it is instead
        taken = {name: job.pop(name) for name in _unknown_names(job, Job)}
        for direction in _DIRECTIONS & job.keys():
            result = job[direction]
            for name in _unknown_names(result, Direction):
                taken[f"{direction}.{name}"] = result.pop(name)
        if taken:
            unknown[index] = taken
    return unknown


def _unknown_names(values: Any, kind: type[Job | Direction]) -> list[str]:
    return [n for n in values if n not in _FIELDS[kind]] if isinstance(values, dict) else []
