"""Nothing is lost or loaded twice: the archive, revisions, quarantine, killed ingests."""

import io
import os
import re
import signal
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import pytest
import zstandard

from ingest.common.errors import InputError
from ingest.forget import forget
from ingest.parsers import fio
from ingest.records.archive import Archive, file_id_of
from ingest.records.raw_tables import TABLES
from tests.conftest import MINIMAL_PAPER, ROOT
from tests.lab import FIO_RUN, Lab, run_of, status_by_name, statuses


def test_a_result_is_kept_by_its_sha256(lab: Lab) -> None:
    content = lab.add().read_bytes()
    lab.ingest()
    assert lab.rows("select file_id from raw.files") == [(file_id_of(content),)]
    assert lab.archive.read(file_id_of(content)) == content


def test_quarantined_file_is_archived_with_its_file_id(lab: Lab) -> None:
    torn = lab.add_torn()
    (lab.results / "empty.json").touch()
    lab.ingest()
    refused = lab.rows("select path, file_id from quality.quarantined_files order by path")
    assert [Path(path).name for path, _ in refused] == ["empty.json", "torn.json"]
    assert refused[0][1] is None  # no result, and not kept
    assert lab.archive.read(refused[1][1]) == torn.read_bytes()


def test_a_paper_is_kept_as_a_tar_of_its_files(lab: Lab) -> None:
    lab.ingest(MINIMAL_PAPER)
    ((file_id,),) = lab.rows("select file_id from raw.files")
    with tarfile.open(fileobj=io.BytesIO(lab.archive.read(file_id))) as tar:
        claims = tar.extractfile("claims.csv")
        assert claims and claims.read() == (MINIMAL_PAPER / "claims.csv").read_bytes()
        assert "figures/p8-curve.csv" in tar.getnames()


def test_reparse_reads_deleted_files_from_the_archive(lab: Lab) -> None:
    path = lab.add()
    lab.ingest(lab.results, MINIMAL_PAPER)
    path.unlink()
    before = lab.rows("select * from raw.fio_latencies order by all")
    papers = lab.rows("select count(*) from raw.white_paper_measurements")
    lab.connection.execute("update raw.files set parser_version = 'of an older version'")
    lab.connection.execute("delete from raw.fio_latencies")
    assert statuses(lab.reparse()) == ["loaded", "loaded"]
    assert lab.rows("select * from raw.fio_latencies order by all") == before
    assert lab.rows("select count(*) from raw.white_paper_measurements") == papers
    assert lab.rows("select count(*) from raw.sources where is_current") == [(2,)]
    assert lab.reparse() == []
    assert statuses(lab.reparse(everything=True)) == ["loaded"] * 2


