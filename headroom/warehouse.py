"""The warehouse folder: the file being built, the releases, and which of them is published.

building.duckdb   raw, marts and quality of the next release; only `headroom` opens it
archive/          every file that was read, by its sha256, in compressed packs with an index
releases/         published files, never changed, and their SHA256SUMS
headroom.duckdb   symlink to the newest release, for Grafana and people
nights.duckdb     symlink to the newest history of nights and checks
data_docs/        Great Expectations' site about the last checks
nightly.log       the steps of each night, as JSON lines
"""

import fcntl
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, TextIO

import duckdb

from headroom.checksums import read_sums
from headroom.query_limits import Settings, limited
from ingest.common.paths import quoted
from ingest.records.archive import Archive

# This optimizer of DuckDB 1.5.4 returns a wrong first row of some windows (tests/test_windows.py).
EXACT: Settings = {"disabled_optimizers": "top_n_window_elimination"}
# The Grafana plugin's DuckDB has to read the files.
STORAGE: Settings = {"storage_compatibility_version": "v1.0.0", **EXACT}
# DuckDB's messages for damaged files.
_DAMAGED = ("not a valid DuckDB database", "Corrupt database", "Could not read enough bytes")
_MENDS = "run: headroom verify --repair, or headroom nightly"
_SECONDS_TO_LOCK = 0.1  # longer than `is_locked` holds it
Child = subprocess.Popen[str]


class WarehouseError(Exception):
    """An expected error; the message says what to do."""


class ChecksFailed(WarehouseError):
    """Critical checks failed, or there is nothing to publish."""


def _locked(file: TextIO, kind: int) -> bool:
    """Whether the lock was taken; closing the file releases it."""
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _damage_in(error: duckdb.Error) -> str | None:
    """ "damaged (...)" if the error is DuckDB's for a damaged file."""
    text = str(error).splitlines()[0]
    return f"damaged ({text})" if any(sign in text for sign in _DAMAGED) else None


def tables_in(connection: duckdb.DuckDBPyConnection, database: str) -> list[str]:
    """Names of the tables with their schemas, such as raw.files."""
    query = "select schema_name || '.' || table_name from duckdb_tables() where database_name = $1"
    return [name for (name,) in connection.execute(query, [database]).fetchall()]


def rows_of(relation: duckdb.DuckDBPyRelation) -> list[dict[str, Any]]:
    """All rows, by the names of their columns."""
    return [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]


def _opened(link: Path, config: Settings) -> duckdb.DuckDBPyConnection:
    """The release behind the link; the next one if it was pruned meanwhile."""
    while True:
        release = link.resolve()
        try:
            return duckdb.connect(release, read_only=True, config=config)
        except duckdb.IOException:
            if release.exists() or link.resolve() == release:
                raise


@contextmanager
def child(command: list[str | Path], **settings: Any) -> Iterator[Child]:
    """A process that takes an order on stdin and inherits the lock; it is killed at the end."""
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, text=True, close_fds=False,
        process_group=0,  # Ctrl-C reaches only this process, which ends the other
        **settings,
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def _readable_by_group() -> Iterator[None]:
    """New files are writable by their owner and readable by their group only."""
    before = os.umask(0o077)
    os.umask(before | 0o027)
    try:
        yield
    finally:
        os.umask(before)


