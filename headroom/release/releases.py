"""Releases: read-only files with checksums in `SHA256SUMS`, published by an atomic symlink flip."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from headroom.checksums import keep_sums, read_sums
from headroom.warehouse import STORAGE, Warehouse, tables_in
from ingest.common.disk import flush
from ingest.common.paths import quoted
from ingest.records.archive import sha256_of

_PRIVATE_SCHEMAS = ("staging", "intermediate", "standards", "built")


def release_warehouse(
    warehouse: Warehouse, name: str, amend: Callable[[duckdb.DuckDBPyConnection], None]
) -> None:
    """Publish raw, marts and quality; `amend` changes the copy before it is published."""
    with _no_leftovers(warehouse):
        partial = _public_copy(warehouse)
        with duckdb.connect(partial, config=STORAGE) as release:
            amend(release)
        _release(warehouse, warehouse.published, name, partial)


@contextmanager
def _no_leftovers(warehouse: Warehouse) -> Iterator[None]:
    """Remove partial files after a failure, such as a full disk."""
    warehouse.releases.mkdir(exist_ok=True)
    try:
        yield
    except BaseException:
        remove_partials(warehouse)
        raise


def remove_partials(warehouse: Warehouse) -> None:
    for partial in warehouse.releases.glob("*.partial*"):
        partial.unlink()


def _public_copy(warehouse: Warehouse) -> Path:
    """A copy of building.duckdb without its private schemas.

    Free blocks stay unless they are most of the file: compacting 650 MB takes 14 s, not 0.8 s.
    """
    with warehouse.open_building() as connection:
        connection.execute("checkpoint")
    warehouse.let_go()
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
    return _compacted(copy) if is_mostly_free else copy


def _compacted(copy: Path) -> Path:
    compact = copy.with_name("compact.partial")
    compact.unlink(missing_ok=True)
    with duckdb.connect(config=STORAGE) as connection:
        for name, path in (("wide", copy), ("compact", compact)):
            connection.execute(f"attach {quoted(path)} as {name}")
        connection.execute("copy from database wide to compact")
    copy.unlink()
    return compact


def release_nights(warehouse: Warehouse, name: str) -> None:
    """Publish the tables of `quality` as nights.duckdb."""
    with _no_leftovers(warehouse):
        partial = (warehouse.releases / name).with_suffix(".partial")
        partial.unlink(missing_ok=True)
        with duckdb.connect(partial, config=STORAGE) as file:
            file.execute("create schema quality")
            with warehouse.open_building() as building:
                for table in tables_in(building, warehouse.building.stem):
                    if table.startswith("quality."):
                        file.register("rows", building.table(table).to_arrow_table())
                        file.execute(f"create table {table} as from rows")
        _release(warehouse, warehouse.nights, name, partial)


def _release(warehouse: Warehouse, link: Path, name: str, partial: Path) -> None:
    release = warehouse.releases / name
    sha256 = sha256_of(partial)
    partial.chmod(0o444)
    flush(partial)
    partial.rename(release)
    keep_sums(warehouse.releases, read_sums(warehouse.releases) | {name: sha256})
    point(link, release)


def point(link: Path, release: Path) -> None:
    """Flip a link of the warehouse to a release."""
    fresh = link.with_name(f".{link.name}.new")
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(release.relative_to(link.parent))
    fresh.replace(link)
    flush(link.parent)


def prune(warehouse: Warehouse, keep: int) -> None:
    """Delete all but the newest of each kind. Readers keep the content of an open file."""
    if not warehouse.releases.exists():
        return
    remove_partials(warehouse)
    for link in (warehouse.published, warehouse.nights):
        for release in releases_of(warehouse, link)[:-keep]:
            if release != link.resolve():
                release.unlink()
    keep_sums(warehouse.releases, read_sums(warehouse.releases))


def fault_of(warehouse: Warehouse, link: Path) -> str | None:
    """Why the release behind the link cannot be read: missing or changed."""
    release = link.resolve()
    if not link.exists():
        return warehouse.missing_message(link) if warehouse.was_published(link) else None
    known = read_sums(warehouse.releases).get(release.name)
    try:
        is_sound = sha256_of(release) == known if known else _opens(release)
    except OSError as error:
        return f"{release} cannot be read ({error.strerror})"
    return None if is_sound else f"{release}: changed since it was published"


def _opens(release: Path) -> bool:
    try:
        duckdb.connect(release, read_only=True).close()
    except duckdb.Error:
        return False
    return True


def newest_sound(warehouse: Warehouse, link: Path) -> Path | None:
    """The newest release that matches its checksum, or has none."""
    sums = read_sums(warehouse.releases)
    for release in reversed(releases_of(warehouse, link)):
        if release.name not in sums or sha256_of(release) == sums[release.name]:
            return release
    return None


def fall_back(warehouse: Warehouse, link: Path) -> Path | None:
    """Point the link to the newest undamaged release, if there is one."""
    release = newest_sound(warehouse, link)
    if release:
        point(link, release)
    return release


def releases_of(warehouse: Warehouse, link: Path) -> list[Path]:
    """Oldest first, in the order of SHA256SUMS; releases without a checksum come first."""
    place = {name: number for number, name in enumerate(read_sums(warehouse.releases))}
    found = warehouse.releases.glob(f"{link.stem}-*.duckdb")
    return sorted(found, key=lambda release: (place.get(release.name, -1), release.name))
