"""Settings that fio does not report are derived from its I/Os or stay unknown."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.conftest import Ask, asking, built_of

JOB_FILE = """\
; of the lab
[global]
ioengine=libaio
blocksize=8k
iodepth=16

[older]
readwrite=randwrite
direct=1
numjobs=2

[reads]
rw=write

[edited]
rw=write
iodepth=1
numjobs=4

[text]
rw=randread
direct=1

[group]
new_group
group_reporting
rw=randread
iodepth=4
numjobs=2

[second]
group_reporting
rw=randread
iodepth=4
"""
TEXT = """\
text: (g=0): rw=randread, bs=(R) 8192B-8192B, (W) 8192B-8192B, (T) 8192B-8192B, ioengine=libaio, iodepth=16
fio-3.33
Starting 1 process

text: (groupid=0, jobs=1): err= 0: pid=7: Thu Nov 19 21:00:20 2026
  read: IOPS=10.0k, BW=78.1MiB/s (81.9MB/s)(781MiB/10001msec)
     lat (usec): min=76, max=3350, avg=459.55, stdev=136.51
  cpu          : usr=3.00%, sys=9.00%, ctx=1, majf=0, minf=1
     issued rwts: total=100010,0,0,0 short=0,0,0,0 dropped=0,0,0,0
"""  # noqa: E501
GLOBAL = {
    "ioengine": "psync", "rw": "write", "bs": "8k", "iodepth": "1", "runtime": "60", "size": "16g",
}  # fmt: skip
LAST_BIN_NS = 17112760320
SIDECAR = """\
files:
  - {glob: unknown.json, worker_count: 8}
  - regex: (?P<access_pattern>rand|seq)_
