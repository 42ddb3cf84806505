"""Reads an Iometer file line by line.

Apostrophe lines mark sections: `'Test Type`, `'Version`, `'Time Stamp` (first the session's start,
then the end of each block), `'Access specifications`, `'Results` with its header, and `'End Test`
from 1.1.0-rc1. `Aborted test` and `ERROR: ...` stand between them without an apostrophe.

Nothing is lost and nothing invented: a file that ends inside a row keeps its whole rows, the
truncated row becomes a note, and its block is incomplete.
"""

import re
from collections.abc import Callable

import polars as pl

from ingest.common.errors import InputError
from ingest.parsers.iometer.access_specs import Known, read_access_spec
from ingest.parsers.iometer.blocks import Block, Row, Session
from ingest.parsers.iometer.results import Results
from ingest.parsers.iometer.rows import ROW_TYPES
from ingest.parsers.iometer.text import Lines, marker, parse_stamp

_WHOLE = re.compile(r"0|.*[.,][0-9]{6}")
_END_EMPTY = ROW_TYPES - {"ALL", "MANAGER"}
_GLUED = "'Test Type,Test Description"


class Reader:
    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.results = Results(lines)
        self.sessions: list[Session] = []
        self.blocks: list[Block] = []
        self.access_specs: list[Row] = []
        self.block: Block | None = None  # the block whose rows, end or abort may follow
        self.group_count = 0
        self.group: tuple[int | None, list[int]] = (None, [])  # index, its specifications
        self.spec_count = 0
        self.known_spec_lines: Known = {}
        self.markers: dict[str, Callable[[list[str]], None]] = {
            "Test Type": self._test_type,
            "Iometer Output File": self._qt_start,
            "Test Description": self._qt_description,
            "Version": self._version,
            "Time Stamp": self._time_stamp,
            "Access specifications": self._access_specifications,
            "Access specification name": self._access_specification,
            "End access specifications": lambda cells: None,
            "Results": self._results,
            "Target Type": self._header,
            "TimeStamp": self._header,
            "End Test": self._end_test,
            "Aborted test": self._aborted,
        }

    def read(self) -> dict[str, list[Row] | pl.DataFrame]:
        while not self.lines.is_at_end:
            line = self.lines.next()
            first = self.lines.at
            try:
                self._read_line(line)
            except InputError:
                glued = line.find(_GLUED)
                if glued > 0:  # Iometer was killed inside a row, then appended a session to it
                    self._torn(first, line[:glued])
                    self._read_line(line[glued:])
                elif self.lines.is_torn:
                    self._torn(first, line)
                else:
                    raise
        self._refuse_ambiguous()
        form = self.lines.encoding, self.lines.delimiter
        return {
            "iometer_sessions": [(*session.row(), *form) for session in self.sessions],
            "iometer_access_specs": self.access_specs,
            "iometer_blocks": [block.row() for block in self.blocks],
            "iometer_results": self.results.results,
            "iometer_updates": self.results.updates,
            "iometer_latency_bins": self.results.bins(),
            "iometer_notes": list(self.lines.notes),
        }

    def _read_line(self, line: str) -> None:
        cells = self.lines.split(line)
        if cells[0] in ROW_TYPES or (len(cells) > 2 and cells[1] in ROW_TYPES):
            if self.block is None or self.block.stamp is not None:
                raise self.lines.error(f"a row of {cells[0]!r} is outside of the results")
            if self.lines.is_torn and not self._ends_whole(cells):
                raise self.lines.error("the file ends inside a row")
            self.results.read(cells, self.block)
        elif handle := self.markers.get(marker(cells)):
            handle(cells)
        elif cells[0].startswith("Version ") and self._session().is_qt:  # on the same line there
            self._session().version = cells[0].removeprefix("Version ").strip()
        elif text := line.strip(f"{self.lines.delimiter} \t'\"\0"):
            kind = "error" if text.startswith("ERROR: ") else "other"
            self.lines.note(kind, text.removeprefix("ERROR: "))

    def _ends_whole(self, cells: list[str]) -> bool:
        """Whether the file's last line, which lacks its line end, is still a whole row: never if a
        time stamp must follow, otherwise if its last number has its decimals."""
        is_whole = _WHOLE.fullmatch(cells[-1]) or (not cells[-1] and cells[0] in _END_EMPTY)
        return not self._session().writes_end_stamps and bool(is_whole)

    def _start_session(self) -> Session:
        self.sessions.append(Session(len(self.sessions), self.lines.at))
        self.group, self.block = (None, []), None
        return self.sessions[-1]

    def _session(self) -> Session:
        """The current session; a file that another program cut may lack its start."""
        return self.sessions[-1] if self.sessions else self._start_session()

    def _value(self) -> str | None:
        """The line after a marker; None if that is the next marker."""
        cells = self.lines.peek()
        if self.lines.is_at_end or marker(cells) in self.markers:
            return None
        self.lines.next()
        return self.lines.delimiter.join(cells).strip("\t\0") or None

    def _test_type(self, cells: list[str]) -> None:
        session = self._start_session()
        kind, _, description = (self._value() or "").partition(self.lines.delimiter)
        if kind:
            session.test_type = self.lines.integer(kind, "the test type")
        session.description = description or None

    def _qt_start(self, cells: list[str]) -> None:
        self._start_session().is_qt = True

    def _qt_description(self, cells: list[str]) -> None:
        self._session().description = self._value()

    def _version(self, cells: list[str]) -> None:
        self._session().version = self._value()

    def _time_stamp(self, cells: list[str]) -> None:
        session, line, printed = self._session(), self.lines.at, self._value() or ""
        if self.block and self.block.stamp is None:
            self.block.stamp, self.block.ended_at = printed, parse_stamp(printed)
        elif session.stamp is None:
            session.stamp, session.started_at = printed, parse_stamp(printed)
        else:
            self.lines.note("other", f"Time Stamp {printed}", line)

    def _access_specifications(self, cells: list[str]) -> None:
        self._session()
        self.group, self.block = (self.group_count, []), None
        self.group_count += 1

    def _access_specification(self, cells: list[str]) -> None:
        session, index = self._session(), self.spec_count
        name, rows = read_access_spec(self.lines, self.known_spec_lines)
        session.spec_by_name[name] = index
        self.group[1].append(index)
        self.spec_count += 1
        for line, mix_index, *numbers in rows:
            place = (index, mix_index, line, session.index, self.group[0], name)
            self.access_specs.append((*place, *numbers))

    def _results(self, cells: list[str]) -> None:
        self.block = None

    def _header(self, cells: list[str]) -> None:
        layout = self.results.read_header(cells)
        place = len(self.blocks), self.lines.at, self._session()
        self.block = Block(*place, *self.group, layout)
        self.blocks.append(self.block)

    def _end_test(self, cells: list[str]) -> None:
        self._session().has_end_test = True
        self.block = None

    def _aborted(self, cells: list[str]) -> None:
        """The block before the abort is partial; a test aborted while it ramped up has no block."""
        self._session().is_aborted = True
        self.lines.note("aborted", "Aborted test")
        if self.block:
            self.block.problem = f"partial: the test was aborted (line {self.lines.at})"
            self.block = None

    def _torn(self, line: int, text: str) -> None:
        self.lines.note("torn", text, line)
        if self.block and self.block.stamp is None:
            self.block.problem = f"the file is truncated in line {line}"

    def _refuse_ambiguous(self) -> None:
        has_rows = bool(self.results.results or self.results.updates)
        if self.lines.delimiter == ";" and has_rows and not self.results.has_decimal_commas:
            raise self.lines.error("cells are separated by ';' but no number has a decimal comma")
        if not self.sessions:
            raise self.lines.error("contains no Iometer session")
