"""Iometer's results CSV, of every version from 2001 to 1.1.0, its "inst" companion, the Qt front
end's variant, and spreadsheets' re-saves of them.

As its writer has it: AccessSpecList.cpp, ManagerList.cpp, Manager.cpp, Worker.cpp (SaveResults),
GalileoView.cpp. Units stay Iometer's and are in the columns' names, see `columns`. Rows of all
levels are kept, each as what it is: ALL sums up MANAGERs, these their WORKERs, these their DISKs;
whoever adds rows up takes one level. Times are the host's local ones, whose zone is not said.
"""

from pathlib import Path
from typing import Any

import polars as pl

from ingest.parsers.iometer.head import matches
from ingest.parsers.iometer.reader import Reader
from ingest.parsers.iometer.tables import TABLES
from ingest.parsers.iometer.text import read_text

__all__ = ["NAME", "TABLES", "VERSION", "matches", "parse", "source_key"]
NAME = "iometer"
VERSION = 1


def source_key(path: Path) -> None:
    return None


def parse(path: Path, data: bytes) -> dict[str, list[tuple[Any, ...]] | pl.DataFrame]:
    """Read a results file: its sessions, access specifications, rows, latency bins and notes.

    Raises:
        InputError: a line is none of Iometer's, or a re-save cannot be told from a changed number.
    """
    return Reader(path, read_text(data)).read()
