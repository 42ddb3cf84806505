"""Output fits the terminal; a pipe or a file gets the same output at any width."""

import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from headroom import terminal
from headroom.cli import main
from tests.conftest import program
from tests.test_asking import on_terminal

_ARRAY = ["--controller", "EP420i", "--raid", "5", "--drive", "SAS-12G-SSD", "--drives", "8"]
_DATABASE = ["--profile", "Database"]


@pytest.mark.parametrize(
    ("arguments", "known"),
    [
        (["sql", "from measurements limit 2"], "iops"),
        (["sql", "select controller, iops, locator from measurements limit 3"], "iops"),
        (["sql", "--example", "best-by-controller"], "EP420i"),
        (["compare", "CP400i", "EP420i", *_DATABASE], "4.63 x, of"),
        (["size", *_ARRAY, *_DATABASE], "133 kIOPS"),
        (["size", "--iops", "100k", *_DATABASE], "PRAID CP400i, RAID 0, SAS-12G-SSD"),
        (["size", "--latency-us", "300", *_DATABASE], "measured"),
        (["status"], "white_paper"),
    ],
    ids=lambda value: " ".join(value)[:30] if isinstance(value, list) else "",
)
def test_output_fits_60_columns(warehouse: Path, arguments: list[str], known: str) -> None:
    shown = on_terminal(program(), "--warehouse", warehouse, *arguments, width=60)
    assert known in shown
    assert too_wide(shown) == []


def test_help_fits_60_columns() -> None:
    """All commands in one process: importing them takes seconds."""
    program = (
        "import click; from headroom.cli import main; "
        "names = [[], *([name] for name in main.list_commands(click.Context(main)))]; "
        "[main([*name, '--help'], standalone_mode=False) for name in names]"
    )
    shown = on_terminal(sys.executable, "-c", program, width=60)
    assert "Exit codes" in shown
    assert shown.count("Examples:") > len(main.list_commands(click.Context(main)))
    assert too_wide(shown) == []


def too_wide(shown: str) -> list[str]:
    """Lines that are too wide; a single long word, such as a path, may be."""
    return [
        line
        for line in shown.splitlines()
        if len(line) > 60 and len(line.removesuffix(" \\").split()) > 1
    ]


@pytest.mark.parametrize(
    "arguments", [["size", *_ARRAY, *_DATABASE], ["status"], ["size", "--help"]]
)
def test_a_pipe_gets_the_same_at_any_width(warehouse: Path, arguments: list[str]) -> None:
    narrow, wide = (
        subprocess.run(
            [program(), "--warehouse", warehouse, *arguments],
            env=os.environ | {"COLUMNS": columns}, capture_output=True, text=True, check=True,
        ).stdout.split("Examples:")[-1]  # click wraps the rest of a help by COLUMNS alone
        for columns in ("60", "200")
    )  # fmt: skip
    assert narrow == wide


def test_wrapped_example_is_still_one_command() -> None:
    shown = on_terminal(program(), "size", "--help", width=60)
    examples = re.sub(r" \\\n +", " ", shown.split("Examples:")[1])
    assert f"  headroom size {' '.join(_ARRAY)} --profile Database\n" in examples


def test_extra_columns_become_lines(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.grid([("drives", "design"), ("8", "RAID 5, " * 12)], (90, 60))
    assert capsys.readouterr().out.splitlines() == [
        f"{'drives':<49}  design",
        f"{'8':<49}  {('RAID 5, ' * 6).strip()}",
        f"{'':<49}  {('RAID 5, ' * 6).strip()}",
    ]
    terminal.grid(["abcdefghi", "123456789", "jklmnopqr"], [30] * 9, indent=2)
    shown = capsys.readouterr().out.splitlines()
    assert (shown[:2], shown[9:11]) == (["  a  1", "  b  2"], ["", "  a  j"])
