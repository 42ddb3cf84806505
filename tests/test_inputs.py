"""Whatever a stranger's files are called, packed in or broken by: each costs only itself."""

import errno
import os
import signal
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ingest.forget import forget
from ingest.load import load
from ingest.names import printable, real_path
from ingest.parsers import fio
from ingest.reading import Batch, read_files
from ingest.records.archive import Archive
from ingest.records.ledger import Place
from ingest.sources import find_sources
from tests.conftest import Headroom
from tests.test_archive import FIO_RUN, Lab

BAD_BYTES = os.fsdecode(b"r\xe9sultats \xff")


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (b"raid5 qd1.json", "raid5 qd1.json"),
        ("Gr\u00f6\u00dfe \U0001f600.json".encode(), "Gr\u00f6\u00dfe \U0001f600.json"),
        (b"C:\\results\\a.json", "C:\\results\\a.json"),
        (b"\xff\xc3.json", r"\xff\xc3.json"),
        (b"two\nlines\x1b[31m", r"two\x0alines\x1b[31m"),
        (b"\\xff", r"\x5cxff"),
        (b"\\\xff\\x5c", r"\\xff\x5cx5c"),
        (b"\xc2\x85", r"\xc2\x85"),
    ],
)
def test_a_name_is_told_from_its_printable_form(name: bytes, text: str) -> None:
    assert printable(os.fsdecode(name)) == text
    assert os.fsencode(real_path(text)) == name


NAMES = (BAD_BYTES, "two\nlines", 'it\'s "quoted"; drop table', "\U0001f600", "-rf", r"a\xff")


@pytest.mark.parametrize("name", NAMES)
def test_any_name_is_loaded_described_and_known_again(lab: Lab, name: str) -> None:
    folder = lab.results / name
    folder.mkdir()
    (folder / "headroom.yml").write_text(
        "root: true\nfiles: [{regex: '(?P<note>.+)[.]json', drive_count: 8}]\n"
        "drives: [{drive: D1, capacity: 1 TB}]"
    )
    lab.add(f"{name}/{name}.json")
    (folder / f"{name} torn.json").write_bytes(FIO_RUN.read_bytes()[:3000])
    assert [outcome.status for outcome in lab.ingest()] == ["quarantined", "loaded"]
    place = f"{lab.results}/{printable(name)}"
    source = f"{place}/{printable(name)}.json"
    assert lab.rows("select source_key, path, absolute_path from raw.sources") == [(source,) * 3]
    assert lab.rows("select drive_count, note from raw.sidecars") == [(8, printable(name))]
    assert lab.rows("select sidecar_path from raw.sidecar_drives") == [(f"{place}/headroom.yml",)]
    refused = lab.rows("select absolute_path, file_path from quality.quarantined_files")
    assert refused == [(f"{place}/{printable(name)} torn.json",) * 2]
    again = {outcome.path: outcome.status for outcome in lab.ingest()}
    assert again == {source: "unchanged", refused[0][0]: "quarantined"}
    assert [outcome.status for outcome in lab.reparse(everything=True)] == ["loaded", "quarantined"]
    (folder / "headroom.yml").unlink()
    lab.ingest()
    assert lab.rows("from raw.sidecar_drives") == []
    assert forget(lab.connection, [folder]) == (1, 1)


def test_a_name_that_is_no_text_is_printed(headroom: Headroom, tmp_path: Path) -> None:
    results = tmp_path / BAD_BYTES
    results.mkdir()
    (results / "headroom.yml").write_text("root: 1")
    (results / "notes.txt").write_text("notes")
    result = headroom("ingest", results)
    assert result.returncode == 0, result.stderr
    for name in ("notes.txt: no parser knows", "headroom.yml: Expected `bool`"):
        assert f"/r\\xe9sultats \\xff/{name}" in result.stdout
    assert headroom("forget", results).stdout.startswith("0 sources and 2 quarantine entries")


def test_a_moved_file_is_retired_whatever_its_name(lab: Lab) -> None:
    run = lab.add(f"{BAD_BYTES}.json")
    lab.ingest()
    run.rename(lab.results / "moved.json")
    lab.ingest()
    current = lab.rows("select path from raw.sources where is_current")
    assert current == [(str(lab.results / "moved.json"),)]


KILLER = "killer.json"


