"""Values read from fio's JSON match fio's normal output of the same runs.

tests/fio_normal/ has the runs, as fio 3.33 printed them in both formats (capture.sh has their
command lines), and a reader of the normal output that knows how each number is rounded.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ingest.parsers import fio
from tests.fio_normal import CAPTURES, PARTS, read_capture
from tests.reading import read_rows

Facts = dict[tuple[str, str], float]
# Numbers that fio prints and raw does not have.
NOT_READ = re.compile(
    "majf|minf|member_count|zone_resets|bw_agg_percent|(submit|complete) .+|latency_.+"
    "|steady_state_(bytes_per_second|iops)|sync (short|drop)_ios|(least|most)_.+"
)
# Settings and results of a group, which are in the marts: test_results_in_marts.py.
OF_MARTS = {
    *(("asked", name) for name in ("iodepth", "bs_read", "bs_write", "bs_trim")),
    *(("group", name) for name in ("bw_bytes_per_second", "runtime_ms")),
    ("run", "processes"),
}
# fio 3.33 loses the number of digits (stat.c gen_mixed_ddir_stats_from_ts) and prints none.
WITHOUT_DIGITS = {
    ("unified-both", "0 mixed", name) for name in ("iops", "bw_bytes_per_second", "io_bytes")
}
US = {"ns": 1e-3, "us": 1.0}
COUNTS = ("total_ios", "short_ios", "drop_ios")
FIO_UNITS = {"ns": "nsec", "us": "usec", "ms": "msec"}


def _raw(path: Path) -> Facts:
    rows = read_rows(fio, path)
    facts: Facts = {}
    for job in rows["fio_jobs"]:
        facts |= _named(f"{job['job_index']}", job | dict(_shares(job)))
    for row in rows["fio_directions"]:
        job, direction = row["job_index"], row["direction"]
        is_alone = not any((f"{job} {part}", "iops") in facts for part in PARTS)
        issued_as = "read" if direction == "mixed" and is_alone else direction
        facts |= _named(f"{job} {direction}", row)
        facts |= _named(f"{job}", {f"{issued_as} {name}": row[name] for name in COUNTS})
        group = f"group {rows['fio_jobs'][job]['group_id']} {direction}", "io_bytes"
        facts[group] = facts.get(group, 0) + (row["io_bytes"] or 0)
    for row in rows["fio_latencies"]:
        kind = "sync" if row["direction"] == "sync" else row["latency_kind"]
        found = {f"{kind} {name}": us for name, us in _latencies(row)}
        facts |= _named(f"{row['job_index']} {row['direction']}", found)
    for row in rows["fio_disks"]:
        facts |= _named(f"disk {row['disk']}", row)
    return facts


def _named(place: str, numbers: dict[str, Any]) -> Facts:
    return {(place, name): value for name, value in numbers.items() if value is not None}


def _shares(job: dict[str, Any]) -> Iterator[tuple[str, float]]:
    for level, percent in json.loads(job["io_depth_level_percent"]).items():
        yield f"depth {level}", percent
    for unit, shares in json.loads(job["latency_histogram_percent"]).items():
        for edge, percent in shares.items():
            yield f"{FIO_UNITS[unit]} {edge}", percent
    if job["steady_state_criterion"]:
        yield "steady_state_criterion", float(job["steady_state_criterion"].rstrip("%"))


def _latencies(row: dict[str, Any]) -> Iterator[tuple[str, float]]:
    """In microseconds."""
    factor = US[row["latency_unit"]]
    for name in ("min", "max", "mean", "stddev"):
        yield name, row[f"latency_{name}"] * factor
    ranks = zip(row["percentiles"] or (), row["percentile_latencies"] or (), strict=True)
    yield from ((f"p{rank:g}", latency * factor) for rank, latency in ranks)


@pytest.mark.parametrize("path", CAPTURES, ids=lambda path: path.stem)
def test_raw_has_what_fio_prints(path: Path) -> None:
    facts = _raw(path)
    printed = {
        (place, name): interval
        for (place, name), interval in read_capture(path).items()
        if (place.split()[0], name) not in OF_MARTS and not NOT_READ.fullmatch(name)
    }
    missing = [key for key in printed if facts.get(key) is None and printed[key] != (0, 0)]
    assert missing == []
    wrong = [
        (key, facts[key], interval)
        for key, interval in printed.items()
        if key in facts
        and not interval.holds(facts[key])
        and (path.stem, *key) not in WITHOUT_DIGITS
    ]
    assert wrong == []
