"""elbencho's results: CSV (`--csvfile`), text (`--resfile`, console) and live CSV (`--livecsv`).

The sources are of github.com/breuner/elbencho, v1.0 to v3.1: Statistics.cpp
(`printPhaseResultsToStringVec`, `printPhaseResultsToStream`, `printLiveStatsCSV`), ProgArgs.cpp
(`getAsStringVec`), LatencyHistogram.h; docs/csv-docs.md and docs/result-columns-explanation.md.

**First done is the measurement.** elbencho prints two values. "First done" is the rate up to the
moment when the fastest worker finished: the last one at which all workers were active. "Last done"
is the rate up to the slowest worker, with its tail of fewer and fewer workers. Its author
recommends first done for the storage's rate while no worker is idle, and last done for the rate of
an application that waits for its slowest part. The warehouse asks for the former, and its queue
depth counts all workers. So rates, runtime and CPU are those of first done; `note` keeps last done.
Latencies exist for the whole phase only.

An operation without throughput (MKDIRS, SYNC, STAT, RMFILES, ...) is no result: entries per second
are not IOPS. NET is a test of the network.
"""

import re
from pathlib import Path
from typing import Any

from ingest.common.errors import InputError
from ingest.parsers import generic
from ingest.parsers.elbencho import live, table, text

NAME = "elbencho"
VERSION = 1
TABLES = generic.TABLES
_TABLE = re.compile(r'"?ISO date"?[,;\t]"?(?:label"?[,;\t]"?)?path type"?[,;\t]', re.IGNORECASE)
_LIVE = re.compile(
    r'(?:"?ISO date"?[,;\t])?"?Label"?[,;\t]"?Phase"?[,;\t]"?RuntimeMS"?[,;\t]', re.IGNORECASE
)


def matches(head: str) -> bool:
    if "FIRST DONE" in head and text.HEADER.search(head):
        return True
    return bool(_TABLE.match(head) or _LIVE.match(head))


def parse(path: Path, data: bytes) -> dict[str, list[tuple[Any, ...]]]:
    """Read a file of any of the three formats; a damaged line affects only its own result.

    Raises:
        InputError: there is no result in it.
    """
    content = data.decode(errors="replace")
    lines = [line.removesuffix("\r") for line in content.split("\n")]
    if _LIVE.match(content):
        results, samples = live.read(lines)
    else:
        results, samples = (table if _TABLE.match(content) else text).read(lines), []
    if not results:
        reason = "has no operation with throughput, such as WRITE or READ: entries per second"
        raise InputError(path, f"{reason} are not IOPS; run elbencho with --write or --read")
    return generic.rows(results, samples)
