"""The documents match the program."""

import itertools
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from headroom.cli import main
from ingest.parsers.white_paper.document import Document, Edition, Units
from ingest.parsers.white_paper.sheets import SHEETS
from ingest.parsers.white_paper.vocabulary import QUANTITY_BY_ATTRIBUTE
from ingest.systems.describe.ranking import READER_OF
from ingest.systems.sidecar.definitions import ControllerDefinition, DriveDefinition
from ingest.systems.sidecar.fields import FileEntry, Sidecar
from tests.conftest import ROOT, run_headroom

README = (ROOT / "README.md").read_text()
CEILINGS = (ROOT / "docs/ceilings.md").read_text()
PREDICTIONS = (ROOT / "docs/predictions.md").read_text()
SYSTEM = (ROOT / "docs/system.md").read_text()
COMPARE = (ROOT / "docs/compare.md").read_text()
VERDICTS = (ROOT / "docs/verdicts.md").read_text()
CLAIMS = (ROOT / "docs/claims.md").read_text()
LIBRARY = (ROOT / "docs/library.md").read_text()
WALKS = (ROOT / "docs/follow-a-number.md").read_text()
EXAMPLES = re.findall(
    r"```console\n\$ \.venv/bin/headroom (.*)\n((?s:.*?))```",
    README + CEILINGS + PREDICTIONS + CLAIMS + LIBRARY + WALKS + SYSTEM + COMPARE + VERDICTS,
)


@pytest.mark.parametrize(("command", "output"), EXAMPLES, ids=range(len(EXAMPLES)))
def test_documented_outputs_match_their_commands(
    warehouse: Path, command: str, output: str
) -> None:
    result = run_headroom(warehouse, *shlex.split(command))
    assert result.stdout.strip() == output.strip()


def test_walks_follow_the_model_dependencies(warehouse: Path) -> None:
    """Each stop reads the one before it, no stop is missing, and the walks are short."""
    nodes = json.loads((warehouse / "dbt/manifest.json").read_text())["nodes"]
    walks = [
        re.findall(r"^\| `([\w./-]+)` \|", part, re.MULTILINE)
        for part in WALKS.split("| stop | what happens there |")[1:]
    ]
    assert len(walks) == 3
    for stops in walks:
        models = [stop for stop in stops if stop.endswith(".sql")]
        assert all((ROOT / stop).exists() for stop in stops if stop not in models)
        keys = [f"model.headroom.{Path(model).stem}" for model in models]
        for key, model in zip(keys, models, strict=True):
            assert nodes[key]["original_file_path"] == f"models/{model}"
        for before, after in itertools.pairwise(keys):
            assert before in nodes[after]["depends_on"]["nodes"]
        assert len(models) <= 5
    for source, *stops, last in walks[:2]:
        assert (ROOT / source).is_file()
        assert sum(stop.endswith(".py") for stop in stops) <= 7  # and the board
        model = next(stop for stop in stops if stop.endswith(".sql"))
        parents = nodes[f"model.headroom.{Path(model).stem}"]["depends_on"]["nodes"]
        assert any(name.startswith("source.") for name in parents)
        assert last == "marts/measurements.sql"


def test_documented_panel_is_on_a_board() -> None:
    (panel,) = re.findall(r"```python\n((?s:.*?))```", (ROOT / "docs/boards.md").read_text())
    assert len(panel.splitlines()) > 10
    board = (ROOT / "dashboards/boards/generations.py").read_text()
    assert set(panel.splitlines()) <= set(board.splitlines())


def test_next_steps_of_status_work(warehouse: Path) -> None:
    status = run_headroom(warehouse, "status")
    assert status.returncode == 0
    names = re.findall(r"headroom sql --example (\S+)", status.stdout)
    assert names
    for name in names:
        assert run_headroom(warehouse, "sql", "--example", name).returncode == 0


