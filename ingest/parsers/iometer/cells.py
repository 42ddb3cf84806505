"""Turns the cells of a result row into numbers: in runs where they are what Iometer writes, else
one by one, with a reason for each that is none.

Rows of one type have the same cells filled, so that the first one shows how to take the next.
`-1`, and 18446744073709551615 where it is printed unsigned, say that workers differ.
"""

import math
import re
from dataclasses import dataclass

import polars as pl

from ingest.parsers.iometer.columns import COLUMN_NAMES, HEADER_BY_COLUMN, NUMBERS, Layout

Number = int | float | None
Run = tuple[int, int, str]
"""Adjacent cells, first and last + 1, that are all int, float, mark or null."""

_MAX_INT = 2**63 - 1
_INTEGER = re.compile(r"-?[0-9]{1,24}")
_DECIMAL = re.compile(r"-?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?")
_NO_NUMBER = re.compile(r"-?(1\.#\w+|nan(\(.*\))?|inf(inity)?)", re.IGNORECASE)
_IS_INT = {name: kind == pl.Int64() for name, kind in NUMBERS.items()}
_UNUSED = "transactions_per_connection_count"  # -1 unless connections are opened and closed
_NOT_USED = ("mark", "-1")
_EMPTY = tuple([""] * width for width in range(81))
_NULLS: tuple[list[None], ...] = tuple([None] * width for width in range(81))
_MARKED = {"starting_sector", "maximum_size_sectors", "queue_depth", _UNUSED}


@dataclass
class CellError(Exception):
    """A cell that is no number."""

    header: str
    cell: str

    def __str__(self) -> str:
        return f"{self.header} is {self.cell!r}, which is none of Iometer's"


def plan(cells: list[str], layout: Layout) -> list[Run]:
    """How a row like this one can be read."""
    runs: list[Run] = []
    for at, column in zip(layout.cell_by_column, COLUMN_NAMES, strict=True):
        if at is None:
            runs.append((0, 0, "null"))
            continue
        kind = "int" if _IS_INT[column] else "float"
        kind = "mark" if column == _UNUSED else kind
        kind = kind if cells[at] else "null"
        if runs and runs[-1][1:] == (at, kind):
            runs[-1] = (runs[-1][0], at + 1, kind)
        else:
            runs.append((at, at + 1, kind))
    return runs


def read_runs(cells: list[str], runs: list[Run]) -> list[Number] | None:
    """The row's numbers in COLUMN_NAMES' order; None if the row is another than was planned."""
    numbers: list[Number] = []
    integers: list[int] = []
    total = 0.0
    try:
        for start, stop, kind in runs:
            if kind == "float":
                floats = list(map(float, cells[start:stop]))
                total += sum(floats)
                numbers += floats
            elif kind == "int":
                counts = list(map(int, cells[start:stop]))
                integers += counts
                numbers += counts
            elif cells[start:stop] != _EMPTY[stop - start] and (kind, cells[start]) != _NOT_USED:
                return None
            else:
                numbers += _NULLS[stop - start or 1]
    except ValueError:
        return None
    is_in_range = not integers or (min(integers) >= 0 and max(integers) <= _MAX_INT)
    return numbers if is_in_range and math.isfinite(total) else None


def read_slowly(cells: list[str], layout: Layout) -> tuple[list[Number], str | None]:
    """The row's numbers in COLUMN_NAMES' order, and the cells that say no usable one.

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
    return numbers, ", ".join(ambiguous) or None


def read_number(cell: str, column: str) -> Number:
    """The number, or None for no cell, a mark of ambiguity, or one that a BIGINT cannot hold."""
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


def read_bins(cells: list[str]) -> list[Number]:
    return [read_number(cell.strip(), "a latency bin") for cell in cells]
