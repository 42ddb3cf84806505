"""Machines write to a store, and a warehouse takes it: nothing is lost, nothing counts twice.

STORE_HISTORIES=60 tries more random histories, STORE_KILLS=60 kills more writers (`make torture`).
"""

import contextlib
import hashlib
import itertools
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest
import requests

from headroom.restore import restore
from headroom.steps import send as send_files
from headroom.warehouse import Warehouse
from ingest import workers
from ingest.errors import InputError
from ingest.load import load
from ingest.records import ledger, moments, recording
from ingest.records.archive import Archive, sha256_of
from ingest.records.kept_tables import keep_tables
from ingest.records.recording import Outcome
from ingest.records.tables import LEDGER, RESULTS, prepare
from ingest.sources import find_sources
from ingest.store import commits, memory, sending
from ingest.store.objects import Objects, open_objects
from ingest.store.sending import open_outbox
from ingest.store.taking import take
from tests.conftest import MINIMAL_PAPER, ROOT, Headroom, first_night, run_headroom
from tests.test_refresh import SYSTEM, History

GOLDEN = ROOT / "tests/golden/fio"
FIO = [
    GOLDEN / f"fio-{name}.json"
    for name in ("3.33-randrw", "3.33-json-plus", "3.33-two-processes", "3.16-notes-and-nan")
]
RUN = GOLDEN / "fio-3.39-clients.json"
# Where two ledgers of the same files differ: when, and how a file looked.
_WHEN = "exclude (loaded_at, seen_as)"
LEDGERS = {
    "sources": f"select * {_WHEN} replace (absolute_path as path)",
    "sidecars": "select *",
    "system_facts": "select * replace (absolute_path as system_path)",
    "sidecar_controllers": "select * replace (absolute_path as sidecar_path)",
    "sidecar_drives": "select * replace (absolute_path as sidecar_path)",
}
MACHINES = ("a", "b-2.lab")


def send(store: str | Path, machine: str, *paths: Path) -> list[Outcome]:
    with open_outbox(open_objects(str(store)), machine, None) as outbox:
        return list(outbox.load(find_sources(paths)))


class Reader:
    """A warehouse without marts."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.archive = Archive(folder / "archive")
        self.connection = duckdb.connect(folder / "building.duckdb")
        prepare(self.connection)

    def take(self, store: str | Path) -> list[Outcome]:
        return list(take(self.connection, self.archive, open_objects(str(store))))

    def load(self, *paths: Path) -> list[Outcome]:
        return list(load(self.connection, find_sources(paths), self.archive))

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        return self.connection.execute(f"from ({query}) order by all").fetchall()

    def results(self) -> dict[str, list[tuple[Any, ...]]]:
        """Of what is current, by table; as text, for there are NaNs."""
        current = "select file_id from raw.sources where is_current"
        return {
            table: self.rows(
                f"select cast(t as varchar) from raw.{table} t where file_id in ({current})"
            )
            for table in RESULTS
        }

    def ledger(self, machine: str = "") -> dict[str, list[tuple[Any, ...]]]:
        """What is known of a machine's files, as the machine itself would know it."""
        found = {}
        for table, query in LEDGERS.items():
            columns = self.connection.table(f"raw.{table}").columns
            places = [name for name in ("source_key", "absolute_path") if name in columns]
            start = f"{machine}:" if machine else "/"
            own = ", ".join(
                f"{name}[{len(start) if machine else 0} + 1:] as {name}" for name in places
            )
            rows = (
                f"select * replace ({own}) from raw.{table} "
                f"where starts_with({places[0]}, '{start}')"
            )
            found[table] = self.rows(f"{query} from ({rows})")
        return found

    def quarantined(self) -> dict[str, str]:
        return dict(
            self.connection.execute("select path, reason from quality.quarantined_files").fetchall()
        )


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    return Reader(tmp_path / "reader")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


@pytest.fixture
def results(tmp_path: Path) -> Path:
    folder = tmp_path / "results"
    folder.mkdir()
    for path in FIO:
        shutil.copy(path, folder)
    return folder


