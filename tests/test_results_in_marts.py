"""The marts have every raw row, once, and every number that fio prints for people."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ingest.parsers import PARSERS, iometer
from ingest.parsers.iometer.columns import LAYOUTS
from ingest.parsers.iometer.rows import ROW_TYPES
from tests.conftest import ROOT, built_of
from tests.fio_normal import CAPTURES, read_capture
from tests.fio_normal.runs import Run
from tests.reading import read_rows
from tests.test_corpus import IOMETER_FILES

Marts = duckdb.DuckDBPyConnection
GOLDEN = ROOT / "tests/golden"
FIO_PAGE = ROOT / "tests/fio_page"
IOMETER = [*sorted((GOLDEN / "iometer").glob("*.csv")), *IOMETER_FILES]
FATES = {
    "fio": {"measurement", "printed before the last", "total of the hosts"},
    "iometer": {
        "measurement", "in the total", "before the total", "repeats a results file",
        "of a test without a total",
    },
    "disk_mark": {"measurement"},
    "diskspd": {"measurement"},
    "fio_text": {"measurement"},
    "elbencho": {"measurement", "in a file of more detail"},
    "vdbench": {"measurement", "in a file of more detail"},
    "white_paper": {"measurement", "fact", "claim", "forecast"},
}  # fmt: skip


@pytest.fixture(scope="module")
def building(empty: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from golden files, runs of tests/fio_normal/ and fio_page/, and Iometer companions."""
    folder = tmp_path_factory.mktemp("companions")
    _write_companions(folder)
    results = [GOLDEN, *CAPTURES, FIO_PAGE, folder]
    return built_of(results, empty, tmp_path_factory.mktemp("results"))


def _write_companions(folder: Path) -> None:
    """A companion file that repeats the results file beside it, and one without its total."""
    companion = (GOLDEN / "iometer/inst-1.1.0.csv").read_text().replace("165.0", "166.0")
    start, _, rows = re.split("(TimeStamp,.*\n)", companion)
    total = rows[rows.index("2019-02-08 12:23:25:061,ALL") :].partition(",")[2]
    result = start + "'" + ",".join(LAYOUTS[2].headers) + "\n" + total
    (folder / "inst.csv").write_text(companion)
    (folder / "results.csv").write_text(result)
    (folder / "torn.csv").write_text(companion[: companion.index(",ALL,")])


@pytest.fixture(scope="module")
def marts(building: Path) -> Iterator[Marts]:
    with duckdb.connect(building, read_only=True) as connection:
        yield connection


def _rows(marts: Marts, query: str, value: str) -> list[dict[str, Any]]:
    marts.execute(query, [value])
    names = [column[0] for column in marts.description or ()]
    return [dict(zip(names, row, strict=True)) for row in marts.fetchall()]


def _runs(marts: Marts, path: Path) -> Iterator[tuple[Run, dict[str, Any]]]:
    printed = read_capture(path)
    query = (
        "from marts.measurements inner join marts.fct_measurements using (measurement_id) "
        "where measurements.source_path like ?"
    )
    for row in _rows(marts, query, f"%/{path.name}"):
        yield Run(printed, row["source_position"]), row


@pytest.mark.parametrize("path", CAPTURES, ids=lambda path: path.stem)
def test_measurements_match_fios_normal_output(path: Path, marts: Marts) -> None:
    runs = list(_runs(marts, path))
    started = runs[0][0].printed["run", "processes"]
    assert sum(row["worker_count"] for _, row in runs) == started.low
    for run, row in runs:
        expected = [*run.rates(), *run.latencies(), *run.load()]
        assert [
            (name, row[name], interval)
            for name, interval in expected
            if row[name] is None or not interval.holds(row[name])
        ] == []
        assert row["is_valid"] == (not run.error and path.stem != "interrupted")
        note = row["validity_note"] or ""
        assert ("error 28" in note, "short" in note) == (run.error == 28, False)


@pytest.mark.parametrize("path", CAPTURES, ids=lambda path: path.stem)
def test_distributions_match_fios_normal_output(path: Path, marts: Marts) -> None:
    for run, row in _runs(marts, path):
        percentiles = {
            (one["direction"], one["latency_kind"], one["percentile_ratio"]): one["latency_us"]
            for one in _rows(
                marts,
                "from marts.fct_latency_percentiles where measurement_id = ?",
                row["measurement_id"],
            )
            if one["method"] == "printed"
        }
        expected = dict(run.ranks())
        assert not expected.keys() - percentiles.keys()
        assert [one for one in expected if not expected[one].holds(percentiles[one])] == []
        shares = {
            one["upper_us"] and round(one["upper_us"], 6): one["io_ratio"]
            for one in _rows(
                marts,
                "from marts.fct_latency_bins where io_count is null and io_ratio > 0 "
                "and measurement_id = ?",
                row["measurement_id"],
            )
        }
        if shares and len(run.jobs) == 1:
            assert shares.keys() == dict(run.shares()).keys()
            assert [edge for edge, share in run.shares() if not share.holds(shares[edge])] == []
        else:  # json+ has fine bins instead
            assert path.stem in ("all-percentiles", "processes")


