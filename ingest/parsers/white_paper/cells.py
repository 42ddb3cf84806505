"""The kinds of cells in a paper's sheets, and the raw columns that each fills.

A kind's description completes the error "cell so-and-so is ...".
"""

import datetime
import re
from collections.abc import Iterable
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, get_args

import msgspec
import polars as pl
from msgspec import Meta

from ingest.common.printed_values import PrintedValue, read_printed_value, require_size
from ingest.common.vocabulary import RAID_LEVELS, read_raid_level

Values = dict[str, Any]
LIST_SEPARATOR = "; "
VALUE_FIELDS: dict[str, pl.DataType] = {
    "as_printed": pl.String(),
    "quantity": pl.String(),
    "qualifier": pl.String(),
    "number": pl.Float64(),
    "low_number": pl.Float64(),
    "high_number": pl.Float64(),
    "unit": pl.String(),
}


def one_of(words: Iterable[str]) -> Meta:
    known = tuple(words)
    pattern = rf"\A({'|'.join(map(re.escape, known))})\Z"
    return Meta(pattern=pattern, description=f"unknown; known are {', '.join(known)}")


MOST = 1_000_000
Count = Annotated[int, Meta(ge=1, le=MOST, description=f"not a whole number from 1 to {MOST}")]
AxisEnd = Annotated[
    int, Meta(ge=0, le=10**15, description="not a whole number from 0 to 1000000000000000")
]
# 2 where the value's prefixes mean powers of 1024, 10 where they mean powers of 1000.
Base = Annotated[Literal[2, 10], Meta(description="neither 2, 10 nor empty")]
Rate = Annotated[float, Meta(gt=0, le=1e15, description="not a number above 0")]
Day = Annotated[datetime.date, Meta(description="not a day, such as 2026-11-25")]
Flag = Annotated[bool, Meta(description="neither true, false nor empty")]
Load = Annotated[
    str,
    Meta(
        pattern=r"\A(lowest|highest|all|maximum of \d{1,4} to \d{1,4}"
        r"|\d{1,4}(-\d{1,4})?( per drive)?)\Z",
        description="not lowest, highest, all, maximum of 1 to 512, a number (512) or a span "
        "(1-32); numbers may be per drive (8 per drive)",
    ),
]


class _Pages(tuple[int, int]):
    """`7`, or `7-10` where the value is on one of these pages."""

    def __new__(cls, text: str) -> "_Pages":
        first, _, last = text.partition("-")
        if not (first + last).isdecimal() or len(first + last) > 8:
            raise ValueError
        return super().__new__(cls, (int(first), int(last or first)))


class _Percent(float):
    def __new__(cls, text: str) -> "_Percent":
        value = read_printed_value(text, "ratio")
        number = value.number if value.qualifier == "exact" and value.unit == "%" else None
        if number is None or not 0 <= number <= 100:
            raise ValueError
        return super().__new__(cls, number)


class _RaidLevel(str):
    """In any spelling: `RAID 5`, `5`, `raid5`, `1+0`."""

    def __new__(cls, text: str) -> "_RaidLevel":
        level = read_raid_level(text)
        if level is None:
            raise ValueError
        return super().__new__(cls, level)


RaidLevel = Annotated[_RaidLevel, Meta(description=f"unknown; known are {', '.join(RAID_LEVELS)}")]
Pages = Annotated[_Pages, Meta(description="neither a page (7) nor a span (7-10)")]
Percent = Annotated[_Percent, Meta(description="not an exact percentage from 0% to 100%")]


class Size(tuple[float, str]):
    """A size as printed ("64 kB"); the number and its unit are kept apart, unconverted."""

    def __new__(cls, text: str) -> "Size":
        value = read_printed_value(text, "size")
        if value.number is None or value.qualifier != "exact":
            raise ValueError(f"{text!r} is not one exact size such as 64 kB")
        require_size(value.number, value.unit, text)
        return super().__new__(cls, (value.number, value.unit))


