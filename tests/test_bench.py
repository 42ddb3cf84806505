"""The benchmarks' lab: equal seeds give equal files, and ingest loads all of them."""

import hashlib
from pathlib import Path

import duckdb
import pytest

from benchmarks import fio_numbers, nightly
from benchmarks.fio_runs import KINDS
from benchmarks.lab import make_lab
from benchmarks.measure import Cost
from ingest.find.sources import find_sources
from ingest.load import load
from ingest.records.archive import Archive
from ingest.records.raw_tables import make_tables

COUNTS = (50, 3)  # one fio run of each of KINDS


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bench") / "lab"
    make_lab(folder, *COUNTS, seed=1)
    return folder


def _content(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*.*")
    }


def test_a_lab_depends_on_its_seed_only(lab: Path, tmp_path: Path) -> None:
    for seed in (1, 2):
        make_lab(tmp_path / str(seed), *COUNTS, seed)
    assert _content(tmp_path / "1") == _content(lab)
    assert _content(tmp_path / "2") != _content(lab)


def test_ingest_loads_every_file_of_a_lab(lab: Path, tmp_path: Path) -> None:
    connection = duckdb.connect()
    make_tables(connection)
    outcomes = list(load(connection, find_sources([lab]), Archive(tmp_path)))
    assert [outcome.errors for outcome in outcomes if outcome.status != "loaded"] == []
    assert len(outcomes) == sum(COUNTS) and len(KINDS) == COUNTS[0]
    described = "select count(*) from raw.sidecars where drive_count is not null"
    assert connection.execute(described).fetchall() == [(sum(COUNTS),)]


def test_the_numbers_of_a_lab_agree_with_each_other(lab: Path, tmp_path: Path) -> None:
    connection = duckdb.connect()
    make_tables(connection)
    list(load(connection, find_sources([lab / "fio"]), Archive(tmp_path)))
    faults = """
        select count(*) filter (abs(bw_bytes_per_second / iops - io_bytes / total_ios) > 1),
            count(*) filter (list_sum(bin_counts) != total_ios),
            count(*) filter (list_sort(percentile_latencies) != percentile_latencies)
        from raw.fio_directions inner join raw.fio_latencies using (file_id, job_index, direction)
    """
    assert connection.execute(faults).fetchall() == [(0, 0, 0)]


def test_night_plot_shows_how_cost_grows() -> None:
    found = [
        nightly.Night(runs, news, Cost(seconds, 1.0, 1 << 20, ""), {"built": 1.0})
        for runs, more in ((1_000, 10.0), (10_000, 25.0))
        for news, seconds in (("nothing", 3.0), ("100 files", more))
    ]
    text = nightly.as_markdown(found, ["| 1,000 | 6,297 | 47 | 7,454 | 3 | 9 |"], found[:1])
    assert 'x-axis "runs in the warehouse" ["1,000", "10,000"]' in text
    assert "bar [10.0, 25.0]" in text
    assert "line [3.0, 3.0]" in text
    assert "takes 2.5 times as long in the largest lab" in text
    assert "| 10,000 | 100 files | 25.0 | 0.0 | 1.0 | 0.0 | 0.0 | 1.0 | 1 |" in text


def test_run_of_a_few_ios_has_latency_bins() -> None:
    latency = {"N": 1000, "bins": {str(nanoseconds): 1 for nanoseconds in range(100, 1100)}}
    bins = fio_numbers._bins(latency, 3, 1.0)
    assert [*bins.values()] == [3]
