"""Installed from a wheel: no clone, no index, no write access to the package."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from headroom.engines.duckdb.build_state import models_fingerprint
from tests.conftest import ROOT

START_PAGE = ROOT / "docs/start.md"
START = START_PAGE.read_text()
_OWN_RUN = ROOT / "data/samples/fio-virtual-disk-runs/2026-11-21-database.json"
_PAPERS = ("fujitsu-raid-controllers-2016", "demartek-ibm-hp-2009")
Installed = Callable[..., str]


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The site-packages of a fresh environment: the wheel, with its dependencies from this one.

    Only two papers and the documents without drive ratings stay: all would take twice as long.
    """
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run(["make", "--silent", "wheel", f"DIST={folder}"], cwd=ROOT, check=True)
    venv.create(folder / "venv", symlinks=True)
    (wheel,) = folder.glob("*.whl")
    uv = Path(sys.executable).with_name("uv")
    install = [uv, "pip", "install", "--quiet", "--offline", "--no-deps", wheel]
    subprocess.run([*install, "--python", folder / "venv/bin/python"], check=True)
    (packages,) = folder.glob("venv/lib/python3*/site-packages")
    # Only its path: Python ignores the .pth files in it, such as that of this clone.
    (packages / "needs.pth").write_text(sysconfig.get_path("purelib") + "\n")
    for library in ("white_papers", "catalog"):
        documents = list((packages / "headroom/files/data" / library).iterdir())
        assert len(documents) == len(list((ROOT / "data" / library).iterdir()))
        for document in documents:
            is_rating = "rated_" in (document / "facts.csv").read_text()
            if document.name not in _PAPERS if library == "white_papers" else is_rating:
                shutil.rmtree(document)
    _make_writable(packages, False)
    yield packages
    _make_writable(packages, True)


def _make_writable(folder: Path, is_writable: bool) -> None:
    for path in (folder, *folder.rglob("*")):
        path.chmod(path.stat().st_mode | 0o200 if is_writable else path.stat().st_mode & ~0o222)


@pytest.fixture(scope="module")
def empty_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the run and the headroom.yml of docs/start.md."""
    folder = tmp_path_factory.mktemp("empty")
    (folder / "my-results").mkdir()
    shutil.copy(_OWN_RUN, folder / "my-results/database.json")
    (sidecar,) = re.findall(r"```yaml\n((?s:.*?))```", START)
    (folder / "my-results/headroom.yml").write_text(sidecar)
    return folder


@pytest.fixture(scope="module")
def headroom(packages: Path, empty_folder: Path) -> Installed:
    """Runs `headroom ...` in a folder with only results, in an environment without the clone."""
    environment = {"PATH": os.defpath, "HOME": str(empty_folder), "PYTHONDONTWRITEBYTECODE": "1"}

    def run(*arguments: str | Path) -> str:
        result = subprocess.run(
            [packages.parents[2] / "bin/headroom", *arguments],
            cwd=empty_folder,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert result.returncode == 0, result.stdout + result.stderr
        assert str(ROOT) not in result.stdout + result.stderr
        return result.stdout

    return run


def _state(folder: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*")}


@pytest.fixture(scope="module")
def night(packages: Path, headroom: Installed, empty: Path, empty_folder: Path) -> str:
    (empty_folder / "warehouse").mkdir()
    shutil.copy(empty, empty_folder / "warehouse")
    before = _state(packages)
    told = headroom("nightly", "my-results")
    assert _state(packages) == before  # permissions do not stop root
    return told


def test_a_night_publishes_results_papers_and_catalog(night: str, headroom: Installed) -> None:
    assert "published" in night
    query = (
        "select source_format, count(*) > 50 as are_many, count(ceiling_iops) > 0 as have_limits "
        "from measurements group by all order by all"
    )
    rows = headroom("sql", "--format", "csv", query).splitlines()[1:]
    assert rows == ["fio,false,true", "white_paper,true,true"]
    paths = headroom("sql", "--format", "csv", "select path from raw.sources where is_current")
    assert {"my-results/database.json"} == {
        path for path in paths.split() if path.endswith(".json")
    }
    assert "headroom/files/data/catalog/" in paths


def test_dbt_reads_the_models(packages: Path, empty_folder: Path) -> None:
    """The night built nothing: it began with tables that the same models had built."""
    models, target = packages / "headroom/files/dbt_project", empty_folder / "warehouse/dbt"
    parse = [packages.parents[2] / "bin/python", "-P", "-m", "headroom.engines.duckdb.dbt_process"]
    parse += ["--project-dir", models, "--profiles-dir", models]
    settings = {"DBT_TARGET_PATH": str(target), "DBT_LOG_PATH": str(target)}
    settings |= {"HEADROOM_BUILDING": "building.duckdb", "PYTHONDONTWRITEBYTECODE": "1"}
    before = _state(packages)
    found = subprocess.run(
        parse, cwd=empty_folder, env=os.environ | settings, input='["ls"]', check=True, text=True,
        stdout=subprocess.PIPE,
    )  # fmt: skip
    assert _state(packages) == before
    assert "headroom.marts.fct_measurements" in found.stdout.split()
    assert models_fingerprint(models) == models_fingerprint(ROOT / "dbt_project")


def test_start_page_shows_the_printed_output(
    night: str, headroom: Installed, request: pytest.FixtureRequest
) -> None:
    """For commands on these results; test_describe.py tests `describe` on a virtual machine."""
    shown = dict(re.findall(r"```console\n\$ headroom (.*)\n((?s:.*?))```", START))
    commands = [command for command in shown if not command.startswith("describe")]
    assert [command.split()[0] for command in commands] == ["nightly", "compare", "report"]
    page = START
    for command in commands:
        is_night = command == "nightly my-results"
        printed = night if is_night else headroom(*shlex.split(command))
        if _comparable(printed) != _comparable(shown[command]):
            page = page.replace(f"{command}\n{shown[command]}", f"{command}\n{printed}")
    if request.config.getoption("--regenerate"):
        START_PAGE.write_text(page)
    assert START_PAGE.read_text() == page


def _comparable(text: str) -> str:
    """Without timestamps, durations, whether dbt built, and counts of the library's documents."""
    numbers = r"files: \d+|measurements: \d+"
    return re.sub(rf"\d{{8}}T\d+Z|after \d+ s|^built.*|{numbers}", "", text)


def test_systemd_units_are_installed(packages: Path) -> None:
    (unit,) = packages.glob("headroom/files/deploy/*.service")
    assert unit.read_text() == (ROOT / "deploy/headroom.service").read_text()
    assert unit.with_suffix(".timer").exists()


def test_commands_create_only_the_warehouse(night: str, empty_folder: Path) -> None:
    made = {path.name for path in empty_folder.iterdir()}
    assert made - {"report.html"} == {"my-results", "warehouse"}


def test_example_queries_and_boards_are_installed(
    night: str, headroom: Installed, empty_folder: Path, tmp_path: Path
) -> None:
    assert "5900 MB/s" in headroom("sql", "--example", "provenance")
    headroom("boards", tmp_path)
    assert {path.name for path in (tmp_path / "boards").iterdir()} == {
        path.name for path in (ROOT / "dashboards/generated").iterdir()
    }
    source = (tmp_path / "provisioning/datasources/headroom.yml").read_text()
    assert str(empty_folder / "warehouse/headroom.duckdb") in source


def test_second_night_without_paths_finds_nothing_new(night: str, headroom: Installed) -> None:
    assert "nothing new to publish" in headroom("nightly")
