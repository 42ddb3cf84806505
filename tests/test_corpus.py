"""Real results of public repositories: a second reader finds the same numbers, and a night over
all of them is published.

The corpus lies beside the project, if there is one; the project does not need it.
"""

import math
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from benchmarks import second_reader
from ingest.parsers import fio, iometer
from tests.conftest import ROOT, Ask, asking, first_night
from tests.reading import read_rows

CORPUS = (ROOT.parent / "shared/corpus").resolve()
FILES = [*sorted(CORPUS.glob("fio/*")), *sorted(CORPUS.glob("fio_sweeps/*"))]
IOMETER_FILES = sorted(CORPUS.glob("iometer/*"))


Result = tuple[int, str, list[float | None]]


def _expected(path: Path) -> Iterator[Result]:
    """Job's number, direction and its IOPS, bytes/s, mean and p99 latencies in us."""
    text = path.read_bytes().decode("utf-8-sig", errors="replace")
    for _, document in second_reader.documents(text):
        for index, direction, values in second_reader.results(document):
            yield index, direction, [*values]


def _parsed(path: Path) -> Iterator[Result]:
    rows = read_rows(fio, path)
    numbers = {row["job_index"]: row["document_job_index"] for row in rows["fio_jobs"]}
    latencies: dict[tuple[int, str], dict[str, float | None]] = {}
    for row in rows["fio_latencies"]:
        factor = 1e-3 if row["latency_unit"] == "ns" else 1
        found = latencies.setdefault((row["job_index"], row["direction"]), {})
        if row["latency_kind"] == "lat":
            found["mean"] = row["latency_mean"] * factor
        if row["latency_kind"] != "slat" and 99 in (row["percentiles"] or ()):
            p99 = row["percentile_latencies"][row["percentiles"].index(99)]
            found[row["latency_kind"]] = p99 * factor
    for row in rows["fio_directions"]:
        if row["direction"] == "sync":
            continue
        rate = row["bw_bytes_per_second"]
        rate = row["bw_kib_per_second"] * 1024 if rate is None else rate
        found = latencies.get((row["job_index"], row["direction"]), {})
        micros = [found.get("mean"), found.get("lat"), found.get("clat")]
        yield numbers[row["job_index"]], row["direction"], [row["iops"], rate, *micros]


def test_fio_files_match_the_second_reader() -> None:
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


def test_second_reader_agrees_and_detects_differences(
    published: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts, told = second_reader.differences(published, ROOT / "data")
    assert told == []
    assert counts["rows"] and counts["samples"]
    assert counts["measurements of one job"] > 5
    values = second_reader._values
    monkeypatch.setattr(second_reader, "_values", lambda found: (0.5, *values(found)[1:]))
    counts, told = second_reader.differences(published, ROOT / "data")
    assert counts["differences in raw"] == counts["rows"]
    assert counts["differences in marts"] == counts["measurements of one job"]
    assert len(told) == counts["differences in raw"] + counts["differences in marts"]


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
def test_iometer_totals_match_the_file(path: Path) -> None:
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


# Reasons why runs of the corpus are invalid, and their counts; the other 564 are valid. The counts
# hold for FILE_COUNT files: the corpus is not a part of the project, and may grow.
FILE_COUNT = 498
INVALID = {
    "fio ended the job with error 22; did no I/O": 1,
    "fio ended the job with error 42": 1,
    "ran for 2.768 of 10 s": 1,
}
MEASUREMENT_COUNT = 567


@pytest.fixture(scope="module")
def ask(empty: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """The release of a night over the whole corpus: none of its files may hold the night back."""
    if not FILES:
        pytest.skip(f"there is no corpus beside the project: {CORPUS}")
    warehouse = tmp_path_factory.mktemp("corpus") / "warehouse"
    first_night(empty, warehouse, CORPUS)
    with duckdb.connect(warehouse / "headroom.duckdb", read_only=True) as connection:
        yield asking(connection)


def test_every_corpus_file_is_loaded_or_a_copy(ask: Ask) -> None:
    """Only its manifest is not a result."""
    results = {path for path in CORPUS.rglob("*") if path.is_file() and path.parent != CORPUS}
    contents = {path.read_bytes() for path in results}
    places = ask("select absolute_path, file_id from raw.sources where is_current")
    file_ids = {Path(path): file_id for path, file_id in places}
    assert file_ids.keys() == results
    assert len(set(file_ids.values())) == len(contents)
    assert ask("select file_id from raw.files order by 1") == [
        (file_id,) for file_id in sorted(set(file_ids.values()))
    ]
    assert ask("from quality.quarantined_files") == []
    others = ask("select path, kind from quality.files_without_results")
    assert others == [(f"{CORPUS}/manifest.csv", ".csv")]


def test_every_corpus_result_is_measured_and_few_are_invalid(ask: Ask) -> None:
    ((count, measured_count),) = ask(
        "select count(*), count(*) filter (where file_id in "
        "(select file_id from marts.measurements)) from raw.files"
    )
    assert count == measured_count
    if len(FILES) + len(IOMETER_FILES) != FILE_COUNT:
        pytest.skip("the corpus has other files than those that were counted")
    notes = ask(
        "select validity_note, count(*) from marts.measurements where not is_valid group by all"
    )
    assert dict(notes) == INVALID
    assert ask("select count(*) from marts.measurements") == [(MEASUREMENT_COUNT,)]
