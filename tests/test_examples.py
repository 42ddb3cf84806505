"""The examples in each command's help run as they stand, in a folder that has what they name."""

import gzip
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import click
import pytest

from headroom.cli import main
from tests.conftest import ROOT

RUN = ROOT / "data/samples/fio-virtual-disk/2026-11-21-libaio.json"
TOOLS = ROOT / "tests/describe"
# They need another machine, a mail server, a terminal or nights with a change. `make test` does the
# whole lines anyway.
_LEFT_OUT = re.compile(
    r"scp |mail |acknowledge|compare previous last"
    r"|^headroom (sql|build|check|ingest data|nightly data|reparse --all)$"
)


def _examples() -> list[str]:
    context = click.Context(main)
    commands = [main.get_command(context, name) for name in main.list_commands(context)]
    lines = [line.strip() for one in (main, *commands) if one for line in one.epilog.splitlines()]
    found = [line for line in lines if "headroom " in line and not _LEFT_OUT.search(line)]
    assert len(found) > len(commands)
    return found


@pytest.fixture
def folder(warehouse: Path, tmp_path: Path) -> Path:
    """With `data`, a warehouse of it, and own results in `results` and `results.tar.gz`."""
    shutil.copytree(warehouse, tmp_path / "warehouse", symlinks=True)
    (tmp_path / "data").symlink_to(ROOT / "data")
    (tmp_path / ".config/fish/completions").mkdir(parents=True)
    for name in ("2026-11-20/run.json", "raid5/run.json"):
        target = tmp_path / "results" / name
        target.parent.mkdir(parents=True)
        shutil.copy(RUN, target)
    for name, tool_output in {"lsblk": "lsblk", "sda": "sata", "c0": "c0"}.items():
        shutil.copy(TOOLS / f"{tool_output}.json", tmp_path / f"{name}.json")
    (tmp_path / "results/broken.json").write_text("{")
    (tmp_path / "results/other.json.gz").write_bytes(gzip.compress(RUN.read_bytes()))
    with tarfile.open(tmp_path / "results.tar.gz", "w:gz") as packed:
        packed.add(RUN, "run.json")
    (tmp_path / "slowest.sql").write_text(
        "select min(iops) from measurements where vendor = $vendor"
    )
    return tmp_path


@pytest.mark.parametrize("example", _examples())
def test_an_example_runs(folder: Path, example: str) -> None:
    command = example.replace("/srv/fio-results", "results")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=folder,
        env=os.environ | {"PATH": path, "HOME": str(folder)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
