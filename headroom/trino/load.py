"""The raw tables and the seeds as Parquet files, registered as Iceberg tables."""

from pathlib import Path
from typing import Any

import duckdb
import trino

from headroom.built import Node, quoted
from headroom.trino.kinds import read_type, trino_type

_WIDE = {"HUGEINT": "decimal(38, 0)", "UBIGINT": "decimal(20, 0)"}  # Parquet has no such integers


def load(
    node: Node,
    warehouse: duckdb.DuckDBPyConnection,
    cluster: trino.dbapi.Connection,
    shards: Path,
    location: str,
) -> None:
    """One table; `location` is what Trino calls the folder `shards`."""
    folder = Path(*node.name.split("."))
    run(cluster, f"create schema if not exists {folder.parts[0]}")
    run(cluster, f"drop table if exists {node.name}")  # with its files: before they are written
    (shards / folder).mkdir(parents=True, exist_ok=True)
    relation = warehouse.sql(f"from {quoted(node.name)}")
    columns = list(zip(relation.columns, relation.types, strict=True))
    values = [
        f'cast("{name}" as {_WIDE[str(kind)]}) as "{name}"' if str(kind) in _WIDE else f'"{name}"'
        for name, kind in columns
    ]
    relation.project(", ".join(values)).write_parquet(str(shards / folder / "rows.parquet"))
    defined = [f'"{name}" {trino_type(read_type(kind))}' for name, kind in columns]
    run(cluster, f"create table {node.name} ({', '.join(defined)})")
    run(
        cluster,
        f"alter table {node.name} execute "
        f"add_files(location => '{location}/{folder.as_posix()}', format => 'PARQUET')",
    )


def run(cluster: trino.dbapi.Connection, sql: str) -> list[list[Any]]:
    """A statement, to its end, and its rows."""
    cursor = cluster.cursor()
    cursor.execute(sql)
    rows: list[list[Any]] = cursor.fetchall()
    return rows
