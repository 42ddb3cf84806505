"""Measures how the cost of ingest grows in the worst cases: CPU seconds by size.

    python -m benchmarks.growth --size small

Each case is made and loaded at three sizes, each twice the one before. The exponent is that of the
last doubling: 1 if twice the size takes twice as long. Above 8 MiB worker processes start, which
takes about a second and dominates small sizes.
"""

import argparse
import json
import math
import os
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import duckdb

from benchmarks import ROOT
from benchmarks.measure import watched
from ingest.find.sources import find_sources
from ingest.load import load
from ingest.records.archive import Archive
from ingest.records.raw_tables import make_tables

_SEED = ROOT / "data/samples/fio-virtual-disk/2026-11-21-libaio.json"
Steps = Iterator[Path]
"""Yields a folder each time that its files are ready to be loaded."""


def _run(timestamp: int, jobs: list[Any]) -> str:
    run = {"fio version": "fio-3.33", "timestamp": timestamp, "jobs": jobs}
    return json.dumps(run, indent=2)


def _jobs(count: int) -> list[Any]:
    """Jobs with different block sizes, so that each has its own load profile."""
    job = json.loads(_SEED.read_bytes())["jobs"][0]
    return [
        job
        | {"jobname": f"job-{number}", "job options": job["job options"] | {"bs": str(block)}}
        | {"read": _with_blocks(job["read"], block)}
        for number, block in enumerate(range(512, 512 * (count + 1), 512))
    ]


def _with_blocks(read: dict[str, Any], block_bytes: int) -> dict[str, Any]:
    """The same I/Os with another block size."""
    return read | {
        "io_bytes": read["total_ios"] * block_bytes,
        "io_kbytes": read["total_ios"] * block_bytes // 1024,
        "bw_bytes": round(read["iops"] * block_bytes),
        "bw": round(read["iops"] * block_bytes / 1024),
    }


def tiny_files(folder: Path, size: int) -> Steps:
    """Runs of one job, a file each."""
    for number in range(size):
        (folder / f"{number}.json").write_text(_run(number, _jobs(1)))
    yield folder


def jobs_in_a_file(folder: Path, size: int) -> Steps:
    """One run of many jobs, each with its own load profile."""
    (folder / "run.json").write_text(_run(1, _jobs(size)))
    yield folder


def documents_in_a_file(folder: Path, size: int) -> Steps:
    """Different runs one after the other in one file; no run is printed twice."""
    documents = [_run(1000 * number, _jobs(1)) for number in range(size)]
    (folder / "run.json").write_text("\n".join(documents))
    yield folder


def revisions_of_a_file(folder: Path, size: int) -> Steps:
    for number in range(size):
        (folder / "run.json").write_text(_run(number, _jobs(1)))
        yield folder


def lines_of_a_log(folder: Path, size: int) -> Steps:
    with (folder / "run_lat.1.log").open("w") as file:
        file.writelines(f"{number}, {number % 9999}, 0, 4096\n" for number in range(size))
    yield folder


CASES: dict[Callable[[Path, int], Steps], tuple[int, int]] = {
    tiny_files: (250, 5_000),
    jobs_in_a_file: (500, 25_000),
    documents_in_a_file: (250, 1_000),
    revisions_of_a_file: (10, 50),
    lines_of_a_log: (25_000, 2_500_000),
}
"""By case: the first of its three sizes, for `--size small` and for `--size full`."""


def cost(case: Callable[[Path, int], Steps], size: int) -> tuple[float, int]:
    """CPU seconds of loading alone and the peak memory in MiB, of this process and its workers."""
    os.setsid()
    with (
        tempfile.TemporaryDirectory() as name,
        duckdb.connect(Path(name, "building.duckdb")) as connection,
    ):
        make_tables(connection)
        archive, folder = Archive(Path(name, "archive")), Path(name, "results")
        # The one-time cost of a first file is not counted.
        list(load(connection, find_sources([_SEED]), archive))
        folder.mkdir()
        seconds, peak = 0.0, 0
        for step in case(folder, size):
            with watched(os.getsid(0)) as watch:
                watch.look()
                before = watch.cpu_seconds
                for outcome in load(connection, find_sources([step]), archive):
                    assert outcome.status == "loaded", outcome
                watch.look()
            seconds += watch.cpu_seconds - before
            peak = max(peak, watch.peak_bytes >> 20)
    return seconds, peak


def measure(first: dict[Callable[[Path, int], Steps], int]) -> Iterator[str]:
    """A Markdown row for each case; each size runs in its own process."""
    yield "| case | size: CPU s, peak MiB | | | exponent |"
    yield "|---|---:|---:|---:|---:|"
    for case, least in first.items():
        costs = {}
        for size in (least, 2 * least, 4 * least):
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
                costs[size] = pool.submit(cost, case, size).result()
        cells = [f"{size:,}: {s:.2f}, {mib:,}" for size, (s, mib) in costs.items()]
        (before, _), (after, _) = [*costs.values()][1:]
        exponent = math.log2(after / before)
        yield f"| {case.__name__.replace('_', ' ')} | {' | '.join(cells)} | {exponent:.2f} |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--size", choices=["small", "full"], default="full")
    is_full = parser.parse_args().size == "full"
    for line in measure({case: sizes[is_full] for case, sizes in CASES.items()}):
        print(line, flush=True)


if __name__ == "__main__":
    main()
