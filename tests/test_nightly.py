"""`headroom nightly` end to end: what is wrong stops it, and what was published stays."""

import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from tests.conftest import MINIMAL_PAPER, Headroom, run_headroom


def test_a_bad_paper_fails_the_nightly_and_the_published_file_stays(
    warehouse: Path, paper: Path, tmp_path: Path
) -> None:
    copy = shutil.copytree(warehouse, tmp_path / "warehouse", symlinks=True)
    release = (copy / "headroom.duckdb").resolve()
    sheet = paper / "measurements.csv"
    sheet.write_text(sheet.read_text().replace("about 240000 IO/s", "plenty"))
    result = run_headroom(copy, "nightly", paper)
    assert result.returncode == 2
    assert f"{sheet}:2: cannot read a value in 'plenty'" in result.stdout
    assert (copy / "headroom.duckdb").resolve() == release
    with duckdb.connect(copy / "nights.duckdb", read_only=True) as connection:
        assert connection.execute(
            "select status, reason, file_loaded_count, file_quarantined_count, measurement_count, "
            "check_passed_count, release from quality.nightly_runs where is_latest"
        ).fetchall() == [
            ("failed", f"{paper}: not loaded; mend the lines named above", 0, 1, None, None, None)
        ]
    listed = run_headroom(copy, "sql", "from marts.dim_documents", "--format", "json")
    assert "minimal-paper" not in listed.stdout


@pytest.mark.parametrize("name", ["document-id", "documents"])
def test_a_broken_document_yml_fails_the_nightly(
    headroom: Headroom, paper: Path, name: str
) -> None:
    document = paper / "document.yml"
    document.write_text(document.read_text().replace("document_id", name))
    result = headroom("nightly", paper)
    assert result.returncode == 2
    assert "document.yml: not a valid document.yml" in result.stdout
    status = headroom("status")
    assert status.returncode == 2
    assert "failed" in status.stdout
    assert "nothing published yet" in status.stderr


def test_a_night_that_is_stopped_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "warehouse"
    command = [Path(sys.executable).with_name("headroom"), "nightly", "--warehouse", folder]
    with subprocess.Popen([*command, MINIMAL_PAPER], stderr=subprocess.PIPE, text=True) as night:
        assert night.stderr
        while "building the marts" not in night.stderr.readline():
            assert night.poll() is None
        night.terminate()
        assert "stopped from outside" in night.stderr.read()
    assert night.returncode == 2
    with duckdb.connect(folder / "nights.duckdb", read_only=True) as connection:
        assert connection.execute("select status, reason from quality.nightly_runs").fetchall() == [
            ("failed", "stopped from outside (SIGTERM)")
        ]
