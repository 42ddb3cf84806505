"""The values that fio may have rounded to a printed number (fio's lib/num2str.c)."""

import math
import re
from typing import NamedTuple

_SHORT = re.compile(r"(\d+)(?:\.(\d+))?([kKMGTPE]?)(i?)(?:B|(bit))?(?:/s)?")


class Interval(NamedTuple):
    """The smallest and the greatest value that fio prints as this number."""

    low: float
    high: float

    def holds(self, value: float) -> bool:
        """Doubles converted between units may be off by their last bits."""
        slack = 1e-9 * abs(value)
        return self.low - slack <= value <= self.high + slack

    def times(self, factor: float) -> "Interval":
        return Interval(self.low * factor, self.high * factor)

    def plus(self, other: "Interval") -> "Interval":
        return Interval(self.low + other.low, self.high + other.high)

    def meets(self, other: "Interval") -> "Interval":
        """The intersection, for a number that is printed in two units."""
        return Interval(max(self.low, other.low), min(self.high, other.high))


def exact(text: str) -> Interval:
    return Interval(int(text), int(text))


def whole(text: str) -> Interval:
    """For an integer division: the part that it cut off is less than one."""
    return Interval(int(text), math.nextafter(int(text) + 1, 0))


def fixed(text: str) -> Interval:
    """For `%.2f`: half of the last digit more or less."""
    half = 0.5 * 10.0 ** -len(text.partition(".")[2])
    return Interval(float(text) - half, float(text) + half)


def rounded_up(text: str) -> Interval:
    """For a percentile that is not printed in nanoseconds: (n + 999) / 1000 (stat.c)."""
    return Interval(math.nextafter(int(text) - 1, int(text)), int(text))


def short(text: str) -> Interval:
    """`12.3k` is 12250 to 12350, `48.1MiB/s` likewise; bits become bytes.

    num2str divides by the prefix's base until few digits are left and rounds the last remainder.
    The remainders before it are cut off: together they are less than the unit divided by the base.
    """
    found = _SHORT.fullmatch(text)
    assert found, f"{text!r} is no number of num2str"
    digits, decimals, prefix, is_binary, is_of_bits = found.groups(default="")
    interval = whole(digits)
    if prefix:
        base = 1024 if is_binary else 1000
        unit = float(base ** " KMGTPE".index(prefix.upper()))
        half = fixed(f"{digits}.{decimals}")
        interval = half.times(unit).plus(Interval(0, unit / base if decimals else 0))
    return interval.times(1 / 8 if is_of_bits else 1)
