"""The commands that ask what is published."""

import sys
from pathlib import Path
from typing import TextIO

import click

from headroom import completion as shell_completion
from headroom import contents, show
from headroom import status as warehouse_status
from headroom.cli import EXIT_CHECKS_FAILED, command
from headroom.query import FORMATS, answer, parameters, prompt
from headroom.warehouse import Warehouse, WarehouseError
from ingest.project import project_folder

EXAMPLES = {path.stem: path for path in sorted(project_folder("docs/queries").glob("*.sql"))}


class _Query(click.Command):
    """Whose argument may begin with a comment of SQL, `-- why`, and is no option then."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        queries = [arg for arg in args if arg.startswith("--") and len(arg.split(maxsplit=1)) > 1]
        options = [arg for arg in args if arg not in queries]
        return super().parse_args(context, [*options, "--", *queries] if queries else args)


@command(
    'headroom sql "select * from measurements where page = 18"',
    'headroom sql --format csv "from dim_controllers" > controllers.csv',
    "headroom sql --file slowest.sql --param vendor=Fujitsu",
    "headroom sql --example raid-penalty",
    "headroom sql",
    cls=_Query,
)
@click.argument("query", required=False)
@click.option(
    "--file", "-f", type=click.File(), help="Read the queries from a file; - is the standard input."
)
@click.option("--example", type=click.Choice([*EXAMPLES]), metavar="NAME",
    help="Answer a question of docs/queries: " + ", ".join(EXAMPLES) + ".",
)  # fmt: skip
@click.option(
    "--param",
    "-p",
    "given",
    multiple=True,
    metavar="NAME=VALUE",
    help="The value of $NAME: 18 and 0.5 are numbers, '18' in quotes is a text.",
)
@click.option("--format", "output", type=click.Choice([*FORMATS]), default="table",
    show_default=True,
)  # fmt: skip
def sql(
    warehouse: Warehouse,
    query: str | None,
    file: TextIO | None,
    example: str | None,
    given: tuple[str, ...],
    output: str,
) -> None:
    """Ask the published file, read-only. Marts need no schema before their name.

    Without a query it reads the standard input; on a terminal it prompts, and Tab completes names.
    A table too wide for the terminal is printed with one column a line.
    """
    if sum(source is not None for source in (query, file, example)) > 1:
        raise WarehouseError("give one of a query, --file and --example")
    if example:
        query = EXAMPLES[example].read_text()
    values = parameters(given)
    with warehouse.open_published() as connection:
        if query is None and file is None and sys.stdin.isatty():
            prompt(connection, lambda text: answer(connection, text, values, output))
        else:
            text = query if query is not None else (file or sys.stdin).read()
            answer(connection, text, values, output)


@command("headroom schema", "headroom schema measurements")
@click.argument("mart", required=False, shell_complete=shell_completion.marts)
def schema(warehouse: Warehouse, mart: str | None) -> None:
    """List the marts, or the columns of one, with what they mean."""
    with warehouse.open_published() as connection:
        contents.schema(connection, mart)


@command("headroom catalog controllers", "headroom catalog profiles")
@click.argument("kind", type=click.Choice([*contents.KINDS]))
def catalog(warehouse: Warehouse, kind: str) -> None:
    """List the known names, with how many measurements each has."""
    with warehouse.open_published() as connection:
        show.table(connection.sql(contents.KINDS[kind]))


@command(
    "headroom cat data/samples/fio-virtual-disk/2026-11-21-libaio.json",
    "headroom cat a93856 > run.json",
)
@click.argument("source")
def cat(warehouse: Warehouse, source: str) -> None:
    """Print a source from the archive, byte for byte, by its path or the start of its file_id.

    A paper is a tar of its folder's files.
    """
    with warehouse.open_published() as connection:
        content = contents.archived(connection, warehouse.archive, source)
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


@command("headroom export tables", "headroom export --format csv tables")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--format", "file_format", type=click.Choice(["parquet", "csv"]), default="parquet",
    show_default=True,
)  # fmt: skip
def export(warehouse: Warehouse, folder: Path, file_format: str) -> None:
    """Write each mart into a file of a new FOLDER, and what each column means into columns.csv."""
    contents.export(warehouse, folder, file_format)


@command("headroom boards grafana", "headroom boards --datasource-uid lab /srv/grafana")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@click.option("--datasource-uid", default="headroom", show_default=True, metavar="UID",
    help="The data source of the boards; that of the nights is UID-nights.",
)  # fmt: skip
def boards(warehouse: Warehouse, folder: Path, datasource_uid: str) -> None:
    """Write the boards and their provisioning into DIR, for your own Grafana on this warehouse.

    What is there from an earlier version is replaced. The next steps are printed.
    """
    from headroom.boards import write_boards  # imports yaml

    write_boards(warehouse, folder, datasource_uid)


@command(
    'eval "$(headroom completion bash)"',
    "headroom completion zsh >> ~/.zshrc",
)
@click.argument("shell", type=click.Choice(shell_completion.SHELLS))
def completion(warehouse: Warehouse, shell: str) -> None:
    """Print a script that has your SHELL complete commands, options, marts and catalog kinds.

    The line goes into ~/.bashrc or ~/.zshrc.
    """
    click.echo(shell_completion.script(shell), nl=False)


@command("headroom status", "headroom status --quiet || mail -s 'headroom' lab@example.org")
@click.option("--quiet", "-q", is_flag=True, help="Say only why the last night did not publish.")
def status(warehouse: Warehouse, quiet: bool) -> None:
    """How the last nights went, what was checked, what is quarantined; what is published.

    Exits 1 if the last night that ended did not publish: the published file lacks its results.
    """
    failure = warehouse_status.last_failure(warehouse)
    if not quiet:
        warehouse_status.status(warehouse)
        warehouse_status.next_steps(sys.argv[0])
    if failure:
        click.echo(f"headroom: {failure}", err=True)
        sys.exit(EXIT_CHECKS_FAILED)
