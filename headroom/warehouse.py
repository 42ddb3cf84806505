"""The warehouse folder: the file being built, the releases, and which of them is published.

building.duckdb   raw, marts and quality of the next release; only `headroom` opens it
archive/          every content that was read, by its sha256: packs, compressed, and their index
releases/         published files, each written once and never changed
headroom.duckdb   a symlink to the newest release: what Grafana and people open
nights.duckdb     a symlink to the newest history of nights and checks, whatever came of them
data_docs/        a site of what the last checks found, made by Great Expectations
nightly.log       what each nightly did, as JSON lines
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb

from ingest.records.archive import Archive

Settings = dict[str, str | bool | int | float | list[str]]
# The Grafana plugin's DuckDB has to read the files.
STORAGE: Settings = {"storage_compatibility_version": "v1.0.0"}


class WarehouseError(Exception):
    """The warehouse cannot do what was asked; the message says what to do first."""

    is_of_checks = False
    """Whether a critical check is what forbids it."""


@dataclass(frozen=True)
class Warehouse:
    folder: Path

    @property
    def building(self) -> Path:
        return self.folder / "building.duckdb"

    @property
    def published(self) -> Path:
        return self.folder / "headroom.duckdb"

    @property
    def nights(self) -> Path:
        """Not quality.duckdb: a file named as its schema makes the names in it ambiguous."""
        return self.folder / "nights.duckdb"

    @property
    def data_docs(self) -> Path:
        return self.folder / "data_docs"

    @property
    def log(self) -> Path:
        return self.folder / "nightly.log"

    @property
    def releases(self) -> Path:
        return self.folder / "releases"

    @property
    def archive(self) -> Archive:
        return Archive(self.folder / "archive")

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the warehouse for writing; a second writer is refused at once.

        The lock passes on to dbt and the checks: it holds as long as one of them runs, even if the
        process that started them was killed.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / ".lock").open("w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                reason = f"{self.folder}: another headroom is writing it; try again when it is done"
                raise WarehouseError(reason) from None
            os.set_inheritable(file.fileno(), True)
            yield

    @contextmanager
    def open_building(self, *, must_exist: bool = True) -> Iterator[duckdb.DuckDBPyConnection]:
        if must_exist and not self.building.exists():
            raise WarehouseError(f"{self.folder}: nothing ingested yet; run: headroom ingest PATH")
        with duckdb.connect(self.building, config=STORAGE) as connection:
            yield connection

    @contextmanager
    def open_rehearsal(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A database in memory that knows of files what the one being built does; without results.

        Raises:
            WarehouseError: the one being built cannot be read now.
        """
        with duckdb.connect() as connection:
            if self.building.exists():
                try:
                    self._copy_ledger(connection)
                except duckdb.IOException as error:
                    reason = f"{self.folder}: cannot be read while another headroom is writing it"
                    raise WarehouseError(f"{reason}; try again when it is done") from error
            yield connection

    def _copy_ledger(self, connection: duckdb.DuckDBPyConnection) -> None:
        from ingest.records.tables import LEDGER  # imports polars, which who only asks needs not

        file = str(self.building).replace("'", "''")
        connection.execute(f"attach '{file}' as building (read_only)")
        connection.execute("create schema raw; create schema quality")
        query = (
            "select schema_name || '.' || table_name from duckdb_tables() "
            "where database_name = 'building'"
        )
        for (table,) in connection.execute(query).fetchall():
            if table in LEDGER:
                connection.execute(f"create table {table} as from building.{table}")
        connection.execute("detach building")

    def open_published(self) -> AbstractContextManager[duckdb.DuckDBPyConnection]:
        return self._open_sealed(self.published, "marts")

    def open_quality(self) -> AbstractContextManager[duckdb.DuckDBPyConnection]:
        """The published file whose `quality` is newer: of a night that was held back, its own."""
        links = [link for link in (self.published, self.nights) if link.exists()]
        newest = max(links, key=lambda link: link.stat().st_mtime, default=self.published)
        return self._open_sealed(newest, "quality")

    @contextmanager
    def _open_sealed(self, link: Path, schema: str) -> Iterator[duckdb.DuckDBPyConnection]:
        """A published file, read-only and without access to anything but itself.

        The tables of the schema go by their names alone.
        """
        if not link.exists():
            raise WarehouseError(
                f"{self.folder}: nothing published yet; run: headroom nightly PATH"
            )
        config: Settings = {"enable_external_access": "false"}
        with duckdb.connect(link.resolve(), read_only=True, config=config) as connection:
            connection.execute(f"set search_path = '{schema}'")
            connection.execute("set lock_configuration = true")
            yield connection
