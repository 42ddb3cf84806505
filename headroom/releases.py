"""What is published: files written aside, and the links that are flipped to them, atomically."""

import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb

from headroom.warehouse import STORAGE, Warehouse
from ingest.disk import flush

_PRIVATE_SCHEMAS = ("staging", "intermediate", "standards", "built")


def set_aside(warehouse: Warehouse) -> Path:
    """A copy of the file being built, which `write_anew` makes the next release of."""
    warehouse.releases.mkdir(exist_ok=True)
    with warehouse.open_building() as connection:
        connection.execute("checkpoint")
    scratch = warehouse.releases / "next.scratch.partial"
    shutil.copyfile(warehouse.building, scratch)
    return scratch


def write_anew(scratch: Path) -> Path:
    """Raw and marts alone; `release_warehouse` adds quality.

    Views of staging name the file they were built in, and a file keeps the room of what is dropped
    from it: so what is public is copied into a new one.
    """
    partial = scratch.with_name("next.partial")
    partial.unlink(missing_ok=True)
    with duckdb.connect(config=STORAGE) as connection:
        for name, path in (("scratch", scratch), ("release", partial)):
            quoted = str(path).replace("'", "''")
            connection.execute(f"attach '{quoted}' as {name}")
        for schema in (*_PRIVATE_SCHEMAS, "quality"):
            connection.execute(f"drop schema if exists scratch.{schema} cascade")
        connection.execute("copy from database scratch to release")
    scratch.unlink()
    return partial


def release_warehouse(
    warehouse: Warehouse,
    name: str,
    partial: Path,
    amend: Callable[[duckdb.DuckDBPyConnection], None],
) -> None:
    """Publish what `write_anew` wrote; `amend` writes into it before anybody sees it."""
    with duckdb.connect(partial, config=STORAGE) as release:
        _copy_quality(warehouse, release)
        amend(release)
    _release(warehouse, warehouse.published, name, partial)


def release_nights(warehouse: Warehouse, name: str) -> None:
    """Publish the tables of `quality` alone, of what was built so far."""
    warehouse.releases.mkdir(exist_ok=True)
    partial = (warehouse.releases / name).with_suffix(".partial")
    partial.unlink(missing_ok=True)
    with duckdb.connect(partial, config=STORAGE) as file:
        _copy_quality(warehouse, file)
    _release(warehouse, warehouse.nights, name, partial)


def _copy_quality(warehouse: Warehouse, release: duckdb.DuckDBPyConnection) -> None:
    release.execute("create schema quality")
    with warehouse.open_building() as building:
        found = building.execute(
            "select table_name from duckdb_tables() where schema_name = 'quality'"
        ).fetchall()
        for (table,) in found:
            release.register("rows", building.table(f"quality.{table}").to_arrow_table())
            release.execute(f"create table quality.{table} as from rows")


def _release(warehouse: Warehouse, link: Path, name: str, partial: Path) -> None:
    release = warehouse.releases / name
    flush(partial)
    partial.rename(release)
    flush(warehouse.releases)
    fresh = warehouse.folder / f".{link.name}.new"
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(release.relative_to(warehouse.folder))
    fresh.replace(link)
    flush(warehouse.folder)


def prune(warehouse: Warehouse, keep: int) -> None:
    """Drop all but the newest of each kind; a Grafana that still has one open keeps its content."""
    for litter in warehouse.releases.glob("*.partial*"):
        litter.unlink()
    for link in (warehouse.published, warehouse.nights):
        for release in sorted(warehouse.releases.glob(f"{link.stem}-*.duckdb"))[:-keep]:
            if release != link.resolve():
                release.unlink()
