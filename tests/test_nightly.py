"""`headroom nightly` end to end: a fault stops it, and the published release stays."""

import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from headroom.engines.duckdb.build import build
from headroom.read.status import last_failure
from headroom.release.publish import refuse_empty_release
from headroom.release.restore import restore_if_lost
from headroom.warehouse import ChecksFailed, WarehouseError
from headroom.write.nightly import _Run, nightly
from tests.conftest import MINIMAL_PAPER, Headroom, copy_warehouse, run_headroom
from tests.lab import WarehouseLab, harm


def test_a_broken_document_yml_fails_an_ingest(headroom: Headroom, paper: Path) -> None:
    document = paper / "document.yml"
    document.write_text(document.read_text().replace("document_id", "document-id"))
    result = headroom("ingest", paper)
    assert result.returncode == 2
    assert "document.yml: not a valid document.yml" in result.stdout
    assert f"{paper}: not loaded; fix the lines listed above" in result.stderr


LOG = "".join(f"{second * 1000}, 2000, 0, 4096, 0\n" for second in range(1, 60))


@pytest.mark.parametrize(
    ("logs", "refused", "reason"),
    [
        (0, 0, "no results were found"),
        (2, 0, "2 fio logs waiting for JSON results"),
        (1, 1, "1 fio log waiting for JSON results, 1 file that cannot be read"),
    ],
)
def test_empty_release_is_refused_with_its_reason(
    tmp_path: Path, logs: int, refused: int, reason: str
) -> None:
    lab = WarehouseLab(tmp_path)
    for number in range(logs):
        (lab.results / f"{number}_iops.1.log").write_text(
            LOG + f"{60 + number}000, 2, 1, 4096, 0\n"
        )
    for number in range(refused):
        lab.add_torn(f"{number}.json")
    lab.ingest()
    with lab.warehouse.open_building() as connection:
        connection.execute("create schema marts; create table marts.measurements (iops double)")
        with pytest.raises(ChecksFailed, match=f"^nothing to publish yet: {reason}$"):
            refuse_empty_release(lab.warehouse, connection)


def test_a_night_without_a_result_is_held_back(empty: Path, tmp_path: Path) -> None:
    results, warehouse = tmp_path / "results", tmp_path / "warehouse"
    for folder in (results, warehouse):
        folder.mkdir()
    (results / "a_iops.1.log").write_text(LOG)
    shutil.copy(empty, warehouse)
    reason = "nothing to publish yet: 1 fio log waiting for JSON results"
    night = run_headroom(warehouse, "nightly", results)
    assert night.returncode == 1
    assert night.stderr.endswith(f"headroom: {reason}\n")
    assert "critical" not in night.stdout + night.stderr
    status = run_headroom(warehouse, "status")
    assert status.returncode == 1
    assert status.stderr.endswith(f" held back: {reason}\n")
    assert "Nothing published yet" in status.stdout


def test_stopped_night_is_recorded_as_failed(tmp_path: Path) -> None:
    folder = tmp_path / "warehouse"
    command = [Path(sys.executable).with_name("headroom"), "nightly", "--warehouse", folder]
    with subprocess.Popen([*command, MINIMAL_PAPER], stderr=subprocess.PIPE, text=True) as night:
        assert night.stderr
        while "building the marts" not in night.stderr.readline():
            assert night.poll() is None
        night.terminate()
        assert "stopped by SIGTERM" in night.stderr.read()
    assert night.returncode == 2
    with duckdb.connect(folder / "nights.duckdb", read_only=True) as connection:
        assert connection.execute("select status, reason from quality.nightly_runs").fetchall() == [
            ("failed", "stopped by SIGTERM")
        ]


def test_night_stopped_during_a_query_is_recorded(empty: Path, tmp_path: Path) -> None:
    """DuckDB wraps the signal handler's exception, and its other threads continue the query."""
    shutil.copy(empty, tmp_path)
    script = """if True:
        import os, signal, sys, threading
        from pathlib import Path
        from headroom.warehouse import Warehouse
        from headroom.write import night_steps, nightly

        def slow(warehouse, dbt):
            stop = (os.getpid(), signal.SIGTERM)
            threading.Timer(0.5, os.kill, stop).start()
            with warehouse.open_building() as connection:
                connection.execute("select sum(hash(a, b)) from range(999999) a, range(99999) b")

        night_steps.build_what_is_new = slow
        nightly.nightly(Warehouse(Path(sys.argv[1])), ())
        """
    night = subprocess.run(
        [sys.executable, "-c", script, tmp_path], capture_output=True, text=True, timeout=60
    )
    assert night.stderr.endswith("WarehouseError: stopped by SIGTERM\n")
    assert "failed after" in night.stdout
    with duckdb.connect(tmp_path / "nights.duckdb", read_only=True) as connection:
        assert connection.execute("select status, reason from quality.nightly_runs").fetchall() == [
            ("failed", "stopped by SIGTERM")
        ]


