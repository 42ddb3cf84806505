"""Makes fio runs like a lab's from the jobs of real runs, printed as fio 3.33 prints them."""

import json
import random
import time
from functools import cache
from typing import Any, Literal

import msgspec

from benchmarks import ROOT
from benchmarks.fio_numbers import Change, Json, changed

_SEEDS = (
    ROOT / "data/samples/fio-virtual-disk/2026-11-21-libaio.json",
    ROOT / "benchmarks/seeds/fio-3.33-sweep-json-plus.json",
)
_LEVELS = ("1", "2", "4", "8", "16", "32", ">=64")
_BLOCK_BYTES = {"4k": 4096, "8k": 8192, "16k": 16384, "64k": 65536, "256k": 262144}
ACCESS = ("randread", "randwrite", "randrw", "read", "write")
Kind = Literal["few jobs", "many jobs", "short json+", "long json+"]
# By kind: runs out of 50, least and most jobs of a run. A run has about 21, 41, 30 or 520 KB.
_MIX: dict[Kind, tuple[int, int, int]] = {
    "few jobs": (30, 3, 4),
    "many jobs": (15, 6, 7),
    "short json+": (4, 3, 4),
    "long json+": (1, 10, 12),
}
KINDS = tuple(kind for kind, (count, _, _) in _MIX.items() for _ in range(count))


def make_run(rng: random.Random, kind: Kind, access: str, started_at: int) -> bytes:
    """A run whose jobs have fio's `rw` = `access`; `started_at` in seconds since the epoch."""
    block = rng.choice([*_BLOCK_BYTES])
    numjobs = str(rng.choice((1, 2, 4, 8)))
    jobs = []
    for number in range(rng.randint(*_MIX[kind][1:])):
        options = {"rw": access, "bs": block, "iodepth": str(1 << number % 7), "numjobs": numjobs}
        seeds = _jobs(access, has_bins=kind.endswith("json+"))
        jobs.append(_job(rng, rng.choice(seeds), kind, options))
    return _printed(jobs, started_at + sum(job["elapsed"] for job in jobs))


@cache
def _jobs(access: str, *, has_bins: bool) -> list[Json]:
    """The seeds' jobs with this access pattern; with `has_bins`, only jobs that have bins."""
    jobs = [job for path in _SEEDS for job in json.loads(path.read_bytes())["jobs"]]
    return [
        job
        for job in jobs
        if job["job options"]["rw"] == access
        and (not has_bins or "bins" in job["read"]["clat_ns"] | job["write"]["clat_ns"])
    ]


def _job(rng: random.Random, seed: Json, kind: Kind, options: dict[str, str]) -> Json:
    deeper = int(options["iodepth"]) / int(seed["job options"]["iodepth"])
    iops = deeper**0.6 * rng.uniform(0.7, 1.4)
    change = Change(
        iops=iops,
        latency=deeper / iops,
        runtime=rng.uniform(0.001, 0.002) if kind == "short json+" else rng.uniform(2, 10),
        block_bytes=_BLOCK_BYTES[options["bs"]],
        has_bins=kind.endswith("json+"),
        all_latencies=kind == "long json+",
    )
    results = {name: changed(seed[name], change) for name in ("read", "write", "trim")}
    runtime_ms = max(result["runtime"] for result in results.values())
    return {
        **seed,
        "groupid": 0,
        "jobname": f"{options['rw']}-{options['bs']}-qd{options['iodepth']}",
        "elapsed": 1 + runtime_ms // 1000,
        "job options": options,
        **results,
        "job_runtime": runtime_ms,
        "usr_cpu": rng.uniform(1, 9),
        "sys_cpu": rng.uniform(5, 40),
        "ctx": rng.randrange(1, 10**7),
        "iodepth_level": dict.fromkeys(_LEVELS, 0.0) | {_level(options["iodepth"]): 100.0},
    }


def _level(iodepth: str) -> str:
    return ">=64" if int(iodepth) >= 64 else iodepth


def _printed(jobs: list[Json], printed_at: int) -> bytes:
    run = {
        "fio version": "fio-3.33",
        "timestamp": printed_at,
        "timestamp_ms": printed_at * 1000 + 407,
        "time": time.strftime("%a %b %d %H:%M:%S %Y", time.gmtime(printed_at)),
        "global options": {"direct": "1", "ioengine": "libaio", "filename": "/dev/sdb"},
        "jobs": jobs,
        "disk_util": [_disk(jobs)],
    }
    text = msgspec.json.format(msgspec.json.encode(_as_fio(run)), indent=2)
    return text.replace(b'": ', b'" : ') + b"\n"


def _disk(jobs: list[Json]) -> Json:
    reads, writes = (sum(job[name]["total_ios"] for job in jobs) for name in ("read", "write"))
    counts = {"read_ios": reads, "write_ios": writes, "read_merges": 0, "write_merges": 0}
    ticks = {"read_ticks": reads // 9, "write_ticks": writes // 9}
    return {"name": "sdb"} | counts | ticks | {"in_queue": (reads + writes) // 9, "util": 99.5}


def _as_fio(value: Any) -> Any:
    """Format fractions with six decimals, as fio does."""
    if isinstance(value, float):
        return msgspec.Raw(f"{value:.6f}".encode())
    if isinstance(value, dict):
        return {name: item if name == "bins" else _as_fio(item) for name, item in value.items()}
    return [_as_fio(item) for item in value] if isinstance(value, list) else value
