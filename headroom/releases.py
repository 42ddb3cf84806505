"""What is published: files written aside, and the links that are flipped to them, atomically."""

import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb

from headroom.warehouse import STORAGE, Warehouse
from ingest.disk import flush

_PRIVATE_SCHEMAS = ("staging", "intermediate", "standards", "built")


def release_warehouse(
    warehouse: Warehouse, name: str, amend: Callable[[duckdb.DuckDBPyConnection], None]
) -> None:
    """Publish raw, marts and quality of what was built; `amend` writes before anybody reads."""
    partial = _public_copy(warehouse)
    with duckdb.connect(partial, config=STORAGE) as release:
        amend(release)
    _release(warehouse, warehouse.published, name, partial)


def _public_copy(warehouse: Warehouse) -> Path:
    """A copy of the file that is being built, without what is private to it.

    A file keeps the room of what is dropped from it. That room is cheaper than a file written anew,
    0.8 s against 14 s where 420 of 650 MB stay, unless it is most of the file.
    """
    warehouse.releases.mkdir(exist_ok=True)
    with warehouse.open_building() as connection:
        connection.execute("checkpoint")
    copy = warehouse.releases / "next.partial"
    copy.with_name(f"{copy.name}.wal").unlink(missing_ok=True)
    shutil.copyfile(warehouse.building, copy)
    with duckdb.connect(copy, config=STORAGE) as connection:
        for schema in _PRIVATE_SCHEMAS:
            connection.execute(f"drop schema if exists {schema} cascade")
        connection.execute("checkpoint")
        ((is_mostly_free,),) = connection.execute(
            "select 2 * free_blocks > total_blocks from pragma_database_size()"
        ).fetchall()
    return _written_anew(copy) if is_mostly_free else copy


def _written_anew(copy: Path) -> Path:
    compact = copy.with_name("compact.partial")
    compact.unlink(missing_ok=True)
    with duckdb.connect(config=STORAGE) as connection:
        for name, path in (("wide", copy), ("compact", compact)):
            quoted = str(path).replace("'", "''")
            connection.execute(f"attach '{quoted}' as {name}")
        connection.execute("copy from database wide to compact")
    copy.unlink()
    return compact


def release_nights(warehouse: Warehouse, name: str) -> None:
    """Publish the tables of `quality` alone, of what was built so far."""
    warehouse.releases.mkdir(exist_ok=True)
    partial = (warehouse.releases / name).with_suffix(".partial")
    partial.unlink(missing_ok=True)
    with duckdb.connect(partial, config=STORAGE) as file:
        file.execute("create schema quality")
        with warehouse.open_building() as building:
            found = building.execute(
                "select table_name from duckdb_tables() where schema_name = 'quality'"
            ).fetchall()
            for (table,) in found:
                file.register("rows", building.table(f"quality.{table}").to_arrow_table())
                file.execute(f"create table quality.{table} as from rows")
    _release(warehouse, warehouse.nights, name, partial)


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
