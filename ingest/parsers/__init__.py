"""The known formats. A parser is a module with the names of `Parser`; add it to `PARSERS`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import polars as pl

from ingest.parsers import fio, fio_log, fio_text, iometer, white_paper

Rows = list[tuple[Any, ...]] | pl.DataFrame
"""Cells in the order of the table's columns; a frame of them where a file may have millions."""


class Parser(Protocol):
    """The names of a parser module."""

    NAME: str
    """The module's."""
    VERSION: int
    """Raise it with every change of the rows: files that an earlier version read are read again."""
    TABLES: dict[str, dict[str, pl.DataType]]
    """The raw tables it fills: column names carry the source's unit."""

    def matches(self, head: str) -> bool:
        """Whether a file is of this format, by its first 4 KiB."""

    def parse(self, path: Path, data: bytes) -> Mapping[str, Rows]:
        """The rows of each of TABLES; `data` is the content of `path`.

        Raises InputError, or a group of them.
        """


PARSERS: tuple[Parser, ...] = (fio, fio_log, fio_text, iometer, white_paper)
SCHEMAS = {table: schema for parser in PARSERS for table, schema in parser.TABLES.items()}
"""The raw tables of all parsers, without `file_id`."""
VERSIONS: dict[str | None, str] = {
    **{parser.NAME: str(parser.VERSION) for parser in PARSERS},
    None: ", ".join(f"{parser.NAME} {parser.VERSION}" for parser in PARSERS),
}
"""By parser; None has all, for files that no parser claims."""
