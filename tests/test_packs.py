"""The archive's packs are the truth: the index may be lost or a writer killed at any time."""

import hashlib
import os
import sqlite3
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import zstandard

from ingest.common.errors import InputError
from ingest.find.sources import find_sources
from ingest.load import load
from ingest.records import archive as archive_module
from ingest.records import packs as packs_module
from ingest.records.archive import Archive, NewPack, file_id_of
from ingest.records.pack_index import PackIndex
from ingest.records.packs import compress, write_pack
from ingest.records.recorder import Recorder
from tests.conftest import ROOT
from tests.lab import Lab, status_by_name, statuses

CONTENTS = [f"content {number} ".encode() * 50 for number in range(3)]


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(tmp_path / "archive")


def _keep(archive: Archive, *contents: bytes) -> None:
    pack = NewPack(archive)
    for content in contents:
        pack.store(file_id_of(content), content)
    pack.seal()


def _in_another_process(archive: Archive) -> Archive:
    """The archive as another process sees it: only from the disk, without caches."""
    archive_module._index.cache_clear()
    return Archive(archive.folder)


def _packs(archive: Archive) -> list[Path]:
    return sorted(archive.packs.iterdir())


def _damage(pack: Path, member: str) -> None:
    """Change a byte in the middle of a member."""
    with zipfile.ZipFile(pack) as directory:
        info = directory.getinfo(member)
    data = bytearray(pack.read_bytes())
    data[info.header_offset + 30 + len(member) + info.compress_size // 2] ^= 0xFF
    pack.write_bytes(data)


def _touch(path: Path) -> None:
    os.utime(path, (time.time() - 60, time.time() - 60))


def test_batch_is_one_pack_readable_by_unzip_and_zstd(archive: Archive) -> None:
    _keep(archive, *CONTENTS)
    (pack,) = _packs(archive)
    assert pack.name == f"{hashlib.sha256(pack.read_bytes()).hexdigest()}.zip"
    with zipfile.ZipFile(pack) as members:
        assert members.testzip() is None
        restored = {
            name: zstandard.ZstdDecompressor().decompress(members.read(name))
            for name in members.namelist()
        }
    assert restored == {f"{file_id_of(content)}.zst": content for content in CONTENTS}


def test_same_contents_make_the_same_pack(archive: Archive, tmp_path: Path) -> None:
    other = Archive(tmp_path / "other")
    for one in (archive, other):
        _keep(one, *CONTENTS)
    assert [path.name for path in _packs(archive)] == [path.name for path in _packs(other)]


def test_archived_content_is_not_written_again(lab: Lab) -> None:
    run = lab.add()
    lab.add_torn()
    (lab.results / "copy.json").write_bytes(run.read_bytes())
    lab.ingest()
    before = _packs(lab.archive)
    assert len(before) == 1
    with zipfile.ZipFile(before[0]) as members:
        assert len(members.namelist()) == 2
    for path in lab.results.iterdir():
        _touch(path)
    _in_another_process(lab.archive)
    assert set(statuses(lab.ingest())) == {"unchanged", "quarantined"}
    assert _packs(lab.archive) == before


def test_killed_between_pack_and_index(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(PackIndex, "add", lambda *_: None)
        _keep(archive, *CONTENTS)
    before = _packs(archive)
    again = _in_another_process(archive)
    _keep(again, *CONTENTS)
    assert _packs(again) == before
    assert [again.read(file_id_of(content)) for content in CONTENTS] == CONTENTS


def test_killed_between_index_and_commit(lab: Lab) -> None:
    lab.add()
    found = find_sources([lab.results])
    lab.connection.begin()
    with pytest.raises(Exception, match="cannot start a transaction"):
        list(load(lab.connection, found, lab.archive))
    lab.connection.rollback()
    before = _packs(lab.archive)
    assert len(before) == 1
    assert lab.rows("from raw.files") == []
    _in_another_process(lab.archive)
    assert statuses(lab.ingest()) == ["loaded"]
    assert _packs(lab.archive) == before


def test_only_leftovers_of_killed_writers_are_removed(lab: Lab) -> None:
    left = lab.archive.packs / "0123.partial"
    left.parent.mkdir(parents=True)
    left.write_bytes(b"PK")

    def contents() -> Iterator[tuple[str, list[bytes]]]:
        lab.add()
        lab.ingest()
        assert not left.exists()
        yield file_id_of(CONTENTS[0]), compress(CONTENTS[0])

    assert write_pack(lab.archive.packs, contents()) in _packs(lab.archive)


def _empty_its_tables(index: Path) -> None:
    with sqlite3.connect(index) as connection:
        connection.execute("delete from contents")


def _move_its_contents(index: Path) -> None:
    with sqlite3.connect(index) as connection:
        connection.execute("update contents set start = start + 7, size = size / 2")


def _give_it_other_tables(index: Path) -> None:
    index.unlink()
    with sqlite3.connect(index) as connection:
        connection.execute("create table packs (name text)")


@pytest.mark.parametrize(
    "harm",
    [
        Path.unlink,
        lambda index: index.write_bytes(b""),
        lambda index: index.write_bytes(b"no database" * 1000),
        lambda index: index.write_bytes(index.read_bytes()[:5000]),
        lambda index: index.write_bytes(index.read_bytes().replace(b"CREATE", b"CRE\xd4TE")),
        lambda index: index.write_bytes(index.read_bytes()[:4096] + os.urandom(12288)),
        _empty_its_tables,
        _move_its_contents,
        _give_it_other_tables,
    ],
    ids=[
        "lost",
        "empty",
        "garbage",
        "torn",
        "no UTF-8",
        "corrupt",
        "bare",
        "lying",
        "other tables",
    ],
)
def test_damaged_index_is_rebuilt_from_packs(
    archive: Archive, harm: Callable[[Path], None]
) -> None:
    _keep(archive, CONTENTS[0])
    _keep(archive, *CONTENTS[1:])
    before = _packs(archive)
    harm(archive.folder / "index.sqlite")
    reader = _in_another_process(archive)
    assert [reader.read(file_id_of(content)) for content in CONTENTS] == CONTENTS
    _keep(reader, *CONTENTS)
    assert _packs(reader) == before


@pytest.mark.parametrize("harm", [_empty_its_tables, _move_its_contents])
def test_content_is_stored_twice_rather_than_lost(
    archive: Archive, harm: Callable[[Path], None]
) -> None:
    _keep(archive, *CONTENTS)
    harm(archive.folder / "index.sqlite")
    writer = _in_another_process(archive)
    _keep(writer, CONTENTS[0])
    assert len(_packs(writer)) == 2
    assert writer.read(file_id_of(CONTENTS[0])) == CONTENTS[0]


def test_added_and_removed_packs_are_noticed(archive: Archive, tmp_path: Path) -> None:
    other = Archive(tmp_path / "other")
    _keep(archive, CONTENTS[0])
    _keep(other, CONTENTS[1])
    (gone,), (new,) = _packs(archive), _packs(other)
    gone.unlink()
    new.rename(archive.packs / new.name)
    archive = _in_another_process(archive)
    assert archive.read(file_id_of(CONTENTS[1])) == CONTENTS[1]
    with pytest.raises(InputError, match="no pack has the content"):
        archive.read(file_id_of(CONTENTS[0]))
    with sqlite3.connect(archive.folder / "index.sqlite") as connection:
        assert connection.execute("select name from packs").fetchall() == [(new.name,)]
        assert connection.execute("select count(*) from contents").fetchall() == [(1,)]


@pytest.mark.parametrize("is_reindexed", [False, True])
def test_damaged_content_is_reported_with_a_working_remedy(lab: Lab, is_reindexed: bool) -> None:
    sound, run = lab.add("sound.json", "fio-3.34"), lab.add("run.json")
    lab.ingest()
    content = run.read_bytes()
    (pack,) = _packs(lab.archive)
    _damage(pack, f"{file_id_of(content)}.zst")
    archive = _in_another_process(lab.archive)
    with pytest.raises(InputError) as fault:
        archive.read(file_id_of(content))
    assert fault.value.path == str(pack)
    assert fault.value.reason.endswith(
        "touch the result file and ingest it again, or restore the packs from a backup"
    )
    assert archive.read(file_id_of(sound.read_bytes())) == sound.read_bytes()
    if is_reindexed:
        (archive.folder / "index.sqlite").unlink()
        _in_another_process(archive)
    _touch(run)
    lab.ingest()
    assert archive.read(file_id_of(content)) == content
    assert set(statuses(lab.reparse(everything=True))) == {"loaded"}


def test_content_with_unfinished_frame_is_written_again(archive: Archive) -> None:
    """`zstd -d` returns all of its bytes, and then fails."""
    content = CONTENTS[0]
    _keep(archive, content)
    (spot,) = archive.index.find(file_id_of(content))
    data = bytearray(spot.path.read_bytes())
    data[spot.offset + 7] &= 0xFE  # "last block" flag, after magic, descriptor and two size bytes
    spot.path.write_bytes(data)
    with pytest.raises(InputError, match="cannot be read"):
        archive.read(file_id_of(content))
    _keep(archive, content)
    assert archive.read(file_id_of(content)) == content


def test_torn_pack_loses_only_its_torn_contents(archive: Archive) -> None:
    _keep(archive, *CONTENTS)
    (pack,) = _packs(archive)
    pack.write_bytes(pack.read_bytes()[: pack.stat().st_size // 2])
    archive = _in_another_process(archive)
    assert archive.read(file_id_of(CONTENTS[0])) == CONTENTS[0]
    with pytest.raises(InputError, match="touch the result file and ingest it again"):
        archive.read(file_id_of(CONTENTS[2]))
    _keep(_in_another_process(archive), *CONTENTS)
    assert [archive.read(file_id_of(content)) for content in CONTENTS] == CONTENTS


def test_a_missing_pack_is_written_again(lab: Lab) -> None:
    run = lab.add()
    lab.ingest()
    (pack,) = _packs(lab.archive)
    pack.unlink()
    (outcome,) = lab.reparse(everything=True)
    assert "no pack has the content" in str(outcome.errors[0])
    _touch(run)
    lab.ingest()
    assert _packs(lab.archive) == [pack]
    assert lab.archive.read(file_id_of(run.read_bytes())) == run.read_bytes()


def test_full_disk_loads_only_archived_contents(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    lab.add()
    lab.ingest()
    lab.add("new.json", "fio-3.34")
    lab.add_torn()

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    before = _packs(lab.archive)
    for name in (".fsync", ".rename"):
        with monkeypatch.context() as patched:
            patched.setattr(f"ingest.records.packs.os{name}", lambda *_: fail(0))
            outcomes = {Path(one.path).name: one for one in lab.ingest()}
        assert outcomes["run.json"].status == "unchanged"
        for name in ("new.json", "torn.json"):
            (error,) = outcomes[name].errors
            assert "cannot be kept in the archive: [Errno 28] No space left" in error.reason
        assert _packs(lab.archive) == before
    assert lab.rows("select count(*) from raw.files") == [(1,)]
    assert status_by_name(lab.ingest()) == {
        "run.json": "unchanged",
        "new.json": "loaded",
        "torn.json": "quarantined",
    }
    assert lab.archive.read(file_id_of((lab.results / "new.json").read_bytes()))


def test_content_that_cannot_be_compressed_affects_no_other(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        lab.add(f"{number}.json", f"fio-3.3{number}")

    def fail_at_one(content: bytes) -> list[bytes]:
        if b"fio-3.31" in content:
            raise TimeoutError("cannot be read in 600 seconds")
        return compress(content)

    with monkeypatch.context() as patched:
        patched.setattr(archive_module, "compress", fail_at_one)
        assert status_by_name(lab.ingest()) == {
            "0.json": "loaded",
            "1.json": "quarantined",
            "2.json": "loaded",
        }
    assert status_by_name(lab.ingest()) == {
        "0.json": "unchanged",
        "1.json": "loaded",
        "2.json": "unchanged",
    }


def test_a_pack_that_cannot_be_written_leaves_nothing(archive: Archive) -> None:
    def contents() -> Iterator[tuple[str, list[bytes]]]:
        yield file_id_of(CONTENTS[0]), compress(CONTENTS[0])
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        write_pack(archive.packs, contents())
    assert _packs(archive) == []


_WRITER = """
import sys
from pathlib import Path
from ingest.records.archive import Archive, NewPack, file_id_of
archive = Archive(Path(sys.argv[1]))
for batch in range(60):
    pack = NewPack(archive)
    for number in range(20):
        content = f"{batch} {number} {sys.argv[2] if number % 2 else ''}".encode() * 20
        pack.store(file_id_of(content), content)
    pack.seal()
    assert archive.read(file_id_of(content)) == content
"""


def test_several_processes_write_at_once(archive: Archive) -> None:
    writers = [
        subprocess.Popen([sys.executable, "-c", _WRITER, archive.folder, name], cwd=ROOT)
        for name in "abc"
    ]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    expected = {
        file_id_of(f"{batch} {number} {name if number % 2 else ''}".encode() * 20)
        for batch in range(60)
        for number in range(20)
        for name in "abc"
    }
    listed = "select file_id from contents"
    with sqlite3.connect(archive.folder / "index.sqlite") as connection:
        indexed = {file_id for (file_id,) in connection.execute(listed)}
    assert indexed == expected
    assert {path.suffix for path in _packs(archive)} == {".zip"}
    (archive.folder / "index.sqlite").unlink()
    for file_id in expected:
        archive.read(file_id)


_LARGE = """
import os, resource, sys
from pathlib import Path
from ingest.records.archive import Archive, NewPack, file_id_of
archive = Archive(Path(sys.argv[1]))
content = b"".join(os.urandom(1 << 20) + bytes(3 << 20) for _ in range(25))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for _ in range(2):
    pack = NewPack(archive)
    pack.store(file_id_of(content), content)
    pack.seal()
print(len(content) >> 20, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) >> 10)
assert archive.read(file_id_of(content)) == content
"""


def test_large_content_is_in_memory_at_most_twice(archive: Archive) -> None:
    """While it is written, and when it is stored again; joining its parts took it twice before."""
    run = [sys.executable, "-c", _LARGE, archive.folder]
    said = subprocess.run(run, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    content_mib, more_mib = map(int, said.split())
    assert content_mib == 100
    assert more_mib < 60
    assert len(_packs(archive)) == 1


def test_sealing_a_pack_syncs_file_and_folder(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = []
    fsync, rename = os.fsync, os.rename

    def note_fsync(descriptor: int) -> None:
        order.append(Path(os.readlink(f"/proc/self/fd/{descriptor}")).suffix or "folder")
        fsync(descriptor)

    def note_rename(old: Path, new: Path) -> None:
        order.append("rename")
        rename(old, new)

    _keep(archive, CONTENTS[0])
    monkeypatch.setattr(packs_module.os, "fsync", note_fsync)
    monkeypatch.setattr(packs_module.os, "rename", note_rename)
    _keep(archive, CONTENTS[1])
    assert order == [".partial", "rename", "folder"]


def test_content_is_synced_before_its_rows_are_committed(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = []
    fsync, commit = os.fsync, Recorder.commit

    def note_fsync(descriptor: int) -> None:
        order.append(Path(os.readlink(f"/proc/self/fd/{descriptor}")).suffix or "folder")
        fsync(descriptor)

    def note_commit(recorder: Recorder) -> None:
        order.append("commit")
        commit(recorder)

    lab.add()
    lab.ingest()
    lab.add("new.json", "fio-3.34")
    monkeypatch.setattr(os, "fsync", note_fsync)
    monkeypatch.setattr(Recorder, "commit", note_commit)
    lab.ingest()
    assert order == [".partial", "folder", "commit"]