def test_reparse_loads_a_quarantined_file(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    path = lab.add()

    def refuse(path: Path, data: bytes) -> None:
        raise InputError(path, "is of a version not known yet")

    with monkeypatch.context() as patched:
        patched.setattr(fio, "parse", refuse)
        assert statuses(lab.ingest()) == ["quarantined"]
    path.unlink()
    assert statuses(lab.reparse()) == ["loaded"]
    assert lab.refused() == {}
    assert lab.rows("select source_key, revision from raw.sources") == [(str(path), 1)]


def test_damaged_archive_is_reported_and_loaded_rows_stay(lab: Lab) -> None:
    content = lab.add().read_bytes()
    lab.ingest()
    (pack,) = lab.archive.packs.iterdir()
    other = zstandard.ZstdCompressor().compress(content + b" ")
    with zipfile.ZipFile(pack, "w") as members:
        members.writestr(f"{file_id_of(content)}.zst", other)
    (outcome,) = lab.reparse(everything=True)
    assert outcome.status == "quarantined"
    damaged = f"the archived content {file_id_of(content)} is damaged"
    assert damaged in str(outcome.errors[0])
    assert lab.rows("select count(*) from raw.fio_jobs") == [(1,)]


def test_changed_file_adds_a_revision_and_keeps_the_old(lab: Lab) -> None:
    for version in ("fio-3.33", "fio-3.34", "fio-3.33"):
        lab.add(version=version)
        assert statuses(lab.ingest()) == ["loaded"]
    history = lab.rows(
        "select revision, is_current, fio_version from raw.sources "
        "inner join raw.fio_jobs using (file_id) order by revision"
    )
    assert history == [(1, False, "fio-3.33"), (2, False, "fio-3.34"), (3, True, "fio-3.33")]


@pytest.mark.usefixtures("settled")
def test_an_unchanged_file_is_not_read_again(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    path = lab.add()
    os.utime(path, (time.time() - 60, time.time() - 60))
    lab.ingest()
    monkeypatch.setattr("ingest.load.read_files", lambda *_: pytest.fail("it is read"))
    assert statuses(lab.ingest()) == ["unchanged"]


def test_file_rewritten_within_one_tick_of_the_clock_is_read_again(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = lab.add()
    unchanged = os.stat(path)
    coarse = SimpleNamespace(**vars(os) | {"stat": lambda _: unchanged})
    monkeypatch.setattr("ingest.records.ledger.os", coarse)
    lab.ingest()
    path.write_text(path.read_text().replace("fio-3.33", "fio-3.34"))
    assert statuses(lab.ingest()) == ["loaded"]


def test_too_large_number_quarantines_only_its_file(lab: Lab) -> None:
    text = re.sub(r'"total_ios": \d+', '"total_ios": 9223372036854775813', FIO_RUN.read_text())
    (lab.results / "a.json").write_text(text)
    lab.add("b.json", "fio-3.34")
    assert statuses(lab.ingest()) == ["quarantined", "loaded"]
    (reason,) = lab.refused().values()
    assert "Expected `int` <= 9223372036854775807 - at `$.jobs[0].read.total_ios`" in reason


def test_overflowing_row_quarantines_only_its_file(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab.add("a.json")
    lab.add("b.json", "fio-3.34")
    parse = fio.parse

    def overflow_a(path: Path, data: bytes) -> Any:
        note = [(1 << 70, "a line number")] if path.name == "a.json" else []
        return parse(path, data) | {"fio_notes": note}

    monkeypatch.setattr(fio, "parse", overflow_a)
    assert statuses(lab.ingest()) == ["quarantined", "loaded"]
    (reason,) = lab.refused().values()
    assert "has a value that fits no column" in reason


def test_parser_exception_quarantines_only_its_file(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab.add("a.json")
    lab.add("b.json", "fio-3.34")
    parse = fio.parse

    def fail_on_a(path: Path, data: bytes) -> Any:
        return {}["key"] if path.name == "a.json" else parse(path, data)

    monkeypatch.setattr(fio, "parse", fail_on_a)
    assert statuses(lab.ingest()) == ["quarantined", "loaded"]
    (reason,) = lab.refused().values()
    assert reason == "the fio parser failed, please report it: KeyError: 'key'"


def test_broken_sidecar_is_one_error_and_keeps_old_settings(lab: Lab) -> None:
    lab.add("a.json")
    sidecar = lab.results / "headroom.yml"
    sidecar.write_text("root: true\ncontroller: A\n")
    lab.ingest()
    sidecar.write_text("root: true\ncontroler: B\n")
    lab.add("b.json", "fio-3.34")
    assert statuses(lab.ingest()) == ["unchanged", "loaded", "quarantined"]
    assert lab.rows("select controller from raw.sidecars") == [("A",)]
    assert lab.rows("select parser from quality.quarantined_files") == [("sidecar",)]
    sidecar.write_text("root: true\ncontroller: B\n")
    lab.ingest()
    assert lab.rows("select controller from raw.sidecars") == [("B",), ("B",)]
    assert lab.refused() == {}


def test_folder_sidecar_applies_despite_a_bad_root_sidecar(lab: Lab) -> None:
    near = lab.add("near/a.json").with_name("headroom.yml")
    (lab.results / "headroom.yml").write_text("root: true\nserver: S\n")
    near.write_text("controller: A\n")
    lab.ingest()
    (lab.results / "headroom.yml").write_text("root: true\nserver: [S\n")
    near.write_text("controller: B\n")
    lab.add("near/b.json", "fio-3.34")
    assert statuses(lab.ingest()) == ["loaded", "loaded", "quarantined"]
    assert lab.rows("select server, controller from raw.sidecars order by all") == [
        ("S", "B"),
        (None, "B"),
    ]
    ((path, line),) = lab.rows("select path, line from quality.quarantined_files")
    assert (path, line) == (str(lab.results / "headroom.yml"), 3)


@pytest.mark.parametrize("text", ["controler: A\n", "files: [{regex: '(?P<drive_count>.)'}]\n"])
def test_bad_sidecar_stays_quarantined_until_fixed(lab: Lab, text: str) -> None:
    for folder in ("a", "b"):
        lab.add(f"{folder}/run.json", f"fio-{folder}")
    bad = lab.results / "a/headroom.yml"
    for mend in (
        lambda: bad.write_text("controller: A\n"),
        bad.unlink,
        lambda: forget(lab.connection, [lab.results / "a/run.json"]),
    ):
        bad.write_text(text)
        assert lab.ingest()[-1].status == "quarantined"
        before = lab.refused()
        assert [*before] == ["a/headroom.yml"]
        assert statuses(lab.ingest(lab.results / "b")) == ["unchanged"]
        lab.reparse()
        assert lab.refused() == before
        mend()
        lab.ingest(lab.results / "b")
        assert lab.refused() == {}


def test_ingesting_a_sidecar_applies_it_to_known_files(lab: Lab) -> None:
    sidecar = lab.results / "headroom.yml"
    lab.add()
    lab.ingest()
    lab.add("new.json", "fio-3.34")
    sidecar.write_text("root: true\ncontroller: A\n")
    for status in ("loaded", "unchanged"):
        (outcome,) = lab.ingest(sidecar)
        assert (outcome.path, outcome.status, outcome.parser) == (str(sidecar), status, "sidecar")
        assert lab.rows("select controller from raw.sidecars") == [("A",)]
    sidecar.write_text("root: true\ncontroler: B\n")
    assert statuses(lab.ingest(sidecar)) == ["quarantined"]
    assert lab.rows("select controller from raw.sidecars") == [("A",)]
    assert lab.rows("select parser from quality.quarantined_files") == [("sidecar",)]
    assert lab.rows("select count(*) from raw.sources") == [(1,)]


@pytest.mark.parametrize("name", ["headroom.yaml", "Headroom.yml", "headroom.yml.txt"])
def test_misnamed_sidecar_is_quarantined(lab: Lab, name: str) -> None:
    lab.add()
    path = lab.results / name
    path.write_text("controller: A\n")
    reason = "is not read under this name: rename it to headroom.yml"
    for _ in range(2):
        lab.ingest()
        assert lab.refused() == {name: reason}
    path.rename(lab.results / "headroom.yml")
    lab.ingest()
    assert lab.refused() == {}
    assert lab.rows("select controller from raw.sidecars") == [("A",)]


_TIMES = ("ingested_at", "loaded_at", "quarantined_at", "seen_as")


def _content(database: Path) -> dict[str, list[tuple[Any, ...]]]:
    with duckdb.connect(database, read_only=True) as connection:
        return {
            table: connection.execute(
                "select {} from {} order by all".format(
                    ", ".join(f'"{name}"' for name in schema if name not in _TIMES), table
                )
            ).fetchall()
            for table, schema in TABLES.items()
        }


def test_killed_and_repeated_ingest_equals_undisturbed_one(tmp_path: Path) -> None:
    """Killed while its workers read, which end, too; KILLS=12 in `make torture`."""
    results = tmp_path / "results"
    results.mkdir()
    text = FIO_RUN.read_text()
    for number in range(600):
        (results / f"{number}.json").write_text(text.replace("golden", f"job-{number // 2}"))
    (results / "torn.json").write_text(text[:3000])
    command = [Path(sys.executable).with_name("headroom"), "--warehouse"]
    run: list[Any] = [*command, tmp_path / "killed", "ingest", results]
    archive = Archive(tmp_path / "killed/archive")
    for kill in range(int(os.environ.get("KILLS", "2"))):
        before = {*archive.packs.glob("*")}
        process = subprocess.Popen(run, cwd=ROOT, stdout=subprocess.DEVNULL, start_new_session=True)
        while process.poll() is None and before == {*archive.packs.glob("*")}:
            time.sleep(0.01)
        time.sleep(0.1 * (kill % 4))
        process.kill()
        process.wait()
        _wait_for_the_end_of(process.pid)
    subprocess.run(run, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    run[2] = tmp_path / "undisturbed"
    subprocess.run(run, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    killed, undisturbed = (
        _content(tmp_path / name / "building.duckdb") for name in ("killed", "undisturbed")
    )
    assert len(undisturbed["raw.sources"]) == 600
    assert len(undisturbed["raw.files"]) == 300
    assert killed == undisturbed
    for file_id, *_ in killed["raw.files"]:
        archive.read(file_id)
    assert {path.suffix for path in archive.packs.iterdir()} == {".zip"}


def _wait_for_the_end_of(group: int) -> None:
    """Workers that wait for files for ever are an error."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    os.killpg(group, signal.SIGKILL)
    raise AssertionError("its workers are still there")


def test_moved_result_takes_the_sidecar_of_its_new_folder(lab: Lab) -> None:
    for name, level in (("a", "RAID 5"), ("b", "RAID 10")):
        (lab.results / name).mkdir()
        (lab.results / name / "headroom.yml").write_text(f"root: true\nraid_level: {level}\n")
    run = lab.add("a/run.json")
    lab.ingest()
    run.rename(lab.results / "b/run.json")
    lab.ingest()
    current = lab.rows(
        "select path, raid_level from raw.sources inner join raw.sidecars using (source_key) "
        "where is_current"
    )
    assert current == [(str(lab.results / "b/run.json"), "RAID 10")]


def test_forgotten_results_return_when_ingested_again(lab: Lab) -> None:
    lab.add("a.json")
    lab.add_torn()
    lab.ingest()
    assert forget(lab.connection, [lab.results]) == (1, 1)
    assert lab.rows("from raw.sources where is_current") == []
    assert statuses(lab.ingest()) == ["loaded", "quarantined"]
    history = lab.rows("select revision, is_current from raw.sources order by revision")
    assert history == [(1, False), (2, True)]
    assert [*lab.refused()] == ["torn.json"]


@pytest.mark.parametrize(
    "forgotten",
    ["lab", "lab/link.json", "real", "real/run.json", "lab/folder", "other", "other/torn.json"],
)
def test_linked_file_can_be_forgotten_by_either_path(tmp_path: Path, forgotten: str) -> None:
    lab = Lab(tmp_path)
    for folder in ("lab", "real", "other"):
        (tmp_path / folder).mkdir()
    (tmp_path / "real/run.json").write_bytes(FIO_RUN.read_bytes())
    (tmp_path / "other/torn.json").write_bytes(run_of("fio-3.33")[:3000])
    (tmp_path / "lab/link.json").symlink_to(tmp_path / "real/run.json")
    (tmp_path / "lab/folder").symlink_to(tmp_path / "other")
    lab.ingest(tmp_path / "lab", follow=[tmp_path / "real", tmp_path / "other"])
    is_run = forgotten in ("lab", "lab/link.json", "real", "real/run.json")
    is_torn = forgotten in ("lab", "lab/folder", "other", "other/torn.json")
    assert forget(lab.connection, [tmp_path / forgotten]) == (is_run, is_torn)
    assert len(lab.rows("from raw.sources where is_current")) == 1 - is_run
    assert len(lab.refused()) == 1 - is_torn


def test_result_behind_a_broken_link_is_forgotten(lab: Lab, tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    run = tmp_path / "gone/run.json"
    run.write_bytes(FIO_RUN.read_bytes())
    (lab.results / "folder").symlink_to(tmp_path / "gone")
    lab.ingest(follow=[tmp_path / "gone"])
    run.unlink()
    (tmp_path / "gone").rmdir()
    assert forget(lab.connection, [lab.results]) == (1, 0)


def test_ingest_and_reparse_survive_a_damaged_archive(lab: Lab) -> None:
    lab.add()
    lab.ingest()
    (pack,) = lab.archive.packs.iterdir()
    pack.write_bytes(pack.read_bytes()[:20])
    lab.reparse(everything=True)
    lab.reparse()
    assert statuses(lab.ingest()) == ["unchanged"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16-le", "utf-16-be"])
def test_a_byte_order_mark_is_no_part_of_a_result(lab: Lab, encoding: str) -> None:
    mark = "" if encoding == "utf-8-sig" else "\ufeff"
    golden = ROOT / "tests/golden"
    names = (
        "fio/fio-3.33-randrw.json", "fio_log/golden_lat.1.log", "fio_text/v3.33-terse-5.txt",
        "vdbench/flatfile.html", "disk_mark/kdiskmark-3.txt", "elbencho/csv-3.1-mix.csv",
        "iometer/inst-1.1.0.csv", "diskspd/text-2.2.txt",
    )  # fmt: skip
    for name in names:
        text = mark + (golden / name).read_text()
        (lab.results / name.replace("/", "-")).write_text(text, encoding=encoding)
    assert set(statuses(lab.ingest())) == {"loaded"}


def test_pipe_is_quarantined_and_other_files_are_loaded(lab: Lab) -> None:
    os.mkfifo(lab.results / "pipe")
    (lab.results / "run_slat.1.log").touch()
    statuses = status_by_name(lab.ingest())
    assert statuses == {"pipe": "quarantined", "run_slat.1.log": "loaded"}
    (reason,) = lab.refused().values()
    assert "is a pipe, socket or device, not a regular file" in reason


def test_result_after_pages_of_messages_is_loaded(lab: Lab) -> None:
    messages = "verify: bad magic header 0, wanted acca at file /dev/sda offset 0\n" * 200
    (lab.results / "run.json").write_text(messages + FIO_RUN.read_text())
    assert statuses(lab.ingest()) == ["loaded"]
