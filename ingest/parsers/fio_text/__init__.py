"""fio's output for people (`--output-format=normal`, the default), also among other lines.

`terse.py` has fio's terse output.

stat.c show_thread_status_normal prints a block for each job: its line `name: (groupid=0, jobs=4)`,
the directions that did I/O (show_ddir_status), their latencies (display_lat) and percentiles
(show_clat_percentiles), and `issued`. init.c add_job prints a job's settings before the run. The
measurement is the block: IOPS, bandwidth and runtime of its directions, total latency (`lat`), and
percentiles (by default of completion latency, `clat`), as in fio's JSON. The lines
'Run status group' sum up several jobs, and only end a run here.

Two styles. Up to 2.16 `io=, bw=, iops=, runt=`, where 'KB' is 1024 bytes (1000 with `kb_base=1000`,
which only the command line shows). From 2.17 on `IOPS=, BW=` with the standards' KiB and kB, bits
with `unit_base=1`. Latencies are in microseconds or milliseconds, from 2.99 on also in nanoseconds.
Numbers go through num2str (lib/num2str.c), which leaves six digits up to 2.16 and four since;
before 2.20 it printed the remainder of the division instead of decimals.
"""

import re
from pathlib import Path
from typing import Any

from ingest.common.errors import InputError
from ingest.parsers import generic
from ingest.parsers.fio_text.lines import Run, read_runs
from ingest.parsers.fio_text.results import results
from ingest.parsers.fio_text.terse import START as TERSE_START
from ingest.parsers.fio_text.terse import read_terse

NAME = "fio_text"
VERSION = 2
TABLES = generic.TABLES
_START = re.compile(
    r'^[^"\n]{0,300}: \((?:g=\d{1,9}\): rw=\w+, bs=|groupid=\d{1,9}, jobs=\d{1,9}\): err=)',
    re.MULTILINE,
)


def matches(head: str) -> bool:
    """Whether it has a job's settings or result; beside JSON of the same run the text is a note."""
    if '"fio version"' in head:
        return False
    if ("): rw=" in head or "): err=" in head) and _START.search(head):
        return True
    return ";fio-" in head and TERSE_START.search(head) is not None


def parse(path: Path, data: bytes) -> dict[str, list[tuple[Any, ...]]]:
    """Read each job's result.

    Raises:
        InputError: there is none.
    """
    text = data.decode(errors="replace")
    runs = read_runs(text) if _START.search(text) else []
    if not any(run.prints for run in runs):  # if there are, terse lines repeat them
        runs = read_terse(text) or runs or [Run(1)]
    if any(run.prints for run in runs):
        return generic.rows(result for run in runs for result in results(run))
    said = next((run.trouble for run in runs if run.trouble), None)
    reason = "has settings of fio jobs and no result: fio did no I/O, or the file is truncated"
    raise InputError(path, f"{reason}; it says {said!r}" if said else reason, runs[0].line)
