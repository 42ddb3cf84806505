"""Takes places out of the warehouse's view; their contents stay in raw and in the archive."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import duckdb
import polars as pl

from ingest.records.ledger import Ledger
from ingest.records.tables import rows_as
from ingest.sources import target_of


def forget(connection: duckdb.DuckDBPyConnection, paths: Iterable[Path]) -> tuple[int, int]:
    """Forget sources and quarantined files at or below the paths, whether they still exist or not.

    A link is at its own path and at that of its target. Returns how many of both.
    """
    roots = {root for path in paths for root in _roots(path)}
    folders = tuple(os.path.join(root, "") for root in roots)
    known = connection.execute(
        "select absolute_path from raw.sources where is_current "
        "union select absolute_path from quality.quarantined_files where absolute_path is not null"
    ).fetchall()
    places = [
        place
        for (place,) in known
        if any(real in roots or real.startswith(folders) for real in (place, target_of(place)))
    ]
    with rows_as(connection, "places", pl.DataFrame({"place": places}, {"place": pl.String()})):
        sources = connection.execute(
            "update raw.sources set is_current = false "
            "where is_current and absolute_path in (from places)"
        ).fetchone()
        refused = connection.execute(
            "delete from quality.quarantined_files where absolute_path in (from places)"
        ).fetchone()
    assert sources and refused
    return sources[0], refused[0]


def _roots(path: Path) -> Iterator[str]:
    """Where a path is, and where the links below it lead."""
    yield os.path.join(os.path.realpath(path.parent), path.name)
    seen: set[str] = set()
    pending = [os.path.realpath(path)]
    while pending:
        root = pending.pop()
        seen.add(root)
        yield root
        for folder, folders, files in os.walk(root):
            names = (os.path.join(folder, name) for name in (*folders, *files))
            targets = {os.path.realpath(name) for name in names if os.path.islink(name)}
            pending += targets - seen


def forget_gone(connection: duckdb.DuckDBPyConnection, ledger: Ledger) -> None:
    """Forget quarantined files that are gone and that no parser ever claimed."""
    for absolute, entry in list(ledger.quarantined.items()):
        if entry.parser is None and not Path(absolute).exists():
            query = "delete from quality.quarantined_files where absolute_path = ?"
            connection.execute(query, [absolute])
            ledger.release(absolute)


def retire_moved(connection: duckdb.DuckDBPyConnection) -> None:
    """A content that another place has, too, was moved from a place where it is no more."""
    shared = connection.execute(
        """
        select source_key, absolute_path, file_id
        from raw.sources
        where is_current
        qualify count(*) over (partition by file_id) > 1
        """
    ).fetchall()
    gone = [row for row in shared if not Path(row[1]).exists()]
    kept = {file_id for _, path, file_id in shared if Path(path).exists()}
    for source_key, _, file_id in gone:
        if file_id in kept:
            connection.execute(
                "update raw.sources set is_current = false where source_key = ? and is_current",
                [source_key],
            )
