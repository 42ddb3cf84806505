"""A package with a parser, installed beside Headroom: docs/parser-template and docs/parsers.md."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from tests.conftest import ROOT, Ask, asking

TEMPLATE = ROOT / "docs/parser-template"
RESULT = """\
mybench 1.2
rw,block,depth,seconds,iops,mean_us
read,4096,32,60,183250.5,174.6
write,4096,32,60,90000,355.5
"""


NONSENSE = """\
    odd = dict(tool_name="oddbench", random_ratio=-1.0, read_ratio=70.0, block_bytes=0,
               outstanding_io_count=2**62, worker_count=2**62, file_size_bytes=2**62,
               measured_at_ms=2**62, runtime_seconds=-1.0, io_count=-5, cpu_ratio=1e300,
               percentile_ratios=[0.5, 0.5, 7.0, -1.0], percentile_latencies_us=[1.0, 2.0])
    for number in (float("nan"), float("inf"), -1.0, 1e308, None):
        results.append(generic.Result(position="odd", iops=number, latency_mean_us=number, **odd))
    samples = [
        generic.Sample(result_index=index, elapsed_seconds=at, interval_seconds=at, iops=at)
        for index in (0, 3, 99)
        for at in (float("nan"), float("inf"), None, 0.0, -1.0, *range(1, 20))
    ]
    return generic.rows(results, samples)
"""


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of two packages: the template, and one for oddbench that also returns nonsense."""
    folder = tmp_path_factory.mktemp("sources")
    template, odd = folder / "template", folder / "odd"
    shutil.copytree(TEMPLATE, template)
    odd.mkdir()
    for file in template.iterdir():
        text = file.read_text().replace("mybench", "oddbench")
        text = text.replace("    return generic.rows(results)\n", NONSENSE)
        (odd / file.name.replace("mybench", "oddbench")).write_text(text)
    target = tmp_path_factory.mktemp("packages")
    uv = Path(sys.executable).with_name("uv")
    install = [uv, "pip", "install", "--quiet", "--offline", "--no-deps", "--no-build-isolation"]
    command = [*install, "--python", sys.executable, "--target", target, template, odd]
    subprocess.run(command, check=True)
    return target


def _headroom(packages: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("headroom")
    environment = os.environ | {"PYTHONPATH": str(packages)}
    return subprocess.run([program, *arguments], capture_output=True, text=True, env=environment)


@pytest.fixture(scope="module")
def ask(packages: Path, empty: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """The release of a night with results of both tools."""
    folder = tmp_path_factory.mktemp("night")
    (folder / "lab").mkdir()
    (folder / "lab/run.txt").write_text(RESULT)
    (folder / "lab/torn.txt").write_text(RESULT[:-12])
    (folder / "lab/odd.txt").write_text(RESULT.replace("mybench", "oddbench"))
    warehouse = folder / "warehouse"
    warehouse.mkdir()
    shutil.copy(empty, warehouse / "building.duckdb")
    night = _headroom(packages, "--warehouse", warehouse, "nightly", folder / "lab")
    assert night.returncode == 0, night.stderr
    with duckdb.connect(warehouse / "headroom.duckdb", read_only=True) as connection:
        yield asking(connection)


def test_the_template_brings_a_format_to_the_boards(ask: Ask) -> None:
    query = """
        select profile_label, value_label, run_verdict, runs.latency_mean_us
        from marts.rpt_newest_runs inner join marts.measurements as runs using (measurement_id)
        where source_format = 'mybench'
        order by profile_label
    """
    verdict = "insufficient data"
    assert ask(query) == [
        ("random, 0 % read, 4KiB", "90 kIOPS at 32 outstanding I/Os", verdict, 355.5),
        ("random, 100 % read, 4KiB", "183.251 kIOPS at 32 outstanding I/Os", verdict, 174.6),
    ]
    query = "select parse_filename(path), line from quality.quarantined_files"
    assert ask(query) == [("torn.txt", 4)]


def test_nonsense_values_do_not_block_the_release(ask: Ask) -> None:
    query = """
        select count(*), count(*) filter (is_valid) from marts.measurements
        where source_format = 'oddbench'
    """
    assert ask(query) == [(7, 2)]
    status = "select status from quality.nightly_runs"
    assert ask(status) == [("published",)]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("VERSION = 1", ""), "has no VERSION"),
        (("import csv", "import csw"), "cannot be loaded: ModuleNotFoundError: No module named"),
        (('NAME = "mybench"', 'NAME = "fio"'), "has the name of one of Headroom's, fio"),
    ],
)
def test_an_unusable_package_is_named(
    packages: Path, tmp_path: Path, change: tuple[str, str], reason: str
) -> None:
    broken = tmp_path / "packages"
    shutil.copytree(packages, broken)
    module = broken / "headroom_mybench.py"
    module.write_text(module.read_text().replace(*change))
    run = _headroom(broken, "ingest", tmp_path)
    assert run.returncode == 2
    assert run.stderr.startswith(f"headroom: the parser of headroom-mybench {reason}")
    assert run.stderr.endswith("update or uninstall headroom-mybench\n")
