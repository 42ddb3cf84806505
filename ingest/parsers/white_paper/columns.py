"""The kinds of cells a paper's sheets have: what each accepts and which raw columns it fills."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from ingest.printed_values import UNITS_BY_QUANTITY, read_printed_value

Cells = dict[str, str]
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


@dataclass(frozen=True)
class Column:
    """One column of a sheet: `read` gets the whole row, as a value's quantity depends on others."""

    fields: dict[str, pl.DataType]
    read: Callable[[Cells], Values]


def text(name: str, *, required: bool = False) -> Column:
    def read(cells: Cells) -> Values:
        if required and not cells[name]:
            raise ValueError(f"{name} is empty; every row needs one")
        return {name: cells[name] or None}

    return Column({name: pl.String()}, read)


def choice(name: str, choices: Sequence[str], *, required: bool = False) -> Column:
    def read(cells: Cells) -> Values:
        value = cells[name] or None
        if (value is None and required) or (value is not None and value not in choices):
            raise ValueError(f"{name} {value!r} is unknown; known are {', '.join(choices)}")
        return {name: value}

    return Column({name: pl.String()}, read)


def load(name: str = "load") -> Column:
    """The outstanding I/Os of which a claim speaks."""

    def read(cells: Cells) -> Values:
        if not re.fullmatch(r"|lowest|highest|\d{1,4}(-\d{1,4})?( per drive)?", cells[name]):
            raise ValueError(
                f"{name} {cells[name]!r} is not lowest, highest, a number (512) or a span (1-32); "
                "numbers may be per drive (8 per drive)"
            )
        return {name: cells[name] or None}

    return Column({name: pl.String()}, read)


def curve_end(name: str, other: str) -> Column:
    """An end of the curve that a claim follows: numbers, or from less to more and the reverse."""

    def read(cells: Cells) -> Values:
        ends = {cells[name], cells[other]}
        is_span = len(ends) == 2 and (ends == {"less", "more"} or all(map(str.isdecimal, ends)))
        if ends != {""} and not is_span:
            raise ValueError(
                f"{name} {cells[name]!r} with {other} {cells[other]!r} is no curve; write two "
                "different numbers, or less and more"
            )
        return {f"{name}_step": cells[name] or None}

    return Column({f"{name}_step": pl.String()}, read)


def limit_of(name: str, choices: Sequence[str], quantity_of: Callable[[Cells], str]) -> Column:
    """What the value is the most of; a value printed as a lower bound is no maximum."""
    chosen = choice(name, choices)

    def read(cells: Cells) -> Values:
        if cells[name]:
            value = read_printed_value(cells["as_printed"], quantity_of(cells))
            if value.qualifier == "at_least":
                raise ValueError(f"{name}: {cells['as_printed']!r} is a lower bound and no maximum")
        return chosen.read(cells)

    return Column(chosen.fields, read)


def integer(name: str, *, minimum: int = 1) -> Column:
    def read(cells: Cells) -> Values:
        if not cells[name]:
            return {name: None}
        if not cells[name].isdecimal() or int(cells[name]) < minimum:
            raise ValueError(f"{name} {cells[name]!r} is not a whole number from {minimum} up")
        return {name: int(cells[name])}

    return Column({name: pl.Int64()}, read)


def base(name: str) -> Column:
    """2 where the value's prefixes mean powers of 1024, 10 where they mean powers of 1000."""

    def read(cells: Cells) -> Values:
        if cells[name] not in ("", "2", "10"):
            raise ValueError(f"{name} {cells[name]!r} is neither 2, 10 nor empty")
        return {name: int(cells[name]) if cells[name] else None}

    return Column({name: pl.Int64()}, read)


def percent(name: str) -> Column:
    def read(cells: Cells) -> Values:
        if not cells[name]:
            return {f"{name}_percent": None}
        value = read_printed_value(cells[name], "ratio")
        if value.unit != "%" or value.number is None or not 0 <= value.number <= 100:
            raise ValueError(f"{name} {cells[name]!r} is not a percentage from 0% to 100%")
        return {f"{name}_percent": value.number}

    return Column({f"{name}_percent": pl.Float64()}, read)


def boolean(name: str) -> Column:
    def read(cells: Cells) -> Values:
        if cells[name] not in ("", "true", "false"):
            raise ValueError(f"{name} {cells[name]!r} is neither true, false nor empty")
        return {name: cells[name] == "true"}

    return Column({name: pl.Boolean()}, read)


def pages(name: str = "page") -> Column:
    """`7`, or `7-10` where the text at hand does not show on which of these the value stands."""

    def read(cells: Cells) -> Values:
        first, _, last = cells[name].partition("-")
        if not cells[name]:
            return {"page": None, "last_page": None}
        if not first.isdecimal() or (last and not last.isdecimal()):
            raise ValueError(f"page {cells[name]!r} is neither a page (7) nor a span (7-10)")
        return {"page": int(first), "last_page": int(last or first)}

    return Column({"page": pl.Int64(), "last_page": pl.Int64()}, read)


def size(name: str) -> Column:
    """A size as printed ("64 kB"); the number and its unit are kept apart, unconverted."""

    def read(cells: Cells) -> Values:
        if not cells[name]:
            return {f"{name}_number": None, f"{name}_unit": None}
        value = read_printed_value(cells[name], "size")
        if value.number is None:
            raise ValueError(f"{name} {cells[name]!r} is a range; expected one size")
        return {f"{name}_number": value.number, f"{name}_unit": value.unit}

    return Column({f"{name}_number": pl.Float64(), f"{name}_unit": pl.String()}, read)


def printed_value(
    quantity_of: Callable[[Cells], str | None], *, allows_ranges: bool = True
) -> Column:
    """`as_printed`, taken apart by the quantity that the row's other cells say it has.

    `quantity_of` returns None for a text that is no number, which is kept as it is. Where a row has
    a misprint's correction, the correction is read and the print kept.
    """

    def read(cells: Cells) -> Values:
        printed = cells["as_printed"]
        quantity = quantity_of(cells)
        values = dict.fromkeys(VALUE_FIELDS) | {"as_printed": printed or None}
        if quantity is None:
            return values
        if not printed:
            raise ValueError("as_printed is empty; a value has to stand there as printed")
        assert quantity in UNITS_BY_QUANTITY
        value = read_printed_value(cells.get("corrected") or printed, quantity)
        if value.qualifier == "range" and not allows_ranges:
            raise ValueError(f"as_printed {printed!r} is a range; expected one value")
        return values | {
            "quantity": quantity,
            "qualifier": value.qualifier,
            "number": value.number,
            "low_number": value.low,
            "high_number": value.high,
            "unit": value.unit,
        }

    return Column(dict(VALUE_FIELDS), read)