class Printed(str):
    """A value as printed, split by its row; a text if the row has no quantity."""


_COLUMNS: dict[Any, dict[str, pl.DataType]] = {
    str: {"{}": pl.String()},
    int: {"{}": pl.Int64()},
    Literal[2, 10]: {"{}": pl.Int64()},
    bool: {"{}": pl.Boolean()},
    float: {"{}": pl.Float64()},
    datetime.date: {"{}": pl.Date()},
    _Percent: {"{}": pl.Float64()},
    _RaidLevel: {"{}": pl.String()},
    _Pages: {"page": pl.Int64(), "last_page": pl.Int64()},
    Size: {"{}_number": pl.Float64(), "{}_unit": pl.String()},
    Printed: VALUE_FIELDS,
}


class Row(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A row of a sheet: fields are the columns of the sheet's header, named as in raw."""

    file: ClassVar[str]
    table: ClassVar[str]
    key: ClassVar[tuple[str, ...]]
    """The columns that identify a row: no two rows have the same values in them."""

    edition: str
    page: Pages | None = None

    def quantity(self) -> str | None:
        """The quantity of `as_printed`; None for a text."""
        raise NotImplementedError

    def value(self) -> PrintedValue | None:
        """The value of `as_printed`, or of its correction; a misprint is kept as printed."""
        quantity, printed = self.quantity(), getattr(self, "as_printed", None)
        if quantity is None:
            return None
        if not printed:
            raise ValueError("as_printed is empty; write the value as printed")
        return read_printed_value(getattr(self, "corrected", None) or printed, quantity)

    def raw(self) -> Values:
        """The cells in their raw columns."""
        values: Values = {}
        for name, columns in raw_columns(type(self)).items():
            cell = getattr(self, name)
            if columns == VALUE_FIELDS and (value := self.value()):
                cell = (cell, self.quantity(), *value)
            cells = cell if isinstance(cell, tuple) else (cell, *[None] * (len(columns) - 1))
            values |= zip(columns, cells, strict=True)
        return values


@cache
def raw_columns(sheet: type[Row]) -> dict[str, dict[str, pl.DataType]]:
    """The raw columns that each field fills."""
    return {
        name: {
            column.format(name): kind
            for column, kind in _COLUMNS[getattr(hint, "__origin__", hint)].items()
        }
        for name, hint in _kinds(sheet).items()
    }


def read_row(sheet: type[Row], cells: dict[str, str]) -> Row:
    """A row of cells by the header's names.

    Raises:
        ValueError: names the bad cell and its fault.
    """
    given = {name: cell for name, cell in cells.items() if cell}
    for name, cell in given.items():
        if cell.lower() == "null":  # it would be None in a column of numbers
            raise ValueError(f"{name} is {cell!r}; leave the cell empty if not reported")
    try:
        return msgspec.convert(given, sheet, strict=False, dec_hook=lambda kind, cell: kind(cell))
    except msgspec.ValidationError as error:
        raise ValueError(_explain(str(error), sheet, cells)) from error


def _explain(reason: str, sheet: type[Row], cells: dict[str, str]) -> str:
    place = re.search(r"required field `(\w+)`$| - at `\$\.(\w+)`$", reason)
    if place is None:
        return reason
    name = place[1] or place[2]
    field = sheet.__struct_fields__[sheet.__struct_encode_fields__.index(name)]
    for meta in getattr(_kinds(sheet)[field], "__metadata__", ()):
        return f"{name} {cells[name]!r} is {meta.description}"
    reason = f": {reason[: place.start()]}" if cells[name] else " is empty; every row needs one"
    return name + reason


@cache
def _kinds(sheet: type[Row]) -> dict[str, Any]:
    """The kind of each field's cells, without None."""
    fields = msgspec.structs.fields(sheet)
    kinds = {field.name: get_args(field.type) for field in fields}
    return {
        field.name: kinds[field.name][0] if type(None) in kinds[field.name] else field.type
        for field in fields
    }
