"""Times, shares and numbers that may be missing, as parsers of generic results read them."""

import math
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TypeVar

T = TypeVar("T")
N = TypeVar("N", int, float)


def common(values: Iterable[T]) -> T | None:
    """The value that all share, else None."""
    found = set(values)
    return found.pop() if len(found) == 1 else None


def known(values: Iterable[T | None]) -> list[T]:
    """The values, or none of them if one is not reported."""
    every = list(values)
    found = [value for value in every if value is not None]
    return found if len(found) == len(every) else []


def total(values: Iterable[N | None]) -> N | None:
    found = known(values)
    return sum(found[1:], found[0]) if found else None


def weighted_mean(values: Iterable[float | None], weights: Iterable[float | None]) -> float | None:
    numbers, counts = known(values), known(weights)
    if not numbers or not sum(counts):
        return None
    products = (number * count for number, count in zip(numbers, counts, strict=True))
    return sum(products) / sum(counts)


def scaled(number: float | None, factor: float = 1) -> float | None:
    """The product without its last bits: 112703.42 ns are 112.70342 us. NaN becomes None."""
    if number is None or math.isnan(number):
        return None
    return float(f"{number * factor:.15g}")


def ratio(percent: float | None) -> float | None:
    return scaled(percent, 0.01) if percent is not None and 0 <= percent <= 100 else None


def prefix_factor(prefix: str, base: int = 1024) -> int:
    """The factor of k, M, G, T, P or E before a unit, in either case; 1 without a prefix."""
    factor: int = base ** " kmgtpe".index(prefix.lower() or " ")
    return factor


def time_ms(text: str, *forms: str) -> int | None:
    """Milliseconds since 1970 of a time in UTC or without a zone; None if no form fits."""
    for form in forms:
        try:
            return round(1000 * datetime.strptime(text, form).replace(tzinfo=UTC).timestamp())
        except ValueError:
            continue
    return None
