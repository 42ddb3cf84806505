"""Converts the cells of a result row to numbers: all at once if Iometer wrote them, otherwise one
by one, with a reason for each cell that is not a number.

Iometer's numbers are valid JSON: with null in empty cells a row is a JSON array, whose types
msgspec checks. `-1`, or 18446744073709551615 if printed unsigned, means that workers differ.
"""

import math
import re
from typing import Annotated, Any

import msgspec
import polars as pl

from ingest.parsers.iometer.columns import (
    BIN_HEADERS,
    COLUMN_NAMES,
    FIRST_NUMBER,
    HEADER_BY_COLUMN,
    LAYOUTS,
    MB_COLUMNS,
    NUMBERS,
    Layout,
)

Number = int | float | None
_MAX_INT = 2**63 - 1
_Count = Annotated[int, msgspec.Meta(ge=0, le=_MAX_INT)] | None
_CountOrMark = Annotated[int, msgspec.Meta(ge=-1, le=_MAX_INT)] | None
_INTEGER = re.compile(r"-?[0-9]{1,24}")
_DECIMAL = re.compile(r"-?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?")
_NO_NUMBER = re.compile(r"-?(1\.#\w+|nan(\(.*\))?|inf(inity)?)", re.IGNORECASE)
_IS_INT = {name: kind == pl.Int64() for name, kind in NUMBERS.items()}
_UNUSED = "transactions_per_connection_count"  # -1 unless connections are opened and closed
_UNUSED_AT = COLUMN_NAMES.index(_UNUSED)
_FIRST_MB = COLUMN_NAMES.index(MB_COLUMNS[0])
_NO_MB = [None] * len(MB_COLUMNS)
_MARKED = {"starting_sector", "maximum_size_sectors", "queue_depth", _UNUSED}


class CellError(Exception):
    """A cell that is no number, or a row that does not fit its header."""

    def __init__(self, header: str, cell: str) -> None:
        super().__init__(f"{header} is {cell!r}, not an Iometer value")


def _decoder(layout: Layout) -> msgspec.json.Decoder[Any]:
    present = zip(layout.cell_by_column, COLUMN_NAMES, strict=True)
    kinds: list[Any] = [_kind(column) for at, column in present if at is not None]
    kinds += [_Count] * len(BIN_HEADERS) if layout.first_bin else []
    return msgspec.json.Decoder(tuple[tuple(kinds)])  # type: ignore[misc]


def _kind(column: str) -> Any:
    if column == _UNUSED:
        return _CountOrMark
    return _Count if _IS_INT[column] else float | None


_DECODERS = {layout.name: _decoder(layout) for layout in LAYOUTS}


def read_at_once(cells: list[str], layout: Layout) -> tuple[list[Number], list[Number]] | None:
    """The row's numbers in COLUMN_NAMES' order and its bins; None if a cell does not fit."""
    text = f",{','.join(cells[FIRST_NUMBER:])},"
    array = text.replace(",,", ",null,").replace(",,", ",null,")[1:-1]
    try:
        found: list[Number] = list(_DECODERS[layout.name].decode(f"[{array}]"))
    except msgspec.DecodeError:
        return None
    if not layout.has_mb:
        found[_FIRST_MB:_FIRST_MB] = _NO_MB
    if found[_UNUSED_AT] == -1:
        found[_UNUSED_AT] = None
    return found[: len(COLUMN_NAMES)], found[len(COLUMN_NAMES) :]


def read_one_by_one(
    cells: list[str], layout: Layout
) -> tuple[list[Number], list[Number], str | None]:
    """The row's numbers and bins, as above, and the cells without a usable number.

    Raises:
        CellError: a cell is no number.
    """
    numbers: list[Number] = []
    ambiguous: list[str] = []
    for at, column in zip(layout.cell_by_column, COLUMN_NAMES, strict=True):
        cell = "" if at is None else cells[at].strip()
        number = read_number(cell, column)
        if number is None and cell and (column, cell) != (_UNUSED, "-1"):
            ambiguous.append(f"{column}={cell}")
        numbers.append(number)
    bins = cells[layout.first_bin :] if layout.first_bin else []
    counts = [read_number(cell.strip(), "a latency bin") for cell in bins]
    return numbers, counts, ", ".join(ambiguous) or None


def read_number(cell: str, column: str) -> Number:
    """The number; None for an empty cell, an ambiguity mark, or a number too large for BIGINT."""
    is_int = _IS_INT.get(column, True)
    if is_int and _INTEGER.fullmatch(cell):
        number = int(cell)
        is_mark = number == -1 and column in _MARKED
        return None if is_mark or abs(number) > _MAX_INT else number
    if _DECIMAL.fullmatch(cell):
        value = float(cell)
        # a spreadsheet shows long counts as 1.39877E+11, which is another number
        return None if is_int or not math.isfinite(value) else value
    if not cell or _NO_NUMBER.fullmatch(cell):
        return None
    raise CellError(HEADER_BY_COLUMN.get(column, column), cell)