def _read_or_die(places: list[Place], archive: Archive) -> Batch:
    """Reads, in a process that a file named KILLER kills."""
    if any(place.path.name == KILLER for place in places):
        os.kill(os.getpid(), signal.SIGKILL)
    if any(place.path.name == "fails.json" for place in places):
        raise ValueError("a fault")
    return read_files([place.path for place in places], archive)


def test_a_file_that_kills_its_reader_costs_only_itself(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ingest.load._read_places", _read_or_die)
    monkeypatch.setattr("ingest.workers.BATCH_COUNT", 5)
    monkeypatch.setattr("ingest.records.ledger._UNSETTLED_NS", 0)
    for number in range(40):
        lab.add(f"{number}.json", f"fio-3.{number}")
    lab.add("fails.json")
    killer = lab.add(KILLER, "fio-3.99")
    assert Counter(outcome.status for outcome in lab.ingest()) == {"loaded": 40, "quarantined": 2}
    refused = lab.rows("select path, reason from quality.quarantined_files order by path")
    assert [Path(path).name for path, _ in refused] == ["fails.json", KILLER]
    assert "failed on this file, please report it: ValueError('a fault')" in refused[0][1]
    assert "process was killed by this file" in refused[1][1]
    monkeypatch.undo()  # another night has more memory
    found = {outcome.path: outcome.status for outcome in lab.ingest()}
    assert found[str(killer)] == "loaded"
    assert lab.rows("from quality.quarantined_files") == []


def _sleep(path: Path, data: bytes) -> None:
    time.sleep(20)


def test_a_file_that_takes_too_long_costs_only_itself(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab.add()
    monkeypatch.setattr("ingest.reading._MOST_SECONDS", 0.05)
    monkeypatch.setattr(fio, "parse", _sleep)
    started_at = time.monotonic()
    (outcome,) = lab.ingest()
    assert time.monotonic() - started_at < 10
    assert "cannot be read in" in str(outcome.errors[0])


def test_a_folder_that_cannot_be_listed_is_said_until_it_can(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab.add()
    (lab.results / "closed").mkdir()
    lab.add("closed/run.json", "fio-3.34")
    scan = os.scandir

    def refuse(path: str) -> Any:
        if os.path.basename(path) == "closed":
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return scan(path)

    with monkeypatch.context() as patched:
        patched.setattr(os, "scandir", refuse)
        assert [outcome.status for outcome in lab.ingest()] == ["loaded", "quarantined"]
    refused = lab.rows("select path, reason from quality.quarantined_files")
    reason = "cannot be listed: Permission denied; what is in it is not seen"
    assert refused == [(str(lab.results / "closed"), reason)]
    assert [outcome.status for outcome in lab.ingest()] == ["unchanged", "loaded"]
    assert lab.rows("from quality.quarantined_files") == []


def test_what_may_not_be_looked_at_ends_no_night(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that may be listed but not entered, and one whose path is too long to look at."""
    lab.add()
    stat, read = os.stat, Path.read_bytes

    def refuse(path: Path | str, *arguments: Any, **options: Any) -> Any:
        if "headroom.yml" in str(path) or "document.yml" in str(path):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return stat(path, *arguments, **options)

    with monkeypatch.context() as patched:
        patched.setattr(os, "stat", refuse)
        patched.setattr(Path, "stat", lambda path, **options: refuse(path, **options))
        patched.setattr(Path, "read_bytes", lambda path: refuse(path) and read(path))
        outcomes = lab.ingest()
    assert {Path(outcome.path).name: outcome.status for outcome in outcomes} == {
        "run.json": "loaded", "headroom.yml": "quarantined",
    }  # fmt: skip
    assert "headroom.yml: cannot be read: Permission denied" in str(outcomes[-1].errors[0])


def test_a_file_that_vanishes_or_cannot_be_read_is_tried_again(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ingest.records.ledger._UNSETTLED_NS", 0)
    lab.add()
    run = lab.add("run2.json", "fio-3.34")
    read = Path.read_bytes

    def fail(path: Path) -> bytes:
        if path == run:
            raise OSError(errno.EIO, "Input/output error", str(path))
        return read(path)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "read_bytes", fail)
        assert [outcome.status for outcome in lab.ingest()] == ["loaded", "quarantined"]
    assert [outcome.status for outcome in lab.ingest()] == ["unchanged", "loaded"]
    found = find_sources([lab.results])
    run.unlink()
    outcomes = list(load(lab.connection, found.files, lab.archive))
    assert [outcome.status for outcome in outcomes] == ["unchanged", "quarantined"]
    assert "No such file" in str(outcomes[1].errors[0])
