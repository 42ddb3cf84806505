"""The histograms of json+: counts of I/Os by completion latency.

From 2.20 on a bin goes by its latency in the unit of its latency; before by its index in fio's
histogram (stat.c plat_idx_to_val), beside three constants of it.
"""

import re
from typing import Any

import msgspec

from ingest.parsers.fio.schema import IGNORED, Integer

_CONSTANT = "FIO_IO_U_PLAT_"
_INDEX_BITS = 6
_INDEX_VALUES = 1 << _INDEX_BITS
_INDEX_END = (64 - _INDEX_BITS) * _INDEX_VALUES  # from there on no 64 bits hold the latency
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
    except msgspec.DecodeError:
        bins = _indexed(_INDEXED_BINS.decode(raw))
    if 0 in bins.values():
        bins = {latency: count for latency, count in bins.items() if count}
    return ([*bins], [*bins.values()]) if bins else (None, None)


def _indexed(bins: dict[str, int]) -> dict[int, int]:
    indices = [index for index in bins if not index.startswith(_CONSTANT)]
    if not all(re.fullmatch("[0-9]{1,4}", index) and int(index) < _INDEX_END for index in indices):
        raise ValueError("bins that are neither latencies nor indices")
    return {_latency_of(int(index)): bins[index] for index in indices}


def lower_edge(index: int) -> int:
    """The least latency of a bin: exact up to 128, then 64 bins for each power of two."""
    error_bits = max((index >> _INDEX_BITS) - 1, 0)
    return index - (error_bits << _INDEX_BITS) << error_bits


def _latency_of(index: int) -> int:
    """What fio prints for a bin, its middle."""
    return (lower_edge(index) + lower_edge(index + 1)) // 2
