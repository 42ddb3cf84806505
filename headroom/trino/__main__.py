"""`python -m headroom.trino`: the models of a built warehouse on a Trino that runs already."""

import sys
from dataclasses import dataclass
from pathlib import Path

import click
import trino

from headroom.trino.boards import BoardNotTranslated, write_boards
from headroom.trino.build import build, open_warehouse


@dataclass(frozen=True)
class Target:
    """A Trino, and the warehouse that says what is built on it."""

    warehouse: Path
    cluster: trino.dbapi.Connection
    catalog: str


@click.group(name="python -m headroom.trino")
@click.option("--warehouse", type=Path, required=True, help="Folder of the warehouse, built.")
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=int, default=8080, show_default=True)
@click.option("--user", default="headroom", show_default=True)
@click.option("--catalog", default="iceberg", show_default=True, help="A catalog of Iceberg.")
@click.pass_context
def main(
    context: click.Context, warehouse: Path, host: str, port: int, user: str, catalog: str
) -> None:
    """Headroom on Trino and Iceberg."""
    cluster = trino.dbapi.Connection(host=host, port=port, user=user, catalog=catalog)
    context.obj = Target(warehouse, cluster, catalog)


@main.command(name="build")
@click.option("--shards", type=Path, required=True, help="Folder for Parquet files of raw tables.")
@click.option(
    "--location", required=True, help="What Trino calls that folder: s3://..., local:///..."
)
@click.pass_obj
def build_command(target: Target, shards: Path, location: str) -> None:
    """Register the raw tables on Trino, and build every model there.

    Prints a line for each model; exits with 1 if one could not be built.
    """
    building = open_warehouse(target.warehouse / "building.duckdb")
    has_problem = False
    for built in build(building, target.cluster, shards, location):
        has_problem = has_problem or built.problem is not None
        click.echo(f"{built.name:44} {built.seconds:6.1f} s  {built.problem or 'built'}")
    sys.exit(has_problem)


@main.command(name="boards")
@click.option("--to", "folder", type=Path, required=True, help="Folder for the boards.")
@click.option("--schema", default="published", show_default=True, help="Where boards read.")
@click.pass_obj
def boards_command(target: Target, folder: Path, schema: str) -> None:
    """Write the boards for Grafana with Trino's data source; asks no Trino.

    The warehouse says which columns the marts have.
    """
    try:
        for path in write_boards(target.warehouse, folder, target.catalog, schema):
            click.echo(path)
    except BoardNotTranslated as error:
        raise click.ClickException(f"{error}; a panel may use what docs/trino.md lists") from error


if __name__ == "__main__":
    main()