def objects_in(store: Path) -> set[Path]:
    return {path for path in store.rglob("*") if path.is_file()}


def statuses(outcomes: list[Outcome]) -> list[str]:
    return [outcome.status for outcome in outcomes]


class Lab(History):
    """What happens to a lab's results, and two that know of it: a store, and a warehouse there."""

    def __init__(self, folder: Path, seed: int, machine: str, store: Path) -> None:
        super().__init__(folder, seed)
        self.machine = machine
        self.store = store
        self.local = Reader(folder / "local")

    def night(self) -> None:
        paper = self.results / "paper"
        if paper.exists():  # which no store takes
            shutil.rmtree(paper)
        self.local.load(self.results)
        send(self.store, self.machine, self.results)

    def remove(self) -> str:
        self.night()  # otherwise the two would forget what they never saw
        place = self._some_file()
        place.unlink()
        with open_outbox(open_objects(str(self.store)), self.machine, None) as outbox:
            outbox.forget([place])
        sending.forget(self.local.connection, [place])
        return f"forget {place}"

    def parse_anew(self) -> str:
        self.local.connection.execute("update raw.files set parser_version = 'older'")
        return "other parsers"


@pytest.mark.parametrize("seed", range(int(os.environ.get("STORE_HISTORIES", "1"))))
def test_a_warehouse_of_a_store_knows_what_its_machines_know(
    tmp_path: Path, store: Path, reader: Reader, seed: int
) -> None:
    """Files added, changed, torn, moved, forgotten, described; commits taken now and then."""
    labs = [Lab(tmp_path / machine, seed, machine, store) for machine in MACHINES]
    shutil.copytree(SYSTEM, labs[0].results / "raid5/system")
    chance = random.Random(seed)
    for _ in range(3):
        for lab in labs:
            lab.add()
            lab.live()
            lab.night()
            if chance.random() < 0.5:
                reader.take(store)
    reader.take(store)
    told = "\n".join(labs[0].told + labs[1].told)
    late = Reader(tmp_path / "late")
    late.take(store)
    for lab in labs:
        known = lab.local.ledger()
        assert known["sources"]
        assert reader.ledger(lab.machine) == known, told
        assert late.ledger(lab.machine) == known, told
    both = {table: [] for table in RESULTS} | dict[str, list[tuple[Any, ...]]]()
    for table in RESULTS:
        both[table] = sorted({row for lab in labs for row in _counted(lab.local.results()[table])})
    for one in (reader, late):
        assert {table: sorted(_counted(rows)) for table, rows in one.results().items()} == both, (
            told
        )


