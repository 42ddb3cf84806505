"""The warehouse folder: the file being built, the releases, and which of them is published.

building.duckdb   raw, marts and quality of the next release; only `headroom` opens it
archive/          every content that was read, compressed, by its sha256
releases/         published files, each written once and never changed
headroom.duckdb   a symlink to the newest release: what Grafana and people open
"""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb

from ingest.archive import Archive

Settings = dict[str, str | bool | int | float | list[str]]
_PRIVATE_SCHEMAS = ("staging", "intermediate", "standards")


class WarehouseError(Exception):
    """The warehouse cannot do what was asked; the message says what to do first."""


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
        config: Settings = {"storage_compatibility_version": "v1.0.0"}
        with duckdb.connect(self.building, config=config) as connection:
            yield connection

    @contextmanager
    def open_published(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """The published file, read-only and without access to anything but itself."""
        if not self.published.exists():
            raise WarehouseError(
                f"{self.folder}: nothing published yet; run: headroom nightly PATH"
            )
        config: Settings = {"enable_external_access": "false", "lock_configuration": "true"}
        with duckdb.connect(self.published.resolve(), read_only=True, config=config) as connection:
            yield connection

    def publish_copy(self, name: str) -> Path:
        """Copy what was built to a new release and point the published link at it, atomically.

        A release has the public schemas only: views of staging name the file they were built in.
        """
        self.releases.mkdir(exist_ok=True)
        release = self.releases / name
        partial = release.with_suffix(".partial")
        shutil.copyfile(self.building, partial)
        with duckdb.connect(partial) as connection:
            for schema in _PRIVATE_SCHEMAS:
                connection.execute(f"drop schema if exists {schema} cascade")
        _flush(partial)
        partial.rename(release)
        _flush(self.releases)
        link = self.folder / ".headroom.duckdb.new"
        link.unlink(missing_ok=True)
        link.symlink_to(release.relative_to(self.folder))
        link.replace(self.published)
        _flush(self.folder)
        return release

    def prune(self, keep: int) -> None:
        """Drop all but the newest releases; a Grafana that still has one open keeps its content."""
        for litter in self.releases.glob("*.partial*"):
            litter.unlink()
        for release in sorted(self.releases.glob("*.duckdb"))[:-keep]:
            if release != self.published.resolve():
                release.unlink()


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
