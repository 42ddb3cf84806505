"""Tab completion in each shell."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from headroom.read.completion import SHELLS
from tests.conftest import program


def _environment() -> dict[str, str]:
    return os.environ | {"PATH": f"{program().parent}:{os.environ['PATH']}"}


def _completed(warehouse: Path, *words: str) -> list[str]:
    """The completions that bash offers for the last word."""
    script = f"""
        eval "$(headroom completion bash)"
        COMP_WORDS=({" ".join(words)}) COMP_CWORD={len(words) - 1}
        _headroom_completion headroom
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    result = subprocess.run(
        ["bash", "-c", script],
        env=_environment() | {"HEADROOM_WAREHOUSE": str(warehouse)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stderr == ""
    return result.stdout.split()


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
def test_bash_completes_commands_kinds_marts_and_examples(warehouse: Path) -> None:
    assert _completed(warehouse, "headroom", "rep") == ["reparse", "report"]
    assert _completed(warehouse, "headroom", "catalog", "d") == ["drives", "documents"]
    assert _completed(warehouse, "headroom", "schema", "measurem") == ["measurements"]
    assert _completed(warehouse, "headroom", "sql", "--example", "raid") == ["raid-penalty"]


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
def test_without_a_warehouse_there_are_no_marts(tmp_path: Path) -> None:
    assert _completed(tmp_path, "headroom", "schema", "measurem") == []


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_has_a_script(shell: str) -> None:
    result = subprocess.run(
        ["headroom", "completion", shell],
        env=_environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"_HEADROOM_COMPLETE={shell}_complete" in result.stdout
