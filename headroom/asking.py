"""The commands that read the published file."""

import sys
from pathlib import Path
from typing import TextIO

import click

from headroom import completion as shell_completion
from headroom import contents, show
from headroom import status as warehouse_status
from headroom.cli import EXIT_CHECKS_FAILED, command
from headroom.limits import go_on_apart
from headroom.query import FORMATS, RAW_CSV, answer, parameters, prompt
from headroom.warehouse import Warehouse, WarehouseError
from ingest.project import project_folder

_raw_option = click.option(
    "--raw", "is_raw", is_flag=True,
    help="In CSV leave texts that a spreadsheet would run: those that begin with = + - or @.",
)  # fmt: skip
EXAMPLES = {path.stem: path for path in sorted(project_folder("docs/queries").glob("*.sql"))}


class _Query(click.Command):
    """An argument that begins with an SQL comment, `-- why`, is a query, not an option."""

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
    "--file", "-f", type=click.File(), help="Read the queries from a file; - is standard input."
)
@click.option("--example", type=click.Choice([*EXAMPLES]), metavar="NAME",
    help="Run a query of docs/queries: " + ", ".join(EXAMPLES) + ".",
)  # fmt: skip
@click.option(
    "--param",
    "-p",
    "given",
    multiple=True,
    metavar="NAME=VALUE",
    help="The value of $NAME: 18 and 0.5 are numbers, '18' in quotes is text.",
)
@click.option("--format", "output", type=click.Choice([*FORMATS]), default="table",
    show_default=True,
)  # fmt: skip
@_raw_option
def sql(
    warehouse: Warehouse,
    query: str | None,
    file: TextIO | None,
    example: str | None,
    given: tuple[str, ...],
    output: str,
    *,
    is_raw: bool,
) -> None:
    """Query the published file, read-only. Marts need no schema prefix.

    Without a query it reads standard input; on a terminal it prompts, and Tab completes names.
    A table too wide for the terminal is printed with one column per line.
    """
    if sum(source is not None for source in (query, file, example)) > 1:
        raise WarehouseError("give one of a query, --file and --example")
    if example:
        query = EXAMPLES[example].read_text()
    if is_raw and output == "csv":
        output = RAW_CSV
    values = parameters(given)
    is_prompt = query is None and file is None and sys.stdin.isatty()
    go_on_apart(is_prompt=is_prompt)
    with warehouse.open_published() as connection:
        if is_prompt:
            prompt(connection, lambda text: answer(connection, text, values, output))
        else:
            text = query if query is not None else (file or sys.stdin).read()
            answer(connection, text, values, output)


@command("headroom schema", "headroom schema measurements")
@click.argument("mart", required=False, shell_complete=shell_completion.marts)
def schema(warehouse: Warehouse, mart: str | None) -> None:
    """List the marts, or the columns of one, with descriptions."""
    with warehouse.open_published() as connection:
        contents.schema(connection, mart)


@command("headroom catalog controllers", "headroom catalog profiles")
@click.argument("kind", type=click.Choice([*contents.KINDS]))
def catalog(warehouse: Warehouse, kind: str) -> None:
    """List the known names with their number of measurements."""
    with warehouse.open_published() as connection:
        show.table(connection.sql(contents.KINDS[kind]))


@command(
    "headroom cat data/samples/fio-virtual-disk/2026-11-21-libaio.json",
    "headroom cat a93856 > run.json",
)
@click.argument("source")
def cat(warehouse: Warehouse, source: str) -> None:
    """Print a source from the archive, byte for byte, by its path or the start of its file_id.

    A paper is printed as a tar of its folder's files.
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
@_raw_option
def export(warehouse: Warehouse, folder: Path, file_format: str, *, is_raw: bool) -> None:
    """Write each mart to a file in a new FOLDER, and column descriptions to columns.csv."""
    contents.export(warehouse, folder, file_format, is_raw=is_raw)


@command("headroom boards grafana", "headroom boards --datasource-uid lab /srv/grafana")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@click.option("--datasource-uid", default="headroom", show_default=True, metavar="UID",
    help="Data source of the boards; the one for the nightly history is UID-nights.",
)  # fmt: skip
def boards(warehouse: Warehouse, folder: Path, datasource_uid: str) -> None:
    """Write the boards and their provisioning to DIR, for your own Grafana on this warehouse.

    Boards of an earlier version are replaced. The next steps are printed.
    """
    from headroom.boards import write_boards  # imports yaml

    write_boards(warehouse, folder, datasource_uid)


@command(
    'eval "$(headroom completion bash)"',
    "headroom completion zsh >> ~/.zshrc",
)
@click.argument("shell", type=click.Choice(shell_completion.SHELLS))
def completion(warehouse: Warehouse, shell: str) -> None:
    """Print a script that completes commands, options, marts and catalog kinds in your SHELL.

    Add the line to ~/.bashrc or ~/.zshrc.
    """
    click.echo(shell_completion.script(shell), nl=False)


@command("headroom status", "headroom status --quiet || mail -s 'headroom' lab@example.org")
@click.option("--quiet", "-q", is_flag=True, help="Print only why the last night did not publish.")
def status(warehouse: Warehouse, quiet: bool) -> None:
    """Show the last nights, checks and quarantined files, and what is published.

    Exits 1 if the last completed night did not publish: the published file lacks its results.
    """
    failure = warehouse_status.last_failure(warehouse)
    if not quiet:
        warehouse_status.status(warehouse)
        warehouse_status.next_steps(sys.argv[0])
    if failure:
        click.echo(f"headroom: {failure}", err=True)
        sys.exit(EXIT_CHECKS_FAILED)
