"""Times a store beside a warehouse of the same files, and with many runs: `make bench-store`.

    python -m benchmarks.store --size small
    python -m benchmarks.store --write

The store is a folder. Each command is timed from the start of its process to its exit.
"""

import argparse
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.ingest import BENCH, HEADROOM, ROOT, SIZES, made_lab
from benchmarks.measure import Cost, run
from benchmarks.report import machine, write

WORK = BENCH / "store"
STORE = WORK / "store"
WAREHOUSE = ("--warehouse", WORK / "warehouse")
STEPS: dict[str, tuple[str | Path, ...]] = {
    "`headroom ingest PATH`, no store": ("ingest", *WAREHOUSE),
    "`headroom ingest --to STORE PATH`": ("ingest", "--to", STORE, "--as", "lab1"),
    "`headroom ingest --from STORE`": ("ingest", "--warehouse", WORK / "reader", "--from", STORE),
}
RUNS = (10, 30, 100)
RUN_FILES = 5
_HEAD = """\
# What a store costs

A generated lab (`benchmarks/lab.py`, seed 1; {files:,} files, {megabytes:.0f} MB) is read into a
warehouse, written to a store in a folder, and taken from it into an empty warehouse. Written by
`{command}`. Seconds of one run each, from the start of the process to its exit.

{machine}

| step | first time: s | CPU s | peak MiB | nothing new: s | CPU s |
|---|---:|---:|---:|---:|---:|"""
_RUNS_HEAD = f"""
## Many runs of one machine

Each run adds {RUN_FILES} fio files. Timed are the writer's last run, a new warehouse that takes all
runs, and a warehouse that has all but the last.

| runs | objects | writer: s | new warehouse: s | one more run: s |
|---:|---:|---:|---:|---:|"""


def headroom(*arguments: str | Path) -> Cost:
    return run([HEADROOM, *arguments])


def measure_steps(lab: Path) -> Iterator[str]:
    for name, command in STEPS.items():
        path = () if "--from" in command else (lab,)
        first, again = (headroom(*command, *path) for _ in range(2))
        print(f"{name}: {first.seconds:.2f} s, {first.output}", file=sys.stderr)
        cells = [
            f"{first.seconds:.2f}",
            f"{first.cpu_seconds:.1f}",
            f"{first.peak_bytes / 2**20:.0f}",
        ]
        cells += [f"{again.seconds:.2f}", f"{again.cpu_seconds:.1f}"]
        yield f"| {name} | {' | '.join(cells)} |"
    sizes = [path.stat().st_size for path in STORE.rglob("*") if path.is_file()]
    archive = [path.stat().st_size for path in WAREHOUSE[1].rglob("*") if path.is_file()]
    yield f"\nThe store has {sum(sizes) / 1e6:.0f} MB in {len(sizes)} objects; the warehouse of the"
    yield f"first step, with its archive, {sum(archive) / 1e6:.0f} MB."


def measure_runs(lab: Path) -> Iterator[str]:
    files = sorted(lab.rglob("*.json"))
    results, late = WORK / "results", WORK / "late"
    store = WORK / "store-of-runs"
    for number in range(1, max(RUNS) + 1):
        folder = results / str(number)
        folder.mkdir(parents=True)
        for source in files[number * RUN_FILES : (number + 1) * RUN_FILES]:
            shutil.copy(source, folder / f"{source.parent.name}-{source.name}")
        if number in RUNS:
            headroom("ingest", "--warehouse", late, "--from", store)
        writer = headroom("ingest", "--to", store, "--as", "lab1", results)
        if number in RUNS:
            more = headroom("ingest", "--warehouse", late, "--from", store)
            new = headroom("ingest", "--warehouse", WORK / f"new-{number}", "--from", store)
            count = sum(path.is_file() for path in store.rglob("*"))
            seconds = [f"{cost.seconds:.2f}" for cost in (writer, new, more)]
            print(f"{number} runs: {', '.join(seconds)} s", file=sys.stderr)
            yield f"| {number} | {count:,} | {' | '.join(seconds)} |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.store", description=__doc__)
    parser.add_argument("--size", choices=[*SIZES], default="full")
    parser.add_argument("--write", action="store_true", help="into benchmarks/STORE.md")
    arguments = parser.parse_args()
    lab = made_lab(arguments.size)
    shutil.rmtree(WORK, ignore_errors=True)
    sizes = [path.stat().st_size for path in lab.rglob("*.[jc]s*")]
    command = "make bench-store" + f" SIZE={arguments.size}" * (arguments.size != "full")
    head = _HEAD.format(
        files=len(sizes), megabytes=sum(sizes) / 1e6, command=command, machine=machine()
    )
    text = "\n".join([head, *measure_steps(lab), _RUNS_HEAD, *measure_runs(lab)]) + "\n"
    shutil.rmtree(WORK)
    print(text)
    if arguments.write:
        write(text, ROOT / "benchmarks/STORE.md")


if __name__ == "__main__":
    main()
