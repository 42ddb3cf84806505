"""How good the verdicts on runs are: against labels by eye, made faults and injected ones.

    python -m benchmarks.verdicts --labelled ../corpus/fio-plot-results --made FOLDER

`--labelled` is a checkout of SamYaple/fio-plot-results. Two readers labelled 88 of its runs from
their plots, without the rules' verdicts (verdict_labels.csv): the first 40 before there were rules,
the others are held out. `--made` is the folder of `python -m benchmarks.fio_faults`; its clean
run of random reads also gets cliffs, drifts and bursts of known size. Prints the tables of
docs/verdicts.md.
"""

import argparse
import csv
import json
import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import duckdb

from benchmarks.ingest import HEADROOM, ROOT
from benchmarks.measure import run

_LABELS = ROOT / "benchmarks/verdict_labels.csv"
_CLEAN = "trusted/random-read/random-read"
_SIZES = (0.0, 0.1, 0.2, 0.3, 0.5, 0.8)
_EACH = 20


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
    for drawn, *readers in sorted({key[:3] for key in counts}):
        found = [counts[drawn, *readers, is_steady] for is_steady in (False, True)]
        print(f"| {drawn} | {' / '.join(dict.fromkeys(readers))} | {found[0]} | {found[1]} |")


def _made(folder: Path, scratch: Path) -> None:
    for path in [*folder.rglob("*.json"), *folder.rglob("*.log")]:
        (scratch / path.relative_to(folder)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, scratch / path.relative_to(folder))
    print("\n| run | verdict | reason |\n|---|---|---|")
    query = "select path, verdict, reason from runs order by path"
    for path, verdict, reason in _query(scratch, query):
        print(f"| {path.removesuffix('.json')} | {verdict} | {reason} |")


def _injected(made: Path, folder: Path) -> None:
    """Each fault in a copy of the same clean run, from a second that is drawn at random."""
    draw = random.Random(36)
    clean = made / _CLEAN
    log = [line.split(", ") for line in clean.with_name(clean.name + "_iops.1.log").read_text().splitlines()]  # fmt: skip
    for fault in ("cliff", "drift", "burst"):
        for size in _SIZES:
            for number in range(_EACH):
                at, end = draw.randrange(len(log) // 5, 4 * len(log) // 5), len(log)
                factors = {
                    "cliff": [1 - size * (i >= at) for i in range(end)],
                    "drift": [1 - size * i / end for i in range(end)],
                    "burst": [1 + 4 * size * (i < end // 10) for i in range(end)],
                }[fault]
                shuffled = [float(line[1]) for line in log]
                draw.shuffle(shuffled)
                place = folder / fault / f"{size:g}" / str(number)
                place.mkdir(parents=True)
                lines = (f"{line[0]}, {value * factor:.0f}, {line[2]}, 0, 0" for line, value, factor in zip(log, shuffled, factors, strict=True))  # fmt: skip
                (place / f"{clean.name}_iops.1.log").write_text("\n".join(lines) + "\n")
                result = json.loads(clean.with_suffix(".json").read_text())
                result["timestamp_ms"] += len(list(folder.rglob("*.json"))) + 1
                (place / f"{clean.name}.json").write_text(json.dumps(result))
    found: Counter[tuple[str, str]] = Counter()
    for path, words in _failed(folder).items():
        found[tuple(path.split("/")[:2])] += "not steady" in words
    print("\n| fault | " + " | ".join(f"{size:.0%}" for size in _SIZES) + " |")
    print("|---|" + "--:|" * len(_SIZES))
    for fault in ("cliff", "drift", "burst"):
        cells = (f"{found[fault, f'{size:g}'] / _EACH:.0%}" for size in _SIZES)
        print(f"| {fault} | " + " | ".join(cells) + " |")


def _failed(folder: Path) -> dict[str, set[str]]:
    """The words of the rules that each run below the folder fails."""
    query = """
        select path, list(verdict_word) filter (where rules.verdict = 'failed')
        from runs inner join marts.fct_run_verdicts as rules using (measurement_id)
        group by path
    """
    return {path: set(words or ()) for path, words in _query(folder, query)}


def _query(folder: Path, query: str) -> Iterator[tuple]:
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
