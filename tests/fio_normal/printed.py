"""What a number that fio printed can have been before it was rounded (fio's lib/num2str.c)."""

import math
import re
from typing import NamedTuple

_SHORT = re.compile(r"(\d+)(?:\.(\d+))?([kKMGTPE]?)(i?)(?:B|(bit))?(?:/s)?")


class Interval(NamedTuple):
    """From the least to the greatest value that is printed so."""

    low: float
    high: float

    def holds(self, value: float) -> bool:
        """Doubles that went through other units may be off by their last bits."""
        slack = 1e-9 * abs(value)
        return self.low - slack <= value <= self.high + slack

    def times(self, factor: float) -> "Interval":
        return Interval(self.low * factor, self.high * factor)

    def plus(self, other: "Interval") -> "Interval":
        return Interval(self.low + other.low, self.high + other.high)

    def meets(self, other: "Interval") -> "Interval":
        """Of a number that is printed twice, in two units."""
        return Interval(max(self.low, other.low), min(self.high, other.high))


def exact(text: str) -> Interval:
    return Interval(int(text), int(text))


def whole(text: str) -> Interval:
    """Of a division of integers: what it cut off is less than one."""
    return Interval(int(text), math.nextafter(int(text) + 1, 0))


def fixed(text: str) -> Interval:
    """Of `%.2f`: half of the last digit more or less."""
    half = 0.5 * 10.0 ** -len(text.partition(".")[2])
    return Interval(float(text) - half, float(text) + half)


def rounded_up(text: str) -> Interval:
    """Of a percentile that is not printed in nanoseconds: (n + 999) / 1000 (stat.c)."""
    return Interval(math.nextafter(int(text) - 1, int(text)), int(text))


def short(text: str) -> Interval:
    """`12.3k` is 12250 to 12350, `48.1MiB/s` likewise; of bits, in bytes.

    num2str divides by the prefix's base until few digits are left and rounds the last remainder.
    The remainders before it are cut off: together less than a base's part of the unit.
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
