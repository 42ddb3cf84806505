"""Reads a file or a text with a parser: rows by table, as dictionaries."""

from array import array
from pathlib import Path
from typing import Any

import polars as pl

from ingest.common.text_files import as_utf8
from ingest.parsers import Parser

Rows = dict[str, list[dict[str, Any]]]


def read_rows(parser: Parser, path: Path, content: str | bytes | None = None) -> Rows:
    """The rows of this file, or of a file of this name with this content."""
    data = path.read_bytes() if content is None else content
    data = data.encode() if isinstance(data, str) else data
    parsed = parser.parse(path, as_utf8(data))
    assert parsed.keys() == parser.TABLES.keys()
    return {
        table: rows.to_dicts()
        if isinstance(rows, pl.DataFrame)
        else [dict(zip(parser.TABLES[table], map(_plain, row), strict=True)) for row in rows]
        for table, rows in parsed.items()
    }


def read_content(parser: Parser, content: str | bytes) -> list[dict[str, Any]]:
    """The `generic_results` that a parser reads from this content."""
    return read_rows(parser, Path("run.txt"), content)["generic_results"]


def _plain(cell: Any) -> Any:
    return cell.tolist() if isinstance(cell, array) else cell