def _counted(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Each row with how many there are of it before it: a content may have the same one twice."""
    seen: dict[tuple[Any, ...], int] = {}
    found = []
    for row in rows:
        seen[row] = seen.get(row, 0) + 1
        found.append((*row, seen[row]))
    return found


def test_what_the_store_has_is_not_written_again(store: Path, results: Path) -> None:
    assert statuses(send(store, "a", results)) == ["loaded"] * 4
    before = objects_in(store)
    assert statuses(send(store, "a", results)) == ["unchanged"] * 4
    shutil.copy(RUN, results / "copy.json")
    os.utime(results / FIO[0].name)
    send(store, "a", results)
    new = {path.relative_to(store).parts[0] for path in objects_in(store) - before}
    assert new == {"commits", "ledger", "packs", "results"}
    before = objects_in(store)
    (results / "copy.json").rename(results / "moved.json")
    os.utime(results / FIO[0].name)
    assert "quarantined" not in statuses(send(store, "a", results))
    new = {path.relative_to(store).parts[0] for path in objects_in(store) - before}
    assert new == {"commits", "ledger"}


def test_a_new_sidecar_is_sent_without_results(store: Path, results: Path, reader: Reader) -> None:
    send(store, "a", results)
    before = objects_in(store)
    (results / "headroom.yml").write_text("controller: C\ncontrollers: [{controller: C}]\n")
    send(store, "a", results)
    new = sorted(path.relative_to(store).parts[:2] for path in objects_in(store) - before)
    assert new == [
        ("commits", "a"), ("ledger", "sidecar_controllers"), ("ledger", "sidecars"),
        ("ledger", "sources"),
    ]  # fmt: skip
    reader.take(store)
    assert reader.rows("select controller from raw.sidecars") == [("C",)] * 4
    ((place,),) = reader.rows("select sidecar_path from raw.sidecar_controllers")
    assert place == f"a:{results}/headroom.yml"


def test_what_is_taken_is_loaded_now(store: Path, results: Path, reader: Reader) -> None:
    """Reports of the last night show what it loaded, not what a machine had sent before."""
    send(store, "a", results)
    before = recording.utc_now()
    reader.take(store)
    dates = (
        "select min(loaded_at), min(ingested_at) from raw.sources join raw.files using (file_id)"
    )
    ((loaded, ingested),) = reader.rows(dates)
    assert min(loaded, ingested) > before
    (results / "headroom.yml").write_text("controller: C")
    send(store, "a", results)
    reader.take(store)
    assert reader.rows("select min(ingested_at) from raw.files") == [(ingested,)]


def test_a_capture_finds_the_devices_of_results_that_were_sent_before(
    tmp_path: Path, store: Path, reader: Reader
) -> None:
    """Which device a result tested is in its rows, which the writer does not have any more."""
    results = tmp_path / "results"
    results.mkdir()
    shutil.copy(FIO[0], results)
    send(store, "a", results)
    shutil.copytree(SYSTEM, results / "system")
    send(store, "a", results)
    reader.take(store)
    local = Reader(tmp_path / "local")
    local.load(results)
    assert local.rows("from raw.system_facts")
    assert reader.ledger("a") == local.ledger()


def test_a_paper_is_refused_and_costs_only_itself(
    store: Path, results: Path, reader: Reader
) -> None:
    shutil.copytree(MINIMAL_PAPER, results / "paper")
    assert sorted(statuses(send(store, "a", results))) == ["loaded"] * 4 + ["quarantined"]
    reader.take(store)
    place = f"a:{results}/paper/document.yml"
    assert reader.quarantined() == {
        place: "is a paper: ingest it into the warehouse itself, stores take results only"
    }


def test_the_same_content_on_two_machines_and_here_counts_once(
    store: Path, results: Path, reader: Reader
) -> None:
    send(store, "a", results)
    send(store, "b", results)
    reader.load(results)
    before = reader.results()
    reader.take(store)
    assert reader.results() == before
    assert len(reader.rows("from raw.sources where is_current")) == 12
    reader.load(results)  # which does not take those of others for moved ones
    assert len(reader.rows("from raw.sources where is_current")) == 12


def test_a_local_night_leaves_what_machines_said(
    store: Path, results: Path, reader: Reader
) -> None:
    """Their quarantine, their controllers: their files are not here, and not gone either."""
    (results / "headroom.yml").write_text("controller: C\ncontrollers: [{controller: C}]\n")
    (results / "broken.json").write_text("{")
    (results / "bad").mkdir()
    (results / "bad/headroom.yml").write_text("no_such_field: 1")
    shutil.copy(RUN, results / "bad/run.json")
    send(store, "a", results)
    reader.take(store)
    known, refused = reader.ledger("a"), reader.quarantined()
    assert known["sidecar_controllers"] and len(refused) == 2
    shutil.rmtree(results)
    results.mkdir()
    reader.load(results)
    assert (reader.ledger("a"), reader.quarantined()) == (known, refused)
    assert sorted(statuses(reader.take(store))) == ["quarantined"] * 2 + ["unchanged"] * 5


@pytest.mark.parametrize("kind", ["commits", "ledger/sources", "results/fio_jobs", "packs"])
@pytest.mark.parametrize("damage", ["changed", "gone"])
def test_a_damaged_object_costs_its_commit_until_it_is_sent_again(
    store: Path, results: Path, reader: Reader, kind: str, damage: str
) -> None:
    first = results / FIO[0].name
    later = results / "later.json"
    send(store, "a", first)
    damaged = next(path for path in (store / kind).rglob("*") if path.is_file())
    content = damaged.read_bytes()
    if damage == "gone":
        damaged.unlink()
    else:
        damaged.write_bytes(content[:40] + b"?" + content[41:])
    shutil.copy(RUN, later)
    send(store, "b", later)
    outcomes = reader.take(store)
    if kind == "commits" and damage == "gone":
        assert statuses(outcomes) == ["loaded"]
    else:
        assert sorted(statuses(outcomes)) == ["loaded", "quarantined"]
        ((place, reason),) = reader.quarantined().items()
        assert place.startswith(str(store))
        assert "damaged" in reason or "missing" in reason or "no commit" in reason
    assert reader.rows("select path from raw.sources") == [(f"b:{later}",)]
    send(store, "a", first)
    is_noticed = kind in ("commits", "ledger/sources")  # by the writer, which reads no others
    assert statuses(reader.take(store)).count("loaded") == is_noticed
    for place in reader.quarantined():
        if place.startswith(str(store)):  # one may delete what the message names
            Path(place).unlink()
    send(store, "a", first)
    outcomes = reader.take(store)
    assert {outcome.path for outcome in outcomes} == {f"a:{first}", f"b:{later}"}
    assert reader.quarantined() == {}
    assert len(reader.rows("from raw.files")) == 2


@pytest.mark.parametrize("restated", [False, True])
def test_what_a_lost_commit_had_comes_again(
    store: Path, results: Path, reader: Reader, monkeypatch: pytest.MonkeyPatch, restated: bool
) -> None:
    """Also if later commits speak of its sources, and if the writer's memory comprises it."""
    monkeypatch.setattr(memory, "_MOST_COMMITS", 2)
    monkeypatch.setattr(ledger, "_UNSETTLED_NS", 0)
    send(store, "a", results)
    (first,) = (store / "commits/a").iterdir()
    if restated:
        (results / "headroom.yml").write_text("controller: C")
    shutil.copy(RUN, results)
    send(store, "a", results)
    assert list((store / "known/a").iterdir())
    first.unlink()
    assert statuses(reader.take(store)).count("loaded") == 1  # what is whole is not held up
    assert len(reader.quarantined()) == 4 * restated
    send(store, "a", results)
    assert statuses(reader.take(store)).count("loaded") == 4
    assert reader.quarantined() == {}
    local = Reader(reader.archive.folder.parent / "local")
    local.load(results)
    assert (reader.ledger("a"), reader.results()) == (local.ledger(), local.results())


def test_what_a_stranger_puts_there_costs_only_itself(
    store: Path, results: Path, reader: Reader
) -> None:
    send(store, "a", results)
    folder = store / "commits/a"
    (folder / "99991231T235959999999Z-00000000.json").write_text("{}")
    (folder / "99999999T999999999999Z-00000000.json").write_text("{}")
    (genuine,) = (path for path in folder.iterdir() if not path.name.startswith("9999"))
    junk = b"no zip"
    sha256 = hashlib.sha256(junk).hexdigest()
    (store / f"packs/{sha256}.zip").write_bytes(junk)
    (folder / "20260101T000000000000Z-00000000.json").write_text(
        json.dumps({"host": None, "version": "0", "packs": [sha256]})
    )
    nulls = store / "ledger/quarantined_files/a/20260102T000000000000Z-00000000.parquet"
    nulls.parent.mkdir(parents=True)
    rows = reader.connection.table("quality.quarantined_files").limit(0)
    reader.connection.sql(
        f"select {', '.join(f'null as {name}' for name in rows.columns)}"
    ).write_parquet(str(nulls))
    part = {"sha256": sha256_of(nulls), "size_bytes": nulls.stat().st_size}
    (folder / "20260102T000000000000Z-00000000.json").write_text(
        json.dumps({"host": None, "version": "0", "ledger": {"quality.quarantined_files": part}})
    )
    assert sorted(statuses(reader.take(store))) == ["loaded"] * 4 + ["quarantined"] * 2
    assert sorted(reader.quarantined().values()) == [
        f"{sha256}.zip is no pack: File is not a zip file",
        "lacks values in quality.quarantined_files",
    ]
    assert statuses(reader.take(store)).count("quarantined") == 2
    send(store, "a", results)  # nor does it stop the writer
    assert genuine.exists()


def test_what_is_as_bad_as_before_is_not_sent_again(
    store: Path, results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger, "_UNSETTLED_NS", 0)
    (results / "headroom.yml").write_text("no_such_field: 1")
    send(store, "a", results)
    before = objects_in(store)
    send(store, "a", results)
    assert objects_in(store) == before


def test_a_file_that_could_not_be_kept_is_tried_again(
    store: Path, results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in results.iterdir():
        os.utime(path, (1, 1))

    def fail(*_: Any) -> None:
        raise OSError("no space left")

    connection = Reader(results.parent / "full")
    with monkeypatch.context() as patch:
        patch.setattr("ingest.records.archive.PackWriter.add", fail)
        found = find_sources([results])
        outcomes = [*load(connection.connection, found, connection.archive)]
    assert "quarantined" in statuses(outcomes)
    seen = connection.rows("select seen_as from quality.quarantined_files")
    assert {look for (look,) in seen} == {None}


def test_a_warehouse_that_lost_a_content_takes_it_again(
    store: Path, results: Path, tmp_path: Path
) -> None:
    send(store, "a", results)
    reader = Reader(tmp_path / "reader")
    reader.take(store)
    (pack,) = reader.archive.packs.iterdir()
    data = pack.read_bytes()
    pack.chmod(0o644)
    pack.write_bytes(data[:200] + bytes(len(data) - 200))
    before = reader.results()
    keep_tables(reader.connection, reader.archive.ledger, LEDGER)
    reader.connection.close()
    (tmp_path / "reader/building.duckdb").unlink()
    restored = restore(Warehouse(tmp_path / "reader"))
    assert len(restored.lost) == 4
    reader = Reader(tmp_path / "reader")
    reader.take(store)
    assert reader.results() == before and reader.quarantined() == {}


def test_a_commit_that_comes_late_changes_nothing_that_a_later_one_said(
    store: Path, results: Path, reader: Reader
) -> None:
    run = results / FIO[0].name
    other = results / FIO[1].name
    send(store, "a", run, other)
    (hidden,) = (store / "commits/a").iterdir()
    aside = hidden.rename(store / "aside")
    (other.parent / "headroom.yml").write_text("controller: New\n")
    reader.take(store)
    late = aside.rename(hidden)
    sent = set((store / "commits/a").iterdir())
    send(store, "a", run)
    (newer,) = set((store / "commits/a").iterdir()) - sent
    aside = late.rename(store / "aside")
    outcomes = reader.take(store)  # knows nothing of its content
    assert statuses(outcomes) == ["quarantined"]
    aside.rename(late)
    reader.take(store)
    assert reader.rows("select controller from raw.sidecars") == [("New",)]
    assert newer.stem > late.stem


def test_a_store_that_fails_for_a_moment_is_no_damaged_one(
    store: Path, results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a damaged commit had is sent again: its files may be gone by now."""

    def fail(*_: Any) -> None:
        raise OSError("timed out")

    send(store, "a", results)
    before = objects_in(store)
    with monkeypatch.context() as patch, pytest.raises(OSError, match="timed out"):
        patch.setattr(type(open_objects(str(store))), "_open", fail)
        send(store, "a", results)
    assert objects_in(store) == before
    assert statuses(send(store, "a", results)) == ["unchanged"] * 4


def test_a_pipe_in_a_store_is_not_waited_for(store: Path, results: Path, reader: Reader) -> None:
    send(store, "a", results)
    os.mkfifo(store / "commits/a/20260101T000000000000Z-00000000.json")
    assert sorted(statuses(reader.take(store))) == ["loaded"] * 4 + ["quarantined"]


def test_a_store_below_results_is_not_ingested(results: Path, reader: Reader) -> None:
    send(results / "store", "a", results)
    assert statuses(reader.load(results)).count("loaded") == 4
    assert {Path(path).parent for (path,) in reader.rows("select path from raw.sources")} == {
        results
    }


def test_a_clock_that_is_set_back_loses_nothing(
    store: Path, results: Path, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(store, "a", results)
    reader.take(store)
    monkeypatch.setattr(moments, "utc_now", lambda: datetime(1970, 1, 1))
    (results / "headroom.yml").write_text("controller: New\n")
    send(store, "a", results)
    reader.take(store)
    assert reader.rows("select controller from raw.sidecars") == [("New",)] * 4


def test_a_clock_that_is_ahead_loses_nothing(
    store: Path, results: Path, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(moments, "utc_now", lambda: datetime(2099, 1, 1))
        send(store, "a", results)
    assert statuses(reader.take(store)) == ["loaded"] * 4
    (results / "headroom.yml").write_text("controller: New\n")
    send(store, "a", results)
    reader.take(store)
    assert reader.rows("select controller from raw.sidecars") == [("New",)] * 4


def test_an_error_without_words_costs_only_its_commit(
    store: Path, results: Path, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise MemoryError

    send(store, "a", results)
    monkeypatch.setattr(commits, "read_commit", fail)
    assert statuses(reader.take(store)) == ["quarantined"]
    assert "MemoryError" in next(iter(reader.quarantined().values()))


def test_a_writer_that_dies_between_any_two_objects_is_as_if_it_had_not_begun(
    store: Path, results: Path, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Died(Exception):
        pass

    (results / "headroom.yml").write_text("controller: C\n")
    objects = type(open_objects(str(store)))
    write = objects.write
    left = 0

    def write_some(self: Objects, name: str, path: Path) -> None:
        nonlocal left
        if left == 0:
            raise Died
        left -= 1
        write(self, name, path)

    monkeypatch.setattr(objects, "write", write_some)
    for many in itertools.count():
        left = many
        with contextlib.suppress(Died):
            send(store, "a", results)
            break
        assert reader.take(store)[0].status == "quarantined"  # it has no commits
    assert many > 6
    assert statuses(reader.take(store)) == ["loaded"] * 4
    local = Reader(reader.archive.folder.parent / "local")
    local.load(results)
    assert (reader.ledger("a"), reader.results()) == (local.ledger(), local.results())


def test_a_long_run_is_sent_in_parts_and_goes_on_where_it_was_killed(
    store: Path, results: Path, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "BATCH_COUNT", 1)
    monkeypatch.setattr(recording, "_BATCHES_A_COMMIT", 1)
    shutil.copytree(SYSTEM, results / "system")
    write = commits.write_commit

    def write_and_die(*arguments: Any) -> None:
        write(*arguments)
        if len(list((store / "commits/a").iterdir())) == 2:
            raise OSError("the store is full")

    with monkeypatch.context() as patch, pytest.raises(OSError, match="full"):
        patch.setattr(commits, "write_commit", write_and_die)
        send(store, "a", results)
    assert statuses(reader.take(store)) == ["loaded"] * 2
    send(store, "a", results)
    assert len([*(store / "packs").iterdir()]) == 4  # one for each file: none was sent twice
    reader.take(store)
    local = Reader(reader.archive.folder.parent / "local")
    local.load(results)
    assert local.rows("from raw.system_facts")
    assert (reader.ledger("a"), reader.results()) == (local.ledger(), local.results())


def test_a_run_reads_no_more_commits_after_many_nights(
    store: Path, results: Path, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what it reads of them is what was written: DuckDB keeps what it read of a path."""
    monkeypatch.setattr(memory, "_MOST_COMMITS", 3)
    objects = type(open_objects(str(store)))
    fetch = objects.fetch
    fetched: list[str] = []

    def fetch_noted(self: Objects, name: str, *arguments: Any) -> None:
        fetched.append(name)
        fetch(self, name, *arguments)

    monkeypatch.setattr(objects, "fetch", fetch_noted)
    for night in range(9):
        (results / f"{night}.json").write_bytes(RUN.read_bytes() + b"\n" * night)
        fetched.clear()
        assert statuses(send(store, "a", results)).count("loaded") == (1 if night else 5)
        assert sum(name.startswith("commits/") for name in fetched) < 3
    (store / "known").rename(store / "lost")  # it is no more than a shortcut
    assert set(statuses(send(store, "a", results))) == {"unchanged"}
    shutil.copytree(SYSTEM, results / "system")
    send(store, "a", results)
    reader.take(store)
    local = Reader(reader.archive.folder.parent / "local")
    local.load(results)
    assert (reader.ledger("a"), reader.results()) == (local.ledger(), local.results())


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    with running_bucket() as url:
        yield url


@contextlib.contextmanager
def running_bucket() -> Iterator[str]:
    """In a server with the interface of S3, at AWS_ENDPOINT_URL."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    environment = {
        "AWS_ENDPOINT_URL": url, "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true",
    }  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        try:
            for _ in range(200):
                with contextlib.suppress(requests.ConnectionError):
                    requests.put(f"{url}/lab", timeout=10).raise_for_status()
                    break
                time.sleep(0.1)
            yield "s3://lab/of/many"
        finally:
            server.kill()
            server.wait()


@pytest.mark.parametrize("kind", ["folder", "bucket"])
def test_writers_at_once_that_are_killed_lose_and_double_nothing(
    tmp_path: Path, reader: Reader, request: pytest.FixtureRequest, kind: str
) -> None:
    """Two machines, and a second process of one of them with some of its files."""
    store = str(tmp_path / "store") if kind == "folder" else request.getfixturevalue("bucket")
    folders = [tmp_path / name for name in ("a", "b")]
    for number, folder in enumerate(folders):
        folder.mkdir()
        for copy in range(30):
            content = FIO[copy % len(FIO)].read_bytes() + b"\n" * (copy + 20 * number)
            (folder / f"{copy}.json").write_bytes(content)  # 10 of them both have
    chance = random.Random(kind)
    for kill in range(int(os.environ.get("STORE_KILLS", "2"))):
        writers = [_write(store, "a", folders[0]), _write(store, "b", folders[1])]
        writers.append(_write(store, "a", *sorted(folders[0].iterdir())[:15]))
        killed = chance.choice(writers)
        with contextlib.suppress(subprocess.TimeoutExpired):
            killed.wait(chance.uniform(0.5, 3))
        killed.kill()
        for writer in writers:
            output, _ = writer.communicate(timeout=100)
            assert writer.returncode == 0 or writer is killed, output
        if chance.random() < 0.5:
            reader.take(store)
        (folders[kill % 2] / "new.json").write_bytes(RUN.read_bytes() + b"\n" * kill)
    for machine, folder in zip("ab", folders, strict=True):
        assert _write(store, machine, folder).wait(100) == 0
    reader.take(store)
    local = Reader(tmp_path / "local")
    local.load(*folders)
    assert reader.results() == local.results()
    current = "select path from raw.sources where is_current"
    assert reader.rows(f"select path[3:] from ({current})") == local.rows(
        "select absolute_path from raw.sources where is_current"
    )


def _write(store: str, machine: str, *paths: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [
            Path(sys.executable).with_name("headroom"),
            "ingest",
            "--to",
            store,
            "--as",
            machine,
            *paths,
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_a_bucket_that_cannot_be_reached_is_said(
    bucket: str, results: Path, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(f"{bucket}/other", "a", results)
    reader.take(f"{bucket}/other")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    outcomes = reader.take(f"{bucket}/other")
    assert statuses(outcomes) == ["quarantined"]
    assert "cannot be reached" in reader.quarantined()[f"{bucket}/other"]
    assert len(reader.results()["fio_jobs"]) > 0


def test_what_an_older_version_sent_is_read_again_here(
    store: Path, results: Path, reader: Reader
) -> None:
    send(store, "a", results)
    reader.take(store)
    before = reader.results()
    reader.connection.execute("update raw.files set parser_version = 'older'")
    reader.connection.execute("delete from raw.fio_jobs")
    assert set(statuses(reader.take(store))) == {"unchanged"}
    assert reader.results() == before
    assert reader.rows("select 1 from raw.files where parser_version = 'older'") == []


def test_two_machines_of_one_name_are_told(
    store: Path, results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def as_host(host: str) -> None:
        with open_outbox(open_objects(str(store)), "vm", host) as outbox:
            list(outbox.load(find_sources([results])))

    as_host("1")
    send(store, "vm", results / FIO[0].name)  # as one names it on any machine, to forget a file
    (results / FIO[0].name).unlink()
    shutil.copy(RUN, results)
    as_host("1")
    with pytest.raises(InputError, match=r"another machine is called 'vm' there.*--as NAME"):
        as_host("2")
    monkeypatch.setattr(sending, "_MACHINE_ID", results / "none")
    with pytest.raises(InputError, match="name this machine with --as NAME"):
        sending.host_id()


def test_no_store_and_a_wrong_one_are_said(
    tmp_path: Path, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert open_objects("s3://lab//x/").url == "s3://lab/x"
    monkeypatch.setattr(socket, "gethostname", lambda: "x" * 64)
    with pytest.raises(InputError, match="set it with --as NAME"):
        send_files(str(tmp_path / "store"), None, (FIO[0],))
    for url in ("ftp://lab/x", "s3://", "s3://lab/x?scheme=http", "s3://lab/x#y"):
        with pytest.raises(InputError, match="is no store"):
            open_objects(url)
    with pytest.raises(InputError, match="has credentials in it") as raised:
        open_objects("s3://key:secret@lab/x")
    assert "secret" not in str(raised.value)
    assert statuses(reader.take(tmp_path / "none")) == ["quarantined"]
    assert "has no commits" in next(iter(reader.quarantined().values()))


def test_a_night_publishes_what_machines_measured(
    empty: Path, published: duckdb.DuckDBPyConnection, tmp_path: Path, store: Path
) -> None:
    samples = ROOT / "data/samples"
    warehouse = tmp_path / "warehouse"
    sent = run_headroom(tmp_path / "none", "ingest", "--to", store, "--as", "lab1", samples)
    assert sent.stdout.startswith("16 loaded") and not (tmp_path / "none").exists()
    assert "files: 16 loaded" in first_night(empty, warehouse, "--from", store).stdout
    columns = "iops, latency_mean_us, latency_p99_us, drive, raid_level, tool_version, is_valid"
    here = (
        f"select {columns} from marts.measurements where starts_with(source_path, $1) order by all"
    )
    with duckdb.connect(warehouse / "headroom.duckdb", read_only=True) as connection:
        rows = connection.execute(here, [f"lab1:{samples}/"]).fetchall()
    assert rows and rows == published.execute(here, ["data/samples/"]).fetchall()
    source = next(samples.rglob("*libaio.json"))
    shown = run_headroom(warehouse, "cat", f"lab1:{source}")
    assert shown.stdout == source.read_text()
    again = run_headroom(warehouse, "nightly", "--from", store).stdout
    assert "files: 0 loaded, 16 unchanged, 0 quarantined" in again
    forgotten = run_headroom(warehouse, "forget", "--to", store, "--as", "lab1", source)
    assert forgotten.stdout == "1 sources and 0 quarantine entries forgotten\n"
    assert "15 unchanged" in run_headroom(warehouse, "ingest", "--from", store).stdout
    assert "undamaged" in run_headroom(warehouse, "verify").stdout


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("ingest",), "Missing argument 'PATHS...'"),
        (("ingest", "--to", "store"), "Missing argument 'PATHS...'"),
        (("ingest", "--to", "a", "--from", "b", "."), "--to cannot be combined with --from"),
        (("ingest", "--to", "a", "--dry-run", "."), "--dry-run cannot be combined"),
        (("ingest", "--as", "a", "."), "--as is for --to"),
        (("ingest", "--to", "a", "--as", "../b", "."), "cannot be the name of a machine"),
        (("forget", "--as", "a", "."), "--as is for --to"),
    ],
)
def test_what_does_not_go_together_is_said(
    headroom: Headroom, arguments: tuple[str, ...], reason: str
) -> None:
    result = headroom(*arguments)
    assert result.returncode == 2 and reason in result.stderr
