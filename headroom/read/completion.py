"""`headroom completion`: Tab completes commands, options and names, with click's scripts."""

from pathlib import Path

import click
import duckdb
from click.shell_completion import get_completion_class

from headroom.cli import command, main
from headroom.warehouse import Warehouse, WarehouseError

SHELLS = ("bash", "zsh", "fish")
MARTS = """
    select table_name, format('{:,} rows', estimated_size), comment
    from duckdb_tables() where schema_name = 'marts'
    union all
    select view_name, 'view', comment from duckdb_views() where schema_name = 'marts'
    order by table_name
"""


@command(
    'eval "$(headroom completion bash)"',
    "headroom completion zsh >> ~/.zshrc",
)
@click.argument("shell", type=click.Choice(SHELLS))
def completion(warehouse: Warehouse, shell: str) -> None:
    """Print a script that completes commands, options, marts and catalog kinds in your SHELL.

    Add the first example to ~/.bashrc; run the second one once for zsh.
    """
    shell_class = get_completion_class(shell)
    assert shell_class
    click.echo(shell_class(main, {}, "headroom", "_HEADROOM_COMPLETE").source(), nl=False)


def marts(context: click.Context, _: click.Parameter, start: str) -> list[str]:
    """The marts of the published file, if there is one."""
    folder: Path = context.params.get("warehouse") or context.find_root().params["warehouse"]
    try:
        with Warehouse(folder).open_published() as connection:
            found = connection.execute(MARTS).fetchall()
    except (WarehouseError, duckdb.Error, OSError):
        return []
    return [name for name, *_ in found if name.startswith(start)]