"""


def _latency(longest_ns: int, percentile_ns: int | None = None) -> dict[str, Any]:
    taken = {"percentile": {"50.000000": percentile_ns, "99.000000": percentile_ns}}
    numbers = {"min": 1000, "max": longest_ns, "mean": 90_000, "stddev": 1.5, "N": 10}
    return numbers | (taken if percentile_ns else {})


def _did(
    io_count: int,
    io_bytes: int,
    processes: int = 1,
    longest_ns: int = 60_000_000,
    clat: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """60 s in which each process took 120 samples, as fio 2.99 to 3.3 adds them up."""
    return {
        "io_bytes": io_bytes, "io_kbytes": io_bytes // 1024, "bw": io_bytes // 61440,
        "iops": io_count / 60, "runtime": 60001, "total_ios": io_count, "short_ios": 0,
        "lat_ns": _latency(longest_ns), "clat_ns": clat or _latency(longest_ns, 131072),
        "bw_samples": 120 * processes, "iops_samples": 120 * processes,
        "iops_min": io_count / 60 / processes * 0.9, "iops_max": io_count / 60 / processes * 1.1,
        "iops_mean": io_count / 60 / processes, "iops_stddev": 1.5,
    }  # fmt: skip


def _write(path: Path, version: str, **job: Any) -> None:
    run = {"fio version": version, "timestamp": 1700000000, "global options": GLOBAL}
    if "options" in job:
        job["job options"] = job.pop("options")
    job = {"jobname": path.stem, "groupid": 0, "error": 0, "eta": 0, "elapsed": 61} | job
    path.write_text(json.dumps(run | {"jobs": [job]}))


def _write_old(path: Path, **did: dict[str, Any]) -> None:
    """fio 2.2: KiB, microseconds, no options."""
    directions = {
        name: {
            "io_bytes": one["io_kbytes"], "bw": one["bw"], "iops": one["iops"], "runtime": 60001,
            "total_ios": one["total_ios"], "lat": {"min": 1, "max": 90, "mean": 9, "stddev": 1},
        }
        for name, one in did.items()
    }  # fmt: skip
    run = {"fio version": "fio-2.2.10", "timestamp": 1500000000}
    job = {"jobname": path.stem, "groupid": 0, "error": 0, "eta": 0, "elapsed": 61} | directions
    path.write_text(json.dumps(run | {"jobs": [job]}))


@pytest.fixture(scope="module")
def ask(empty: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    lab = tmp_path_factory.mktemp("lab")
    (lab / "headroom.yml").write_text(SIDECAR)
    for processes in (1, 64):
        did = _did(600_000, 600_000 * 8192, processes)
        _write(lab / f"processes-{processes}.json", "fio-3.0-39-gba87", write=did)
    stalled = _did(600_000, 600_000 * 8192, 32, longest_ns=6_000_000_000)
    _write(lab / "stalled.json", "fio-3.1", write=stalled)
    _write(lab / "unknown.json", "fio-3.1", write=stalled)
    _write(lab / "own.json", "fio-3.1", options={"numjobs": "4"}, write=stalled)
    _write(lab / "later.json", "fio-3.4", write=stalled)
    clock = _latency(2_456_000_000_000, LAST_BIN_NS)
    off = _did(600_000, 600_000 * 8192, longest_ns=1_400_000_000, clat=clock)
    _write(lab / "clock.json", "fio-3.33", write=off)
    slow = _did(6_000, 6_000 * 8192, longest_ns=30_000_000_000)
    slow["clat_ns"] = _latency(30_000_000_000, LAST_BIN_NS)
    _write(lab / "slow.json", "fio-3.33", write=slow)
    mix = {"rw": "randrw", "rwmixwrite": "10%", "bs": "256ki"}
    reads, writes = _did(54_000, 54_000 * 262144), _did(6_000, 6_000 * 262144)
    _write(lab / "mix.json", "fio-3.33", options=mix, read=reads, write=writes)
    _write_old(lab / "seq_old.json", read=_did(522_013, 522_013 * 4096))
    _write_old(lab / "old.json", write=_did(6_000, 6_001 * 4096))
    jobs = lab / "jobs"
    jobs.mkdir()
    (jobs / "nightly.fio").write_text(JOB_FILE)
    _write_old(jobs / "older.json", write=_did(600_000, 600_000 * 8192))
    _write_old(jobs / "reads.json", read=_did(600_000, 600_000 * 8192))
    group = {"rw": "randread", "bs": "8k", "ioengine": "libaio", "iodepth": "4", "direct": "1"}
    for name, running in {"group": 3, "other-group": 4}.items():
        did = _did(600_000, 600_000 * 8192)
        job = {"jobname": "group", "job_runtime": running * 60_001, "options": group}
        _write(jobs / f"{name}.json", "fio-3.33", read=did, **job)
    edited = {"rw": "write", "bs": "8k", "ioengine": "libaio"}
    _write(jobs / "edited.json", "fio-3.33", options=edited, write=_did(9_000, 9_000 * 8192))
    (jobs / "run.txt").write_text(TEXT)
    built = built_of([lab], empty, tmp_path_factory.mktemp("unreported"))
    with duckdb.connect(built, read_only=True) as connection:
        yield asking(connection)


def _row(ask: Ask, name: str, columns: str) -> tuple[Any, ...]:
    query = f"select {columns} from marts.fct_measurements where source_path like ?"
    (row,) = ask(query, f"%/{name}.json")
    return row


@pytest.mark.parametrize(
    ("name", "workers", "derived"),
    [
        ("processes-1", 1, True),
        ("processes-64", 64, True),
        ("stalled", None, False),  # a process without an I/O for half a second takes fewer samples
        ("unknown", 8, False),
        ("own", 4, False),
        ("later", 1, False),
    ],
)
def test_process_count_is_reported_derived_or_unknown(
    name: str, workers: int | None, derived: bool, ask: Ask
) -> None:
    columns = "worker_count, outstanding_io_count, derived_settings, is_valid"
    settings = f"worker_count={workers}" if derived else None
    assert _row(ask, name, columns) == (workers, workers, settings, True)


def test_a_percentile_above_the_maximum_is_left_out(ask: Ask) -> None:
    columns = "latency_p50_us, latency_p99_us, min_latency_p99_us, max_latency_p99_us"
    assert _row(ask, "clock", columns) == (None, None, None, None)
    note = "percentiles of clat are above the mean or maximum latency of whole I/Os: left out"
    said = _row(ask, "clock", "latency_max_us, is_valid, validity_note")
    assert said == (1_400_000, True, note)
    assert _row(ask, "slow", columns) == (None, None, 17045651.456, 30_000_000)
    assert ask("select max(latency_us) from marts.fct_latency_percentiles") == [(131.072,)]


@pytest.mark.parametrize(
    ("name", "profile", "derived"),
    [
        ("mix", "random-read90-256KiB", "read_percent=90"),
        ("seq_old", "sequential-read100-4KiB", "read_percent=100, block_size=4KiB"),
        ("old", "access-unstated-read0-block-unstated", "read_percent=0"),
        ("later", "sequential-read0-8KiB", None),
    ],
)
def test_load_is_reported_or_derived_from_the_ios(
    name: str, profile: str, derived: str | None, ask: Ask
) -> None:
    assert _row(ask, name, "profile_id, derived_settings") == (profile, derived)


def test_job_file_restores_missing_settings(ask: Ask) -> None:
    columns = "profile_id, outstanding_io_count, io_engine, note"
    restored = "options from nightly.fio: ioengine, bs, iodepth, rw, direct, numjobs"
    assert _row(ask, "older", columns) == ("random-read0-8KiB", 32, "libaio", restored)
    without = ("access-unstated-read100-8KiB", None, None, None)
    assert _row(ask, "reads", columns) == without, "its job file is of a run that wrote"
    said = ("sequential-read0-8KiB", 1, "libaio", None)
    assert _row(ask, "edited", columns) == said, "fio would have printed numjobs"


def test_job_file_gives_the_number_of_grouped_jobs(ask: Ask) -> None:
    columns = "profile_id, worker_count, outstanding_io_count, condition"
    assert _row(ask, "group", columns) == ("random-read100-8KiB", 3, 12, None)
    several = "several jobs reported as one"
    assert _row(ask, "other-group", columns) == ("access-unstated-read100-8KiB", 4, None, several)


def test_job_file_restores_settings_missing_in_text(ask: Ask) -> None:
    said = "rounded to the printed digits; options from nightly.fio: direct"
    assert ask(
        "select outstanding_io_count, note from marts.fct_measurements "
        "where source_format = 'fio_text'"
    ) == [(16, said)]
    assert ask(
        "select is_direct from intermediate.int_run_conditions "
        "where measurement_id like 'fio_text%'"
    ) == [(True,)]
