"""`headroom` in this process, for what a command prints: a fork takes 0.3 s more."""

from pathlib import Path

from click.testing import CliRunner, Result

from headroom.cli import main


def run(warehouse: Path, *arguments: str | Path) -> Result:
    """Run a command on a warehouse that no connection of this process has open."""
    return CliRunner().invoke(main, ["--warehouse", str(warehouse), *map(str, arguments)])