class Warehouse:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.building = folder / "building.duckdb"
        self.published = folder / "headroom.duckdb"
        # Not quality.duckdb: a file named as its schema makes the names in it ambiguous.
        self.nights = folder / "nights.duckdb"
        self.data_docs = folder / "data_docs"
        self.log = folder / "nightly.log"
        self.releases = folder / "releases"
        self.archive = Archive(folder / "archive")
        self._is_kept_open = False
        self._kept: duckdb.DuckDBPyConnection | None = None

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the warehouse for writing; a second writer is refused at once.

        The lock passes on to dbt and the checks: it holds as long as one of them runs, even if the
        process that started them was killed.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        with _readable_by_group(), (self.folder / ".lock").open("w") as file:
            if not _locked(file, fcntl.LOCK_EX):
                time.sleep(_SECONDS_TO_LOCK)
                if not _locked(file, fcntl.LOCK_EX):
                    reason = "another headroom process is writing to it; try again when it is done"
                    raise WarehouseError(f"{self.folder}: {reason}")
            os.set_inheritable(file.fileno(), True)
            yield

    def is_locked(self) -> bool:
        """Whether another process is writing."""
        try:
            with (self.folder / ".lock").open() as file:
                return not _locked(file, fcntl.LOCK_SH)
        except OSError:
            return False

    @contextmanager
    def open_building(self, *, must_exist: bool = True) -> Iterator[duckdb.DuckDBPyConnection]:
        if must_exist and not self.building.exists():
            is_lost = self.was_published(self.published)
            fault = "building.duckdb is missing" if is_lost else "nothing ingested yet"
            remedy = "headroom nightly PATH" if is_lost else "headroom ingest PATH"
            raise WarehouseError(f"{self.folder}: {fault}; run: {remedy}")
        connection = self._kept or duckdb.connect(self.building, config=STORAGE)
        if self._is_kept_open:
            self._kept = connection
            connection = connection.cursor()
        with connection:
            try:
                yield connection
            except BaseException:
                connection.interrupt()  # closing would wait for a query that a signal has ended
                raise

    @contextmanager
    def kept_open(self) -> Iterator[None]:
        """Keep building.duckdb open for the steps inside: opening it takes a tenth of a second."""
        self._is_kept_open = True
        try:
            yield
        finally:
            self._is_kept_open = False
            self.let_go()

    def let_go(self) -> None:
        """Close building.duckdb for another process, or for a copy of the file."""
        kept, self._kept = self._kept, None
        if kept:
            kept.close()

    def fault_of_building(self, *, is_thorough: bool = False) -> str | None:
        """Why building.duckdb cannot be used: missing, empty or damaged.

        With `is_thorough` all rows are read: DuckDB has a checksum for each block.
        """
        if not self.building.exists():
            return f"{self.building} is missing"
        try:
            with self.open_building() as connection:
                connection.execute("from raw.files limit 1").fetchall()
                if is_thorough:
                    for name in tables_in(connection, self.building.stem):
                        connection.execute(f"select sum(hash(t)) from {name} as t").fetchall()
        except duckdb.CatalogException:
            return f"{self.building} has no tables"
        except duckdb.Error as error:
            if damage := _damage_in(error):
                return f"{self.building} is {damage}"
            raise
        return None

    def set_building_aside(self) -> None:
        """Rename building.duckdb and its write-ahead log to *.damaged."""
        self.let_go()
        for end in ("", ".wal"):
            path = Path(f"{self.building}{end}")
            if path.exists():
                path.replace(f"{self.building}.damaged{end}")

    @contextmanager
    def open_rehearsal(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """An in-memory copy of building.duckdb's tables about files, without results.

        Raises:
            WarehouseError: the warehouse being built cannot be read now.
        """
        with duckdb.connect() as connection:
            if self.building.exists():
                try:
                    self._copy_ledger(connection)
                except duckdb.IOException as error:
                    reason = "cannot be read while another headroom process is writing to it"
                    text = f"{self.folder}: {reason}; try again when it is done"
                    raise WarehouseError(text) from error
            yield connection

    def _copy_ledger(self, connection: duckdb.DuckDBPyConnection) -> None:
        from ingest.records.raw_tables import LEDGER  # imports polars, which readers do not need

        connection.execute(f"attach {quoted(self.building)} as building (read_only)")
        connection.execute("create schema raw; create schema quality")
        for table in LEDGER.keys() & set(tables_in(connection, "building")):
            connection.execute(f"create table {table} as from building.{table}")
        connection.execute("detach building")

    def was_published(self, link: Path) -> bool:
        """Whether the link, or a release of its kind, exists."""
        return os.path.lexists(link) or any(self.releases.glob(f"{link.stem}-*.duckdb"))

    def missing_message(self, link: Path) -> str:
        release = link.resolve()
        return f"{link} is missing" if release == link.absolute() else f"{release} is missing"

    def open_published(self) -> AbstractContextManager[duckdb.DuckDBPyConnection]:
        return self._open_sealed(self.published, "marts")

    def open_quality(self) -> AbstractContextManager[duckdb.DuckDBPyConnection]:
        """The published file with the newest `quality`, also of a night that was held back."""
        links = [link for link in (self.nights, self.published) if os.path.lexists(link)]
        place = {name: number for number, name in enumerate(read_sums(self.releases))}
        newest = max(
            links, key=lambda link: place.get(link.resolve().name, -1), default=self.published
        )
        return self._open_sealed(newest, "quality")

    @contextmanager
    def _open_sealed(self, link: Path, schema: str) -> Iterator[duckdb.DuckDBPyConnection]:
        """A published file, read-only, without access to other files; `schema` is the default."""
        if not link.exists():
            if self.was_published(link):
                raise WarehouseError(f"{self.missing_message(link)}; {_MENDS}")
            raise WarehouseError(
                f"{self.folder}: nothing published yet; run: headroom nightly PATH"
            )
        with limited() as limits:
            config: Settings = {"enable_external_access": "false", **EXACT, **limits}
            try:
                with _opened(link, config) as connection:
                    connection.execute(f"set search_path = '{schema}'")
                    connection.execute("set lock_configuration = true")
                    yield connection
            except duckdb.Error as error:
                if damage := _damage_in(error):
                    raise WarehouseError(f"{link.resolve()} is {damage}; {_MENDS}") from error
                raise
