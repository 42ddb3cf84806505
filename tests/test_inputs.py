"""Odd names, packed files and broken files: none affects another file."""

import bz2
import errno
import gzip
import lzma
import os
import signal
import tarfile
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from headroom.warehouse import Warehouse
from ingest.common.paths import printable, real_path
from ingest.find import packed
from ingest.find.links import AllowedLinks
from ingest.find.sources import find_sources
from ingest.forget import forget
from ingest.load import load
from ingest.parsers import fio
from ingest.reading import read_files
from ingest.records.archive import Archive
from ingest.records.readings import Batch, Reading
from tests.conftest import Headroom, refusal
from tests.in_process import run
from tests.lab import FIO_RUN, Lab, run_of, status_by_name, statuses
from tests.packing import COMPRESSORS, pack

BAD_BYTES = os.fsdecode(b"r\xe9sultats \xff")


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
def test_printable_names_are_reversible(name: bytes, text: str) -> None:
    assert printable(os.fsdecode(name)) == text
    assert os.fsencode(real_path(text)) == name


NAMES = (BAD_BYTES, "two\nlines", 'it\'s "quoted"; drop table', "\U0001f600", "-rf", r"a\xff")


@pytest.mark.parametrize("name", NAMES)
def test_any_file_name_is_loaded_and_recognised(lab: Lab, name: str) -> None:
    folder = lab.add(f"{name}/{name}.json").parent
    (folder / "headroom.yml").write_text(
        "root: true\nfiles: [{regex: '(?P<note>.+)[.]json', drive_count: 8}]\n"
        "drives: [{drive: D1, capacity: 1 TB}]"
    )
    lab.add_torn(f"{name}/{name} torn.json")
    assert statuses(lab.ingest()) == ["quarantined", "loaded"]
    place = f"{lab.results}/{printable(name)}"
    source = f"{place}/{printable(name)}.json"
    assert lab.rows("select source_key, path, absolute_path from raw.sources") == [(source,) * 3]
    assert lab.rows("select drive_count, note from raw.sidecars") == [(8, printable(name))]
    assert lab.rows("select sidecar_path from raw.sidecar_drives") == [(f"{place}/headroom.yml",)]
    refused = lab.rows("select absolute_path, file_path from quality.quarantined_files")
    assert refused == [(f"{place}/{printable(name)} torn.json",) * 2]
    again = {outcome.path: outcome.status for outcome in lab.ingest()}
    assert again == {source: "unchanged", refused[0][0]: "quarantined"}
    assert statuses(lab.reparse(everything=True)) == ["loaded", "quarantined"]
    (folder / "headroom.yml").unlink()
    lab.ingest()
    assert lab.rows("from raw.sidecar_drives") == []
    assert forget(lab.connection, [folder]) == (1, 1)


def test_non_utf8_name_is_printed_escaped(headroom: Headroom, tmp_path: Path) -> None:
    results = tmp_path / BAD_BYTES
    results.mkdir()
    (results / "headroom.yml").write_text("root: 1")
    (results / "notes.json").write_text("notes")
    result = headroom("ingest", results)
    assert result.returncode == 0, result.stderr
    for name in ("notes.json: is not JSON", "headroom.yml:1: root: 1 is neither"):
        assert f"/r\\xe9sultats \\xff/{name}" in result.stdout
    assert headroom("forget", results).stdout.startswith("0 sources and 2 quarantine entries")


def test_forget_warns_of_existing_and_unknown_files(tmp_path: Path) -> None:
    results, warehouse = tmp_path / "results", tmp_path / "warehouse"
    results.mkdir()
    (results / "run.json").write_bytes(FIO_RUN.read_bytes())
    (results / "notes.json").write_text("no result")
    assert run(warehouse, "ingest", results).exit_code == 0
    rehearsed = run(warehouse, "forget", "--dry-run", results)
    assert rehearsed.stdout.splitlines() == [
        str(results / "notes.json"),
        str(results / "run.json"),
        "dry run, nothing is written: 1 sources and 1 quarantine entries",
    ]
    (results / "notes.json").unlink()
    forgotten = run(warehouse, "forget", results, tmp_path / "elsewhere")
    assert forgotten.exit_code == 0
    assert forgotten.stdout == "1 sources and 1 quarantine entries forgotten\n"
    assert forgotten.stderr.splitlines() == [
        f"headroom: {tmp_path / 'elsewhere'}: nothing to forget",
        f"headroom: {results / 'run.json'}: still exists: the next ingest loads it again",
    ]
    again = run(warehouse, "forget", results)
    assert again.stdout.startswith("0 sources and 0 ")
    assert "nothing to forget" in again.stderr


