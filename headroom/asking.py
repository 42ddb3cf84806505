"""The commands that ask what is published."""

import sys

import click

from headroom import show
from headroom import status as warehouse_status
from headroom.cli import command
from headroom.warehouse import Warehouse, WarehouseError


class _Query(click.Command):
    """Whose argument may begin with a comment of SQL, `-- why`, and is no option then."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        queries = [arg for arg in args if arg.startswith("--") and len(arg.split(maxsplit=1)) > 1]
        options = [arg for arg in args if arg not in queries]
        return super().parse_args(context, [*options, "--", *queries] if queries else args)


@command(
    'headroom sql "select * from marts.measurements where page = 18"',
    'headroom sql --format csv "from marts.dim_controllers" > controllers.csv',
    cls=_Query,
)
@click.argument("query")
@click.option(
    "--format", "output", type=click.Choice(["table", "csv", "json"]), default="table",
    show_default=True,
)  # fmt: skip
def sql(warehouse: Warehouse, query: str, output: str) -> None:
    """Ask the published file, read-only."""
    with warehouse.open_published() as connection:
        relation = connection.sql(query)
        if relation is None:
            raise WarehouseError("not a query: a published file is read-only")
        if output == "table":
            show.table(relation)
            return
        import polars as pl  # takes as long as all the rest, and a table needs none

        try:
            frame = relation.pl()
            click.echo(
                frame.write_csv() if output == "csv" else frame.write_json() + "\n", nl=False
            )
        except pl.exceptions.PolarsError as error:
            raise WarehouseError(f"cannot write {output}: {error}; cast to varchar") from error


@command("headroom status")
def status(warehouse: Warehouse) -> None:
    """How the last nights went, what was checked, what is quarantined; what is published."""
    warehouse_status.status(warehouse)
    warehouse_status.next_steps(sys.argv[0])
