"""Tables on Trino: raw rows into Iceberg as Parquet files, built rows back into DuckDB."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import duckdb
import pyarrow.dataset
import pyarrow.parquet
import trino
from pyarrow.fs import FileSystem

from headroom.engines.trino.kinds import read_type, trino_type

_WIDE = {"HUGEINT": "decimal(38, 0)", "UBIGINT": "decimal(20, 0)"}  # Parquet has no such integers
_BATCH_ROWS = 100_000


@dataclass(frozen=True)
class Tables:
    """A Trino cluster, and a folder or bucket that it shares with this process."""

    cluster: trino.dbapi.Connection
    folder: str
    """A folder, or s3://BUCKET/PREFIX."""
    location: str
    """Trino's name for that folder."""

    def load(self, name: str, relation: duckdb.DuckDBPyRelation) -> None:
        """Create a table with these rows: write a Parquet file, and register it."""
        kinds = map(trino_type, map(read_type, relation.types))
        columns = zip(relation.columns, kinds, strict=True)
        file = f"{uuid4().hex}.parquet"
        self._write(file, _without_wide_integers(relation))
        defined = ", ".join(f'"{column}" {kind}' for column, kind in columns)
        self._drop(name)
        run(self.cluster, f"create table {name} ({defined}) {self._located(name)}")
        run(
            self.cluster,
            f"alter table {name} execute add_files(location => '{self.location}/raw/{file}', "
            "format => 'PARQUET')",
        )

    def create(self, kind: str, name: str, sql: str) -> None:
        """Create a table or view from a query."""
        self._drop(name)
        located = self._located(name) if kind == "table" else ""
        run(self.cluster, f"create {kind} {name} {located} as\n{sql}")

    def copy_back(self, name: str, warehouse: duckdb.DuckDBPyConnection) -> None:
        """Fill DuckDB's empty table of this name with the rows of Trino's."""
        schema, _, table = name.partition(".")
        found = run(self.cluster, f'select file_path from {schema}."{table}$files"')
        if not found:
            return
        filesystem, root = self._opened()
        paths = [f"{root}{path.removeprefix(self.location)}" for (path,) in found]
        rows = pyarrow.dataset.dataset(paths, filesystem=filesystem, format="parquet")
        warehouse.register("rows", rows)
        warehouse.execute(f"insert into {name} by name from rows")
        warehouse.unregister("rows")

    def _drop(self, name: str) -> None:
        """Drop the table or view of an earlier build."""
        schema, _, table = name.partition(".")
        run(self.cluster, f"create schema if not exists {schema}")
        found = run(
            self.cluster,
            "select table_type from information_schema.tables "
            f"where table_schema = '{schema}' and table_name = '{table}'",
        )
        for (kind,) in found:
            run(self.cluster, f"drop {'view' if kind == 'VIEW' else 'table'} {name}")

    def _located(self, name: str) -> str:
        return f"with (location = '{self.location}/tables/{name}-{uuid4().hex}')"

    def _write(self, file: str, relation: duckdb.DuckDBPyRelation) -> None:
        filesystem, root = self._opened()
        filesystem.create_dir(f"{root}/raw")
        batches = relation.to_arrow_reader(_BATCH_ROWS)
        with (
            filesystem.open_output_stream(f"{root}/raw/{file}") as stream,
            pyarrow.parquet.ParquetWriter(stream, batches.schema) as writer,
        ):
            for batch in batches:
                writer.write_batch(batch)

    def _opened(self) -> tuple[FileSystem, str]:
        """Credentials of a bucket come from the AWS_ variables."""
        folder = self.folder if "://" in self.folder else str(Path(self.folder).absolute())
        filesystem, root = FileSystem.from_uri(folder)
        return filesystem, root


def _without_wide_integers(relation: duckdb.DuckDBPyRelation) -> duckdb.DuckDBPyRelation:
    values = [
        f'cast("{name}" as {_WIDE[str(kind)]}) as "{name}"' if str(kind) in _WIDE else f'"{name}"'
        for name, kind in zip(relation.columns, relation.types, strict=True)
    ]
    return relation.project(", ".join(values))


def run(cluster: trino.dbapi.Connection, sql: str) -> list[list[Any]]:
    """Run a statement to its end; returns its rows."""
    cursor = cluster.cursor()
    cursor.execute(sql)
    rows: list[list[Any]] = cursor.fetchall()
    return rows
