"""Makes Iometer sessions like a lab's: a real session's first block, repeated at other speeds.

All rows of a block change by one ratio, so that MANAGERs still add up to ALL, WORKERs to their
MANAGER and DISKs to their WORKER; response times change by its inverse.
"""

import random
import re
import time
from dataclasses import dataclass
from functools import cache

from benchmarks import ROOT

_GOLDEN = ROOT / "tests/golden/iometer"
SEEDS = ("1.1.0-bins-aborted.csv", "2006-mix-two-blocks.csv")
_BLOCK_COUNTS = (5, 40)
_BLOCK_SECONDS = 70
_FASTER = re.compile(r"IOps|MB?i?Bps|Transactions per Second|Bytes |I/Os|\d \S*S$", re.IGNORECASE)
_SLOWER = re.compile(r"Response Time|Transaction Time")
_NUMBER = re.compile(r"[1-9][0-9]*(\.[0-9]{6})?|0\.[0-9]{6}")
Lines = list[str]


@dataclass(frozen=True)
class _Seed:
    """`start` has the lines up to the session's time stamp, `rows` those below `header`."""

    start: Lines
    access_specs: Lines
    header: str
    rows: Lines
    has_end: bool


def make_session(rng: random.Random, started_at: int) -> bytes:
    """A session with 5 to 40 blocks; `started_at` in seconds since the epoch."""
    seed = _seed(rng.choice(SEEDS))
    lines = [*seed.start, _stamp(started_at)]
    for number in range(1, rng.randint(*_BLOCK_COUNTS) + 1):
        ratio = rng.uniform(0.25, 30)
        lines += [*seed.access_specs, "'Results", seed.header]
        lines += [_changed(seed.header, row, ratio) for row in seed.rows]
        lines += ["'Time Stamp", _stamp(started_at + number * _BLOCK_SECONDS)]
    lines += ["'End Test"] * seed.has_end
    return "".join(f"{line}\r\n" for line in lines).encode("latin-1")


@cache
def _seed(name: str) -> _Seed:
    text = (_GOLDEN / name).read_bytes().decode("latin-1")
    lines = text.splitlines()
    specs, results = lines.index("'Access specifications"), lines.index("'Results")
    end = lines.index("'Time Stamp", results)
    return _Seed(
        start=lines[: specs - 1],
        access_specs=lines[specs:results],
        header=lines[results + 1],
        rows=lines[results + 2 : end],
        has_end="'End Test" in lines,
    )


def _stamp(seconds: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S:047", time.gmtime(seconds))


def _changed(header: str, row: str, ratio: float) -> str:
    names = header.split(",")
    cells = row.split(",")
    for index, name in enumerate(names[: len(cells)]):
        if index > 5 and _NUMBER.fullmatch(cells[index]):
            cells[index] = _scaled(cells[index], ratio ** _power(name))
    return ",".join(cells)


@cache
def _power(name: str) -> int:
    """1 if the column rises on a faster array, -1 if it falls, 0 if it stays the same."""
    if _SLOWER.search(name) and not name.startswith("Total"):
        return -1
    return int(bool(_FASTER.search(name)))


def _scaled(cell: str, ratio: float) -> str:
    if ratio == 1:
        return cell
    return f"{float(cell) * ratio:.6f}" if "." in cell else str(round(int(cell) * ratio))