@pytest.mark.parametrize("command", sorted(main.list_commands(click.Context(main))))
def test_every_command_is_in_the_readme(command: str) -> None:
    first_cells = [line.split("|")[1] for line in README.splitlines() if line.startswith("| `")]
    assert any(f"`headroom {command}" in cell for cell in first_cells)


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 120


def test_every_path_in_the_documents_exists() -> None:
    for document in (
        "README.md",
        "CONTRIBUTING.md",
        "docs/white-papers.md",
        "docs/claims.md",
        "docs/headroom-yml.md",
        "docs/own-hardware.md",
        "docs/system.md",
        "docs/iometer.md",
        "docs/fio.md",
        "docs/ceilings.md",
        "docs/predictions.md",
        "docs/operations.md",
        "docs/backup.md",
        "docs/checks.md",
        "docs/boards.md",
        "docs/changes.md",
        "docs/install.md",
        "docs/start.md",
        "docs/compare.md",
        "docs/trino.md",
        "docs/many-machines.md",
    ):
        text = (ROOT / document).read_text()
        paths = re.findall(r"\]\(([\w./-]+)\)|`((?:[\w-]+/)+[\w.-]*)`", text)
        for linked, quoted in paths:
            if linked:
                assert ((ROOT / document).parent / linked).exists(), f"{document} links {linked}"
            elif not quoted.startswith(("warehouse/", "figures/", "system/")):
                assert (ROOT / quoted).exists(), f"{document} names {quoted}"


def test_every_column_of_a_sheet_is_described() -> None:
    text = (ROOT / "docs/white-papers.md").read_text() + CLAIMS
    for sheet in SHEETS:
        assert f"## {sheet.file}" in text
        for column in sheet.__struct_encode_fields__:
            assert f"`{column}`" in text, f"{sheet.file} {column}"


def test_every_field_of_a_sidecar_is_described() -> None:
    pages = ("docs/headroom-yml.md", "docs/own-hardware.md")
    text = "".join((ROOT / page).read_text() for page in pages)
    structs = (Sidecar, FileEntry, ControllerDefinition, DriveDefinition)
    fields = {field for struct in structs for field in struct.__struct_fields__}
    assert [field for field in sorted(fields) if f"| `{field}` |" not in text] == []


def test_every_field_of_document_yml_is_described() -> None:
    text = (ROOT / "docs/white-papers.md").read_text()
    structs = (Document, Edition, Units)
    fields = {field for struct in structs for field in struct.__struct_encode_fields__}
    assert [field for field in sorted(fields) if f"`{field}`" not in text] == []


def test_every_attribute_of_a_fact_is_described() -> None:
    text = (ROOT / "docs/white-papers.md").read_text()
    assert [name for name in QUANTITY_BY_ATTRIBUTE if f"`{name}`" not in text] == []


def test_makefile_has_all_documented_targets() -> None:
    targets = set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    pages = ("CONTRIBUTING.md", "docs/install.md", "docs/start.md")
    text = README + "".join((ROOT / page).read_text() for page in pages)
    named = set(re.findall(r"(?:`|    )make ([a-z0-9-]+)", text))
    assert named <= targets
    assert "make test" in (ROOT / ".ci/run").read_text()


def test_documented_capture_commands_work(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    first, second = re.findall(r"^    ((?:headroom|sh) .*capture\.sh.*)$", SYSTEM, re.MULTILINE)
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    for command in (first, second):
        subprocess.run(command, shell=True, check=True, cwd=tmp_path, env={"PATH": path})
    assert (tmp_path / "results/system/capture.txt").exists()


def test_every_file_of_a_captured_system_is_described_and_read() -> None:
    script = (ROOT / "ingest/systems/capture.sh").read_text()
    files = {
        name.strip('"') for name in re.findall(r"^[^#]*?\brun (\S+\.\S+)", script, re.MULTILINE)
    }
    assert {re.split("[-.]", name)[0] for name in files} == set(READER_OF)
    assert [name for name in files if re.split("[-.]", name)[0] not in SYSTEM] == []
