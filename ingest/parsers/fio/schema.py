"""fio's JSON as stat.c writes it, from 2.0.10 to today. A version's missing keys are None.

Units depend on the key: `clat` microseconds (before 3.0), `clat_ns` nanoseconds; `bw` KiB/s,
`bw_bytes` bytes/s (from 3.2); `io_bytes` KiB if `io_kbytes` is missing (up to 2.20), bytes after;
`runtime`, `job_runtime` and `job_start` ms; `timestamp` s and `timestamp_ms` ms since the epoch, at
the time of printing; `elapsed` s since the process started;
`eta` s until it ends, 2147483647 if fio does not know it.

Fields of plain values are named like their raw columns. Keys that are not named here are kept
separately, see `documents`.
"""

from typing import Annotated, Any, get_type_hints

import msgspec
import polars as pl

Integer = Annotated[int, msgspec.Meta(ge=-(1 << 63), le=(1 << 63) - 1)]
"""The range of a column; an overflown counter of an old fio on Windows is outside."""
Seconds = Annotated[int, msgspec.Meta(ge=0, le=250_000_000_000)]
Milliseconds = Annotated[int, msgspec.Meta(ge=0, le=250_000_000_000_000)]
"""Since the epoch, up to the last years of four digits."""

Percentile = Annotated[float, msgspec.Meta(ge=0, le=100)]
DIRECTIONS = ("read", "write", "trim", "mixed", "sync")
LATENCIES = {
    f"{kind}{suffix}": (kind, unit)
    for kind in ("slat", "clat", "lat")
    for unit, suffix in (("ns", "_ns"), ("us", ""))
}
IGNORED = msgspec.Raw()
"""The default of keys that are not decoded here; most of them add nothing to other keys."""


_KINDS = {int | None: pl.Int64(), float | None: pl.Float64(), str | None: pl.String()}


def columns(struct: type[msgspec.Struct]) -> dict[str, pl.DataType]:
    """The raw columns of a struct: its fields of plain values that a version may lack."""
    hints = get_type_hints(struct)
    return {name: _KINDS[hint] for name, hint in hints.items() if hint in _KINDS}


def _named(key: str) -> Any:
    """A field for fio's key of another name, which a version may lack."""
    return msgspec.field(default=None, name=key)


class Latency(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """`bins` (json+) have latencies as keys from 2.20 on, before that fio's histogram indices."""

    latency_min: float | None = _named("min")
    latency_max: float | None = _named("max")
    latency_mean: float | None = _named("mean")
    latency_stddev: float | None = _named("stddev")
    sample_count: Integer | None = _named("N")
    percentile: dict[Percentile, float | None] | None = None
    bins: msgspec.Raw = IGNORED


class Direction(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    io_kib: Integer | None = _named("io_kbytes")
    io_bytes: Integer | None = None
    bw_kib_per_second: float | None = _named("bw")
    bw_bytes_per_second: float | None = _named("bw_bytes")
    iops: float | None = None
    runtime_ms: Integer | None = _named("runtime")
    total_ios: Integer | None = None
    short_ios: Integer | None = None
    drop_ios: Integer | None = None
    slat: Latency | None = None
    clat: Latency | None = None
    lat: Latency | None = None
    slat_ns: Latency | None = None
    clat_ns: Latency | None = None
    lat_ns: Latency | None = None
    bw_min_kib_per_second: float | None = _named("bw_min")
    bw_max_kib_per_second: float | None = _named("bw_max")
    bw_mean_kib_per_second: float | None = _named("bw_mean")
    bw_stddev_kib_per_second: float | None = _named("bw_dev")
    bw_sample_count: Integer | None = _named("bw_samples")
    iops_min: float | None = None
    iops_max: float | None = None
    iops_mean: float | None = None
    iops_stddev: float | None = None
    iops_sample_count: Integer | None = _named("iops_samples")
    bw_agg: msgspec.Raw = IGNORED
    cachehit: msgspec.Raw = IGNORED
    zone_resets: msgspec.Raw = IGNORED


class SteadyStateData(msgspec.Struct, frozen=True, gc=False):
    """A rate for each second of the window, the last of the run."""

    iops: list[float] | None = None


class SteadyState(msgspec.Struct, frozen=True, gc=False):
    """`criterion` is the value reached, with % where `ss` is relative; `duration` is in seconds."""

    ss: str | None = None
    duration: Integer | None = None
    attained: Integer | None = None
    criterion: str | None = None
    slope: float | None = None
    data: SteadyStateData | None = None


class Job(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    jobname: str
    groupid: Integer | None = None
    error: Integer | None = None
    total_err: Integer | None = None
    first_error: Integer | None = None
    elapsed: Integer | None = None
    eta: float | None = None
    hostname: str | None = None
    job_start: Integer | None = None
    job_runtime: Integer | None = None
    usr_cpu: float | None = None
    sys_cpu: float | None = None
    ctx: Integer | None = None
    read: Direction | None = None
    write: Direction | None = None
    trim: Direction | None = None
    mixed: Direction | None = None
    sync: Direction | None = None
    options: dict[str, str] | None = msgspec.field(default=None, name="job options")
    iodepth_level: msgspec.Raw = IGNORED
    latency_ns: msgspec.Raw = IGNORED
    latency_us: msgspec.Raw = IGNORED
    latency_ms: msgspec.Raw = IGNORED
    steadystate: SteadyState | None = None
    desc: msgspec.Raw = IGNORED
    port: msgspec.Raw = IGNORED
    majf: msgspec.Raw = IGNORED
    minf: msgspec.Raw = IGNORED
    iodepth_submit: msgspec.Raw = IGNORED
    iodepth_complete: msgspec.Raw = IGNORED
    latency_depth: msgspec.Raw = IGNORED
    latency_target: msgspec.Raw = IGNORED
    latency_target_ns: msgspec.Raw = IGNORED
    latency_percentile: msgspec.Raw = IGNORED
    latency_window: msgspec.Raw = IGNORED
    latency_window_us: msgspec.Raw = IGNORED


class Disk(msgspec.Struct, frozen=True, gc=False):
    """The kernel's counters of a block device; a dm or md device also has those of its parts."""

    disk: str = msgspec.field(name="name")
    hostname: str | None = None
    read_ios: Integer | None = None
    write_ios: Integer | None = None
    read_merges: Integer | None = None
    write_merges: Integer | None = None
    read_sectors: Integer | None = None
    write_sectors: Integer | None = None
    read_ticks_ms: Integer | None = _named("read_ticks")
    write_ticks_ms: Integer | None = _named("write_ticks")
    in_queue_ms: Integer | None = _named("in_queue")
    util_percent: float | None = _named("util")
    aggregated_util_percent: float | None = _named("aggr_util")


class Run(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A document. Its jobs are in `jobs`, a client's in `client_stats`."""

    fio_version: str = msgspec.field(name="fio version")
    timestamp: Seconds | None = None
    timestamp_ms: Milliseconds | None = None
    time: msgspec.Raw = IGNORED
    jobs: list[Job] | None = None
    client_stats: list[Job] | None = None
    disk_util: list[Disk] | None = None
    global_options: dict[str, str] | list[dict[str, str]] | None = msgspec.field(
        default=None, name="global options"
    )

    @property
    def all_jobs(self) -> list[Job]:
        return self.jobs or self.client_stats or []


Unknown = dict[str, Any]
