"""Own catalog entries into `raw.*`: a sidecar's rows are what it says now."""

from pathlib import Path

import duckdb
import polars as pl

from ingest.sidecar.catalog import CATALOG_TABLES
from ingest.sidecar.resolve import Sidecars


def store_catalog(connection: duckdb.DuckDBPyConnection, sidecars: Sidecars) -> None:
    """Replace the definitions of the sidecars met, forget those of sidecars that are gone.

    A sidecar that was not met, or cannot be read now, keeps what it said.
    """
    met = {str(path) for path in sidecars.met()}
    connection.begin()
    try:
        for table, rows in sidecars.catalog_rows().items():
            stored = connection.execute(f"select distinct absolute_path from raw.{table}")
            for (path,) in stored.fetchall():
                if path in met or not Path(path).exists():
                    connection.execute(f"delete from raw.{table} where absolute_path = ?", [path])
            connection.register("rows", pl.DataFrame(rows, schema=CATALOG_TABLES[table]))
            connection.execute(f"insert into raw.{table} by name from rows")
            connection.unregister("rows")
        connection.commit()
    except BaseException:
        connection.rollback()
        raise