def test_moved_file_with_odd_name_is_retired(lab: Lab) -> None:
    run = lab.add(f"{BAD_BYTES}.json")
    lab.ingest()
    run.rename(lab.results / "moved.json")
    lab.ingest()
    current = lab.rows("select path from raw.sources where is_current")
    assert current == [(str(lab.results / "moved.json"),)]


KILLER = "killer.json"


def _read_or_die(readings: list[Reading], archive: Archive, links: AllowedLinks) -> Batch:
    """Like read_files, but KILLER kills the process and fails.json raises an error."""
    if any(reading.path.name == KILLER for reading in readings):
        os.kill(os.getpid(), signal.SIGKILL)
    if any(reading.path.name == "fails.json" for reading in readings):
        raise ValueError("a fault")
    return read_files(readings, archive, links)


@pytest.mark.usefixtures("settled")
def test_file_that_kills_its_reader_affects_no_other(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ingest.load.read_files", _read_or_die)
    monkeypatch.setattr("ingest.workers.BATCH_COUNT", 5)
    for number in range(40):
        lab.add(f"{number}.json", f"fio-3.{number}")
    lab.add("fails.json")
    lab.add(KILLER, "fio-3.99")
    assert Counter(statuses(lab.ingest())) == {"loaded": 40, "quarantined": 2}
    refused = lab.refused()
    assert refused.keys() == {"fails.json", KILLER}
    assert "failed on this file, please report it: ValueError('a fault')" in refused["fails.json"]
    assert "killed while reading this file" in refused[KILLER]
    monkeypatch.undo()  # the next night has more memory
    assert status_by_name(lab.ingest())[KILLER] == "loaded"
    assert lab.refused() == {}


def test_json_that_is_nested_too_deeply_is_refused(lab: Lab) -> None:
    run = lab.add().read_text()
    deep = "[" * 100_000 + "]" * 100_000
    (lab.results / "fio.json").write_text(run.replace('"jobs"', f'"later": {deep}, "jobs"'))
    (lab.results / "other.json").write_text("[" * 200_000)
    lab.ingest()
    reason = "is JSON nested too deeply to be read: truncated or damaged file"
    assert lab.refused() == {"fio.json": reason, "other.json": reason}


def _sleep(path: Path, data: bytes) -> None:
    time.sleep(20)


def test_file_exceeding_the_time_limit_is_refused(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab.add()
    monkeypatch.setattr("ingest.reading._MOST_SECONDS", 0.05)
    monkeypatch.setattr(fio, "parse", _sleep)
    started_at = time.monotonic()
    (outcome,) = lab.ingest()
    assert time.monotonic() - started_at < 10
    assert "cannot be read in" in str(outcome.errors[0])


def test_unlistable_folder_is_reported_until_readable(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab.add()
    lab.add("closed/run.json", "fio-3.34")
    scan = os.scandir

    def refuse(path: str) -> Any:
        if os.path.basename(path) == "closed":
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return scan(path)

    with monkeypatch.context() as patched:
        patched.setattr(os, "scandir", refuse)
        assert statuses(lab.ingest()) == ["loaded", "quarantined"]
    reason = "cannot be listed: Permission denied; its files are skipped"
    assert lab.refused() == {"closed": reason}
    assert statuses(lab.ingest()) == ["unchanged", "loaded"]
    assert lab.refused() == {}


def test_stat_errors_do_not_stop_ingest(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a folder that may be listed but not entered, or with a path that is too long."""
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
    assert status_by_name(outcomes) == {
        "run.json": "loaded", "headroom.yml": "quarantined",
    }  # fmt: skip
    assert "headroom.yml: cannot be read: Permission denied" in str(outcomes[-1].errors[0])


@pytest.mark.usefixtures("settled")
def test_a_file_that_vanishes_or_cannot_be_read_is_tried_again(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab.add()
    run = lab.add("run2.json", "fio-3.34")
    read = Path.read_bytes

    def fail(path: Path) -> bytes:
        if path == run:
            raise OSError(errno.EIO, "Input/output error", str(path))
        return read(path)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "read_bytes", fail)
        assert statuses(lab.ingest()) == ["loaded", "quarantined"]
    assert statuses(lab.ingest()) == ["unchanged", "loaded"]
    found = find_sources([lab.results])
    run.unlink()
    outcomes = list(load(lab.connection, found, lab.archive))
    assert statuses(outcomes) == ["unchanged", "quarantined"]
    assert "No such file" in str(outcomes[1].errors[0])


_tar, _tgz, _zip = (partial(pack, name) for name in ("r.tar", "r.tgz", "r.zip"))
_zstd = COMPRESSORS["zst"]
FORMATS = ["r.tar", "r.tar.gz", "r.tar.zst", "r.tar.xz", "r.tar.bz2", "r.zip"]


def _places(lab: Lab) -> dict[str, str]:
    rows = lab.rows("select path, fio_version from raw.sources join raw.fio_jobs using (file_id)")
    return {path.removeprefix(f"{lab.results}/"): version for path, version in rows}


@pytest.mark.usefixtures("settled")
@pytest.mark.parametrize("name", [*FORMATS, "r.TGZ", "r.txz", "r.tbz2"])
def test_members_of_a_packed_file_are_sources(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (lab.results / "headroom.yml").write_text(
        "root: true\nfiles: [{glob: '*/**/a.json', drive: D}]"
    )
    place = lab.results / name
    files = {
        "./run1/a.json": run_of("fio-3.1"),
        "../b.json": run_of("fio-3.2"),
        "run1/torn.json": run_of("fio-3.3")[:3000],
        "run1/c.json.gz": gzip.compress(run_of("fio-3.4")),
        "run1/d.json.zst": _zstd(run_of("fio-3.5")),
        "run1/e.json.xz": lzma.compress(run_of("fio-3.7")),
        "run1/f.json.bz2": bz2.compress(run_of("fio-3.8")),
        "run1/.hidden": b"",
        "__MACOSX/._a.json": b"",
        "run1/headroom.yml": b"drive: E",
        "document.yml": b"",
        "inner.zip": b"",
    }
    place.write_bytes(pack(name, files))
    assert Counter(statuses(lab.ingest())) == {"loaded": 6, "quarantined": 3}
    assert _places(lab) == {
        f"{name}/run1/a.json": "fio-3.1",
        f"{name}/b.json": "fio-3.2",
        f"{name}/run1/c.json.gz/c.json": "fio-3.4",
        f"{name}/run1/d.json.zst/d.json": "fio-3.5",
        f"{name}/run1/e.json.xz/e.json": "fio-3.7",
        f"{name}/run1/f.json.bz2/f.json": "fio-3.8",
    }
    assert lab.rows("select source_key, drive from raw.sidecars") == [(f"{place}/run1/a.json", "D")]
    reasons = lab.refused()
    assert "does not end: truncated file" in reasons[f"{name}/run1/torn.json"]
    assert "read from its folder: unpack it" in reasons[f"{name}/document.yml"]
    assert "a packed file inside a packed file" in reasons[f"{name}/inner.zip"]
    for inner in ("document.yml", "inner.zip"):
        del files[inner]
    place.write_bytes(pack(name, files | {"../b.json": run_of("fio-3.6")}))
    changed = ["unchanged", "loaded", "quarantined", *["unchanged"] * 4]
    assert statuses(lab.ingest()) == changed
    assert [*lab.refused()] == [f"{name}/run1/torn.json"]
    monkeypatch.setattr("ingest.records.ledger.list_members", lambda _: pytest.fail("it is opened"))
    assert Counter(statuses(lab.ingest())) == {"unchanged": 6, "quarantined": 1}
    assert forget(lab.connection, [place]) == (6, 1)


@pytest.mark.usefixtures("settled")
@pytest.mark.parametrize(
    ("suffix", "compress"),
    [
        (".gz", gzip.compress),
        (".zst", _zstd),
        (".xz", lzma.compress),
        (".bz2", bz2.compress),
        (".xz", lambda data: lzma.compress(data[:99]) + bytes(8) + lzma.compress(data[99:])),
        (".bz2", lambda data: bz2.compress(data[:99]) + bz2.compress(data[99:])),
    ],
)
def test_compressed_file_is_read_and_torn_one_refused(
    lab: Lab, suffix: str, compress: Callable[[bytes], bytes]
) -> None:
    log = b"".join(b"%d, 5, 0, 4096\n" % number for number in range(5000))
    for name, data in (("a.json", run_of("fio-3.1")), ("a_bw.1.log", log)):
        (lab.results / f"{name}{suffix}").write_bytes(compress(data))
    (lab.results / f"torn_bw.1.log{suffix}").write_bytes(compress(log)[:-900])
    (lab.results / f"none{suffix}").write_bytes(b"no such thing")
    assert Counter(statuses(lab.ingest())) == {"loaded": 2, "quarantined": 2}
    assert list(_places(lab)) == [f"a.json{suffix}/a.json"]
    refused = lab.refused()
    assert {Path(path).name for path in refused} == {"none", "torn_bw.1.log"}
    assert all("cannot be unpacked" in reason for reason in refused.values())


@pytest.mark.usefixtures("settled")
@pytest.mark.parametrize("name", FORMATS)
def test_damaged_packed_file_affects_no_other(lab: Lab, name: str) -> None:
    files = {f"{number}.json": os.urandom(80_000).hex().encode() for number in range(6)}
    files["0.json"] = run_of("fio-3.1")
    data = bytearray(pack(name, files))
    (lab.results / name).write_bytes(data[: len(data) * 2 // 3])
    lab.add("run.json", "fio-3.2")
    outcomes = lab.ingest()
    assert str(outcomes[-1].errors[0]).startswith(f"{lab.results}/{name}: cannot be unpacked")
    loaded = {Path(outcome.path).name for outcome in outcomes if outcome.status == "loaded"}
    assert loaded == ({"run.json"} if name == "r.zip" else {"0.json", "run.json"})
    (lab.results / name).write_bytes(_tar({}))
    lab.ingest()
    (lab.results / name).write_bytes(pack(name, {"0.json": run_of("fio-3.1")}))
    lab.ingest()
    assert lab.refused() == {}


def test_damaged_zip_member_affects_no_other(lab: Lab) -> None:
    data = bytearray(_zip({"a.json": run_of("fio-3.1"), "b.json": run_of("fio-3.2")}))
    data[200] ^= 0xFF
    (lab.results / "r.zip").write_bytes(data)
    assert statuses(lab.ingest()) == ["quarantined", "loaded"]
    assert [*lab.refused()] == ["r.zip/a.json"]
    assert "cannot be unpacked" in lab.refused()["r.zip/a.json"]


def test_decompression_bombs_are_refused(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ingest.find.packed._LARGEST_MEMBER_BYTES", 1 << 20)
    monkeypatch.setattr("ingest.find.packed._LARGEST_BYTES", 4 << 20)
    monkeypatch.setattr("ingest.workers._BATCH_BYTES", 1 << 30)  # read in this, patched process
    zeros = bytes((1 << 20) + 1)
    (lab.results / "a.gz").write_bytes(gzip.compress(zeros))
    (lab.results / "b.zst").write_bytes(_zstd(zeros))
    (lab.results / "g.xz").write_bytes(lzma.compress(zeros))
    (lab.results / "h.bz2").write_bytes(bz2.compress(zeros))
    (lab.results / "c.zip").write_bytes(_zip({"x": zeros, "run.json": run_of("fio-3.1")}))
    (lab.results / "d.zip").write_bytes(_zip({str(number): zeros for number in range(5)}))
    (lab.results / "e.tgz").write_bytes(
        _tgz({"run.json": run_of("fio-3.2")} | {str(number): zeros for number in range(5)})
    )
    (lab.results / "i.tar.xz").write_bytes(lzma.compress(_tar({"0": bytes(5 << 20)})))
    # a header that asks for 1.5 GiB
    window = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 3 << 29}]
    (lab.results / "j.xz").write_bytes(lzma.compress(run_of("fio-3.9"), filters=window))
    long_name = tarfile.TarInfo("x" * 3_000_000)
    (lab.results / "f.tar").write_bytes(long_name.tobuf(tarfile.GNU_FORMAT))
    outcomes = lab.ingest()
    assert {Path(outcome.path).name for outcome in outcomes if outcome.status == "loaded"} == {
        "run.json"
    }
    assert len(_places(lab)) == 2
    reasons = str([str(error) for outcome in outcomes for error in outcome.errors])
    for place in ("a.gz/a", "b.zst/b", "c.zip/x", "g.xz/g", "h.bz2/h"):
        assert f"{lab.results}/{place}: cannot be unpacked: unpacks to more than 1 MiB" in reasons
    for place in ("d.zip", "e.tgz", "i.tar.xz"):
        assert f"{lab.results}/{place}: cannot be unpacked any further: unpacks to more" in reasons
    assert f"{lab.results}/j.xz/j: cannot be unpacked: Memory usage limit exceeded" in reasons
    assert f"{lab.results}/f.tar: cannot be unpacked any further: a header" in reasons


def test_a_packed_file_is_read_once_by_each_process(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = []
    read_entries = packed._entries
    monkeypatch.setattr(packed, "_entries", lambda path: opened.append(path) or read_entries(path))
    monkeypatch.setattr("ingest.workers.BATCH_COUNT", 1000)
    files = {f"{number}.json": run_of(f"fio-3.{number}") for number in range(300)}
    (lab.results / "r.tar.gz").write_bytes(_tgz(files))
    assert Counter(statuses(lab.ingest())) == {"loaded": 300}
    assert len(opened) == 2  # to list it, and to read it


@pytest.mark.usefixtures("settled")
def test_member_and_its_copy_are_both_current(lab: Lab) -> None:
    (lab.results / "r.zip").write_bytes(_zip({f"{n}.json": run_of(f"fio-3.{n}") for n in "12"}))
    lab.add("1.json", "fio-3.1")
    lab.ingest()
    current = "select path from raw.sources where is_current order by path"
    names = [f"{lab.results}/{name}" for name in ("1.json", "r.zip/1.json", "r.zip/2.json")]
    assert lab.rows(current) == [(name,) for name in names]
    (lab.results / "r.zip").write_bytes(_zip({"2.json": run_of("fio-3.2")}))
    lab.ingest()
    assert lab.rows(current) == [(names[0],), (names[2],)]


IGNORES = """
# what fio's runs leave
*.tmp
!keep.tmp
/raw/
sub/**/old.json
r.zip/a.json
"""


@pytest.mark.usefixtures("settled")
def test_headroomignore_works_like_gitignore(lab: Lab) -> None:
    (lab.results / ".headroomignore").write_text(IGNORES)
    (lab.results / "sub/deep").mkdir(parents=True)
    (lab.results / "sub/raw").mkdir()
    (lab.results / "raw/deep").mkdir(parents=True)
    (lab.results / "sub/.headroomignore").write_text("*.json\n!run.json\n!raw/*.json\n")
    kept = ("keep.tmp", "old.json", "sub/run.json", "sub/raw/a.json", "r.zip/b.json")
    ignored = ("a.tmp", "raw/deep/a.json", "raw/keep.tmp", "sub/a.json", "sub/deep/old.json")
    for number, name in enumerate((*kept[:-1], *ignored)):
        lab.add(name, f"fio-3.{number}")
    (lab.results / "r.zip").write_bytes(
        _zip({"a.json": run_of("fio-3.70"), "b.json": run_of("fio-3.80")})
    )
    outcomes = lab.ingest()
    said = {outcome.path.removeprefix(f"{lab.results}/"): outcome.status for outcome in outcomes}
    assert said == dict.fromkeys(kept, "loaded") | dict.fromkeys(
        (*ignored, "r.zip/a.json"), "ignored"
    )
    assert set(_places(lab)) == set(kept)
    below = lab.ingest(lab.results / "raw/deep", lab.results / "sub/a.json")
    assert statuses(below) == ["ignored", "ignored"]


def test_newly_ignored_file_is_treated_like_deleted(lab: Lab) -> None:
    lab.add("a.json")
    lab.add_torn()
    lab.ingest()
    (lab.results / ".headroomignore").write_text("a.json\ntorn.json\n")
    assert statuses(lab.ingest()) == ["ignored", "ignored"]
    assert lab.refused() == {}
    current = "select path from raw.sources where is_current"
    assert lab.rows(current) == [(f"{lab.results}/a.json",)]
    lab.add("b.json")
    lab.ingest()
    assert lab.rows(current) == [(f"{lab.results}/b.json",)]


def test_invalid_ignore_pattern_is_reported(lab: Lab) -> None:
    lab.add("a.tmp")
    lab.add("b.json")
    ignore = lab.results / ".headroomignore"
    ignore.write_text("*.tmp\n!\n")
    outcomes = lab.ingest()
    assert statuses(outcomes) == ["ignored", "loaded", "quarantined"]
    assert str(outcomes[2].errors[0]).startswith(f"{ignore}:2: '!' is not a valid pattern")
    ignore.write_text("*.tmp\n")
    lab.ingest()
    assert lab.refused() == {}


def test_ignored_files_are_counted(headroom: Headroom, tmp_path: Path) -> None:
    results = tmp_path / "results"
    results.mkdir()
    (results / ".headroomignore").write_text("*\n")
    (results / "notes.json").write_text("notes")
    result = headroom("ingest", "--strict", results)
    assert (result.returncode, result.stdout) == (
        0, "0 loaded, 0 unchanged, 0 quarantined, 1 ignored\n",
    )  # fmt: skip


def _tree(folder: Path) -> dict[str, tuple[int, int]]:
    looks = {str(path): path.stat() for path in folder.rglob("*")}
    return {path: (look.st_size, look.st_mtime_ns) for path, look in looks.items()}


def test_a_dry_run_says_what_ingest_does_and_writes_nothing(
    headroom: Headroom, tmp_path: Path, paper: Path
) -> None:
    results, warehouse = tmp_path / "results", tmp_path / "warehouse"
    results.mkdir()
    (results / "a.json").write_bytes(run_of("fio-3.1"))
    (results / "torn.json").write_bytes(run_of("fio-3.2")[:3000])
    (results / "r.zip").write_bytes(_zip({"b.json": run_of("fio-3.3")}))
    (results / ".headroomignore").write_text("*.tmp\n")
    (results / "c.tmp").touch()
    dry = run(warehouse, "ingest", "--dry-run", results, paper)
    assert not warehouse.exists()
    places = (results / "a.json", results / "r.zip/b.json", paper / "document.yml")
    lines = [f"loaded       {place}" for place in places] + [f"ignored      {results}/c.tmp"]
    assert dry.exit_code == 0, dry.stderr
    assert set(lines) < set(dry.stdout.splitlines())
    assert len(dry.stdout.splitlines()) == 6
    torn = f"quarantined  {results}/torn.json: not a fio JSON result: the document that starts"
    assert torn in dry.stdout
    wet = run(warehouse, "ingest", results, paper)
    counts = wet.stdout.splitlines()[0]
    assert dry.stdout.splitlines()[-1] == f"dry run, nothing is written: {counts}"
    assert counts.startswith("3 loaded, 0 unchanged, 1 quarantined, 1 ignored (")
    (results / "a.json").write_bytes(run_of("fio-3.4"))
    (results / "torn.json").write_bytes(run_of("fio-3.2"))
    (paper / "claims.csv").write_text("no such column\n")
    changed = run(warehouse, "ingest", "--dry-run", "--strict", results, paper)
    assert changed.exit_code == 2
    assert "paper: not loaded; fix the lines listed above" in changed.stderr
    assert f"unchanged    {results}/r.zip/b.json" in changed.stdout
    for name in ("a.json", "torn.json"):
        assert f"loaded       {results}/{name}" in changed.stdout
    (results / "torn.json").write_bytes(run_of("fio-3.2")[:3000])
    before = _tree(tmp_path)
    assert run(warehouse, "ingest", "--dry-run", results).exit_code == 0
    assert run(warehouse, "ingest", "--dry-run", "--strict", results).exit_code == 1
    assert refusal(run(warehouse, "ingest", "--dry-run", results / "nowhere"))
    assert _tree(tmp_path) == before
    with Warehouse(warehouse).open_building():
        refused = headroom("ingest", "--dry-run", results)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "while another headroom process is writing to it; try again" in refused.stderr
