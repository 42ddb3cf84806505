"""`headroom digitise`: from a new paper's folder to its values beside its pages."""

import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from headroom.cli import main
from ingest.parsers.white_paper import parse
from tests.conftest import INSTALLED, ROOT

PAPER = ROOT / "data/white_papers/fujitsu-raid-controllers-2016"
_ROW = "en,7,table 1,,,,,D,1,,randread 4k,,,,,iops,{value},,,,,\n"


def _digitise(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["digitise", *map(str, arguments)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A started paper of 9 pages that describes a drive and a load profile."""
    folder = tmp_path / "my-paper"
    assert _digitise(folder).output.splitlines() == [
        f"{folder}: wrote document.yml, measurements.csv, facts.csv, profiles.csv",
        f"{folder}: no rows yet",
        f"{folder}/document.yml: replace each 'to be filled in'",
    ]
    document = folder / "document.yml"
    text = document.read_text().replace("page_count: null", "page_count: 9")
    document.write_text(text.replace("to be filled in", "T"))
    with (folder / "facts.csv").open("a") as facts:
        facts.write("en,7,table 1,drive,D,media,,SSD,,,\n")
    with (folder / "profiles.csv").open("a") as profiles:
        profiles.write("en,7,table 1,randread 4k,,100%,100%,4k,100%,,,\n")
    return folder


def test_a_started_paper_is_readable(tmp_path: Path) -> None:
    assert _digitise(tmp_path / "new").exit_code == 0
    path = tmp_path / "new/document.yml"
    (row,) = parse(path, path.read_bytes())["white_paper_documents"]
    assert row[0] == "new"


def test_bad_rows_are_named(folder: Path) -> None:
    with (folder / "measurements.csv").open("a") as sheet:
        sheet.write(_ROW.format(value="five"))
        sheet.write(_ROW.format(value="9 IOPS").replace("en,7", "en,10"))
    result = _digitise(folder)
    assert result.exit_code == 2
    first, second = result.output.splitlines()
    assert first.startswith(f"{folder}/measurements.csv:2: ") and "five" in first
    assert second.startswith(f"{folder}/measurements.csv:3: page 10 is outside")


def test_values_stand_beside_their_pages(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (folder / "measurements.csv").open("a") as sheet:
        sheet.write(_ROW.format(value="over 90K IOPS"))
    (folder.parent / "paper.pdf").touch()
    monkeypatch.chdir(folder.parent)
    result = _digitise(folder, "--paper", "paper.pdf")
    assert result.output.splitlines() == [
        f"{folder}: measurements.csv 1, facts.csv 1, profiles.csv 1",
        f"wrote {folder.name}.html",
    ]
    page = Path(f"{folder}.html").read_text()
    assert 'paper.pdf#page=7" target="paper">en, page 7</a>' in page
    assert "<td>over 90K IOPS</td><td>D, 1, randread 4k, iops" in page
    assert "measurements.csv:2" in page


def test_project_paper_has_no_faults(tmp_path: Path) -> None:
    result = _digitise(PAPER)
    assert result.exit_code == 0, result.output


def test_a_watched_folder_is_checked_after_each_change(folder: Path) -> None:
    sheet = folder / "measurements.csv"
    header = sheet.read_text()
    sheet.write_text(header + _ROW.format(value="five"))
    command = [str(INSTALLED), "digitise", str(folder), "--watch"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT
    ) as watching:
        assert watching.stdout
        assert "measurements.csv:2: " in watching.stdout.readline()
        sheet.write_text(header + _ROW.format(value="5 IOPS"))
        assert "measurements.csv 1, facts.csv 1" in watching.stdout.readline()
        watching.kill()
