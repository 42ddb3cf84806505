"""Whatever a stranger's files are called, packed in or broken by: each costs only itself."""

import os
from pathlib import Path

import pytest

from ingest.forget import forget
from ingest.names import printable, real_path
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
