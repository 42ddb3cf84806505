"""Times `headroom ingest` and its peers on the same files in the same run: `make bench`.

    python -m benchmarks.ingest --size small
    python -m benchmarks.ingest --write

Each round runs every method once, one after the other, from the start of its process to its exit.
The labs and fio-plot's environment are made once, in the ignored folder .bench.
"""

import argparse
import json
import shutil
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from benchmarks import BENCH, HEADROOM, ROOT
from benchmarks.breakdown import measure as measure_steps
from benchmarks.lab import make_lab
from benchmarks.measure import Cost, run
from benchmarks.report import Results, as_markdown, write

FIO_PLOT = "fio-plot==1.1.21"
SIZES = {"full": (20_000, 2_000), "small": (2_000, 200), "tiny": (60, 4)}


@dataclass(frozen=True)
class Method:
    """`part` is the lab's folder to read; with `is_again` the last warehouse is kept."""

    name: str
    part: str
    command: tuple[str | Path, ...] = ()
    is_again: bool = False


def methods(fio_plot: Path) -> list[Method]:
    def peer(name: str, part: str, method: str) -> Method:
        return Method(name, part, (sys.executable, "-m", "benchmarks.peers", method))

    return [
        peer("bare typed parse, 1 process", "fio", "bare-1"),
        peer("bare typed parse, 2 processes", "fio", "bare-2"),
        peer("limit, 2 processes", "fio", "limit"),
        Method("headroom ingest", "fio"),
        peer("DuckDB read_json_auto", "fio", "read_json_auto"),
        Method("fio-plot get_json_data", "fio", (fio_plot, ROOT / "benchmarks/fio_plot_loader.py")),
        Method("headroom ingest", "iometer"),
        peer("Python csv and float()", "iometer", "python-csv"),
        peer("polars, data lines only", "iometer", "polars-csv"),
        Method("headroom ingest", "all"),
        Method("headroom ingest again, unchanged", "all", is_again=True),
    ]


def made_lab(size: str) -> Path:
    fio, iometer = SIZES[size]
    folder = BENCH / f"lab-{fio}-{iometer}"
    if not folder.exists():
        print(f"making {folder.relative_to(ROOT)} ...", file=sys.stderr)
        partial = folder.with_suffix(".partial")
        shutil.rmtree(partial, ignore_errors=True)
        make_lab(partial, fio, iometer, seed=1)
        partial.rename(folder)
    return folder


def made_fio_plot() -> Path:
    """The Python of an environment with fio-plot and without our packages."""
    folder = BENCH / FIO_PLOT.replace("==", "-")
    if not folder.exists():
        partial = folder.with_suffix(".partial")
        subprocess.run([sys.executable, "-m", "venv", "--clear", partial], check=True)
        pip = (partial / "bin/python", "-m", "pip")
        subprocess.run([*pip, "install", "--quiet", FIO_PLOT], check=True)
        partial.rename(folder)
    return folder / "bin/python"


def measure(method: Method, lab: Path) -> Cost:
    part = lab if method.part == "all" else lab / method.part
    if method.command:
        return run((*method.command, part))
    warehouse = BENCH / "warehouse"
    if not method.is_again:
        shutil.rmtree(warehouse, ignore_errors=True)
    return run([HEADROOM, "ingest", "--strict", "--warehouse", warehouse, part])


def run_rounds(lab: Path, rounds: int) -> Results:
    costs: dict[tuple[str, str], list[Cost]] = defaultdict(list)
    todo = methods(made_fio_plot())
    for number in range(1, rounds + 1):
        for method in todo:
            cost = measure(method, lab)
            costs[method.name, method.part].append(_inner(cost))
            line = f"round {number}: {method.name} ({method.part}): {cost.seconds:.2f} s"
            print(f"{line}: {cost.output}", file=sys.stderr)
    return costs


def _inner(cost: Cost) -> Cost:
    """Use the seconds that a peer reports itself: they exclude the start of its processes."""
    said = json.loads(cost.output) if cost.output.startswith("{") else {}
    seconds = said.get("seconds", cost.seconds)
    return Cost(seconds, cost.cpu_seconds, cost.peak_bytes, cost.output)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ingest", description=__doc__)
    parser.add_argument("--size", choices=[*SIZES], default="full")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", action="store_true", help="into benchmarks/RESULTS.md")
    arguments = parser.parse_args()
    lab = made_lab(arguments.size)
    results = run_rounds(lab, arguments.rounds)
    steps = measure_steps(lab / "fio")
    command = "make bench" + f" SIZE={arguments.size}" * (arguments.size != "full")
    text = as_markdown(lab, command, results, steps)
    shutil.rmtree(BENCH / "warehouse", ignore_errors=True)
    print(text)
    if arguments.write:
        write(text, ROOT / "benchmarks/RESULTS.md", kept_from="## What was tried")


if __name__ == "__main__":
    main()
