"""The kinds of values in a sidecar, in the spellings that people use.

Limits are far above any machine, and within what the warehouse's columns and conversions hold.
"""

import datetime
import re
import reprlib
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Annotated, Any, Literal, NewType, get_args, get_origin

import msgspec
import polars as pl

from ingest.common.printed_values import read_printed_value, require_size
from ingest.common.vocabulary import LINE_RATES, RAID_LEVELS, read_raid_level, slug
from ingest.systems.sidecar.patterns import compile_glob, compile_regex

Count = Annotated[int, msgspec.Meta(ge=1, le=100_000)]
OutstandingCount = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
Percent = Annotated[float, msgspec.Meta(ge=0, le=100)]
Rpm = Annotated[float, msgspec.Meta(ge=1, le=1_000_000)]
Iops = Annotated[float, msgspec.Meta(ge=1, le=1_000_000_000)]
Watts = Annotated[float, msgspec.Meta(ge=0.01, le=100_000)]
Price = Annotated[float, msgspec.Meta(ge=0.01, le=1_000_000_000)]
Name = Annotated[str, msgspec.Meta(pattern="[A-Za-z0-9]")]
Media = Literal["HDD", "SSD"]
Direction = Literal["read", "write"]
WriteCache = Literal["write-back", "write-through"]
ArrayState = Literal["optimal", "degraded", "rebuilding", "failed"]
LinkState = Literal["full", "reduced"]
ThermalState = Literal["normal", "overheated"]
_LARGEST_GB_PER_SECOND = 10_000
_BYTES_PER_SECOND = {
    "B/s": 1, "KiB/s": 1024, "MiB/s": 1024**2, "GiB/s": 1024**3, "MB/s": 1000**2, "GB/s": 1000**3,
}  # fmt: skip
_INTERFACES = {slug(name): name for name in LINE_RATES}
_NEWER = re.compile(r"(PCIe|DMI) \d\.\d")  # or older: the link's rate is not known
SEVERAL_DRIVES = re.compile(r"(\d{1,5}) ?[x×] (.*\w.*)", re.IGNORECASE)
_COLUMN_TYPES: dict[Any, pl.DataType] = {
    int: pl.Int64(),
    float: pl.Float64(),
    bool: pl.Boolean(),
}
_SHOWN = reprlib.Repr()
_SHOWN.maxstring = _SHOWN.maxlong = _SHOWN.maxother = 80

RaidLevel = NewType("RaidLevel", str)
"""A level as the warehouse spells it: 5, raid5 and RAID-5 are RAID 5."""
RaidLevels = NewType("RaidLevels", str)
"""Levels that a controller has, as a list or a text."""
AccessPattern = NewType("AccessPattern", str)
"""A pattern as the warehouse spells it: rand is random, seq is sequential."""
Size = NewType("Size", str)
"""A size with its unit: 256 kB."""
DataRate = NewType("DataRate", str)
"""A rate with its unit: 7000 MB/s."""
HostInterface = NewType("HostInterface", str)
"""A link to the host, with or without its lanes: PCIe 3.0 x8, Ethernet 25G."""
Currency = NewType("Currency", str)
"""A code of ISO 4217: EUR."""
Day = NewType("Day", str)
"""A date as in ISO 8601: 2026-11-23."""
Glob = NewType("Glob", str)
"""A pattern of paths."""
Regex = NewType("Regex", str)
"""A regular expression, searched in paths."""
_QUANTITIES = {Size: "size", DataRate: "data_rate"}
_EXAMPLES = {"size": "size such as 256 kB", "data_rate": "rate such as 7000 MB/s"}


@cache
def kinds_of(struct: type[msgspec.Struct]) -> dict[str, Any]:
    """The kinds of a struct's fields."""
    return {field.name: field.type for field in msgspec.structs.fields(struct)}


def raw_columns(struct: type[msgspec.Struct]) -> dict[str, pl.DataType]:
    """The raw columns of a struct's fields; sizes and rates have one for the number and one for
    the unit."""
    columns: dict[str, pl.DataType] = {}
    for name, kind in kinds_of(struct).items():
        given = _given(kind)
        if given in _QUANTITIES:
            columns |= {f"{name}_number": pl.Float64(), f"{name}_unit": pl.String()}
        else:
            columns[name] = _COLUMN_TYPES.get(getattr(given, "__origin__", given), pl.String())
    return columns


def raw_values(struct: type[msgspec.Struct], values: dict[str, Any]) -> dict[str, Any]:
    """Values of a struct's fields in their raw columns, without nulls."""
    raw: dict[str, Any] = {}
    for name, value in values.items():
        quantity = _QUANTITIES.get(_given(kinds_of(struct)[name]))
        if value is not None and quantity:
            raw[f"{name}_number"], raw[f"{name}_unit"] = _split(value, quantity)
        elif value is not None:
            raw[name] = value
    return raw


@cache
def _given(kind: Any) -> Any:
    """A kind without its None: `Size | None` is Size."""
    options = [part for part in get_args(kind) if part is not type(None)]
    return options[0] if type(None) in get_args(kind) and len(options) == 1 else kind