def test_every_format_has_expected_fates() -> None:
    """A log's intervals belong to the measurement of its run."""
    assert set(FATES) == {parser.NAME for parser in PARSERS} - {"fio_log"}


@pytest.mark.parametrize("source_format", FATES)
def test_each_raw_row_is_a_measurement_or_has_a_reason(
    building: Path, warehouse: Path, source_format: str
) -> None:
    assert fates(building, source_format) == FATES[source_format]
    assert fates(warehouse / "building.duckdb", source_format) <= FATES[source_format]


def fates(building: Path, source_format: str) -> set[str]:
    """The fates of the raw rows, after checking that each is in the expected measurements.

    The queries give for each row, at each current place of its file, its expected fate, how many
    measurements, facts or claims it belongs in, and the ids of those that have it. The fate of a
    row that is no measurement of its own is the reason.
    """
    name = source_format if source_format in ("fio", "iometer", "white_paper") else "generic"
    query = (ROOT / f"tests/raw_rows/{name}.sql").read_text()
    measured = f"from marts.measurements where source_format = '{source_format}'"
    with duckdb.connect(building, read_only=True) as connection:
        connection.execute("set variable source_format = ?", [source_format])
        rows = connection.execute(query).fetchall()
        measurements = connection.execute(f"select measurement_id {measured}").fetchall()
        assert not connection.execute(
            f"{measured} and not is_valid and validity_note is null"
        ).fetchall()
    assert [row for row in rows if not len(row[-1]) == len(set(row[-1])) == row[-2]] == []
    assert max(Counter(row[:2] for row in rows).values(), default=1) == 1
    found = {one for _, _, fate, _, ids in rows if fate == "measurement" for one in ids}
    assert found == {one for (one,) in measurements}
    return {fate for _, _, fate, _, _ in rows}


@pytest.mark.parametrize("path", IOMETER, ids=lambda path: path.name)
def test_each_line_of_an_iometer_file_is_a_raw_row(path: Path) -> None:
    """In a companion file a time precedes each row. A torn row is a note instead."""
    rows = read_rows(iometer, path)
    found = [row["line"] for row in (*rows["iometer_results"], *rows["iometer_updates"])]
    found += [note["line"] for note in rows["iometer_notes"] if note["kind"] == "torn"]
    lines = path.read_text(encoding="cp1252").splitlines()
    cells = [re.split("[,;]", line.replace('"', ""), maxsplit=2) for line in lines]
    expected = [at for at, line in enumerate(cells, start=1) if ROW_TYPES.intersection(line[:2])]
    assert sorted(found) == expected


@pytest.fixture(scope="module")
def of_fio_page(marts: Marts) -> dict[str, Any]:
    """The measurement of the command that docs/fio.md recommends."""
    (row,) = _rows(marts, "from marts.measurements where source_path like ?", "%/fio_page/%")
    return row


def test_documented_command_gives_a_valid_database_load(of_fio_page: dict[str, Any]) -> None:
    names = ("profile_id", "outstanding_io_count", "worker_count", "condition", "is_valid")
    found = [of_fio_page[name] for name in (*names, "validity_note")]
    assert found == ["random-read67-8KiB", 64, 4, None, True, None]


def test_documented_command_gives_exact_percentiles(
    marts: Marts, of_fio_page: dict[str, Any]
) -> None:
    methods = marts.execute(
        "select distinct direction, method from marts.fct_latency_percentiles "
        "where measurement_id = ? order by all",
        [of_fio_page["measurement_id"]],
    ).fetchall()
    assert methods == [("mixed", "merged bins"), ("read", "printed"), ("write", "printed")]


def test_log_of_the_documented_command_is_joined(marts: Marts, of_fio_page: dict[str, Any]) -> None:
    """For each process and direction; their means add up to the run's IOPS."""
    means = marts.execute(
        "select avg(iops) from marts.fct_time_series where measurement_id = ? "
        "group by job_number, direction",
        [of_fio_page["measurement_id"]],
    ).fetchall()
    assert len(means) == 4 * 2
    assert sum(iops for (iops,) in means) == pytest.approx(of_fio_page["iops"], rel=0.02)
