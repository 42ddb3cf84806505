"""Reads one sheet of a paper's folder and reports every bad row."""

import csv
from io import StringIO
from pathlib import Path

import polars as pl

from ingest.common.errors import InputError
from ingest.parsers.white_paper.cells import Row, Values, raw_columns, read_row
from ingest.parsers.white_paper.document import Document

POSITION_FIELDS: dict[str, pl.DataType] = {"sheet_path": pl.String(), "line": pl.Int64()}


def sheet_schema(sheet: type[Row]) -> dict[str, pl.DataType]:
    fields = dict(POSITION_FIELDS)
    for columns in raw_columns(sheet).values():
        fields |= columns
    return fields


def read_sheet(path: Path, sheet: type[Row], document: Document) -> list[Values]:
    """The sheet's rows as raw values, in the file's order.

    Raises:
        InputError: not a CSV with the sheet's header.
        ExceptionGroup[InputError]: one error per bad row: an unreadable cell, an unknown unit or
            word, a page outside the edition, a key that an earlier row has.
    """
    rows: list[Values] = []
    errors: list[InputError] = []
    line_by_key: dict[tuple[str, ...], int] = {}
    for line, cells in _lines(path, sheet):
        try:
            row = read_row(sheet, cells)
            _check_page(row, document)
            rows.append(row.raw() | {"sheet_path": path.name, "line": line})
            key = tuple(cells[name] for name in sheet.key)
            if key in line_by_key:
                raise ValueError(f"has the key of line {line_by_key[key]}: {' | '.join(key)}")
            line_by_key[key] = line
        except ValueError as error:
            errors.append(InputError(path, str(error), line=line))
    if errors:
        raise ExceptionGroup(path.name, errors)
    return rows


def _lines(path: Path, sheet: type[Row]) -> list[tuple[int, dict[str, str]]]:
    """The sheet's lines below the header, which must be that of the sheet."""
    try:
        reader = csv.reader(StringIO(path.read_text(encoding="utf-8-sig")), strict=True)
        rows = [(reader.line_num, row) for row in reader]
    except (csv.Error, UnicodeDecodeError) as error:
        raise InputError(path, f"not a CSV in UTF-8: {error}") from error
    header, expected = rows[0][1] if rows else [], [*sheet.__struct_encode_fields__]
    if header != expected:
        missing = [name for name in expected if name not in header]
        extra = [name for name in header if name not in expected]
        faults = [f"lacks {', '.join(missing)}"] if missing else []
        faults += [f"has unknown {', '.join(extra)}"] if extra else []
        reason = f"header {' and '.join(faults) or 'is in the wrong order'}; expected: "
        raise InputError(path, reason + ",".join(expected), line=1)
    for line, row in rows[1:]:
        if len(row) != len(header):
            reason = f"{len(row)} cells under a header of {len(header)}; is a comma unquoted?"
            raise InputError(path, reason, line=line)
    return [(line, dict(zip(header, row, strict=True))) for line, row in rows[1:]]


def _check_page(row: Row, document: Document) -> None:
    pages_by_edition = {edition.edition: edition.page_count for edition in document.editions}
    if row.edition not in pages_by_edition:
        raise ValueError(f"edition {row.edition!r} is not in document.yml")
    page_count = pages_by_edition[row.edition]
    if row.page is None:
        if page_count is not None:
            raise ValueError(f"page is empty, though document.yml counts {page_count} pages")
        return
    page, last_page = row.page
    if page_count is None:
        raise ValueError(f"page {page} cannot be checked: document.yml has no page_count")
    if not 1 <= page <= last_page <= page_count:
        span = f"{page}" if page == last_page else f"{page}-{last_page}"
        raise ValueError(f"page {span} is outside the document's 1 to {page_count}")
