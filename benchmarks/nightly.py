"""Times nights on a generated lab, from the files to the published release: `make bench`.

    python -m benchmarks.nightly --size small
    python -m benchmarks.nightly --runs 1000 --runs 50000

For each number of runs: the first night, which loads them all and builds with dbt; a night with
nothing new; a night with one new file; a night with 100. The warehouse's nightly.log has the
duration of each step. Then the boards' queries run on the published file. At the end it times first
nights of results whose cost could grow faster than their size.
"""

import argparse
import json
import shutil
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb

from benchmarks import BENCH, HEADROOM, ROOT
from benchmarks.boards import ask, p50_and_p95_ms
from benchmarks.growth import Steps, jobs_in_a_file, tiny_files
from benchmarks.lab import make_lab
from benchmarks.measure import Cost, run
from benchmarks.report import machine, write

SIZES = {"full": [1_000, 10_000, 100_000], "medium": [1_000, 10_000], "small": [200, 1_000]}
_STEPS = ("ingested", "built", "checked", "published")
_HEAD = """\
# What a night costs

`headroom nightly` on a generated lab (`benchmarks/lab.py`) and the project's own `data/`, from the
start of its process to its exit. Steps are those of the warehouse's `nightly.log`; CPU seconds are
of all processes, peak memory is the sum of their resident pages, shared ones counted in each. One
run each. Written by `make bench`.
"""
_BARS = """
```mermaid
xychart-beta
    title "A night with 100 new files (bars) and with none (line)"
    x-axis "runs in the warehouse" [{sizes}]
    y-axis "seconds" 0 --> {most:.0f}
    bar [{more}]
    line [{nothing}]
```

A night with 100 new files takes {ratio:.1f} times as long in the largest lab as in the smallest.
"""


@dataclass(frozen=True)
class Night:
    """A night of a lab: what was new in it, what it cost, and seconds by step."""

    run_count: int
    news: str
    cost: Cost
    steps: dict[str, float]


def nights(run_count: int, folder: Path) -> Iterator[Night]:
    """Nights of one lab, each on the warehouse of the night before."""
    shutil.rmtree(folder, ignore_errors=True)
    lab = folder / "lab"
    make_lab(lab, run_count, run_count // 40, seed=1)
    yield _night(run_count, "everything", folder)
    yield _night(run_count, "nothing", folder)
    for count, seed in ((1, 2), (100, 3)):
        make_lab(folder / "more", count, 0, seed)
        shutil.move(folder / "more", lab / f"more-{count}")
        yield _night(run_count, f"{count} file{'s' if count > 1 else ''}", folder)


def _night(run_count: int, news: str, folder: Path) -> Night:
    warehouse = folder / "warehouse"
    cost = run([HEADROOM, "--warehouse", warehouse, "nightly", ROOT / "data", folder / "lab"])
    lines = [json.loads(line) for line in (warehouse / "nightly.log").read_text().splitlines()]
    steps = {
        line["event"]: line["seconds"] for line in lines if line["run_id"] == lines[-1]["run_id"]
    }
    return Night(run_count, news, cost, steps)


def odd_nights(small: bool) -> Iterator[Night]:
    """First nights whose cost could outgrow their size: a file of many profiles, tiny files."""
    odd: list[tuple[Callable[[Path, int], Steps], int, str]] = [
        (jobs_in_a_file, 100_000, "one file of as many jobs, each of a load profile of its own"),
        (tiny_files, 20_000, "files of one job"),
    ]
    for make, full_size, news in odd:
        size = full_size // 100 if small else full_size
        folder = BENCH / f"odd-{make.__name__}"
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "lab").mkdir(parents=True)
        deque(make(folder / "lab", size), maxlen=0)
        yield _night(size, news, folder)
        shutil.rmtree(folder)


def as_markdown(found: list[Night], sizes: list[str], odd: list[Night]) -> str:
    lines = [_HEAD, f"{machine()}\n", *_table("runs", found), _plot(found)]
    lines += [
        "| runs | measurements | release, MB | bytes a measurement | panels p50, ms | p95, ms |",
        "|---:|---:|---:|---:|---:|---:|",
        *sizes,
        "",
        "First nights of results in which the cost could grow faster than they do:\n",
        *_table("jobs", odd),
    ]
    return "\n".join([*lines, ""])


def _table(counted: str, found: list[Night]) -> Iterator[str]:
    yield f"| {counted} | new | s | ingest | build | checks | publish | CPU s | peak MiB |"
    yield "|---:|---|---:|---:|---:|---:|---:|---:|---:|"
    for night in found:
        steps = " | ".join(f"{night.steps.get(step, 0):.1f}" for step in _STEPS)
        yield (
            f"| {night.run_count:,} | {night.news} | {night.cost.seconds:.1f} | {steps} "
            f"| {night.cost.cpu_seconds:.1f} | {night.cost.peak_bytes / 2**20:,.0f} |"
        )


def _plot(found: list[Night]) -> str:
    seconds = {
        news: [night.cost.seconds for night in found if night.news == news]
        for news in ("100 files", "nothing")
    }
    sizes = dict.fromkeys(f'"{night.run_count:,}"' for night in found)
    more, nothing = (", ".join(f"{second:.1f}" for second in each) for each in seconds.values())
    ratio = seconds["100 files"][-1] / seconds["100 files"][0]
    most = 1.1 * max(max(each) for each in seconds.values())
    return _BARS.format(sizes=", ".join(sizes), more=more, nothing=nothing, ratio=ratio, most=most)


def size_and_panels(run_count: int, folder: Path) -> str:
    """A Markdown row: the size of the release, and how fast the boards' queries are on it."""
    published = folder / "warehouse" / "headroom.duckdb"
    with duckdb.connect(published.resolve(), read_only=True) as connection:
        count = connection.table("marts.measurements").shape[0]
        p50, p95 = p50_and_p95_ms(list(ask(connection)))
    size = published.resolve().stat().st_size
    return (
        f"| {run_count:,} | {count:,} | {size / 1e6:,.0f} | {size / count:,.0f} "
        f"| {p50:.0f} | {p95:.0f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.nightly", description=__doc__)
    parser.add_argument("--size", choices=[*SIZES], default="full")
    parser.add_argument("--runs", type=int, action="append", help="sizes of labs, smallest first")
    parser.add_argument("--write", action="store_true", help="into benchmarks/NIGHTS.md")
    arguments = parser.parse_args()
    found: list[Night] = []
    sizes = []
    for run_count in arguments.runs or SIZES[arguments.size]:
        folder = BENCH / f"nights-{run_count}"
        for night in nights(run_count, folder):
            print(f"{run_count:,} runs, new {night.news}: {night.cost.seconds:.1f} s", flush=True)
            found.append(night)
        sizes.append(size_and_panels(run_count, folder))
        shutil.rmtree(folder)
    text = as_markdown(found, sizes, list(odd_nights(arguments.size == "small")))
    print(text)
    if arguments.write:
        write(text, ROOT / "benchmarks/NIGHTS.md", kept_from="## How this is to be read")


if __name__ == "__main__":
    main()
