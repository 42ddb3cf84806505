"""Readers in separate processes see one release each while new releases are published.

READERS=16 PUBLICATIONS=50 is what `make torture` runs.
"""

import json
import multiprocessing
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner

from headroom.cli import main
from headroom.release.history import prepare_history
from headroom.release.publish import KEPT_RELEASES, publish, publish_nights
from headroom.release.stage import set_stage
from headroom.warehouse import Warehouse
from ingest.records.raw_tables import make_tables

READERS = int(os.environ.get("READERS", "3"))
PUBLICATIONS = int(os.environ.get("PUBLICATIONS", "5"))
ROWS = 10_000
MOST_SECONDS = 300
# The number of a release, and whether all rows of its two tables belong to that number.
QUERY = f"""
    select
        any_value(number) as number,
        count(*) = {ROWS} and min(number) = max(number) and sum(noise) = any_value(total) as is_one
    from marts.points cross join marts.totals
"""
Answer = tuple[int, bool]
Ask = Callable[[], Answer]


def _release(warehouse: Warehouse, number: int) -> None:
    """Publish and prune as a night does."""
    with warehouse.open_building(must_exist=False) as connection:
        connection.execute(
            f"create or replace table marts.points as select {number} as number, "
            f"cast(hash(row, {number}) as hugeint) as noise from range({ROWS}) as rows (row)"
        )
        connection.execute(
            "create or replace table marts.totals as select sum(noise) as total from marts.points"
        )
        set_stage(connection, "checked")
    publish(warehouse)
    publish_nights(warehouse)


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    """A warehouse whose release 0 is published."""
    made = Warehouse(tmp_path / "warehouse")
    made.folder.mkdir()
    with made.open_building(must_exist=False) as connection:
        make_tables(connection)
        prepare_history(connection)
        connection.execute("create schema marts; create schema built")
    _release(made, 0)
    return made


@contextmanager
def _plainly(warehouse: Warehouse) -> Iterator[Ask]:
    """The release as any DuckDB client opens it."""
    with duckdb.connect(warehouse.published, read_only=True) as connection:
        yield lambda: connection.execute(QUERY).fetchall()[0]


@contextmanager
def _by_library(warehouse: Warehouse) -> Iterator[Ask]:
    with warehouse.open_published() as connection:
        yield lambda: connection.execute(QUERY).fetchall()[0]


@contextmanager
def _by_command(warehouse: Warehouse) -> Iterator[Ask]:
    """Each `headroom sql` opens the published file anew, so it runs once."""
    command = ["--warehouse", str(warehouse.folder), "sql", "--format", "json", QUERY]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 0, result.output
    (row,) = json.loads(result.output)
    yield lambda: (row["number"], row["is_one"])


WAYS: tuple[Callable[[Warehouse], AbstractContextManager[Ask]], ...] = (
    _plainly,
    _by_library,
    _by_command,
)


def _read(folder: Path, reader: int) -> list[int]:
    """Read until the last release; keep the first and every 20th open until it is pruned."""
    os.nice(10)  # there are more readers than cores, but only one writer
    warehouse, way = Warehouse(folder), WAYS[reader % len(WAYS)]
    seen: list[int] = []
    while not seen or seen[-1] < PUBLICATIONS:
        was_last = (folder / "last").exists()
        with way(warehouse) as ask:
            number, is_one = ask()
            assert is_one, f"reader {reader} sees a mix: {number}"
            assert not seen or number >= seen[-1], f"reader {reader} sees {number} after {seen[-1]}"
            assert number == PUBLICATIONS or not was_last, f"reader {reader} misses the last"
            if len(seen) % 20 == 0:
                (folder / f"reader {reader}").touch()
                _wait(partial(_is_pruned_or_last, folder, number))
                assert ask() == (number, True), f"reader {reader} does not keep {number}"
        seen.append(number)
    return seen


def _is_pruned_or_last(folder: Path, number: int) -> bool:
    return (folder / f"pruned {number}").exists() or (folder / "last").exists()


def _wait(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + MOST_SECONDS
    while not is_so():
        assert time.monotonic() < end, "nothing is published any more"
        time.sleep(0.01)


def test_each_reader_sees_one_release_at_a_time(warehouse: Warehouse) -> None:
    folder = warehouse.folder
    context = multiprocessing.get_context("forkserver")
    with ProcessPoolExecutor(READERS, mp_context=context) as processes:
        readers = [processes.submit(_read, folder, reader) for reader in range(READERS)]
        try:
            _wait(
                lambda: (
                    len([*folder.glob("reader *")]) == READERS or any(one.done() for one in readers)
                )
            )
            for number in range(1, PUBLICATIONS + 1):
                _release(warehouse, number)
                (folder / f"pruned {number - KEPT_RELEASES}").touch()
        finally:
            (folder / "last").touch()
        seen = [reader.result() for reader in readers]
    assert [(each[0], each[-1]) for each in seen] == [(0, PUBLICATIONS)] * READERS
    assert len([*warehouse.releases.glob("headroom-*")]) == KEPT_RELEASES


def test_reader_of_a_just_pruned_release_gets_the_next(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    release, connect = warehouse.published.resolve(), duckdb.connect

    def too_late(path: Path, **options: Any) -> duckdb.DuckDBPyConnection:
        monkeypatch.setattr(duckdb, "connect", connect)
        _release(warehouse, 1)
        release.unlink()
        return connect(path, **options)

    monkeypatch.setattr(duckdb, "connect", too_late)
    with _by_library(warehouse) as ask:
        assert ask() == (1, True)
