"""Iometer's results CSV, of every version from 2001 to 1.1.0, its "inst" companion, the Qt front
end's variant, and spreadsheets' re-saves of them.

Format: Iometer's AccessSpecList.cpp, ManagerList.cpp, Manager.cpp, Worker.cpp (SaveResults),
GalileoView.cpp. Units stay Iometer's and are in the columns' names, see `columns`. Rows of all
levels are kept: ALL sums up MANAGERs, a MANAGER its WORKERs, a WORKER its DISKs; a sum of rows must
stay within one level. Times are the host's local ones, in an unknown zone.
"""

import re
from pathlib import Path
from typing import Any

import polars as pl

from ingest.parsers.iometer.reader import Reader
from ingest.parsers.iometer.tables import TABLES
from ingest.parsers.iometer.text import read_lines

__all__ = ["NAME", "TABLES", "VERSION", "matches", "parse"]
NAME = "iometer"
VERSION = 1
# A file's first line, or a results header that another program cut out; `'` may be lost, quotes may
# be added. A quotation further down, such as a test suite's output, is no result.
_HEAD = re.compile(
    r"""\A\s*["']{0,2}(?:Test\ Type"?[,;]"?Test\ Description
    |Iometer\ Output\ File
    |(?:TimeStamp"?[,;])?["']{0,2}Target\ Type"?[,;]"?Target\ Name"?[,;]"?Access\ Spec)""",
    re.VERBOSE,
)


def matches(head: str) -> bool:
    return bool(_HEAD.search(head))


def parse(path: Path, data: bytes) -> dict[str, list[tuple[Any, ...]] | pl.DataFrame]:
    """Read a results file: its sessions, access specifications, rows, latency bins and notes.

    Raises:
        InputError: a line is not Iometer's, or a re-save may have changed numbers.
    """
    return Reader(read_lines(path, data)).read()
