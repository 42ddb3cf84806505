"""fio's terse output (`--minimal`, `--output-format=terse`) of versions 3 to 5: a line per job.

stat.c show_thread_status_terse_all: terse version, fio version, job, group, error, a section for
each direction (show_ddir_status_terse), and the CPU. Version 3 has no trims. The mix of
unified_rw_reporting is the only section, or follows the directions. IOPS are whole numbers,
latencies are in microseconds. A line has neither settings nor a number of processes.
"""

import re
from collections import Counter

from ingest.parsers.fio_text.lines import Entry, Part, Run, plain

START = re.compile(r"^(?:<[^<>\n]{1,255}> )?([345]);fio-(\d[^;\n]{0,60});", re.MULTILINE)
_CPU = re.compile(r"\d{1,9}\.\d{1,9}%")
_RANK = re.compile(r"(\d{1,3}(?:\.\d{1,9})?)%=(\d{1,18})")
_SECTION = {"3": 41, "4": 41, "5": 47}
_DIRECTIONS = {
    ("3", 2): ["read", "write"],
    ("3", 3): ["read", "write", "mixed"],
    ("4", 3): ["read", "write", "trim"],
    ("4", 4): ["read", "write", "trim", "mixed"],
}


def read_terse(text: str) -> list[Run]:
    """A run for each line: a line may be a repeat, or another process of the job before it."""
    lines = enumerate(text.split("\n"), start=1)
    runs = [_run(number, found, line) for number, line in lines if (found := START.match(line))]
    counts = Counter((run.prints[0][0].name, run.prints[0][0].group) for run in runs)
    for run in runs:
        (entry,) = run.prints[0]
        if (count := counts[entry.name, entry.group]) > 1:
            entry.condition = f"one of {count} lines of this job: processes of a run, or repeats"
    return runs


def _run(number: int, found: re.Match[str], line: str) -> Run:
    cells = line[found.start(1) :].rstrip().split(";")
    entry = Entry(number, cells[2][:255], is_whole=True)
    try:
        entry.group, error = _whole(cells[3]), _whole(cells[4])
        if error:
            entry.faults.append(f"fio ended the job with error {error}")
        entry.parts, entry.cpu_ratio = _parts(found[1], cells[5:])
    except (ValueError, IndexError):
        entry.faults.append(f"line {number} cannot be read: {line[:80]!r}")
    return Run(number, version=found[2], prints=[[entry]])


def _parts(version: str, cells: list[str]) -> tuple[list[Part], float]:
    """The directions that did I/O, and the share of processor time.

    Raises:
        ValueError, IndexError: the cells are not those of this version.
    """
    sections = []
    while not _CPU.fullmatch(cells[0]):
        sections.append(cells[: _SECTION[version]])
        cells = cells[_SECTION[version] :]
    names = _DIRECTIONS.get((version.replace("5", "4"), len(sections)), ["mixed"])
    parts = [_part(*pair) for pair in zip(names, sections, strict=True)]
    share = sum(plain(cell.removesuffix("%")) for cell in cells[:2]) / 100
    return [part for part in parts if part], share


def _part(direction: str, cells: list[str]) -> Part | None:
    amount_kib, _, iops, runtime_ms = map(_whole, cells[:4])
    if not amount_kib or not runtime_ms:
        return None
    latencies = {
        kind: [plain(cell) for cell in cells[at : at + 3]]
        for kind, at in (("slat", 4), ("clat", 8), ("lat", 32))
    }
    ranks = (_RANK.fullmatch(cell) for cell in cells[12:32])
    return Part(
        direction,
        iops,
        amount_kib * 1024_000 / runtime_ms,
        runtime_ms,
        latencies={kind: [*values] for kind, values in latencies.items() if values[2]},
        percentiles={
            "clat": {
                round(float(rank[1]) / 100, 12): float(rank[2])
                for rank in ranks
                if rank and float(rank[1]) and int(rank[2])
            }
        },
    )


def _whole(cell: str) -> int:
    if not re.fullmatch(r"\d{1,18}", cell):
        raise ValueError(cell)
    return int(cell)
