"""fio's JSON as stat.c writes it, from 2.0.10 to today. What a version does not write is None.

Units go by the key: `clat` microseconds (before 3.0), `clat_ns` nanoseconds; `bw` KiB/s, `bw_bytes`
bytes/s (from 3.2); `io_bytes` is KiB where `io_kbytes` is missing (up to 2.20), bytes after;
`runtime` and `job_runtime` ms; `timestamp` s and `timestamp_ms` ms since the epoch, at the time of
printing; `elapsed` s since the process started.
"""

import msgspec


class Latency(msgspec.Struct, frozen=True):
    min: float | None = None
    max: float | None = None
    mean: float | None = None
    stddev: float | None = None
    percentile: dict[str, float | None] | None = None


class Direction(msgspec.Struct, frozen=True):
    iops: float | None
    runtime: int | None
    io_bytes: int | None = None
    io_kbytes: int | None = None
    bw: float | None = None
    bw_bytes: float | None = None
    total_ios: int | None = None
    short_ios: int | None = None
    drop_ios: int | None = None
    slat: Latency | None = None
    clat: Latency | None = None
    lat: Latency | None = None
    slat_ns: Latency | None = None
    clat_ns: Latency | None = None
    lat_ns: Latency | None = None


class Job(msgspec.Struct, frozen=True):
    jobname: str
    groupid: int | None = None
    error: int = 0
    elapsed: int | None = None
    hostname: str | None = None
    job_runtime: int | None = None
    usr_cpu: float | None = None
    sys_cpu: float | None = None
    read: Direction | None = None
    write: Direction | None = None
    trim: Direction | None = None
    mixed: Direction | None = None
    options: dict[str, str] | None = msgspec.field(default=None, name="job options")


class Run(msgspec.Struct, frozen=True):
    fio_version: str = msgspec.field(name="fio version")
    timestamp: int | None = None
    timestamp_ms: int | None = None
    jobs: list[Job] | None = None
    client_stats: list[Job] | None = None
    global_options: dict[str, str] | list[dict[str, str]] | None = msgspec.field(
        default=None, name="global options"
    )
