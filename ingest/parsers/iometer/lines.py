"""A position in a file's lines, with its cells, notes and errors."""

from dataclasses import dataclass, field
from pathlib import Path

from ingest.common.errors import InputError
from ingest.parsers.iometer.text import Text

REMEDY = "use the file as Iometer wrote it"


@dataclass
class Lines:
    path: Path
    text: Text
    notes: list[tuple[int, str, str]] = field(default_factory=list)
    at: int = 0
    """The last line that was read, from 1."""

    @property
    def is_at_end(self) -> bool:
        return self.at == len(self.text.lines)

    @property
    def is_torn(self) -> bool:
        """Whether the current line is the file's last and lacks its end."""
        return self.is_at_end and not self.text.is_ended

    def next(self) -> str:
        self.at += 1
        return self.text.lines[self.at - 1]

    def peek(self) -> list[str]:
        """The cells of the next line, without the empty ones that fill it up."""
        cells = [] if self.is_at_end else self.text.split(self.text.lines[self.at])
        while cells and not cells[-1].strip():
            cells.pop()
        return cells

    def note(self, kind: str, text: str, line: int | None = None) -> None:
        self.notes.append((line or self.at, kind, text.replace("\0", "")))

    def error(self, reason: str) -> InputError:
        return InputError(self.path, f"{reason}; {REMEDY}", line=self.at)

    def integer(self, cell: str, what: str) -> int:
        text = cell.strip()
        if not (text.isascii() and text.removeprefix("-").isdecimal() and len(text) < 19):
            raise self.error(f"{what} is {cell!r}, not a whole number")
        return int(text)


def marker(cells: list[str]) -> str:
    """The name of a section's first line; a spreadsheet may have lost the apostrophe."""
    return cells[0].lstrip("'").strip() if cells else ""
