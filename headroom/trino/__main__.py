"""`python -m headroom.trino`: the models of a built warehouse on a Trino that runs already."""

import sys
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import click
import trino

from headroom import show
from headroom.cli import EXIT_INPUT_ERROR
from headroom.trino.build import build, open_warehouse
from headroom.trino.ledger import take_ledgers
from headroom.trino.load import Lake
from headroom.trino.shards import Shards, Store, open_stores
from headroom.warehouse import Warehouse, WarehouseError
from ingest.errors import InputError


@dataclass(frozen=True)
class Target:
    """A Trino, and the warehouse that says what is built on it."""

    warehouse: Path
    cluster: trino.dbapi.Connection


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
    context.obj = Target(warehouse, cluster)


@main.command(name="build")
@click.option("--shards", type=Path, required=True, help="Folder for Parquet files of raw tables.")
@click.option(
    "--location", required=True, help="What Trino calls that folder: s3://..., local:///..."
)
@click.option(
    "--from", "stores", multiple=True, metavar="STORE",
    help="Also build on the results in this folder or s3://BUCKET/PREFIX, where they are; "
    "may be given several times.",
)  # fmt: skip
@click.option(
    "--location-of-store", "store_locations", multiple=True, metavar="LOCATION",
    help="What Trino calls a folder of --from; one for each folder, in their order.",
)  # fmt: skip
@click.pass_obj
def build_command(
    target: Target,
    shards: Path,
    location: str,
    stores: tuple[str, ...],
    store_locations: tuple[str, ...],
) -> None:
    """Register the raw tables on Trino, and build every model there.

    Prints a line for each model; exits with 1 if one could not be built, and with 2 if a store
    cannot be read.
    """
    lake = Lake(target.cluster, shards, location)
    try:
        is_built = _build(target, lake, open_stores(stores, store_locations))
    except (InputError, WarehouseError) as error:
        click.echo(f"headroom: {error}", err=True)
        sys.exit(EXIT_INPUT_ERROR)
    sys.exit(not is_built)


def _build(target: Target, lake: Lake, stores: list[Store]) -> bool:
    """Whether every model could be built."""
    building = open_warehouse(target.warehouse / "building.duckdb")
    home = Warehouse(target.warehouse / "stores")
    with home.lock() if stores else nullcontext():
        shards = None
        if stores:
            show.outcomes(take_ledgers(home, [store.objects for store in stores]))
            shards = Shards(building, home, stores)
        is_built = True
        for built in build(building, lake, shards):
            is_built = is_built and built.problem is None
            click.echo(f"{built.name:44} {built.seconds:6.1f} s  {built.problem or 'built'}")
        return is_built


if __name__ == "__main__":
    main()
