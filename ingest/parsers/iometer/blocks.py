"""The parts of an Iometer file: sessions, with access specifications and results blocks."""

import datetime
import re
from dataclasses import dataclass, field
from typing import Any

from ingest.parsers.iometer.columns import Layout

Row = tuple[Any, ...]
_DATED = re.compile(r"(\d{4})\.(\d\d)\.(\d\d)")
_NUMBERED = re.compile(r"\d{1,2}\.\d")


@dataclass
class Session:
    """The part that one start of a test appended to the file."""

    index: int
    line: int
    is_qt: bool = False
    version: str | None = None
    test_type: int | None = None
    description: str | None = None
    stamp: str | None = None
    started_at: datetime.datetime | None = None
    has_end_test: bool = False
    is_aborted: bool = False
    spec_by_name: dict[str, int] = field(default_factory=dict)

    @property
    def writes_end_test(self) -> bool:
        """True from 1.1.0-rc1 on; earlier versions are dates."""
        return bool(_NUMBERED.match(self.version or "")) and not self.is_qt

    @property
    def writes_end_stamps(self) -> bool:
        """From 2003.05.10 on a time follows each block; the Qt front end writes a single one."""
        dated = _DATED.match(self.version or "")
        return self.writes_end_test or bool(dated and dated.group() >= "2003.05.10")

    def row(self) -> Row:
        """The row without the encoding and delimiter of its file."""
        return (
            self.index,
            self.line,
            "Qt" if self.is_qt else "MFC",
            self.version,
            self.test_type,
            self.description,
            self.stamp,
            self.started_at,
            self.has_end_test,
            self.writes_end_test and not self.has_end_test and not self.is_aborted,
        )


@dataclass
class Block:
    """One run's results: the rows below one header."""

    index: int
    line: int
    session: Session
    group_index: int | None
    specs: list[int]
    layout: Layout
    stamp: str | None = None
    ended_at: datetime.datetime | None = None
    has_all_row: bool = False
    problem: str | None = None
    manager: int | None = None
    worker: int | None = None
    worker_spec: tuple[str | None, int | None] = (None, None)

    @property
    def incomplete_reason(self) -> str | None:
        if self.problem:
            return self.problem
        if self.session.writes_end_stamps and self.stamp is None:
            return "no closing time stamp: Iometer was stopped while writing"
        return None if self.has_all_row else "has no ALL row, the sum of the others"

    def row(self) -> Row:
        reason = self.incomplete_reason
        return (
            self.index,
            self.line,
            self.session.index,
            self.group_index,
            self.layout.name,
            self.stamp,
            self.ended_at,
            reason is None,
            reason,
        )
