"""`python -m headroom.engines.trino`: `headroom build`, with the models built on Trino."""

import sys
from functools import partial
from pathlib import Path
from typing import Any

import click
import duckdb
import trino

from headroom.cli import EXIT_INPUT_ERROR
from headroom.engines.duckdb.build import build as build_warehouse
from headroom.engines.duckdb.build_state import compiled_nodes
from headroom.engines.trino.build import build
from headroom.engines.trino.tables import Tables
from headroom.warehouse import Warehouse, WarehouseError
from ingest.common.errors import InputError


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
def main(warehouse: Path, folder: str, location: str | None, **address: Any) -> None:
    """Build the marts on Trino and Iceberg, and copy them into the warehouse.

    Takes the place of `headroom build`. docs/trino.md lists what the cluster needs.

    \b
    Example:
      headroom --warehouse W ingest results
      python -m headroom.engines.trino --warehouse W --host trino --folder s3://lake/headroom
      headroom --warehouse W check && headroom --warehouse W publish
    """
    cluster = trino.dbapi.Connection(**address)
    tables = Tables(cluster, folder.rstrip("/"), (location or folder).rstrip("/"))
    building = Warehouse(warehouse)
    try:
        with building.lock():
            fill = partial(_fill, building, tables)
            build_warehouse(building, with_unit_tests=False, fill=fill)
    except (InputError, WarehouseError, trino.exceptions.Error, duckdb.Error, OSError) as error:
        click.echo(f"headroom: {error}", err=True)
        sys.exit(EXIT_INPUT_ERROR)


def _fill(warehouse: Warehouse, tables: Tables, manifest: Path) -> None:
    with warehouse.open_building() as connection:
        for built in build(compiled_nodes(manifest), connection, tables):
            where = f"DuckDB: {built.reason}" if built.reason else "Trino"
            times = f"{built.seconds:6.1f} s, copied in {built.copy_seconds:4.1f} s"
            click.echo(f"{built.name:44} {times}  {where}")


if __name__ == "__main__":
    main()