def test_stopping_a_build_ends_dbt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if dbt prints nothing for a long time."""

    def stop(lines: Iterator[str]) -> None:
        next(lines)
        raise WarehouseError("stopped")

    lab = WarehouseLab(tmp_path)
    lab.add()
    lab.ingest()
    ended = tmp_path / "ended"
    slow = "import time, pathlib; print('started', flush=True); time.sleep(20); "
    slow += f"pathlib.Path({str(ended)!r}).touch()"
    monkeypatch.setattr("headroom.engines.duckdb.build._DBT", [sys.executable, "-c", slow])
    monkeypatch.setattr("headroom.engines.duckdb.build._show_progress", stop)
    with pytest.raises(WarehouseError, match="stopped"):
        build(lab.warehouse, with_unit_tests=False)
    assert not ended.exists()


def test_dbt_ends_when_its_run_is_killed() -> None:
    slow = (
        "import time; from headroom.engines.duckdb import dbt_process as dbt; "
        "dbt._run = lambda _: (print('started', flush=True), time.sleep(600)); dbt.main()"
    )
    run = "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]])"
    with subprocess.Popen([sys.executable, "-c", run, slow], stdout=subprocess.PIPE) as killed:
        assert killed.stdout
        assert killed.stdout.readline() == b"started\n"
        killed.kill()
        assert killed.stdout.read() == b""  # ends when dbt, which shares it, ends


def test_night_rebuilds_a_damaged_building_and_continues(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def stop(*_: object) -> None:
        raise WarehouseError("nothing is built here")

    lab = WarehouseLab(tmp_path)
    lab.add()
    lab.ingest()
    before = lab.rows()
    lab.warehouse.building.write_bytes(b"no database")
    (tmp_path / "nothing new").mkdir()
    monkeypatch.setattr("headroom.write.night_steps.build_what_is_new", stop)
    monkeypatch.setattr(signal, "signal", lambda *_: None)  # keep the tests' own handlers
    with pytest.raises(WarehouseError, match="nothing is built here"):
        nightly(lab.warehouse, (tmp_path / "nothing new",))
    told = capfd.readouterr()
    assert f"{lab.warehouse.building} is damaged" in told.err
    assert "from 1 archived files: 1 sources" in told.out
    assert lab.rows()["raw.sources"] == before["raw.sources"]
    assert lab.rows()["raw.fio_jobs"] == before["raw.fio_jobs"]
    assert Path(f"{lab.warehouse.building}.damaged").read_bytes() == b"no database"


def test_night_that_finds_damage_leaves_repair_to_the_next(tmp_path: Path) -> None:
    lab = WarehouseLab(tmp_path)
    lab.add()
    lab.ingest()
    run = _Run(lab.warehouse)
    harm_rows(lab.warehouse.building)
    run.stop(WarehouseError("dbt build failed"))
    run.close()
    assert not lab.warehouse.building.exists()
    told = last_failure(lab.warehouse)
    assert told
    assert told.endswith("the next run rebuilds it")
    assert "is damaged" in told
    assert restore_if_lost(lab.warehouse)
    assert lab.warehouse.fault_of_building(is_thorough=True) is None


def test_unreadable_release_is_published_anew(warehouse: Path, tmp_path: Path) -> None:
    """By `verify --repair` without a night, and by a night with nothing new."""
    copy = copy_warehouse(warehouse, tmp_path / "warehouse")
    published = copy / "headroom.duckdb"
    changed = published.resolve()
    shutil.copy(changed, tmp_path)
    changed.unlink()
    shutil.copy(tmp_path / changed.name, changed)  # a link to that of the tests' warehouse before
    harm(changed)
    repaired = run_headroom(copy, "verify", "--repair")
    assert repaired.returncode == 0, repaired.stderr
    lost = published.resolve()
    assert lost != changed
    assert f"repaired {published}: published anew as {lost.name}\n" in repaired.stdout
    lost.unlink()
    night = run_headroom(copy, "nightly")
    assert night.returncode == 0, night.stdout + night.stderr
    assert f"headroom: {lost} is missing; publishing it anew\n" in night.stderr
    assert published.resolve() != lost
    asked = run_headroom(copy, "sql", "select count(*) > 0 as found from measurements")
    assert "true" in asked.stdout
    assert "undamaged" in run_headroom(copy, "verify").stdout


def harm_rows(building: Path) -> None:
    """Damage the last blocks, which hold data."""
    data = bytearray(building.read_bytes())
    data[-300_000:] = bytes(255 - byte for byte in data[-300_000:])
    building.write_bytes(data)
