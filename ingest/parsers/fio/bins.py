"""The histograms of json+: counts of I/Os by completion latency.

From 2.20 on a bin goes by its latency in the unit of its latency; before by its index in fio's
histogram (stat.c plat_idx_to_val), beside three constants of it.
"""

from typing import Any

import msgspec

from ingest.parsers.fio.schema import IGNORED

_CONSTANT = "FIO_IO_U_PLAT_"
_INDEX_BITS = 6
_INDEX_VALUES = 1 << _INDEX_BITS
_BINS = msgspec.json.Decoder(dict[int, int])
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
        bins = _indexed(msgspec.json.decode(raw, type=dict[str, int]))
    if 0 in bins.values():
        bins = {latency: count for latency, count in bins.items() if count}
    return ([*bins], [*bins.values()]) if bins else (None, None)


def _indexed(bins: dict[str, int]) -> dict[int, int]:
    return {
        _latency_of(int(index)): count
        for index, count in bins.items()
        if not index.startswith(_CONSTANT)
    }


def _latency_of(index: int) -> int:
    """The middle of a bin: exact up to 128, then 64 bins for each power of two."""
    if index < 2 * _INDEX_VALUES:
        return index
    error_bits = (index >> _INDEX_BITS) - 1
    base = 1 << (error_bits + _INDEX_BITS)
    return int(base + (index % _INDEX_VALUES + 0.5) * (1 << error_bits))
