"""How good the verdicts on runs are: against labels by eye, made faults and injected ones.

    python -m benchmarks.verdicts --labelled ../corpus/fio-plot-results --made FOLDER

`--labelled` is a checkout of SamYaple/fio-plot-results. Two readers labelled 88 of its runs from
their plots, without the rules' verdicts (verdict_labels.csv): the first 40 before there were rules,
the others are held out. `--made` is the folder of `python -m benchmarks.fio_faults`; its clean
run of sequential reads also gets cliffs, drifts and bursts of known size. Prints the tables of
docs/verdicts.md.
"""

import argparse
import csv
import itertools
import json
import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb

from benchmarks.ingest import HEADROOM, ROOT
from benchmarks.measure import run

_LABELS = ROOT / "benchmarks/verdict_labels.csv"
_CLEAN = "clean/sequential-read/sequential-read"
_SIZES = (0.0, 0.1, 0.2, 0.3, 0.5, 0.8)
_FAULTS = ("cliff", "drift", "burst")
_EACH = 60


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--labelled", type=Path, help="a checkout of SamYaple/fio-plot-results")
    parser.add_argument("--made", type=Path, help="the folder of benchmarks.fio_faults")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        if arguments.labelled:
            _labelled(arguments.labelled, Path(scratch) / "labelled")
        if arguments.made:
            _made(arguments.made, Path(scratch) / "made")
            _injected(arguments.made, Path(scratch) / "injected")


def _labelled(checkout: Path, folder: Path) -> None:
    labels = list(csv.DictReader(_LABELS.read_text().splitlines()))
    for label in labels:
        path = checkout / label["path"]
        options = json.loads(path.read_text())["jobs"][0]["job options"]
        logs = path.parent.glob(Path(options["write_iops_log"]).name + "_iops.*.log")
        for file in (path, *logs):
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


def _injected(made: Path, folder: Path) -> None:
    """Each fault in a copy of the same clean run, its samples in another order."""
    draw = random.Random(36)
    clean = made / _CLEAN
    for number, (fault, size) in enumerate((*itertools.product(_FAULTS, _SIZES),) * _EACH):
        place = folder / fault / f"{size:g}" / str(number)
        place.mkdir(parents=True)
        log = f"{clean.name}_iops.1.log"
        lines = [line.split(", ") for line in (clean.parent / log).read_text().splitlines()]
        rates = [float(line[1]) for line in lines]
        draw.shuffle(rates)
        cliff_at = draw.uniform(0.2, 0.8)
        for at, (line, rate) in enumerate(zip(lines, rates, strict=True)):
            line[1] = f"{rate * _factor(fault, size, at / len(lines), cliff_at):.0f}"
        (place / log).write_text("".join(", ".join(line) + "\n" for line in lines))
        result = json.loads(clean.with_suffix(".json").read_text())
        result["timestamp_ms"] += number  # equal files would be one
        (place / f"{clean.name}.json").write_text(json.dumps(result))
    found: Counter[tuple[str, str]] = Counter()
    for path, words in _failed(folder).items():
        fault, size_name, *_ = path.split("/")
        found[fault, size_name] += "not steady" in words
    print("\n| fault | " + " | ".join(f"{size:.0%}" for size in _SIZES) + " |")
    print("|---|" + "--:|" * len(_SIZES))
    for fault in _FAULTS:
        cells = (f"{found[fault, f'{size:g}'] / _EACH:.0%}" for size in _SIZES)
        print(f"| {fault} | " + " | ".join(cells) + " |")


def _factor(fault: str, size: float, at: float, cliff_at: float) -> float:
    """What the fault makes of a rate; `at` is from 0, the start of the run, to 1."""
    if fault == "burst":  # the first tenth is faster
        return 1 + 4 * size * (at < 0.1)
    return 1 - size * (at if fault == "drift" else at >= cliff_at)


def _failed(folder: Path) -> dict[str, set[str]]:
    """The words of the rules that each run below the folder fails."""
    query = """
        select path, list(verdict_word) filter (where rules.verdict = 'failed')
        from runs inner join marts.fct_run_verdicts as rules using (measurement_id)
        group by path
    """
    return {path: set(words or ()) for path, words in _query(folder, query)}


def _query(folder: Path, query: str) -> Iterator[tuple[Any, ...]]:
    """Rows of a query on a night over the folder; `runs` are those below it, by relative path."""
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
