"""fio's JSON as stat.c writes it, from 2.0.10 to today. A version's missing keys are None.

Units depend on the key: `clat` microseconds (before 3.0), `clat_ns` nanoseconds; `bw` KiB/s,
`bw_bytes` bytes/s (from 3.2); `io_bytes` KiB if `io_kbytes` is missing (up to 2.20), bytes after;
`runtime`, `job_runtime` and `job_start` ms; `timestamp` s and `timestamp_ms` ms since the epoch, at
the time of printing; `elapsed` s since the process started;
`eta` s until it ends, 2147483647 if fio does not know it.

Keys that are not named here are kept separately, see `documents`.
"""

from typing import Annotated, Any

import msgspec

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


class Latency(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """`bins` (json+) have latencies as keys from 2.20 on, before that fio's histogram indices."""

    min: float | None = None
    max: float | None = None
    mean: float | None = None
    stddev: float | None = None
    N: Integer | None = None
    percentile: dict[Percentile, float | None] | None = None
    bins: msgspec.Raw = IGNORED


class Direction(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    io_bytes: Integer | None = None
    io_kbytes: Integer | None = None
    bw: float | None = None
    bw_bytes: float | None = None
    iops: float | None = None
    runtime: Integer | None = None
    total_ios: Integer | None = None
    short_ios: Integer | None = None
    drop_ios: Integer | None = None
    slat: Latency | None = None
    clat: Latency | None = None
    lat: Latency | None = None
    slat_ns: Latency | None = None
    clat_ns: Latency | None = None
    lat_ns: Latency | None = None
    bw_min: float | None = None
    bw_max: float | None = None
    bw_agg: float | None = None
    bw_mean: float | None = None
    bw_dev: float | None = None
    bw_samples: Integer | None = None
    iops_min: float | None = None
    iops_max: float | None = None
    iops_mean: float | None = None
    iops_stddev: float | None = None
    iops_samples: Integer | None = None
    cachehit: float | None = None
    zone_resets: Integer | None = None


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

    name: str
    hostname: str | None = None
    read_ios: Integer | None = None
    write_ios: Integer | None = None
    read_merges: Integer | None = None
    write_merges: Integer | None = None
    read_sectors: Integer | None = None
    write_sectors: Integer | None = None
    read_ticks: Integer | None = None
    write_ticks: Integer | None = None
    in_queue: Integer | None = None
    util: float | None = None
    aggr_util: float | None = None


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
