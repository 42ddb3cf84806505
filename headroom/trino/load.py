"""The raw tables and the seeds as Parquet files, registered as Iceberg tables."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import duckdb
import trino

from headroom.trino.kinds import read_type, trino_type

_WIDE = {"HUGEINT": "decimal(38, 0)", "UBIGINT": "decimal(20, 0)"}  # Parquet has no such integers


@dataclass(frozen=True)
class Lake:
    """A Trino, and a folder for Parquet files that it reads."""

    cluster: trino.dbapi.Connection
    folder: str
    """Or s3://BUCKET/PREFIX."""
    location: str
    """What Trino calls the folder."""

    def load(self, name: str, relation: duckdb.DuckDBPyRelation) -> None:
        """The rows as a table."""
        run(self.cluster, f"create schema if not exists {name.partition('.')[0]}")
        drop(self.cluster, name)
        columns = zip(relation.columns, relation.types, strict=True)
        values = [
            f'cast("{name}" as {_WIDE[str(kind)]}) as "{name}"'
            if str(kind) in _WIDE
            else f'"{name}"'
            for name, kind in columns
        ]
        file = f"{name.replace('.', '/')}/{uuid4().hex}.parquet"
        with _written(self.folder, file) as path:
            relation.project(", ".join(values)).write_parquet(str(path))
        run(self.cluster, f"create table {name} ({defined(columns_of(relation))})")
        add_files(self.cluster, name, f"{self.location}/{file}")


@contextmanager
def _written(folder: str, name: str) -> Iterator[Path]:
    """Where to write a file, which is then in the folder or bucket."""
    if "://" not in folder:
        path = Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        yield path
        return
    with TemporaryDirectory(prefix="headroom-") as temporary:
        path = Path(temporary, "rows.parquet")
        yield path
        _upload(path, f"{folder.removeprefix('s3://')}/{name}")


def _upload(path: Path, key: str) -> None:
    from pyarrow import fs  # loads the whole client

    bucket = fs.S3FileSystem(endpoint_override=os.environ.get("AWS_ENDPOINT_URL"))
    with path.open("rb") as source, bucket.open_output_stream(key) as copy:
        shutil.copyfileobj(source, copy, 8 << 20)


def columns_of(relation: duckdb.DuckDBPyRelation) -> dict[str, str]:
    """Its columns with their types in Trino."""
    types = map(trino_type, map(read_type, relation.types))
    return dict(zip(relation.columns, types, strict=True))


def defined(columns: dict[str, str]) -> str:
    """The columns, as a new table has them."""
    return ", ".join(f'"{name}" {kind}' for name, kind in columns.items())


def add_files(cluster: trino.dbapi.Connection, name: str, location: str) -> None:
    """Register a Parquet file, or all in a folder and the folders in it."""
    run(
        cluster,
        f"alter table {name} execute add_files(location => {literal(location)}, "
        "format => 'PARQUET', recursive_directory => 'TRUE')",
    )


def drop(cluster: trino.dbapi.Connection, name: str) -> None:
    """The table, with its files, or the view; nothing if there is neither."""
    schema, _, table = name.partition(".")
    found = run(
        cluster,
        "select table_type from information_schema.tables "
        f"where table_schema = {literal(schema)} and table_name = {literal(table)}",
    )
    for (kind,) in found:
        run(cluster, f"drop {'view' if kind == 'VIEW' else 'table'} {name}")


def literal(text: str) -> str:
    """A text in SQL."""
    return "'" + text.replace("'", "''") + "'"


def run(cluster: trino.dbapi.Connection, sql: str) -> list[list[Any]]:
    """A statement, to its end, and its rows."""
    cursor = cluster.cursor()
    cursor.execute(sql)
    rows: list[list[Any]] = cursor.fetchall()
    return rows
