"""The histograms of json+: counts of I/Os by completion latency.

From 2.20 on a bin's key is its latency, in the unit of the latency; before, its index in fio's
histogram (stat.c plat_idx_to_val), beside three constants of the histogram.
"""

import re
from array import array
from itertools import compress
from typing import Any

import msgspec

from ingest.parsers.fio.schema import IGNORED, Integer

_CONSTANT = "FIO_IO_U_PLAT_"
_INDEX_BITS = 6
_INDEX_VALUES = 1 << _INDEX_BITS
_INDEX_END = (64 - _INDEX_BITS) * _INDEX_VALUES  # from here on a latency exceeds 64 bits
_BINS = msgspec.json.Decoder(dict[Integer, Integer])
_INDEXED_BINS = msgspec.json.Decoder(dict[str, Integer])
Bins = tuple[Any, Any]


def read_bins(raw: msgspec.Raw) -> Bins:
    """Latencies and counts of the bins that are not empty; None, None without a histogram.

    Raises:
        ValueError: a bin is no number.
    """
    if raw is IGNORED:
        return None, None
    try:
        bins = _BINS.decode(raw)
    except msgspec.DecodeError:  # the constants of an older fio's histogram are no latencies
        bins = _by_latency(_INDEXED_BINS.decode(raw))
    latencies, counts = [*bins], [*bins.values()]
    if 0 in counts:
        latencies = [*compress(latencies, counts)]
        counts = [*filter(None, counts)]
    # a fifth of a list's memory
    return (array("q", latencies), array("q", counts)) if counts else (None, None)


def _by_latency(bins: dict[str, int]) -> dict[int, int]:
    indices = [index for index in bins if not index.startswith(_CONSTANT)]
    if not all(re.fullmatch("[0-9]{1,4}", index) and int(index) < _INDEX_END for index in indices):
        raise ValueError("bins that are neither latencies nor indices")
    return {_latency_of(int(index)): bins[index] for index in indices}


def lower_edge(index: int) -> int:
    """The least latency of a bin: exact up to 128, then 64 bins for each power of two."""
    error_bits = max((index >> _INDEX_BITS) - 1, 0)
    return index - (error_bits << _INDEX_BITS) << error_bits


def _latency_of(index: int) -> int:
    """A bin's middle, which fio prints."""
    return (lower_edge(index) + lower_edge(index + 1)) // 2
