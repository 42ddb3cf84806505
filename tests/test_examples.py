"""The examples in each command's help run unchanged, in a folder with the files they name."""

import gzip
import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import click
import pytest

from headroom.cli import main
from tests.conftest import ROOT, copy_warehouse, program
from tests.test_docs import EXAMPLES

RUN = ROOT / "data/samples/fio-virtual-disk/2026-11-21-libaio.json"
TOOLS = ROOT / "tests/describe"
# They need another machine, a mail server, a bucket, a terminal or nights with a change; or they
# are slow, and other tests run the same command. So does test_docs, for what the documents show.
_LEFT_OUT = re.compile(
    r"scp |mail |s3://|acknowledge|compare previous last"
    r"|^headroom (sql|build|check|ingest data|nightly data|reparse --all|export tables)$"
    r"|publish$|nightly --papers|report results.html$|--pdf"
)
# These write to the warehouse; others write at most to their folder.
_WRITES = re.compile(r"headroom (nightly|publish|reparse|(ingest|forget)(?! --dry)|.*--repair)\b")


def _examples() -> list[str]:
    context = click.Context(main)
    commands = [main.get_command(context, name) for name in main.list_commands(context)]
    lines = [line.strip() for one in (main, *commands) if one for line in one.epilog.splitlines()]
    shown = {f"headroom {command}" for command, _ in EXAMPLES}
    found = [line for line in dict.fromkeys(lines) if "headroom " in line and line not in shown]
    assert len(found) > len(commands)
    return [line for line in found if not _LEFT_OUT.search(line)]


def test_each_command_has_an_example() -> None:
    context = click.Context(main)
    for name in main.list_commands(context):
        command = main.get_command(context, name)
        assert command and f"headroom {name}" in (command.epilog or "")


def _prepared(folder: Path) -> Path:
    """The folder with `data`, and own results in `results` and `results.tar.gz`."""
    (folder / "data").symlink_to(ROOT / "data")
    paper = "calomel-zfs-raid"
    shutil.copytree(ROOT / "data/white_papers" / paper, folder / "papers" / paper)
    (folder / ".config/fish/completions").mkdir(parents=True)
    for name in ("2026-11-20/run.json", "raid5/run.json"):
        target = folder / "results" / name
        target.parent.mkdir(parents=True)
        shutil.copy(RUN, target)
    for name, tool_output in {"lsblk": "lsblk", "sda": "sata", "c0": "c0"}.items():
        shutil.copy(TOOLS / f"{tool_output}.json", folder / f"{name}.json")
    (folder / "results/broken.json").write_text("{")
    (folder / "results/other.json.gz").write_bytes(gzip.compress(RUN.read_bytes()))
    with tarfile.open(folder / "results.tar.gz", "w:gz") as packed:
        packed.add(RUN, "run.json")
    (folder / "slowest.sql").write_text("select min(iops) from measurements where vendor = $vendor")
    return folder


@pytest.fixture(scope="module")
def copied(warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_warehouse(warehouse, tmp_path_factory.mktemp("read") / "warehouse")


@pytest.mark.parametrize("example", _examples())
def test_an_example_runs(copied: Path, few_predictions: Path, tmp_path: Path, example: str) -> None:
    if _WRITES.search(example):
        copy_warehouse(copied, tmp_path / "warehouse")
    else:
        read = few_predictions if "export" in example else copied
        (tmp_path / "warehouse").symlink_to(read)
    _run(_prepared(tmp_path), example)


def _run(folder: Path, example: str) -> None:
    command = example.replace("/srv/fio-results", "results")
    path = f"{program().parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=folder,
        env=os.environ | {"PATH": path, "HOME": str(folder)},
        capture_output=True,
        text=True,
    )
    # `verdict` exits with 1, because the samples are not trusted
    assert done.returncode == (" verdict" in example and "||" not in example), done.stderr
