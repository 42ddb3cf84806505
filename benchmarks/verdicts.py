"""Scores the verdicts on runs against labels by eye, real faults and injected faults.

    python -m benchmarks.verdicts ../corpus/fio-plot-results FOLDER

The first argument is a checkout of SamYaple/fio-plot-results. Two readers labelled 88 of its runs
from their plots, without the rules' verdicts (verdict_labels.csv): the first 40 before the rules
existed; the others are held out. The second is the folder of `python -m benchmarks.fio_faults`. Its
clean run of sequential reads and three of the checkout's also get cliffs, drifts and bursts of
known size. Prints the tables of docs/verdicts.md, and the cost of verdicts on logs of an hour.
"""

import argparse
import csv
import itertools
import json
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb

from benchmarks import HEADROOM, ROOT
from benchmarks.measure import run

_LABELS = ROOT / "benchmarks/verdict_labels.csv"
_CLEAN = "clean/sequential-read/sequential-read.json"
_CLEAN_LABELLED = ("4k/randwrite-32-1.json", "4k/randwrite-32-2.json", "4k/randwrite-64-2.json")
_SIZES = (0.0, 0.1, 0.2, 0.3, 0.5, 0.8)
_FAULTS = ("cliff", "drift", "burst")
_EACH = 40
_HOURS = 200


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=Path, help="a checkout of SamYaple/fio-plot-results")
    parser.add_argument("made", type=Path, help="the folder of benchmarks.fio_faults")
    arguments = parser.parse_args()
    checkout, made = arguments.checkout, arguments.made
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        _labelled(checkout, scratch / "labelled")
        _made(made, scratch / "made")
        public = [checkout / path for path in _CLEAN_LABELLED]
        _injected({"public": public, "made here": [made / _CLEAN]}, scratch / "injected")
        _cost(made / _CLEAN, scratch)


def _labelled(checkout: Path, folder: Path) -> None:
    labels = list(csv.DictReader(_LABELS.read_text().splitlines()))
    for label in labels:
        path = checkout / label["path"]
        for file in (path, *_logs(path)):
            target = folder / file.relative_to(checkout)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target)
    steady = {path: "not steady" not in words for path, words in _failed(folder).items()}
    print("| runs | readers | not steady by the rules | steady by the rules |\n|---|---|--:|--:|")
    counts = Counter((r["drawn"], r["reader_1"], r["reader_2"], steady[r["path"]]) for r in labels)
    for drawn, one, other in sorted({key[:3] for key in counts}):
        readers = one if one == other else f"{one} / {other}"
        found = [counts[drawn, one, other, is_steady] for is_steady in (False, True)]
        print(f"| {drawn} | {readers} | {found[0]} | {found[1]} |")


def _made(folder: Path, scratch: Path) -> None:
    for path in [*folder.rglob("*.json"), *folder.rglob("*.log"), *folder.rglob("*.yml")]:
        (scratch / path.relative_to(folder)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, scratch / path.relative_to(folder))
    print("\n| run | verdict | reason |\n|---|---|---|")
    query = "select path, verdict, reason from runs order by path"
    for path, verdict, reason in _query(scratch, query):
        print(f"| {path.removesuffix('.json')} | {verdict} | {reason} |")


def _injected(clean_runs: dict[str, list[Path]], folder: Path) -> None:
    """Inject each fault into shuffled copies of each clean run; print how many are not steady."""
    draw = random.Random(36)
    cases = itertools.product(_FAULTS, _SIZES, range(_EACH))
    for number, (fault, size, _) in enumerate(cases):
        cliff_at = draw.uniform(0.2, 0.8)
        factors = [_factor(fault, size, at / 1000, cliff_at) for at in range(1000)]
        for name, runs in clean_runs.items():
            for clean in runs:
                place = folder / name / fault / f"{size:g}" / f"{clean.stem}-{number}"
                _copy(clean, place, number, factors, draw.random())
    found, counts = Counter[tuple[str, ...]](), Counter[tuple[str, ...]]()
    for path, words in _failed(folder).items():
        case = tuple(path.split("/")[:3])
        counts[case] += 1
        found[case] += "not steady" in words
    print("\n| runs | fault | " + " | ".join(f"{size:.0%}" for size in _SIZES) + " |")
    print("|---|---|" + "--:|" * len(_SIZES))
    for name, fault in itertools.product(clean_runs, _FAULTS):
        cases_of = [(name, fault, f"{size:g}") for size in _SIZES]
        cells = (f"{found[case]} of {counts[case]}" for case in cases_of)
        print(f"| {name} | {fault} | " + " | ".join(cells) + " |", flush=True)


