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

_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_NO_JSON_NUMBER = re.compile(
    rf'({_STRING}(?:[^"a-z]*+{_STRING}){{0,1000}}+)|(?<=[:\[,\s])-?(?:nan|inf)\b',
    re.IGNORECASE | re.DOTALL,
)  # a match for each string would take ten times the memory
_FIRST_KEY = re.compile(rb'\s*"fio version"\s*:')
_ONE_LINE_START = re.compile(rb'\{\s*"fio version"\s*:')
_END_OR_NEXT = re.compile(rb'\n(?:(?P<end>\})|\{|(?P<key>[^\S\n]*"fio version"\s*:))')
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
            return [_read_document(memoryview(_as_utf8(data)), 1)], []
    except (msgspec.DecodeError, UnicodeDecodeError):
        pass
    data = _as_utf8(data)
    documents: list[Document] = []
    notes: list[tuple[int, str]] = []
    for line, kind, start, end in _parts(data):
        if kind == "document":
            documents.append(_read_document(memoryview(data)[start:end], line))
        elif kind == "torn" and not documents:
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


def _as_utf8(data: bytes) -> bytes:
    """Decodes UTF-8 or an older host's Windows code page."""
    if data.isascii():
        return data
    try:
        data.decode()
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace").encode()
    return data


def _parts(data: bytes) -> Iterator[tuple[int, str, int, int]]:
    """(line, kind, start, end) in the file's order; the last document may be truncated.

    Yields positions, not copies: a file may be large. Only a newline ends a line: names may contain
    any control character.
    """
    line, at = 1, 0
    while at < len(data):
        line_end = _line_end(data, at)
        start = _start(data, at)
        if start is None:
            yield line, "note", at, line_end
        else:
            end = _end(data, at)
            if end is None:
                yield line, "torn", at, len(data)
                return
            yield line, "note", at, start
            yield line, "document", start, end
            line += data.count(_NEWLINE, at, end)
            line_end = _line_end(data, end)
            yield line, "note", end, line_end
        line, at = line + 1, line_end + 1


def _line_end(data: bytes, at: int) -> int:
    end = data.find(_NEWLINE, at)
    return len(data) if end < 0 else end


def _start(data: bytes, at: int) -> int | None:
    """Where in a line a document starts; after other text it must be whole."""
    if data.startswith(b"{", at):
        return at
    line_end = _line_end(data, at)
    if data.find(b"{", at, line_end) < 0:
        return None
    one_line = _ONE_LINE_START.search(data, at, line_end)
    if one_line:
        start = one_line.start()
    elif data[at:line_end].rstrip().endswith(b"{") and _FIRST_KEY.match(data, line_end + 1):
        start = data.rindex(b"{", at, line_end)
    else:
        return None
    end = _end(data, at, is_to_next=True)
    return start if end is not None and _is_whole(memoryview(data)[start:end]) else None


def _end(data: bytes, at: int, *, is_to_next: bool = False) -> int | None:
    """Where the document that starts in a line ends; before the next one if `is_to_next`."""
    line_end = _line_end(data, at)
    line = data[at:line_end].rstrip(_BLANK)
    if line.endswith(b"}"):
        return at + len(line)
    if not is_to_next:
        end = data.find(b"\n}", line_end)
        return None if end < 0 else end + 2
    found = _END_OR_NEXT.search(data, line_end)
    if found and found["key"] and found.start() == line_end:  # its own key
        found = _END_OR_NEXT.search(data, found.end())
    return found.end() if found and found["end"] else None


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