def read_value(kind: Any, value: Any, *, is_text: bool = False) -> Any:
    """The value in its kind's spelling.

    Args:
        kind: the type of a field.
        value: the value in the sidecar.
        is_text: the value is a part of a name, where numbers are texts.

    Raises:
        ValueError: not of that kind; names the value and the expectation.
    """
    given = _given(kind)
    if given in _READERS:
        return _read(given, value)
    if get_origin(given) is Literal:
        value = next((one for one in get_args(given) if _letters(one) == _letters(value)), value)
    try:
        return msgspec.convert(value, given, strict=not is_text)
    except msgspec.ValidationError as error:
        raise ValueError(_expected(given, value, is_text=is_text)) from error


def _letters(word: Any) -> str:
    """WriteBack, `write back` and write-back are one word."""
    return slug(str(word)).replace("-", "")


def shown(value: Any) -> str:
    """A value for a message, as Python writes it, shortened."""
    try:
        return _SHOWN.repr(value)
    except ValueError:  # a number of thousands of digits
        return "this number"


def _expected(kind: Any, value: Any, *, is_text: bool) -> str:
    """The error message for msgspec's own kinds; our kinds raise theirs themselves."""
    for limits in getattr(kind, "__metadata__", ()):
        if limits.ge is None:
            return f"{shown(value)} is not a name: it needs a letter or a digit"
        whole = "whole " if get_args(kind)[0] is int else ""
        if not is_text and isinstance(value, str) and value.strip().isdecimal():
            return f"{shown(value)} is text: write the number without quotes"
        return f"{shown(value)} is not a {whole}number from {limits.ge} to {limits.le}"
    if kind is bool:
        return f"{shown(value)} is neither true nor false"
    if get_origin(kind) is Literal:
        return f"{shown(value)} is not one of {', '.join(get_args(kind))}"
    return f"{shown(value)} is not text: write it in quotes"


def _read(kind: Any, value: Any) -> str:
    """A value of one of our kinds."""
    if kind is RaidLevels and isinstance(value, list):
        value = ", ".join(_raid_level(str(level)) for level in value)
    if kind is Day and isinstance(value, datetime.date):  # as YAML reads it
        value = value.isoformat()
    if not isinstance(value, str | int) or isinstance(value, bool):
        raise ValueError(f"{shown(value)} is not text: write it in quotes")
    return _READERS[kind](str(value))


def _raid_level(text: str) -> str:
    level = read_raid_level(text)
    if level is None:
        raise ValueError(f"{shown(text)} is unknown; known are {', '.join(RAID_LEVELS)}")
    return level


def _raid_levels(text: str) -> str:
    """Levels as papers write them, "JBOD, 0, 1, 10"; any other text stays unchanged."""
    levels = [read_raid_level(part) for part in text.split(",")]
    if None in levels:
        return text
    return ", ".join(str(level).removeprefix("RAID ") for level in levels)


def _access_pattern(text: str) -> str:
    for pattern in ("random", "sequential"):
        if len(text) > 2 and pattern.startswith(text.lower()):
            return pattern
    raise ValueError(f"{shown(text)} is neither random nor sequential")


def _size(text: str) -> str:
    number, unit = _split(text, "size")
    require_size(number, unit, text)
    return text


def _rate(text: str) -> str:
    number, unit = _split(text, "data_rate")
    if not 1 <= number * _BYTES_PER_SECOND[unit] <= _LARGEST_GB_PER_SECOND * 1000**3:
        raise ValueError(f"{shown(text)} is not a rate from 1 B/s to {_LARGEST_GB_PER_SECOND} GB/s")
    return text


@lru_cache(maxsize=1024)
def _split(text: str, quantity: str) -> tuple[float, str]:
    """Number and unit of a size or rate, not converted; staging converts them to bytes.

    Raises:
        ValueError: not exactly one value.
    """
    value = read_printed_value(text, quantity) if len(text) <= 60 else None
    if value is None or value.qualifier != "exact" or value.number is None:
        raise ValueError(f"{shown(text)} is not one {_EXAMPLES[quantity]}")
    return value.number, value.unit


def _host_interface(text: str) -> str:
    name, lanes = split_lanes(text)
    known = _INTERFACES.get(slug(name)) or (name if _NEWER.fullmatch(name) else None)
    if known is None or (lanes is not None and not 1 <= lanes <= 1000):
        known_are = ", ".join(_INTERFACES.values())
        raise ValueError(
            f"{shown(text)} is unknown; write it as PCIe 3.0 x8; known are {known_are}"
        )
    return known if lanes is None else f"{known} x{lanes}"


def split_lanes(text: str) -> tuple[str, int | None]:
    """Name and lanes of a link: PCIe 3.0 x8; None where it has no lanes."""
    match = re.fullmatch(r"(.*\S)\s+x(\d{1,4})", text.strip(), re.DOTALL)
    return (match[1], int(match[2])) if match else (text.strip(), None)


def _currency(text: str) -> str:
    if not re.fullmatch("[A-Z]{3}", text.upper()):
        raise ValueError(f"{shown(text)} is not a code of ISO 4217 such as EUR or USD")
    return text.upper()


def _day(text: str) -> str:
    try:
        return datetime.date.fromisoformat(text).isoformat()
    except ValueError as error:
        raise ValueError(f"{shown(text)} is not a date such as 2026-11-23") from error


_READERS: dict[Any, Callable[[str], str]] = {
    RaidLevel: _raid_level,
    RaidLevels: _raid_levels,
    AccessPattern: _access_pattern,
    Size: _size,
    DataRate: _rate,
    HostInterface: _host_interface,
    Currency: _currency,
    Day: _day,
    Glob: lambda text: compile_glob(text) and text,
    Regex: lambda text: compile_regex(text) and text,
}
