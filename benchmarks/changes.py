"""How often noise alone alarms, and which real steps are found: `make bench-changes`.

    python -m benchmarks.changes --size small
    python -m benchmarks.changes --write

Simulated IOPS, one night after the other: each night the whole series so far is analysed anew, as
`headroom check` does. An alarm is a change for the worse among the last measurements.
"""

import argparse
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from benchmarks.nights import NOISES, noise
from expectations import BOUNDS
from headroom.changes import find_changes

CHANGES_MD = Path(__file__).with_name("CHANGES.md")
BOUND = BOUNDS["changes"]
NIGHTS = (30, 90, 365)
STEPS = (0.03, 0.05, 0.10)
STEP_AT = 60  # nights before a step; after it come as many as a change is recent
SIZES = {"full": 100, "small": 20}
_HEAD = """\
# Which changes are found, and how often noise alarms

What `headroom check` finds (docs/changes.md) in simulated IOPS (`benchmarks/nights.py`, seeded),
with the parameters of `expectations/bounds.toml`. Written by `{command}`. Each night the series so
far is analysed anew; an alarm is a regression among the last {recent_points} measurements. Noise:

{noises}

3,000 series of 365 nights (1,000 configurations, three metrics) take {seconds:.0f} CPU seconds.
"""
_FLAT = """
## Flat series: every alarm is false

| noise | nights | series | with an alarm | nights watched | nights with an alarm, of 1,000 |
|---|---:|---:|---:|---:|---:|
"""
_STEPS = """
## Steps down after {before} nights, {count} series each

Found within {recent_points} nights, and the nights that it took: median (most).

| noise | 3 % | nights | 5 % | nights | 10 % | nights |
|---|---:|---:|---:|---:|---:|---:|
"""
_KEPT_FROM = "\n## How this is to be read"


def alarms(kind: str, nights: int, step: float, seed: int) -> list[int]:
    """The nights, counted from 1, in which a regression was among the last measurements."""
    rng = np.random.default_rng([seed, nights, round(step * 100), list(NOISES).index(kind)])
    values = 100_000 * (1 + noise(rng, kind, nights))
    if step:
        values[STEP_AT:] *= 1 - step
    first = STEP_AT + 1 if step else 2 * BOUND["min_points"]
    oldest = STEP_AT - BOUND["min_points"] if step else 0
    return [
        night
        for night in range(first, nights + 1)
        if _is_alarmed(values[:night].tolist(), max(oldest, night - BOUND["recent_points"]))
    ]


def _is_alarmed(values: list[float], oldest: int) -> bool:
    changes = find_changes(values)
    return any(c.position >= oldest and c.mean_after < c.mean_before for c in changes)


def flat_rows(pool: ProcessPoolExecutor, count: int) -> Iterator[str]:
    for kind in NOISES:
        for nights in NIGHTS:
            series = count * 90 // nights
            found = list(pool.map(alarms, *_columns(kind, nights, 0, series), chunksize=5))
            watched = series * (nights - 2 * BOUND["min_points"] + 1)
            alarmed = 1000 * sum(map(len, found)) / watched
            cells = f"{series} | {sum(map(bool, found))} | {watched:,} | {alarmed:.2f}"
            yield f"| {kind} | {nights} | {cells} |"


def step_rows(pool: ProcessPoolExecutor, count: int) -> Iterator[str]:
    nights = STEP_AT + BOUND["recent_points"]
    for kind in NOISES:
        cells = [kind]
        for step in STEPS:
            found = pool.map(alarms, *_columns(kind, nights, step, count), chunksize=5)
            delays = sorted(alarmed[0] - STEP_AT for alarmed in found if alarmed)
            spread = f"{delays[len(delays) // 2]} ({delays[-1]})" if delays else ""
            cells += [f"{len(delays) / count:.0%}", spread]
        yield f"| {' | '.join(cells)} |"


def _columns(kind: str, nights: int, step: float, count: int) -> tuple[list[object], ...]:
    return [kind] * count, [nights] * count, [step] * count, list(range(count))


def seconds_of_a_night(count: int = 3000, nights: int = 365) -> float:
    """CPU seconds for so many series, from a tenth of them."""
    rng = np.random.default_rng(1)
    series = [(1 + noise(rng, "normal 2 %", nights)).tolist() for _ in range(count // 10)]
    started_at = time.process_time()
    for values in series:
        find_changes(values)
    return (time.process_time() - started_at) * 10


def as_markdown(command: str, count: int) -> str:
    noises = "\n".join(f"- {kind}: {meaning}." for kind, meaning in NOISES.items())
    head = _HEAD.format(command=command, noises=noises, seconds=seconds_of_a_night(), **BOUND)
    steps = _STEPS.format(before=STEP_AT, count=count, **BOUND)
    context = get_context("forkserver")  # polars' threads would not come along with a fork
    with ProcessPoolExecutor(mp_context=context) as pool:
        flat_table = _FLAT + "\n".join(flat_rows(pool, count)) + "\n"
        return head + flat_table + steps + "\n".join(step_rows(pool, count)) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.changes", description=__doc__)
    parser.add_argument("--size", choices=[*SIZES], default="full")
    parser.add_argument("--write", action="store_true", help="into benchmarks/CHANGES.md")
    arguments = parser.parse_args()
    command = "make bench-changes" + f" SIZE={arguments.size}" * (arguments.size != "full")
    text = as_markdown(command, SIZES[arguments.size])
    print(text)
    if arguments.write:
        before = CHANGES_MD.read_text() if CHANGES_MD.exists() else _KEPT_FROM
        CHANGES_MD.write_text(text + before[before.index(_KEPT_FROM) :])


if __name__ == "__main__":
    main()
