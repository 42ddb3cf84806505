"""`headroom` in this process, for what a command prints: a fork takes 0.3 s more."""

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from headroom.cli import main


def run(warehouse: Path, *arguments: str | Path) -> Result:
    """Run a command on a warehouse that no connection of this process has open."""
    return CliRunner().invoke(main, ["--warehouse", str(warehouse), *map(str, arguments)])


def printed_rows(
    warehouse: Path, *arguments: str | Path, codes: tuple[int, ...] = (0,)
) -> list[dict[str, Any]]:
    """The rows that a command prints as JSON."""
    result = run(warehouse, *arguments, "--format", "json")
    assert result.exit_code in codes, result.output
    found: list[dict[str, Any]] = json.loads(result.stdout)
    return found
