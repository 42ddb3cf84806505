"""Values as papers print them: "about 240000 IO/s", "up to 155527 IO/s", "over 200K", "6-11%".

`read_printed_value` takes such a text apart into qualifier, number (or range) and unit. It converts
nothing: the unit stays the source's, staging turns it into base units. English and German forms are
known, since one of the papers has both editions.

Where several qualifiers stand together the stronger holds: a range over a bound, a bound over an
approximation ("up to about 1400 MB/s" is at most 1400 MB/s).
"""

import re
from dataclasses import dataclass
from typing import Literal

Qualifier = Literal["exact", "approximate", "at_least", "at_most", "range"]

UNITS_BY_QUANTITY: dict[str, tuple[str, ...]] = {
    "io_rate": ("IO/s", "IOPS"),
    "data_rate": ("MB/s", "GB/s"),
    "time": ("us", "ms", "s", "minutes", "hours"),
    "size": ("B", "byte", "bytes", "kB", "MB", "GB", "TB"),
    "frequency": ("MHz", "GHz"),
    "rotation_rate": ("rpm", "krpm"),
    "ratio": ("%", "times"),
    "count": (),
}
# Quantities also printed bare: "over 200K" of IOPS, a quotient of "70.71", a count of "8".
BARE_UNIT: dict[str, str] = {"io_rate": "IO/s", "ratio": "times", "count": "count"}
_SPELLINGS: dict[str, str] = {
    "µs": "us", "μs": "us", "uS": "us", "min": "minutes", "hour": "hours", "hrs": "hours",
    "K": "kB", "KB": "kB", "k": "kB", "Bytes": "bytes", "x": "times", "-fold": "times",
    "-Fache": "times",
}  # fmt: skip

_QUALIFIERS: tuple[tuple[Qualifier, str], ...] = (
    (
        "at_least",
        r"(?:a little )?more than|over|at least|starting at|from|>=?|≥|"
        r"über|(?:etwas )?mehr als|mindestens",
    ),
    ("at_most", r"up to|as much as|less than|at most|below|under|<=?|≤|bis zu|weniger als|maximal"),
    (
        "approximate",
        r"just under|just below|about|approximately|approx\.|nearly|almost|close to|around|~|"
        r"etwa|ca\.|rund|annähernd",
    ),
)
_NUMBER_WORDS: dict[str, float] = {
    "half": 0.5, "halve": 0.5, "double": 2, "doubled": 2, "twice": 2, "two": 2, "triple": 3,
    "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "die hälfte": 0.5, "halbieren": 0.5, "den doppelten": 2, "vier": 4, "vierfachen": 4, "fünf": 5,
    "sechs": 6, "sieben": 7, "acht": 8,
}  # fmt: skip
_NUMBER = r"\d{1,3}(?:[ ,]\d{3})+(?![\d.])|\d+(?:\.\d+)?|" + "|".join(
    rf"(?i:{word})\b" for word in _NUMBER_WORDS
)
_VALUE = re.compile(
    rf"(?P<low>{_NUMBER})(?P<low_kilo>K\b)?(?:%(?=\s*(?:-|–|to|bis)))?\s*"
    rf"(?:(?:-|–|to|bis)\s*(?P<high>{_NUMBER})(?P<high_kilo>K\b)?\s*)?"
    r"(?P<unit>\S+)?"
)


@dataclass(frozen=True)
class PrintedValue:
    """One printed value in the source's unit; a range has `low` and `high` and no `number`."""

    qualifier: Qualifier
    number: float | None
    low: float | None
    high: float | None
    unit: str


def read_printed_value(text: str, quantity: str) -> PrintedValue:
    """Take a printed value apart.

    Args:
        text: the value as printed, with its qualifier and unit: "about 2848 MB/s".
        quantity: what it measures, a key of UNITS_BY_QUANTITY; says which units are possible.

    Raises:
        ValueError: the text is not one value, or its unit is unknown or of another quantity.
    """
    qualifier, rest = _split_qualifier(text.strip())
    match = _VALUE.fullmatch(rest)
    if match is None:
        raise ValueError(f"cannot read a value in {text!r}: expected e.g. 'about 2848 MB/s'")
    kilo = bool(match["high_kilo"] or match["low_kilo"])
    unit_text = match["unit"]
    if kilo and quantity == "size":  # "16K" and "1K byte" are kilobytes, not thousands of something
        kilo = False
        unit_text = "kB" if unit_text in (None, "byte", "bytes", "B") else f"K {unit_text}"
    unit = _unit(unit_text, quantity, text)
    low = _number(match["low"], kilo)
    if match["high"] is None:
        return PrintedValue(qualifier, low, None, None, unit)
    high = _number(match["high"], kilo)
    if low >= high:
        raise ValueError(f"range {text!r} does not rise: {low:g} is not below {high:g}")
    return PrintedValue("range", None, low, high, unit)


def _split_qualifier(text: str) -> tuple[Qualifier, str]:
    """The strongest leading qualifier and what is left behind all of them."""
    found: list[Qualifier] = []
    rest = text
    while True:
        for name, words in _QUALIFIERS:
            match = re.match(rf"(?:{words})(?=[\s\d~<>])\s*", rest, re.IGNORECASE)
            if match:
                found.append(name)
                rest = rest[match.end() :]
                break
        else:
            break
    for name, _ in _QUALIFIERS:
        if name in found:
            return name, rest
    return "exact", rest


def _number(text: str, kilo: bool) -> float:
    word = _NUMBER_WORDS.get(text.lower())
    value = float(word) if word is not None else float(re.sub(r"[ ,]", "", text))
    return value * 1000 if kilo else value


def _unit(printed: str | None, quantity: str, text: str) -> str:
    if printed is None:
        if quantity in BARE_UNIT:
            return BARE_UNIT[quantity]
        raise ValueError(f"{text!r} has no unit; {quantity} needs one of {_known(quantity)}")
    unit = _SPELLINGS.get(printed, printed)
    if unit not in UNITS_BY_QUANTITY[quantity]:
        raise ValueError(f"unknown unit {printed!r} in {text!r}; {quantity} has {_known(quantity)}")
    return unit


def _known(quantity: str) -> str:
    return ", ".join(UNITS_BY_QUANTITY[quantity]) or "no unit"
