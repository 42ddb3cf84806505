"""Values as papers print them: "about 240000 IO/s", "up to 155527 IO/s", "over 200K", "6-11%".

`read_printed_value` splits such a text into qualifier, number (or range) and unit. The unit is the
source's; staging converts it. English and German forms are known: one paper has both editions.

The strongest of several qualifiers wins: a range over a bound, a bound over an approximation ("up
to about 1400 MB/s" is at most 1400 MB/s). Words for *nearly* approximate from below: the number is
also the upper end ("just under 50000 IO/s"). "A little more than" approximates from above, with the
number as lower end.
"""

import re
from typing import Literal, NamedTuple

from ingest.common.vocabulary import BARE_UNIT, UNITS_BY_QUANTITY

Qualifier = Literal["exact", "approximate", "at_least", "at_most", "range"]

_SPELLINGS: dict[str, str] = {
    "µs": "us", "μs": "us", "uS": "us", "min": "minutes", "hour": "hours", "hrs": "hours",
    "K": "kB", "KB": "kB", "k": "kB", "Bytes": "bytes", "x": "times", "-fold": "times",
    "-Fache": "times",
}  # fmt: skip

_NEARLY = r"just under|just below|nearly|almost|close to"
_LITTLE_MORE = r"a little more than|etwas mehr als"


_QUALIFIERS: dict[Qualifier, str] = {
    "at_least": r"more than|over|at least|achieve or exceed|starting at|from|>=?|≥|"
    r"über|mehr als|mindestens|erreichen oder übertreffen",
    "at_most": r"up to|as much as|less than|at most|below|under|<=?|≤|bis zu|weniger als|maximal",
    "approximate": rf"{_NEARLY}|{_LITTLE_MORE}|about|approximately|approx\.|around|~|"
    r"etwa|ca\.|rund|annähernd",
}  # the strongest first
_ONE_QUALIFIER = "|".join(f"(?P<{name}>{words})" for name, words in _QUALIFIERS.items())
_QUALIFIER = re.compile(rf"(?:{_ONE_QUALIFIER})(?=[\s\d~<>])\s*", re.IGNORECASE)
_LARGEST = 1e15
_LARGEST_TB = 1000
_POWERS = {"kB": 1, "KiB": 1, "MB": 2, "MiB": 2, "GB": 3, "GiB": 3, "TB": 4, "TiB": 4}
_NUMBER_WORDS: dict[str, float] = {
    "half": 0.5, "halve": 0.5, "double": 2, "doubled": 2, "twice": 2, "two": 2, "triple": 3,
    "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "die hälfte": 0.5, "halbieren": 0.5, "den doppelten": 2, "vier": 4, "vierfachen": 4, "fünf": 5,
    "sechs": 6, "sieben": 7, "acht": 8,
}  # fmt: skip
_NUMBER = r"\d{1,3}(?:[ ,]\d{3})+(?![\d.])|\d+(?:\.\d+)?|" + "|".join(
    rf"(?i:{word})\b" for word in _NUMBER_WORDS
)
# German thousands, 240.000; with a leading zero (0.066) it is a decimal. Commas are thousands.
_AMBIGUOUS = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:\.\d{3})+(?![\d.])")
_KILO = r"\s?[kKM](?=IO)|[kKM]\b"
_FACTORS = {"": 1.0, "K": 1e3, "M": 1e6}
_TO = r"(?:-|–|to|bis)"
_VALUE = re.compile(
    rf"(?P<low>{_NUMBER})(?P<low_kilo>{_KILO})?(?:%(?=\s*{_TO}))?\s*"
    rf"(?:{_TO}\s*(?P<high>{_NUMBER})(?P<high_kilo>{_KILO})?\s*)?"
    r"(?P<unit>\S+)?"
)


class PrintedValue(NamedTuple):
    """One printed value in the source's unit.

    A range has `low` and `high` and no `number`. "Nearly 500" has 500 also as `high`, "a little
    more than 500" also as `low`.
    """

    qualifier: Qualifier
    number: float | None
    low: float | None
    high: float | None
    unit: str


