"""Splits a fio result file into JSON documents and other lines.

fio writes notes, warnings and I/O errors into the same stream, before, between and after its
documents (init.c log_info; fio issue 731), several documents with --status-interval, numbers that
are no JSON (`nan`, `inf`), and control characters in names (json.c escapes only quote and
backslash).
A pretty-printed document starts with a line `{` and ends with a line that starts with `}`. After
other text in its line, such as a shell's prompt or a byte order mark, it counts if it is whole.
"""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import Any

import msgspec

from ingest.parsers.fio.schema import (
    DIRECTIONS,
    LATENCIES,
    Direction,
    Job,
    Latency,
    Run,
    Unknown,
)
from ingest.parsers.texts import decoded

_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_NO_JSON_NUMBER = re.compile(
    rf'({_STRING}(?:[^"a-z]*+{_STRING}){{0,1000}}+)|(?<=[:\[,\s])-?(?:nan|inf)\b',
    re.IGNORECASE | re.DOTALL,
)  # a match for each string would take ten times the memory
_START = re.compile(rb'^\{|\{(?=\s*"fio version"\s*:)', re.MULTILINE)
_LINE = re.compile(rb"[^\n]*\n?")
_NEWLINE = b"\n"
_HOLE = b"\0"  # in a sparse file, or in a file written during a power failure
_BLANK = b" \t\r\n" + _HOLE
_RUN = msgspec.json.Decoder(Run)


@dataclass(frozen=True)
class Document:
    """A run, and by the job's position the keys that no known version of fio writes."""

    line: int
    run: Run
    unknown: dict[int, Unknown] = field(default_factory=dict)


def read_documents(data: bytes) -> tuple[list[Document], list[tuple[int, str]]]:
    """All documents of a file, and the lines of text around them with their numbers.

    Raises:
        ValueError: a document is truncated, or there is none; names the line.
    """
    data = data.strip(_HOLE)
    try:
        return [Document(1, _RUN.decode(data))], []
    except msgspec.ValidationError:  # another version's, and maybe indented by another program
        with suppress(ValueError):
            return [_read_document(memoryview(decoded(data).encode()), 1)], []
    except (msgspec.DecodeError, UnicodeDecodeError):
        pass
    data = data if data.isascii() else decoded(data).encode()
    documents: list[Document] = []
    notes: list[tuple[int, str]] = []
    for line, kind, start, end in _parts(data):
        if kind == "document":
            documents.append(_read_document(memoryview(data)[start:end], line))
        elif kind == "torn" and (not documents or end < len(data)):
            raise ValueError(
                f"the document that starts at line {line} does not end: truncated file"
            )
        elif kind == "torn":
            notes.append((line, f"torn document of {data.count(_NEWLINE, start, end) + 1} lines"))
        elif text := data[start:end].strip(_BLANK).decode().strip():
            notes.append((line, text))
    if not documents and data.lstrip(_BLANK).startswith(b"["):
        raise ValueError("its documents are in an array: write them one after another (jq '.[]')")
    if not documents:
        raise ValueError("contains no fio JSON document")
    return documents, notes


def _parts(data: bytes) -> Iterator[tuple[int, str, int, int]]:
    """(line, kind, start, end) in the file's order; a document may be torn.

    Yields positions, not copies: a file may be large. Only a newline ends a line: names may contain
    any control character. A document ends before the next one starts, so that no part of a file is
    searched for each of many torn documents.
    """
    line, at = 1, 0
    starts = (found.start() for found in _START.finditer(data))
    for start, limit in pairwise(chain(starts, [len(data)])):
        end = _end(data, start, limit)
        is_after_text = start > 0 and data[start - 1 : start] != _NEWLINE
        if is_after_text and (end is None or not _is_whole(memoryview(data)[start:end])):
            continue
        yield from _notes(data, line, at, start)
        line += data.count(_NEWLINE, at, start)
        at = limit if end is None else end
        yield line, "torn" if end is None else "document", start, at
        line += data.count(_NEWLINE, start, at)
    yield from _notes(data, line, at, len(data))


def _notes(data: bytes, line: int, start: int, end: int) -> Iterator[tuple[int, str, int, int]]:
    for number, found in enumerate(_LINE.finditer(data, start, end), start=line):
        yield number, "note", *found.span()


def _end(data: bytes, start: int, limit: int) -> int | None:
    """Where the document at `start` ends: with its line, or with a line that starts with `}`."""
    line_end = data.find(_NEWLINE, start, limit)
    line = data[start : limit if line_end < 0 else line_end].rstrip(_BLANK)
    if line.endswith(b"}"):
        return start + len(line)
    end = data.find(b"\n}", start, limit)
    return None if end < 0 else end + 2


def _is_whole(text: memoryview) -> bool:
    try:
        _read_document(text, 1)
    except ValueError:
        return False
    return True


def _read_document(text: memoryview, line: int) -> Document:
    with suppress(msgspec.DecodeError):
        return Document(line, _RUN.decode(text))
    try:
        values = _loads(str(text, "utf-8"))
        unknown = _take_unknown(values)
        return Document(line, _RUN.decode(msgspec.json.encode(values)), unknown)
    except json.JSONDecodeError as error:
        raise ValueError(f"line {line + error.lineno - 1}: {error.msg}") from error
    except msgspec.ValidationError as error:
        raise ValueError(f"document at line {line}: {error}") from error


def _loads(text: str) -> Any:
    """Decodes JSON; replaces nan and inf only if decoding fails, since that is slow."""
    try:
        return json.loads(text, strict=False, object_hook=_pack_bins)
    except json.JSONDecodeError:
        text = _NO_JSON_NUMBER.sub(lambda match: match[1] or "null", text)
        return json.loads(text, strict=False, object_hook=_pack_bins)


def _pack_bins(values: dict[str, Any]) -> dict[str, Any]:
    """Keeps a histogram as text: as a dictionary it takes ten times the memory."""
    if isinstance(values.get("bins"), dict):
        values["bins"] = msgspec.Raw(msgspec.json.encode(values["bins"]))
    return values


def _take_unknown(values: dict[str, Any]) -> dict[int, Unknown]:
    """Moves keys that no struct has out of the document: a later fio may write new ones.

    Returns them by job; the document's own keys are with its first job.
    """
    unknown: dict[int, Unknown] = {}
    jobs = isinstance(values, dict) and (values.get("jobs") or values.get("client_stats"))
    for index, job in enumerate(jobs if isinstance(jobs, list) else []):
        taken = _pop_unknown(values, Run, "document.") if index == 0 else {}
        taken |= _pop_unknown(job, Job, "")
        for direction in [name for name in DIRECTIONS if isinstance(job, dict) and name in job]:
            result = job[direction]
            taken |= _pop_unknown(result, Direction, f"{direction}.")
            for name in LATENCIES.keys() & (result if isinstance(result, dict) else ()):
                taken |= _pop_unknown(result[name], Latency, f"{direction}.{name}.")
        if taken:
            unknown[index] = taken
    return unknown


def _pop_unknown(values: Any, kind: type[msgspec.Struct], prefix: str) -> Unknown:
    """Pops unknown keys of an object; for any other value decoding reports the error."""
    if not isinstance(values, dict):
        return {}
    unknown = [name for name in values if name not in kind.__struct_encode_fields__]
    return {prefix + name: values.pop(name) for name in unknown}
