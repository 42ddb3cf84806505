"""Real results of public repositories, read a second way: every number has to be there.

The corpus lies beside the project where there is one; the project does not need it.
"""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ingest.load import load
from ingest.parsers import fio, iometer
from ingest.records.archive import Archive
from ingest.records.tables import prepare
from ingest.sources import find_files
from tests.conftest import ROOT
from tests.reading import read_rows

CORPUS = ROOT.parent / "shared/corpus"
FILES = [*sorted(CORPUS.glob("fio/*")), *sorted(CORPUS.glob("fio_sweeps/*"))]
IOMETER_FILES = sorted(CORPUS.glob("iometer/*"))


def _documents(text: str) -> Iterator[dict[str, Any]]:
    """Whatever decodes from a brace at the start of a line."""
    decoder = json.JSONDecoder(strict=False)
    position = 0
    while True:
        start = (
            0 if text.startswith("{", position) and position == 0 else text.find("\n{", position)
        )
        if start < 0:
            return
        document, position = decoder.raw_decode(text, start + (text[start] == "\n"))
        yield document


Result = tuple[str, str, list[float | None]]


def _expected(path: Path) -> Iterator[Result]:
    """Job, direction and its IOPS, bytes/s, mean and p99 latency in us, of whatever did I/O."""
    text = path.read_bytes().decode("utf-8-sig", errors="replace")
    for document in _documents(text):
        for job in document.get("jobs") or document["client_stats"]:
            for direction in ("read", "write", "trim", "mixed"):
                result = job.get(direction)
                if not result or not result["io_bytes"]:
                    continue
                unit, factor = ("_ns", 1e-3) if "clat_ns" in result else ("", 1)
                mean = result.get(f"lat{unit}", {}).get("mean")
                p99 = result[f"clat{unit}"].get("percentile", {}).get("99.000000") or None
                rate = result.get("bw_bytes", result["bw"] * 1024)
                micros = [None if value is None else value * factor for value in (mean, p99)]
                yield job["jobname"], direction, [result["iops"], rate, *micros]


def _parsed(path: Path) -> Iterator[Result]:
    rows = read_rows(fio, path)
    names = {row["job_index"]: row["job_name"] for row in rows["fio_jobs"]}
    latencies: dict[tuple[int, str], dict[str, float | None]] = {}
    for row in rows["fio_latencies"]:
        factor = 1e-3 if row["latency_unit"] == "ns" else 1
        found = latencies.setdefault((row["job_index"], row["direction"]), {})
        if row["latency_kind"] == "lat":
            found["mean"] = row["latency_mean"] * factor
        if row["latency_kind"] == "clat" and 99 in (row["percentiles"] or ()):
            p99 = row["percentile_latencies"][row["percentiles"].index(99)]
            found["p99"] = p99 * factor
    for row in rows["fio_directions"]:
        if row["direction"] == "sync":
            continue
        rate = row["bw_bytes_per_second"]
        rate = row["bw_kib_per_second"] * 1024 if rate is None else rate
        found = latencies.get((row["job_index"], row["direction"]), {})
        micros = [found.get("mean"), found.get("p99")]
        yield names[row["job_index"]], row["direction"], [row["iops"], rate, *micros]


def test_every_fio_file_of_the_corpus_is_read_as_it_is() -> None:
    if not FILES:
        pytest.skip(f"there is no corpus beside the project: {CORPUS}")
    for path in FILES:
        expected, parsed = list(_expected(path)), list(_parsed(path))
        assert len(parsed) == len(expected), path
        for found, wanted in zip(parsed, expected, strict=True):
            assert found[:2] == wanted[:2], path
            for number, other in zip(found[2], wanted[2], strict=True):
                if number is None or other is None:
                    assert number is other, (path, found, wanted)
                else:
                    assert math.isclose(number, other, rel_tol=1e-9), (path, found, wanted)


def _iometer_totals(path: Path) -> Iterator[list[float | None]]:
    """Line, IOPS, MiB/s and mean latency in ms of each ALL row, by the names in its header."""
    header: list[str] = []
    for number, line in enumerate(path.read_text(encoding="cp1252").splitlines(), start=1):
        cells = line.split(",")
        if "Target Name" in cells:
            header = [cell.replace("MiBps", "MBps").removesuffix(" (Binary)") for cell in cells]
        elif "ALL" in cells[:2]:
            row = dict(zip(header, cells, strict=True))
            yield [number, *(float(row[n]) for n in ("IOps", "MBps", "Average Response Time"))]


@pytest.mark.skipif(not IOMETER_FILES, reason=f"there is no corpus beside the project: {CORPUS}")
@pytest.mark.parametrize("path", IOMETER_FILES, ids=lambda path: path.name)
def test_every_iometer_file_of_the_corpus_is_read_as_it_is(path: Path) -> None:
    rows = read_rows(iometer, path)
    names = ("line", "iops", "mib_per_second", "response_time_mean_ms")
    found = [
        [row[name] for name in names]
        for row in [*rows["iometer_results"], *rows["iometer_updates"]]
        if row["row_type"] == "ALL"
    ]
    assert found
    assert found == list(_iometer_totals(path))
    assert all(block["is_complete"] for block in rows["iometer_blocks"])


def test_every_file_of_the_corpus_is_loaded_once(tmp_path: Path) -> None:
    """Its manifest is no result: it is refused, and nothing else is."""
    if not FILES:
        pytest.skip(f"there is no corpus beside the project: {CORPUS}")
    with duckdb.connect() as connection:
        prepare(connection)
        outcomes = list(load(connection, find_files([CORPUS]), Archive(tmp_path / "archive")))
        places = connection.execute(
            "select count(*), count(distinct absolute_path) from raw.sources where is_current"
        ).fetchall()
        contents = connection.execute("select count(*) from raw.files").fetchall()
    results = [path for path in CORPUS.rglob("*") if path.is_file() and path.parent != CORPUS]
    refused = [Path(outcome.path).name for outcome in outcomes if outcome.status == "quarantined"]
    assert refused == ["manifest.csv"]
    assert places == [(len(results), len(results))]
    assert contents == [(len({path.read_bytes() for path in results}),)]
