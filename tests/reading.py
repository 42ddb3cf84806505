"""Reads a file with a parser: rows by table, as dictionaries."""

from array import array
from pathlib import Path
from typing import Any

import polars as pl

from ingest.common.text_files import as_utf8
from ingest.parsers import Parser
from ingest.parsers.generic import TABLES


def read_rows(parser: Parser, path: Path) -> dict[str, list[dict[str, Any]]]:
    parsed = parser.parse(path, as_utf8(path.read_bytes()))
    assert parsed.keys() == parser.TABLES.keys()
    return {
        table: rows.to_dicts()
        if isinstance(rows, pl.DataFrame)
        else [dict(zip(parser.TABLES[table], map(_plain, row), strict=True)) for row in rows]
        for table, rows in parsed.items()
    }


def read_content(parser: Parser, content: str | bytes) -> list[dict[str, Any]]:
    """The `generic_results` that a parser reads from this content."""
    data = content.encode() if isinstance(content, str) else content
    rows = parser.parse(Path("run.txt"), data)["generic_results"]
    return [dict(zip(TABLES["generic_results"], row, strict=True)) for row in rows]


def _plain(cell: Any) -> Any:
    return cell.tolist() if isinstance(cell, array) else cell
