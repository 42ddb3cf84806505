"""The look of a column on a board: from the column dictionary, else by its suffix."""

import re
from functools import cache
from pathlib import Path

import msgspec
from grafana_foundation_sdk.models import units

DICTIONARY = Path(__file__).parents[1] / "dbt_project/models/docs.md"
# dbt leaves the comment out of the description.
_BLOCK = re.compile(r"{% docs (\w+) %}(?:\s*{#\s*(.+?)\s*#})?")
# With the prefixes of the texts in marts: 62 kIOPS, 1.29 MIOPS.
IOPS = "si:IOPS"
_UNITS = (
    ("megabytes_per_second", units.MegabytesPerSecond),
    ("bytes_per_second", units.BytesPerSecondSI),
    ("_bytes", units.BytesIEC),
    ("iops", IOPS),
    ("_us", units.Microseconds),
    ("_ratio", units.PercentUnit),
    ("_seconds", units.Seconds),
    ("_terabytes", units.Terabytes),
    ("_hertz", units.Hertz),
    ("_at", units.DatetimeISO),
    ("_date", units.DatetimeISONotToday),
)
_SUFFIXES = ("_us", "_bytes_per_second", "_terabytes")
_TIME_PIXELS = 160


class Look(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Heading, unit and width of a column."""

    heading: str = ""
    unit: str = ""
    """Grafana's id of the unit; 'none' for plain numbers and texts."""
    width: int | None = None
    """Pixels; columns without a width share the rest of a table, which is 1110 wide on a screen of
    1440 with Grafana's menu."""
    wraps: bool = True
    """Whether a text with a width may take several lines."""
    grows: bool = False
    """Whether it takes the rest of the width."""


@cache
def dictionary(path: Path = DICTIONARY) -> dict[str, Look]:
    """Looks by column; raises ValueError for an unknown part of one."""
    return {
        name: _look(f"{path}: {name}", comment)
        for name, comment in _BLOCK.findall(path.read_text())
        if comment
    }


def _look(place: str, comment: str) -> Look:
    try:
        parts = dict(part.split(": ", 1) for part in comment.split("; "))
        return msgspec.convert(parts, Look, strict=False)
    except ValueError as error:
        raise ValueError(f"{place}: {comment!r}: {error}") from error


def look_of(column: str, expression: str, given: Look | None = None) -> Look:
    """The complete look: as given or in the dictionary, else by the rules."""
    found = given or dictionary().get(column, Look())
    return msgspec.structs.replace(
        found,
        heading=found.heading or _heading(column),
        unit=found.unit or _unit(column) or _unit(expression) or units.NoUnit,
        width=_TIME_PIXELS if column.endswith("_at") else found.width,
        wraps=found.wraps and found.width is not None,
    )


def _unit(column: str) -> str:
    return next((unit for suffix, unit in _UNITS if column.endswith(suffix)), "")


def _heading(column: str) -> str:
    """The name in words, without the unit."""
    words = column.removeprefix("is_")
    for suffix in _SUFFIXES:
        words = words.removesuffix(suffix)
    return words.replace("_io_count", " I/Os").replace("_", " ").replace("iops", "IOPS")
