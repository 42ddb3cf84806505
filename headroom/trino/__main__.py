"""`python -m headroom.trino`: the models of a built warehouse on a Trino that runs already."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import duckdb
import polars as pl
import trino

from headroom.built import read_nodes
from headroom.cli import EXIT_CHECKS_FAILED, EXIT_INPUT_ERROR
from headroom.failed_checks import checks as print_checks
from headroom.trino import publish, releases
from headroom.trino.boards import BoardNotTranslated, write_boards
from headroom.trino.build import build, open_warehouse
from headroom.trino.load import Lake
from headroom.trino.quality import set_stage
from headroom.warehouse import Warehouse, WarehouseError
from ingest.errors import InputError


@dataclass(frozen=True)
class Target:
    """A Trino, and the warehouse that says what is built on it."""

    warehouse: Path
    cluster: trino.dbapi.Connection
    catalog: str


class _Commands(click.Group):
    """Turns what can go wrong into one line, as `headroom` does."""

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except (
            InputError, WarehouseError, trino.exceptions.Error, duckdb.Error, OSError,
        ) as error:  # fmt: skip
            click.echo(f"headroom: {error}", err=True)
            is_refused = isinstance(error, WarehouseError) and error.is_of_checks
            sys.exit(EXIT_CHECKS_FAILED if is_refused else EXIT_INPUT_ERROR)


@click.group(name="python -m headroom.trino", cls=_Commands)
@click.option("--warehouse", type=Path, required=True, help="Folder of the warehouse, built.")
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=int, default=8080, show_default=True)
@click.option("--user", default="headroom", show_default=True)
@click.option("--catalog", default="iceberg", show_default=True, help="A catalog of Iceberg.")
@click.pass_context
def main(
    context: click.Context, warehouse: Path, host: str, port: int, user: str, catalog: str
) -> None:
    """Build, check and publish the models on Trino and Iceberg.

    \b
    Examples:
      python -m headroom.trino --warehouse W build --shards s3://lake/raw
      python -m headroom.trino --warehouse W check
      python -m headroom.trino --warehouse W publish
      python -m headroom.trino --warehouse W boards --to boards

    docs/trino.md says what the cluster needs.
    """
    cluster = trino.dbapi.Connection(host=host, port=port, user=user, catalog=catalog)
    context.obj = Target(warehouse, cluster, catalog)


@main.command(name="build")
@click.option(
    "--shards", required=True, metavar="SHARDS",
    help="A folder or s3://BUCKET/PREFIX for Parquet files of raw tables.",
)  # fmt: skip
@click.option("--location", help="What Trino calls SHARDS, if that is a folder: file:///...")
@click.pass_obj
def build_command(target: Target, shards: str, location: str | None) -> None:
    """Register the raw tables on Trino, and build every model there.

    Prints a line for each model; exits with 1 if one could not be built.
    """
    if location is None and "://" not in shards:
        raise InputError(shards, "needs --location: what Trino calls this folder")
    lake = Lake(target.cluster, shards, location or shards)
    sys.exit(not _build(target, lake))


def _build(target: Target, lake: Lake) -> bool:
    """Whether every model could be built."""
    with Warehouse(target.warehouse).lock():
        building = open_warehouse(target.warehouse / "building.duckdb")
        set_stage(target.cluster, "building")
        is_built = True
        for built in build(building, lake):
            is_built = is_built and built.problem is None
            click.echo(f"{built.name:44} {built.seconds:6.1f} s  {built.problem or 'built'}")
        if is_built:
            set_stage(target.cluster, "built")
        return is_built


@main.command(name="check")
@click.pass_obj
def check_command(target: Target) -> None:
    """Run the data-quality checks on what was built there; exit 1 if a critical one fails."""
    from headroom.trino.check import check  # Great Expectations takes seconds to import

    with Warehouse(target.warehouse).lock():
        results = check(open_warehouse(target.warehouse / "building.duckdb"), target.cluster)
    print_checks(results.to_dicts())
    if not results.filter(~pl.col("is_passed"), severity="critical").is_empty():
        sys.exit(EXIT_CHECKS_FAILED)


@main.command(name="publish")
@click.pass_obj
def publish_command(target: Target) -> None:
    """Publish what was built and checked: readers of `published.*` see all of it at once."""
    with Warehouse(target.warehouse).lock():
        nodes = read_nodes(open_warehouse(target.warehouse / "building.duckdb"))
        click.echo(f"published {publish.publish(target.cluster, nodes)}")


@main.command(name="rollback")
@click.option("--to", "release", help="A release that `releases` lists.  [default: the one before]")
@click.pass_obj
def rollback_command(target: Target, release: str | None) -> None:
    """Go back to an earlier release."""
    with Warehouse(target.warehouse).lock():
        click.echo(f"current release: {publish.rollback(target.cluster, release)}")


@main.command(name="releases")
@click.pass_obj
def releases_command(target: Target) -> None:
    """List the releases, oldest first."""
    releases.prepare(target.cluster)
    current = releases.current(target.cluster)
    for name in releases.releases(target.cluster):
        click.echo(f"{name}{'  current' if name == current else ''}")


@main.command(name="boards")
@click.option("--to", "folder", type=Path, required=True, help="Folder for the boards.")
@click.option(
    "--schema", default="published", show_default=True, help="Schema that the boards read."
)
@click.pass_obj
def boards_command(target: Target, folder: Path, schema: str) -> None:
    """Write the boards for Grafana's Trino data source; needs no connection to Trino.

    The warehouse says which columns the marts have.
    """
    try:
        for path in write_boards(target.warehouse, folder, target.catalog, schema):
            click.echo(path)
    except BoardNotTranslated as error:
        raise click.ClickException(f"{error}; see docs/trino.md") from error


if __name__ == "__main__":
    main()
