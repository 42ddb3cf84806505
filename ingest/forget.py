"""Removes places from the warehouse's view; contents stay in raw and in the archive."""

import os
from collections.abc import Container, Iterable, Iterator
from pathlib import Path

import duckdb

from ingest.common.paths import printable, real_path
from ingest.find.ignores import IGNORE_FILE
from ingest.find.packed import is_packed
from ingest.find.sources import target_of
from ingest.records.ledger import Ledger
from ingest.records.raw_tables import change_where, take_off_quarantine


def forget(connection: duckdb.DuckDBPyConnection, paths: Iterable[Path]) -> tuple[int, int]:
    """Forget all files at or below the paths, whether they still exist or not.

    A link matches by its own path and by its target's. Returns the numbers of sources and of
    quarantined files.
    """
    places = places_below(known_places(connection), paths)
    query = "update raw.sources set is_current = false where is_current and absolute_path"
    return change_where(connection, query, places), take_off_quarantine(connection, places)


def known_places(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """The full paths of the known files, in printable form."""
    rows = connection.execute(
        "select absolute_path from raw.sources where is_current union "
        "select absolute_path from quality.quarantined_files where absolute_path is not null union "
        "select absolute_path from quality.files_without_results "
        "order by absolute_path"
    ).fetchall()
    return [place for (place,) in rows]


def places_below(places: Iterable[str], paths: Iterable[Path]) -> list[str]:
    """The places at or below the paths, by their own path or a link's target."""
    roots = {printable(root) for path in paths for root in _roots(path)}
    folders = tuple(os.path.join(root, "") for root in roots)
    return [
        place
        for place in places
        if any(
            real in roots or real.startswith(folders)
            for real in (place, printable(target_of(real_path(place))))
        )
    ]


def _roots(path: Path) -> Iterator[str]:
    """The resolved path, and the targets of the links below it."""
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


def forget_gone(
    connection: duckdb.DuckDBPyConnection,
    ledger: Ledger,
    seen: Container[str],
    ignored: Container[str],
) -> None:
    """Forget quarantined files and files without results that are ignored now.

    Also forget entries without a parser whose file is gone, or whose folder or packed file is
    readable again.
    """
    over = [
        absolute
        for absolute, entry in ledger.quarantined.items()
        if absolute in ignored
        or (entry.parser is None and (is_gone(absolute, seen) or _is_open(absolute, seen)))
    ]
    take_off_quarantine(connection, [printable(absolute) for absolute in over])
    for absolute in over:
        del ledger.quarantined[absolute]


def retire_moved(
    connection: duckdb.DuckDBPyConnection, seen: Container[str], ignored: Container[str]
) -> None:
    """Retire places that are gone or ignored, if another place has their content."""
    shared = connection.execute(
        """
        select source_key, absolute_path, file_id
        from raw.sources
        where is_current
        qualify count(*) over (partition by file_id) > 1
        """
    ).fetchall()
    gone = {
        path: real in ignored or is_gone(real, seen)
        for _, path, _ in shared
        for real in [real_path(path)]
    }
    kept = {file_id for _, path, file_id in shared if not gone[path]}
    retired = [key for key, path, file_id in shared if gone[path] and file_id in kept]
    query = "update raw.sources set is_current = false where is_current and source_key"
    change_where(connection, query, retired)


def is_gone(absolute: str, seen: Container[str]) -> bool:
    """Whether the file does not exist. An inaccessible file may exist, and so may a member of a
    packed file that this run did not list."""
    if absolute in seen:
        return False
    try:
        os.stat(absolute)
    except NotADirectoryError:
        above = (str(folder) for folder in Path(absolute).parents)
        packed = next(folder for folder in above if os.path.exists(folder))
        return packed in seen or not is_packed(packed)
    except (FileNotFoundError, ValueError):
        return True
    except OSError:
        return False
    return False


def _is_open(absolute: str, seen: Container[str]) -> bool:
    if os.path.isdir(absolute):
        return os.access(absolute, os.R_OK | os.X_OK)
    if is_packed(absolute):
        return absolute in seen
    return os.path.basename(absolute) == IGNORE_FILE