def read_printed_value(text: str, quantity: str) -> PrintedValue:
    """Split a printed value.

    Args:
        text: the value as printed, with its qualifier and unit: "about 2848 MB/s".
        quantity: what it measures, a key of UNITS_BY_QUANTITY; it limits the units.

    Raises:
        ValueError: the text is not one value, or its unit is unknown or of another quantity.
    """
    if _AMBIGUOUS.search(text):
        raise ValueError(f"{text!r} may be thousands or decimals; write it without the point")
    qualifier, rest = _split_qualifier(text.strip())
    match = _VALUE.fullmatch(rest)
    if match is None:
        raise ValueError(f"cannot read a value in {text!r}: expected e.g. 'about 2848 MB/s'")
    first, last = ((match[side] or "").strip().upper() for side in ("low_kilo", "high_kilo"))
    low_prefix, prefix = first or last, last or first  # "100-200K" has one for both
    unit_text = match["unit"]
    if prefix and quantity == "size":  # "16K" and "1K byte" are kilobytes
        if low_prefix != prefix:
            raise ValueError(f"{text!r} has two units: write both numbers in one")
        is_bare = unit_text in (None, "byte", "bytes", "B")
        unit_text = f"{prefix}B" if is_bare else f"{prefix} {unit_text}"
        low_prefix = prefix = ""
    unit = _unit(unit_text, quantity, text, is_rate_known=bool(prefix))
    low = _number(match["low"]) * _FACTORS[low_prefix]
    if match["high"] is None:
        is_about = qualifier == "approximate"
        least, most = (
            low if is_about and re.match(rf"\s*(?:{words})\b", text, re.I) else None
            for words in (_LITTLE_MORE, _NEARLY)
        )
        return PrintedValue(qualifier, low, least, most, unit)
    high = _number(match["high"]) * _FACTORS[prefix]
    if low >= high:
        raise ValueError(f"range {text!r} does not rise: {low:g} is not below {high:g}")
    return PrintedValue("range", None, low, high, unit)


def require_size(number: float, unit: str, text: str) -> None:
    """Raises ValueError for a size below 1 byte or above 1000 TB."""
    if not 1 <= number * 1024 ** _POWERS.get(unit, 0) <= _LARGEST_TB * 1024**4:
        raise ValueError(f"{text!r} is not a size from 1 byte to {_LARGEST_TB} TB")


def _split_qualifier(text: str) -> tuple[Qualifier, str]:
    """The strongest leading qualifier, and the text after all of them."""
    found, rest = set(), text
    while match := _QUALIFIER.match(rest):
        found.add(match.lastgroup)
        rest = rest[match.end() :]
    return next((name for name in _QUALIFIERS if name in found), "exact"), rest


def _number(text: str) -> float:
    word = _NUMBER_WORDS.get(text.lower())
    number = float(word) if word is not None else float(re.sub(r"[ ,]", "", text))
    if number > _LARGEST:
        raise ValueError(f"{text[:20]}... is too large: at most {_LARGEST:g}")
    return number


def _unit(printed: str | None, quantity: str, text: str, *, is_rate_known: bool) -> str:
    """A number without a unit is a count, a ratio or, with a K or M, an I/O rate: "over 200K"."""
    if printed is None:
        if quantity in BARE_UNIT and (quantity != "io_rate" or is_rate_known):
            return BARE_UNIT[quantity]
        raise ValueError(f"{text!r} has no unit; {quantity} needs one of {_known(quantity)}")
    unit = _SPELLINGS.get(printed, printed)
    if unit not in UNITS_BY_QUANTITY[quantity]:
        raise ValueError(f"unknown unit {printed!r} in {text!r}; {quantity} has {_known(quantity)}")
    return unit


def _known(quantity: str) -> str:
    return ", ".join(UNITS_BY_QUANTITY[quantity]) or "no unit"
