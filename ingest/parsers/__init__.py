"""The known formats. A parser is a module with the members of `Parser`; add it to `_OWN`.

A package installed beside Headroom brings its parsers as entry points of the group
`headroom.parsers`; their names do not matter. See docs/parsers.md.
"""

from collections.abc import Iterator, Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Protocol

import polars as pl

from ingest.common.errors import PackageError
from ingest.parsers import (
    disk_mark,
    diskspd,
    elbencho,
    fio,
    fio_log,
    fio_text,
    iometer,
    vdbench,
    white_paper,
)

Rows = list[tuple[Any, ...]] | pl.DataFrame
"""Cells in the order of the table's columns; a frame if a file may have millions of rows."""


class Parser(Protocol):
    """The members of a parser module."""

    NAME: str
    """The format: `source_format` of its measurements."""
    VERSION: int
    """Raise it with every change of the rows: files that an earlier version read are read again."""
    TABLES: dict[str, dict[str, pl.DataType]]
    """The raw tables it fills: column names carry the source's unit."""

    def matches(self, head: str) -> bool:
        """Whether a file has this format, by its first 4 KiB, or its first MiB if unclaimed.

        Called for every file: look for a word first, a pattern takes a hundred times as long.
        """

    def parse(self, path: Path, data: bytes) -> Mapping[str, Rows]:
        """The rows of each of TABLES; `data` is the content of `path`.

        Raises InputError, or a group of them.
        """


def _installed() -> Iterator[Parser]:
    """The parsers of other packages. Raises PackageError."""
    for entry in entry_points(group="headroom.parsers"):
        package = entry.dist.name if entry.dist else entry.value
        try:
            parser = entry.load()
        except Exception as error:
            reason = f"cannot be loaded: {type(error).__name__}: {error}"
            raise _unusable(package, reason) from error
        for name in (*Parser.__annotations__, "matches", "parse"):
            if not hasattr(parser, name):
                raise _unusable(package, f"has no {name}")
        if parser.NAME in {own.NAME for own in _OWN}:
            raise _unusable(package, f"has the name of one of Headroom's, {parser.NAME}")
        yield parser


def _unusable(package: str, reason: str) -> PackageError:
    return PackageError(f"the parser of {package} {reason}; update or uninstall {package}")


_OWN: tuple[Parser, ...] = (
    disk_mark,
    diskspd,
    elbencho,
    fio,
    fio_log,
    fio_text,
    iometer,
    vdbench,
    white_paper,
)
PARSERS = (*_OWN, *_installed())
SCHEMAS = {table: schema for parser in PARSERS for table, schema in parser.TABLES.items()}
"""The raw tables of all parsers, without `file_id`."""
VERSIONS: dict[str | None, str] = {
    **{parser.NAME: str(parser.VERSION) for parser in PARSERS},
    None: ", ".join(f"{parser.NAME} {parser.VERSION}" for parser in PARSERS),
}
"""By parser; None has all, for files that no parser claims."""
