"""The `headroom` command line, and what its commands share."""

import difflib
import functools
import importlib
import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import duckdb

from headroom.terminal import shell_lines
from headroom.warehouse import ChecksFailed, Warehouse, WarehouseError
from ingest.common.errors import InputError, PackageError

EXIT_CHECKS_FAILED = 1
EXIT_INPUT_ERROR = 2
_EXIT_INTERRUPTED = 130  # as in shells: 128 + SIGINT
# The module of each reading command, which starts without the imports of the others (parsers,
# polars, dbt).
_READING = {
    "sql": "read.query", "schema": "read.contents", "catalog": "read.contents",
    "cat": "read.contents", "export": "read.contents", "boards": "read.boards",
    "completion": "read.completion", "status": "read.status", "verdict": "analyse.verdict",
    "compare": "analyse.compare", "size": "analyse.size", "digitise": "write.digitise",
    "forecast": "analyse.forecast", "report": "analyse.report",
}  # fmt: skip
_OLDER = "published by an older version; run: headroom nightly PATH"


class _Commands(click.Group):
    """Imports the module of a command when the command is called."""

    def list_commands(self, context: click.Context) -> list[str]:
        for module in dict.fromkeys(("write.commands", *_READING.values())):
            importlib.import_module(f"headroom.{module}")
        return [*(name for name in self.commands if name not in _READING), *_READING]

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        try:
            importlib.import_module(f"headroom.{_READING.get(name, 'write.commands')}")
        except PackageError as error:
            click.echo(f"headroom: {error}", err=True)
            sys.exit(EXIT_INPUT_ERROR)
        return self.commands.get(name)

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(context, args)
        except click.UsageError as error:
            if near := difflib.get_close_matches(args[0], self.list_commands(context), 1):
                error.message += f" Did you mean {near[0]}?"
            raise

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except (KeyboardInterrupt, RuntimeError) as error:
            if not _is_interrupt(error):
                raise
            line_end = "\n" if sys.stderr.isatty() else ""  # after the terminal's ^C
            click.echo(f"{line_end}headroom: interrupted", err=True)
            sys.exit(_EXIT_INTERRUPTED)


def _is_interrupt(error: BaseException) -> bool:
    """Whether it is Ctrl-C, which DuckDB reports as an error of its own."""
    return isinstance(error.__cause__ or error, KeyboardInterrupt)


def _examples(*commands: str) -> str:
    return "\b\nExamples:\n" + "\n".join(shell_lines(command, 2, margin=2) for command in commands)


def _warehouse_option(**settings: Any) -> Callable[..., Any]:
    return click.option(
        "--warehouse",
        type=click.Path(path_type=Path, file_okay=False),
        help="Folder of the warehouse.  [env: HEADROOM_WAREHOUSE; default: warehouse]",
        **settings,
    )


def format_option(*formats: str) -> Callable[..., Any]:
    return click.option(
        "--format", "output", type=click.Choice(formats), default="table", show_default=True
    )


def command(*examples: str, **settings: Any) -> Callable[[Callable[..., Any]], click.Command]:
    """A command on a warehouse, whose expected errors are one line and exit code 2."""

    def decorate(function: Callable[..., Any]) -> click.Command:
        @functools.wraps(function)
        def run(warehouse: Path | None, **arguments: Any) -> None:
            try:
                function(Warehouse(warehouse or click.get_current_context().obj), **arguments)
            except (InputError, WarehouseError, OSError, duckdb.Error) as error:
                name = click.get_current_context().info_name
                if name in _READING and isinstance(error, BrokenPipeError):  # such as `| head`
                    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                    return
                is_older = isinstance(error, duckdb.CatalogException | duckdb.BinderException)
                is_older = is_older and name in _READING and name != "sql"
                cause = f"{_OLDER} ({str(error).splitlines()[0]})" if is_older else str(error)
                if isinstance(error, OSError) and error.filename:
                    cause = f"{error.filename}: {error.strerror}"
                click.echo(f"headroom: {cause}", err=True)
                is_held_back = isinstance(error, ChecksFailed)
                sys.exit(EXIT_CHECKS_FAILED if is_held_back else EXIT_INPUT_ERROR)

        return main.command(epilog=_examples(*examples), **settings)(_warehouse_option()(run))

    return decorate


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=_examples(
        "headroom nightly data",
        'headroom sql "select controller, iops, page from marts.measurements limit 5"',
        "headroom status",
    ),
)
@click.version_option(package_name="headroom")
@_warehouse_option(envvar="HEADROOM_WAREHOUSE", default="warehouse")
@click.pass_context
def main(context: click.Context, warehouse: Path) -> None:
    """A results warehouse for storage benchmarks: fio, Iometer and vendors' papers in one schema.

    Exit codes: 0 ok, 1 checks failed, 2 usage or input error, 130 interrupted.
    """
    context.obj = warehouse
    for stream in (sys.stdout, sys.stderr):  # the terminal may lack letters of file names
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
