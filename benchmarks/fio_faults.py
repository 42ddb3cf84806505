"""fio runs on this machine: clean ones, and some with one known fault each.

    python -m benchmarks.fio_faults FOLDER

Takes about 45 minutes and 5 GB. A throttled run needs a blkio cgroup (version 1) that this user may
write to, and is skipped without one. Whether the clean runs are steady depends on the disk: look at
their logs.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

_LOAD = {"rw": "randread", "bs": "4k", "iodepth": "16", "ioengine": "libaio", "direct": "1",
         "size": "4g", "runtime": "65", "time_based": "1", "ramp_time": "5",
         "group_reporting": "1"}  # fmt: skip
_WRITES = {"size": "1g", "runtime": "310"}
RUNS: dict[str, dict[str, str]] = {
    "clean/sequential-read": {"rw": "read", "bs": "128k", "iodepth": "8"},
    "clean/large-reads": {"rw": "read", "bs": "1m", "iodepth": "4"},
    "clean/large-random-reads": {"bs": "256k", "iodepth": "8"},
    "clean/one-large-read-at-a-time": {"bs": "1m", "iodepth": "1"},
    **{f"clean/rounds/{number}": {"rw": "read", "bs": "128k", "iodepth": "16", "runtime": "60"}
       for number in range(1, 6)},
    "clean/random-read": {},
    "clean/one-read-at-a-time": {"iodepth": "1"},
    "clean/random-write": {"rw": "randwrite", **_WRITES},
    "clean/sequential-write": {"rw": "write", "bs": "128k", "iodepth": "8", **_WRITES},
    "clean/database": {"rw": "randrw", "rwmixread": "67", "bs": "8k", **_WRITES},
    "faulty/page-cache": {"direct": "0", "ioengine": "psync", "iodepth": "1", "size": "64m"},
    "faulty/buffered-libaio": {"direct": "0"},
    "faulty/one-second": {"runtime": "1", "ramp_time": "0"},
    "faulty/ten-seconds-of-writes": {"rw": "randwrite", "runtime": "10"},
    "faulty/tiny-file": {"size": "1m"},
    "faulty/limited-rate": {"rate_iops": "500"},
    "faulty/think-time": {"thinktime": "1000"},
    "faulty/one-busy-core": {"numjobs": "4", "cpus_allowed": "0"},
    "faulty/throttled": {},
}  # fmt: skip
_BLKIO = Path("/sys/fs/cgroup/blkio/headroom-throttled")
_LIMIT_OF_IOPS = 400


def main(folder: Path) -> None:
    memory = re.findall(r"MemTotal: +(\d+) kB", Path("/proc/meminfo").read_text())[0]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "headroom.yml").write_text(f"memory: {memory} kB\n")
    for name, options in RUNS.items():
        if "throttled" in name and not _throttle(folder):
            print(f"{name}: left out, no cgroup to throttle it with")
            continue
        busy = subprocess.Popen(["taskset", "-c", "0", "sh", "-c", "while :; do :; done"]) \
            if "busy" in name else None  # fmt: skip
        try:
            _fio(folder, name, _LOAD | options)
        finally:
            if busy:
                busy.kill()


def _fio(folder: Path, name: str, options: dict[str, str]) -> None:
    place = folder / name
    if "/rounds/" in name:
        place = place.parent
    place.mkdir(parents=True, exist_ok=True)
    job = name.split("/")[1]
    if job != "rounds":
        options |= {"write_iops_log": job, "write_bw_log": job, "log_avg_msec": "1000"}
    file = folder / "data" / ("tiny" if options["size"] in ("1m", "64m") else "large")
    file.parent.mkdir(exist_ok=True)
    result = place / f"{name.rsplit('/', 1)[-1]}.json"
    options |= {"name": job, "filename": str(file.resolve()), "output": str(result.resolve())}
    command = ["fio", "--output-format=json", *(f"--{name}={options[name]}" for name in options)]
    print(name, flush=True)
    throttle = _join if "throttled" in name else None
    subprocess.run(command, cwd=place, check=True, preexec_fn=throttle)


def _throttle(folder: Path) -> bool:
    """Limit the folder's disk with a cgroup; False if that is not possible."""
    device = os.stat(folder).st_dev
    disk = f"{os.major(device)}:{os.minor(device) // 16 * 16}"
    try:
        _BLKIO.mkdir(exist_ok=True)
        (_BLKIO / "blkio.throttle.read_iops_device").write_text(f"{disk} {_LIMIT_OF_IOPS}")
    except OSError:
        return False
    return True


def _join() -> None:
    (_BLKIO / "cgroup.procs").write_text(str(os.getpid()))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