def _copy(clean: Path, place: Path, number: int, factors: list[float], seed: float) -> None:
    """Copy a run and its logs: shuffle the rates, multiply each by the factor at its new time."""
    place.mkdir(parents=True)
    for log in _logs(clean):
        lines = [line.split(",") for line in log.read_text().splitlines()]
        rates = [float(line[1]) for line in lines]
        random.Random(seed).shuffle(rates)
        for at, (line, rate) in enumerate(zip(lines, rates, strict=True)):
            line[1] = f" {rate * factors[len(factors) * at // len(lines)]:.0f}"
        (place / log.name).write_text("".join(",".join(line) + "\n" for line in lines))
    result = json.loads(clean.read_text())
    result["timestamp_ms"] += number
    (place / clean.name).write_text(json.dumps(result))


def _logs(run_path: Path) -> list[Path]:
    """A run's IOPS logs; their name in fio's options may include a folder of the server."""
    result = json.loads(run_path.read_text())
    options = result.get("global options", {}) | result["jobs"][0]["job options"]
    return sorted(run_path.parent.glob(Path(options["write_iops_log"]).name + "_iops.*.log"))


def _factor(fault: str, size: float, at: float, cliff_at: float) -> float:
    """The fault's factor for a rate; `at` is the time from 0, the start of the run, to 1."""
    if fault == "burst":  # the first tenth is faster
        return 1 + 4 * size * (at < 0.1)
    return 1 - size * (at if fault == "drift" else at >= cliff_at)


def _cost(clean: Path, scratch: Path) -> None:
    """Print the cost of a first night and a verdict with and without logs, and the limit."""
    for number in range(_HOURS):
        for folder in ("results", "logs"):
            _copy(clean, scratch / folder / str(number), number, [1.0], number)
        for log in (scratch / "logs" / str(number)).glob("*.log"):
            lines = log.read_text().splitlines()
            hour = (lines[at % len(lines)].split(",", 1)[1] for at in range(3600))
            log.write_text("".join(f"{at}000,{cells}\n" for at, cells in enumerate(hour, 1)))
    for log in (scratch / "results").rglob("*.log"):
        log.unlink()
    peer = (sys.executable, "-m", "benchmarks.peers", "logs-limit", scratch / "logs")
    commands: dict[str, tuple[str | Path, ...]] = {"limit of the logs, 1 process": peer}
    for folder in ("results", "logs"):
        program = (HEADROOM, "--warehouse", scratch / f"{folder}-warehouse")
        commands[f"first night, {folder}"] = (*program, "nightly", scratch / folder)
        any_verdict = ("sh", "-c", '"$@"; [ $? -lt 2 ]', "")
        commands[f"headroom verdict, {folder}"] = (*any_verdict, *program, "verdict")
    size = sum(log.stat().st_size for log in (scratch / "logs").rglob("*.log"))
    print(f"\n{_HOURS} runs with logs of an hour, {size / 1e6:.0f} MB\n")
    print("| | s | CPU s | peak MiB |\n|---|--:|--:|--:|")
    for name, command in commands.items():
        cost = run(command)
        peak = cost.peak_bytes >> 20
        print(f"| {name} | {cost.seconds:.1f} | {cost.cpu_seconds:.1f} | {peak:,} |", flush=True)


def _failed(folder: Path) -> dict[str, set[str]]:
    """By run below the folder: the verdict words of the rules that it fails."""
    query = """
        select path, list(verdict_word) filter (where rules.verdict = 'failed')
        from runs inner join marts.fct_run_verdicts as rules using (measurement_id)
        group by path
    """
    return {path: set(words or ()) for path, words in _query(folder, query)}


def _query(folder: Path, query: str) -> Iterator[tuple[Any, ...]]:
    """Run a night on the folder, then a query; its CTE `runs` has runs by relative path."""
    warehouse = folder.parent / f"{folder.name}-warehouse"
    run([HEADROOM, "--warehouse", warehouse, "nightly", folder])
    with duckdb.connect(warehouse / "headroom.duckdb", read_only=True) as connection:
        yield from connection.execute(f"""
            with runs as (
                select
                    split_part(source_path, '{folder.name}/', 2) as path, measurement_id,
                    verdicts.verdict, verdicts.reason
                from marts.rpt_run_verdicts as verdicts
                inner join marts.measurements using (measurement_id)
            )
            {query}
        """).fetchall()


if __name__ == "__main__":
    main()
