"""Takes a fio result file apart: JSON documents, and the lines that are none.

fio writes notes, warnings and I/O errors into the same stream, before, between and behind its
documents (init.c log_info; fio issue 731), several documents with --status-interval, numbers that
are no JSON (`nan`, `inf`), and control characters in names (json.c escapes only quote and
backslash).
A pretty-printed document starts with a line that is `{` and ends with one that starts with `}`.
Behind other text in its line, a shell's prompt or a byte order mark, it counts if it is whole.
"""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import msgspec

from ingest.parsers.fio.schema import Direction, Job, Latency, Run, Unknown

TORN = "torn document"
_NO_JSON_NUMBER = re.compile(
    r'("(?:\\.|[^"\\])*")|(?<=[:\[,\s])-?(?:nan|inf)\b', re.IGNORECASE | re.DOTALL
)
_FIRST_KEY = re.compile(r'\s*"fio version"\s*:')
_ONE_LINE_START = re.compile(r'\{\s*"fio version"\s*:')
_RUN = msgspec.json.Decoder(Run)
_DIRECTIONS = ("read", "write", "trim", "mixed", "sync")
_LATENCIES = {f"{kind}{unit}" for kind in ("slat", "clat", "lat") for unit in ("", "_ns")}


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
    except msgspec.ValidationError:  # another version's, and maybe indented by another program
        with suppress(ValueError):
            return [_read_document(_decode_text(data), 1)], []
    except (msgspec.DecodeError, UnicodeDecodeError):
        pass
    documents: list[Document] = []
    notes: list[Note] = []
    torn: Note | None = None
    for line, text, kind in _parts(_decode_text(data)):
        if kind == "document":
            documents.append(_read_document(text, line))
        elif kind == "torn":
            torn = Note(line, f"{TORN} of {text.count(chr(10)) + 1} lines")
        elif text.strip():
            notes.append(Note(line, text.strip()))
    if torn and not documents:
        raise ValueError(
            f"the document that starts at line {torn.line} does not end: truncated file"
        )
    if not documents:
        raise ValueError("contains no fio JSON document")
    return documents, [*notes, torn] if torn else notes


def _decode_text(data: bytes) -> str:
    """UTF-8 with or without a mark, or the Windows code page of an older host."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _parts(text: str) -> Iterator[tuple[int, str, str]]:
    """(line, text, kind) in the file's order; a document is all its lines, the last may be torn."""
    lines = text.split("\n")  # no other line ends: names may have any control character in them
    at = 0
    while at < len(lines):
        start = _start(lines, at)
        if start is None:
            yield at + 1, lines[at], "note"
            at += 1
            continue
        end = _end(lines, at)
        if end is None:
            yield at + 1, "\n".join(lines[at:]), "torn"
            return
        if start:
            yield at + 1, lines[at][:start], "note"
        yield at + 1, _cut(lines, at, start, end), "document"
        if end > at:
            yield end + 1, lines[end][1:], "note"
        at = end + 1


def _start(lines: list[str], at: int) -> int | None:
    """Where in a line a document starts; behind other text only one that is whole."""
    line = lines[at]
    if line.startswith("{"):
        return 0
    if "{" not in line:
        return None
    one_line = _ONE_LINE_START.search(line)
    if one_line:
        start = one_line.start()
    elif line.rstrip().endswith("{") and at + 1 < len(lines) and _FIRST_KEY.match(lines[at + 1]):
        start = line.rindex("{")
    else:
        return None
    end = _end(lines, at, is_to_next=True)
    return start if end is not None and _is_whole(_cut(lines, at, start, end)) else None


def _end(lines: list[str], at: int, *, is_to_next: bool = False) -> int | None:
    """The last line of the document that starts at a line; before the next one if `is_to_next`."""
    if lines[at].rstrip().endswith("}"):
        return at
    for number in range(at + 1, len(lines)):
        line = lines[number]
        if line.startswith("}"):
            return number
        if is_to_next and (line.startswith("{") or (number > at + 1 and _FIRST_KEY.match(line))):
            return None
    return None


def _cut(lines: list[str], at: int, start: int, end: int) -> str:
    first = lines[at][start:]
    return first if end == at else "\n".join([first, *lines[at + 1 : end], "}"])


def _is_whole(text: str) -> bool:
    try:
        _read_document(text, 1)
    except ValueError:
        return False
    return True


def _read_document(text: str, line: int) -> Document:
    try:
        return Document(line, _RUN.decode(text))
    except msgspec.DecodeError:
        pass
    try:
        numbers = _NO_JSON_NUMBER.sub(lambda match: match[1] or "null", text)
        values = json.loads(numbers, strict=False)
        unknown = _take_unknown(values)
        return Document(line, _RUN.decode(msgspec.json.encode(values)), unknown)
    except json.JSONDecodeError as error:
        raise ValueError(f"line {line + error.lineno - 1}: {error.msg}") from error
    except msgspec.ValidationError as error:
        raise ValueError(f"document at line {line}: {error}") from error


def _take_unknown(values: dict[str, Any]) -> dict[int, Unknown]:
    """Moves keys that no struct has out of the document: a later fio may write others.

    Returns them by job; those of the document itself with its first job.
    """
    unknown: dict[int, Unknown] = {}
    jobs = values.get("jobs") or values.get("client_stats")
    for index, job in enumerate(jobs if isinstance(jobs, list) else []):
        taken = _pop_unknown(values, Run, "document.") if index == 0 else {}
        taken |= _pop_unknown(job, Job, "")
        for direction in [name for name in _DIRECTIONS if name in job]:
            result = job[direction]
            taken |= _pop_unknown(result, Direction, f"{direction}.")
            for name in _LATENCIES.intersection(result if isinstance(result, dict) else ()):
                taken |= _pop_unknown(result[name], Latency, f"{direction}.{name}.")
        if taken:
            unknown[index] = taken
    return unknown


def _pop_unknown(values: Any, kind: type[msgspec.Struct], prefix: str) -> Unknown:
    """What is no object has none: decoding says what it is instead."""
    if not isinstance(values, dict):
        return {}
    known = {field.encode_name for field in msgspec.structs.fields(kind)}
    return {prefix + name: values.pop(name) for name in [*values] if name not in known}
