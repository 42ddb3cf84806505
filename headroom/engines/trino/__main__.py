"""`python -m headroom.engines.trino`: `headroom build`, with the models built on Trino."""

import sys
from pathlib import Path

import click
import duckdb
import trino

from headroom.build import build as build_warehouse
from headroom.cli import EXIT_CHECKS_FAILED, EXIT_INPUT_ERROR
from headroom.engines.trino.build import build, read_nodes
from headroom.engines.trino.tables import Tables
from headroom.warehouse import Warehouse, WarehouseError
from ingest.errors import InputError


@click.command(name="python -m headroom.engines.trino")
@click.option("--warehouse", type=Path, required=True, help="Folder of the warehouse.")
@click.option(
    "--folder", required=True,
    help="A folder or s3://BUCKET/PREFIX that Trino shares: for Parquet files and tables.",
)  # fmt: skip
@click.option("--location", help="What Trino calls FOLDER, if that is not its name: local:///...")
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=int, default=8080, show_default=True)
@click.option("--user", default="headroom", show_default=True)
@click.option("--catalog", default="iceberg", show_default=True, help="A catalog of Iceberg.")
def main(
    warehouse: Path,
    folder: str,
    location: str | None,
    host: str,
    port: int,
    user: str,
    catalog: str,
) -> None:
    """Build the marts on Trino and Iceberg, and copy them into the warehouse.

    Takes the place of `headroom build`; `headroom check`, `publish` and `nightly` go on from there.
    Prints a line for each model; exits with 1 if one could not be built.

    \b
    Example:
      headroom --warehouse W ingest results
      python -m headroom.engines.trino --warehouse W --host trino --folder s3://lake/headroom
      headroom --warehouse W check && headroom --warehouse W publish

    docs/trino.md says what the cluster needs.
    """
    cluster = trino.dbapi.Connection(host=host, port=port, user=user, catalog=catalog)
    tables = Tables(cluster, folder.rstrip("/"), (location or folder).rstrip("/"))
    building = Warehouse(warehouse)
    try:
        with building.lock():
            build_warehouse(
                building,
                with_unit_tests=False,
                fill=lambda manifest: _fill(building, manifest, tables),
            )
    except (InputError, WarehouseError, trino.exceptions.Error, duckdb.Error, OSError) as error:
        click.echo(f"headroom: {error}", err=True)
        sys.exit(EXIT_INPUT_ERROR)


def _fill(warehouse: Warehouse, manifest: Path, tables: Tables) -> None:
    is_built = True
    with warehouse.open_building() as connection:
        for built in build(read_nodes(manifest), connection, tables):
            is_built = is_built and built.problem is None
            times = f"{built.seconds:6.1f} s, copied in {built.copy_seconds:.1f} s"
            click.echo(f"{built.name:44} {times}  {built.problem or 'built'}")
    if not is_built:
        sys.exit(EXIT_CHECKS_FAILED)


if __name__ == "__main__":
    main()
