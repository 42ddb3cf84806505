"""What is published: files written aside, and the links that are flipped to them, atomically."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb

from headroom.warehouse import STORAGE, Warehouse

_PRIVATE_SCHEMAS = ("staging", "intermediate", "standards", "built")


def release_warehouse(
    warehouse: Warehouse, name: str, amend: Callable[[duckdb.DuckDBPyConnection], None]
) -> None:
    """Publish a copy of what was built; `amend` writes into it before anybody sees it.

    A release has the public schemas only: views of staging name the file they were built in. It is
    written anew, for a file keeps the room of what is dropped from it.
    """

    def fill(partial: Path) -> None:
        scratch = partial.with_suffix(".scratch.partial")
        shutil.copyfile(warehouse.building, scratch)
        with duckdb.connect(config=STORAGE) as connection:
            for name, path in (("scratch", scratch), ("release", partial)):
                quoted = str(path).replace("'", "''")
                connection.execute(f"attach '{quoted}' as {name}")
            for schema in _PRIVATE_SCHEMAS:
                connection.execute(f"drop schema if exists scratch.{schema} cascade")
            connection.execute("copy from database scratch to release")
        scratch.unlink()
        with duckdb.connect(partial) as connection:
            amend(connection)

    _release(warehouse, warehouse.published, name, fill)


def release_nights(warehouse: Warehouse, name: str) -> None:
    """Publish the tables of `quality` alone, of what was built so far."""

    def fill(partial: Path) -> None:
        with warehouse.open_building() as building, duckdb.connect(partial, config=STORAGE) as file:
            file.execute("create schema quality")
            found = building.execute(
                "select table_name from duckdb_tables() where schema_name = 'quality'"
            ).fetchall()
            for (table,) in found:
                file.register("rows", building.table(f"quality.{table}").to_arrow_table())
                file.execute(f"create table quality.{table} as from rows")

    _release(warehouse, warehouse.nights, name, fill)


def _release(warehouse: Warehouse, link: Path, name: str, fill: Callable[[Path], None]) -> None:
    warehouse.releases.mkdir(exist_ok=True)
    release = warehouse.releases / name
    partial = release.with_suffix(".partial")
    partial.unlink(missing_ok=True)
    fill(partial)
    _flush(partial)
    partial.rename(release)
    _flush(warehouse.releases)
    fresh = warehouse.folder / f".{link.name}.new"
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(release.relative_to(warehouse.folder))
    fresh.replace(link)
    _flush(warehouse.folder)


def prune(warehouse: Warehouse, keep: int) -> None:
    """Drop all but the newest of each kind; a Grafana that still has one open keeps its content."""
    for litter in warehouse.releases.glob("*.partial*"):
        litter.unlink()
    for link in (warehouse.published, warehouse.nights):
        for release in sorted(warehouse.releases.glob(f"{link.stem}-*.duckdb"))[:-keep]:
            if release != link.resolve():
                release.unlink()


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
