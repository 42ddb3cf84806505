"""`headroom` in this process, for commands that only read: a fork would copy its memory."""

from pathlib import Path

from click.testing import CliRunner, Result

from headroom.cli import main


def run(warehouse: Path, *arguments: str | Path) -> Result:
    """A command on a warehouse that no other connection of this process has open."""
    return CliRunner().invoke(main, ["--warehouse", str(warehouse), *map(str, arguments)])
