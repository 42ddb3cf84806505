"""The numbers of a real fio job on a faster or slower array: all of them change together.

IOPS x latency = queue depth stays true, throughput is IOPS x block, bins add up to the I/Os counted
and lie on fio's grid (stat.c plat_idx_to_val), percentiles rise. The coarse histogram `latency_us`
keeps its seed's shape.
"""

from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
LATENCIES = ("slat_ns", "clat_ns", "lat_ns")
_EXACT_NS = 128  # below this, each nanosecond has its own bin


@dataclass(frozen=True)
class Change:
    """Ratios to the seed. With `all_latencies`, slat and lat have bins and percentiles, too."""

    iops: float
    latency: float
    runtime: float
    block_bytes: int
    has_bins: bool
    all_latencies: bool


def changed(result: Json, change: Change) -> Json:
    """A direction's changed results; a direction without I/O keeps its numbers."""
    if not result["total_ios"]:
        return {**result, **{name: _without_bins(result[name], change) for name in LATENCIES}}
    runtime_ms = max(1, round(result["runtime"] * change.runtime))
    total = max(1, round(result["iops"] * change.iops * runtime_ms / 1000))
    io_bytes = total * change.block_bytes
    bytes_per_second = io_bytes * 1000 // runtime_ms
    bw_ratio = bytes_per_second / result["bw_bytes"]
    return {
        **result,
        "io_bytes": io_bytes,
        "io_kbytes": io_bytes >> 10,
        "bw_bytes": bytes_per_second,
        "bw": bytes_per_second >> 10,
        "iops": total * 1000 / runtime_ms,
        "runtime": runtime_ms,
        "total_ios": total,
        **{name: _latency(result[name], name, total, change) for name in LATENCIES},
        **{name: round(result[name] * bw_ratio) for name in ("bw_min", "bw_max")},
        **{name: result[name] * bw_ratio for name in ("bw_mean", "bw_dev")},
        **{name: round(result[name] * change.iops) for name in ("iops_min", "iops_max")},
        **{name: result[name] * change.iops for name in ("iops_mean", "iops_stddev")},
    }


def _without_bins(latency: Json, change: Change) -> Json:
    return latency if change.has_bins else {k: v for k, v in latency.items() if k != "bins"}


def _latency(latency: Json, name: str, total: int, change: Change) -> Json:
    has_detail = change.all_latencies or name == "clat_ns"
    result = {
        "min": round(latency["min"] * change.latency),
        "max": round(latency["max"] * change.latency),
        "mean": latency["mean"] * change.latency,
        "stddev": latency["stddev"] * change.latency,
        "N": total,
    }
    if has_detail and "percentile" in latency:
        result["percentile"] = {
            p: _on_grid(round(value * change.latency)) for p, value in latency["percentile"].items()
        }
    if has_detail and change.has_bins:
        result["bins"] = _bins(latency, total, change.latency)
    return result


def _bins(latency: Json, total: int, ratio: float) -> Json:
    """The bins that a run of `total` I/Os would fill; a short run fills fewer."""
    counts: dict[int, int] = {}
    share = total / latency["N"]
    for value, count in latency["bins"].items():
        if scaled := round(count * share):
            place = _on_grid(round(int(value) * ratio))
            counts[place] = counts.get(place, 0) + scaled
    if not counts:  # too few I/Os for any bin's share: put all into the fullest bin
        fullest_ns = max(latency["bins"], key=latency["bins"].__getitem__)
        return {str(_on_grid(round(int(fullest_ns) * ratio))): total}
    fullest = max(counts, key=counts.__getitem__)
    counts[fullest] += total - sum(counts.values())
    return {str(place): count for place, count in counts.items()}


def _on_grid(value: int) -> int:
    """The middle of a latency's bin in nanoseconds; each power of two has 64 bins."""
    if value < _EXACT_NS:
        return value
    width_bits = value.bit_length() - 7
    return (value >> width_bits << width_bits) + (1 << width_bits >> 1)
