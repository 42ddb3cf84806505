"""Contents on their way to the warehouse: how many are read at once, and their rows."""

import time
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

from ingest.parsers.fio_log import TABLES
from ingest.records.readings import CELL_ERRORS, Streams, as_streams, read_stream
from ingest.workers import run_batches

SAMPLES = "fio_log_samples"
ROWS = [(number, 10 * number, "read", 4096, None) for number in range(5)]
FRAME = pl.DataFrame(ROWS, TABLES[SAMPLES], orient="row")


def _rows(streams: Streams, *file_ids: str) -> list[tuple[Any, ...]]:
    return [(*row.values(),) for row in read_stream(streams[SAMPLES], file_ids or None).to_pylist()]


@pytest.mark.parametrize("many", [2, 1000])  # sliced and compressed, or not
@pytest.mark.parametrize("rows", [ROWS, FRAME], ids=["rows", "frame"])
def test_each_row_has_its_file_id(
    monkeypatch: pytest.MonkeyPatch, many: int, rows: list[Any] | pl.DataFrame
) -> None:
    monkeypatch.setattr("ingest.records.readings._MANY", many)
    streams = as_streams({"a": {SAMPLES: rows}, "none": {SAMPLES: []}, "b": {SAMPLES: ROWS[:1]}})
    of_a = [("a", *row) for row in ROWS]
    assert sorted(_rows(streams)) == [*of_a, ("b", *ROWS[0])]
    assert sorted(_rows(streams, "a")) == of_a
    stream = streams[SAMPLES]
    tables = [read_stream(stream), *(read_stream(stream, ids) for ids in (["a"], ["none"], []))]
    assert [len(table) for table in tables] == [6, 5, 0, 0]
    assert len(pa.concat_tables(tables)) == 11


def test_number_too_large_for_its_column_raises() -> None:
    with pytest.raises(CELL_ERRORS):
        as_streams({"a": {SAMPLES: [(1 << 63, *ROWS[0][1:])]}})


def _met(names: list[str], folder: Path) -> tuple[list[str], int]:
    """The names, and how many other items are at work meanwhile."""
    for name in names:
        (folder / name).touch()
    time.sleep(0.5)
    count = len([*folder.iterdir()]) - len(names)
    for name in names:
        (folder / name).unlink()
    return names, count


def test_large_files_are_not_read_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)

    def most_met(size: int) -> int:
        items = [(f"{number}", size) for number in range(4)]
        done = [*run_batches(partial(_met, folder=tmp_path), items, lambda *_: ([], -1))]
        assert [batch for batch, _ in done] == [[name] for name, _ in items]
        return max(count for _, count in done)

    assert most_met(300 << 20) == 0
    assert most_met(100 << 20) == 1
