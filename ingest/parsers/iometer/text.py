"""Splits an Iometer file into lines and cells, as Iometer wrote it or a spreadsheet re-saved it.

Iometer writes the bytes of its host's code page, `,` between cells, `.` in numbers, and never
quotes: an apostrophe or an inch mark in a name stays unchanged. A spreadsheet's re-save may add a
byte order mark, quote lines and cells, drop leading apostrophes, pad lines with empty cells, and in
some countries write `;` between cells and `,` in numbers.
"""

import csv
import datetime
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from ingest.common.errors import InputError

_QUOTED = re.compile(r"""^"'?(?:Test Type|Target Type|TimeStamp)""", re.MULTILINE)
_SEMICOLONS = re.compile(r"""^["']{0,2}(?:Test|Target) Type"?;|^"?TimeStamp"?;""", re.MULTILINE)
_HEAD_LENGTH = 8192
_STAMP = re.compile(r"\s*(\d{4})([-/])(\d\d?)\2(\d\d?) (\d\d?):(\d\d):(\d\d)(?::(\d{1,3}))?\s*")
_CTIME = re.compile(r"\s*[A-Z][a-z]{2} ([A-Z][a-z]{2}) +(\d\d?) (\d\d):(\d\d):(\d\d) (\d{4})\s*")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass
class Lines:
    """A file's lines, with a position in them, notes and errors."""

    path: Path
    all: list[str]
    encoding: str
    delimiter: str
    split: Callable[[str], list[str]]
    is_ended: bool
    """Whether the last line has its line end."""
    notes: list[tuple[int, str, str]] = field(default_factory=list)
    at: int = 0
    """The last line that was read, from 1."""

    @property
    def is_at_end(self) -> bool:
        return self.at == len(self.all)

    @property
    def is_torn(self) -> bool:
        """Whether the current line is the file's last and lacks its end."""
        return self.is_at_end and not self.is_ended

    def next(self) -> str:
        self.at += 1
        return self.all[self.at - 1]

    def peek(self) -> list[str]:
        """The cells of the next line, without the empty cells at its end."""
        cells = [] if self.is_at_end else self.split(self.all[self.at])
        while cells and not cells[-1].strip():
            cells.pop()
        return cells

    def note(self, kind: str, text: str, line: int | None = None) -> None:
        self.notes.append((line or self.at, kind, text.replace("\0", "")))

    def error(self, reason: str) -> InputError:
        return InputError(self.path, f"{reason}; use the file as Iometer wrote it", line=self.at)

    def integer(self, cell: str, what: str) -> int:
        text = cell.strip()
        if not (text.isascii() and text.removeprefix("-").isdecimal() and len(text) < 19):
            raise self.error(f"{what} is {cell!r}, not a whole number")
        return int(text)


def read_lines(path: Path, data: bytes) -> Lines:
    text, encoding = _decode(data)
    head = text[:_HEAD_LENGTH]
    delimiter = ";" if _SEMICOLONS.search(head) else ","
    is_saved_again = delimiter == ";" or bool(_QUOTED.search(head))
    lines = text.split("\n")  # no other line ends: names may contain any control character
    is_ended = not lines[-1].strip("\r\0 ")
    lines = [line.rstrip("\r") for line in (lines[:-1] if is_ended else lines)]
    split = partial(_split_saved_again if is_saved_again else str.split, sep=delimiter)
    return Lines(path, lines, encoding, delimiter, split, is_ended)


def _decode(data: bytes) -> tuple[str, str]:
    """UTF-8, else the host's Windows code page, else Latin-1."""
    for encoding in ("utf-8", "cp1252"):
        try:
            return data.decode(encoding), encoding
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1"), "latin-1"


def _split_saved_again(line: str, sep: str) -> list[str]:
    if line.count('"') % 2 or '"' not in line:
        return line.split(sep)
    try:
        cells = next(csv.reader([line], delimiter=sep))
    except csv.Error:  # a stray carriage return
        return line.split(sep)
    if len(cells) == 1 and line.startswith('"'):
        return cells[0].split(sep)  # the line was quoted as a whole
    return cells


def marker(cells: list[str]) -> str:
    """The name of a section's first line; a spreadsheet may have lost the apostrophe."""
    return cells[0].lstrip("'").strip() if cells else ""


def unquote(name: str) -> str:
    """A name without a spreadsheet's quotes around it and doubled quotes in it."""
    if name[:1] != '"' or name[-1:] != '"':
        return name
    inner = name[1:-1]
    if ('""' in inner or "," in inner) and '"' not in inner.replace('""', ""):
        return inner.replace('""', '"')
    return name


def parse_stamp(printed: str) -> datetime.datetime | None:
    """A time as Iometer prints it: the host's local time, without its zone.

    `2016-03-05 10:22:31:047` with a colon before the milliseconds, from 2003.05.10; before, C's
    `Tue Nov 20 14:03:11 2001`; `2026/03/05 10:22:31` by the Qt front end.
    """
    if found := _STAMP.fullmatch(printed):
        year, _, month, day, hour, minute, second, milli = found.groups(default="0")
    elif (found := _CTIME.fullmatch(printed)) and found[1] in _MONTHS:
        name, day, hour, minute, second, year = found.groups()
        month, milli = str(_MONTHS.index(name) + 1), "0"
    else:
        return None
    date = f"{year}-{month:0>2}-{day:0>2} {hour:0>2}:{minute}:{second}.{milli:0>3}"
    try:
        return datetime.datetime.fromisoformat(date)
    except ValueError:
        return None
