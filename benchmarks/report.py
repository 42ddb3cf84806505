"""Reports costs as Markdown: seconds, files/s, MB/s (10^6 bytes) and ratios of medians."""

import datetime
import os
import platform
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from statistics import median

from benchmarks.measure import Cost

Results = Mapping[tuple[str, str], list[Cost]]
LIMITS = ("limit, 2 processes", "bare typed parse, 2 processes")
_PARTS = {"fio": "*.json", "iometer": "*.csv", "all": "*.[jc]s*"}
_HEAD = """\
# How fast ingest is

`headroom ingest` from the start of its process to its exit, into an empty warehouse, beside others
that do less with the same files in the same run. The files are a generated lab's
(`benchmarks/lab.py`, seed 1), in the page cache. Written by `{command}`.
Seconds are the median of {rounds} interleaved rounds, with the least and the most; CPU seconds are
of all processes; peak memory is the sum of their resident pages, shared ones counted in each.

- Bare typed parse: reads every file and decodes it with ingest's own msgspec structs, keeps
  nothing; the start of its processes is not counted. Ratios are of medians.
- Limit: the same, with each file's sha256 and its compression by zstd as the archive has it.
- DuckDB: `create table as select * from read_json_auto(...)`, a row a run, with nested jobs.
- fio-plot: `fio_plot.fiolib.getdata.get_json_data`, as its charts call it, once for each access
  pattern; a row a file. It reads each file twice.
- Python csv, polars: the numbers of the rows; no sessions, specifications, blocks or bins.
- Ingest also takes each file's sha256, keeps it compressed in the archive, and records its place,
  its revision and what sidecars say of it.
"""


def as_markdown(lab: Path, command: str, results: Results, steps: Mapping[str, float]) -> str:
    head = _HEAD.format(rounds=max(map(len, results.values())), command=command)
    lines = [head, f"{machine()}\n", *_tables(lab, results)]
    lines += ["## Where the time goes (fio part, one process, one step after the other)\n"]
    return "\n".join([*lines, *_steps(steps)])


def write(text: str, path: Path, kept_from: str) -> None:
    """Write the figures; what people wrote below them stays, from this heading on."""
    before = path.read_text()
    path.write_text(f"{text}\n{before[before.index(kept_from) :]}")


def machine() -> str:
    names = [
        line for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line
    ]
    processor = names[0].partition(": ")[2] if names else platform.machine()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    packages = ", ".join(f"{name} {version(name)}" for name in ("duckdb", "msgspec", "polars"))
    today = datetime.datetime.now(datetime.UTC).date()
    load = os.getloadavg()[1]
    return (
        f"{today}; {os.cpu_count()} x {processor}, {memory:.0f} GiB, {platform.system()} "
        f"{platform.release()}; Python {platform.python_version()}, {packages}; "
        f"load average of the last 5 minutes {load:.1f}."
    )


def _tables(lab: Path, results: Results) -> Iterator[str]:
    limits = [median(cost.seconds for cost in results[name, "fio"]) for name in LIMITS]
    for part, pattern in _PARTS.items():
        files = [path.stat().st_size for path in lab.rglob(pattern)]
        yield f"## {part}: {len(files):,} files, {sum(files) / 1e6:.0f} MB\n"
        heads = ["method", "s", "least .. most", "CPU s", "files/s", "MB/s", "peak MiB", "did"]
        heads += ["to limit", "to bare, 2"] if part == "fio" else []
        yield f"| {' | '.join(heads)} |\n|---|{'---:|' * (len(heads) - 1)}"
        for (name, of_part), costs in results.items():
            if of_part == part:
                seconds = median(cost.seconds for cost in costs)
                rates = [f"{len(files) / seconds:,.0f}", f"{sum(files) / 1e6 / seconds:.0f}"]
                cells = [name, *_seconds(costs), *rates, _peak(costs), _did(costs[0])]
                cells += [f"{seconds / limit:.2f}" for limit in limits] if part == "fio" else []
                yield f"| {' | '.join(cells)} |"
        yield ""


def _did(cost: Cost) -> str:
    said = cost.output.strip("{}").replace('"', "").partition(", seconds")[0]
    return said.partition(" (")[0]


def _seconds(costs: list[Cost]) -> list[str]:
    seconds = [cost.seconds for cost in costs]
    cpu = median(cost.cpu_seconds for cost in costs)
    return [f"{median(seconds):.2f}", f"{min(seconds):.2f} .. {max(seconds):.2f}", f"{cpu:.1f}"]


def _peak(costs: list[Cost]) -> str:
    return f"{max(cost.peak_bytes for cost in costs) / 2**20:.0f}"


def _steps(steps: Mapping[str, float]) -> Iterator[str]:
    yield "| step | s | share |"
    yield "|---|---:|---:|"
    total = sum(steps.values())
    for step, seconds in steps.items():
        yield f"| {step} | {seconds:.2f} | {seconds / total:.0%} |"
    yield ""
