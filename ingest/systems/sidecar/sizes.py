"""Sizes as a sidecar has them: `256 kB`, taken apart and not converted."""

from functools import lru_cache

from ingest.printed_values import read_printed_value


@lru_cache(maxsize=1024)
def read_size(field: str, text: str | None) -> tuple[float | None, str | None]:
    """Number and unit of a size; staging makes bytes of them.

    Raises:
        ValueError: not one exact size.
    """
    if text is None:
        return None, None
    value = read_printed_value(text, "size")
    if value.qualifier != "exact" or value.number is None:
        raise ValueError(f"{field} {text!r} is not one size such as 256 kB")
    return value.number, value.unit
