"""Takes places out of the warehouse's view; their contents stay in raw and in the archive."""

import os
from collections.abc import Container, Iterable
from pathlib import Path

import duckdb

from ingest.ignores import IGNORE_FILE
from ingest.names import printable, real_path
from ingest.packed import is_packed
from ingest.records.ledger import Ledger


def forget(connection: duckdb.DuckDBPyConnection, paths: Iterable[Path]) -> tuple[int, int]:
    """Forget sources and quarantined files at or below the paths, whether they still exist or not.

    Returns how many of both.
    """
    sources = refused = 0
    for path in paths:
        absolute = printable(path.resolve())
        places = [absolute, absolute.rstrip("/") + "/"]
        sources += _count(
            connection,
            "update raw.sources set is_current = false "
            "where is_current and (absolute_path = ? or starts_with(absolute_path, ?))",
            places,
        )
        refused += _count(
            connection,
            "delete from quality.quarantined_files "
            "where absolute_path = ? or starts_with(absolute_path, ?)",
            places,
        )
    return sources, refused


def forget_gone(
    connection: duckdb.DuckDBPyConnection,
    ledger: Ledger,
    met: Container[str],
    ignored: Container[str],
) -> None:
    """Forget what was quarantined and is ignored now.

    And of what no parser ever claimed: files that are gone; folders and packed files that can be
    looked into again.
    """
    for absolute, entry in list(ledger.quarantined.items()):
        is_over = is_gone(absolute, met) or _is_open(absolute, met)
        if absolute in ignored or (entry.parser is None and is_over):
            query = "delete from quality.quarantined_files where absolute_path = ?"
            connection.execute(query, [printable(absolute)])
            ledger.release(absolute)


def retire_moved(
    connection: duckdb.DuckDBPyConnection, met: Container[str], ignored: Container[str]
) -> None:
    """A content that another place has, too, was moved from one where it is no more, or ignored."""
    shared = connection.execute(
        """
        select source_key, absolute_path, file_id
        from raw.sources
        where is_current
        qualify count(*) over (partition by file_id) > 1
        """
    ).fetchall()
    gone = {
        path: real in ignored or is_gone(real, met)
        for _, path, _ in shared
        for real in [real_path(path)]
    }
    kept = {file_id for _, path, file_id in shared if not gone[path]}
    for source_key, path, file_id in shared:
        if gone[path] and file_id in kept:
            connection.execute(
                "update raw.sources set is_current = false where source_key = ? and is_current",
                [source_key],
            )


def is_gone(absolute: str, met: Container[str]) -> bool:
    """Whether no file is there. One that cannot be looked at may be there, and so may one in a
    packed file that was not `met`, as what is there was."""
    if absolute in met:
        return False
    try:
        os.stat(absolute)
    except NotADirectoryError:
        above = (str(folder) for folder in Path(absolute).parents)
        packed = next(folder for folder in above if os.path.exists(folder))
        return packed in met or not is_packed(packed)
    except (FileNotFoundError, ValueError):
        return True
    except OSError:
        return False
    return False


def _is_open(absolute: str, met: Container[str]) -> bool:
    if os.path.isdir(absolute):
        return os.access(absolute, os.R_OK | os.X_OK)
    if is_packed(absolute):
        return absolute in met
    return os.path.basename(absolute) == IGNORE_FILE


def _count(connection: duckdb.DuckDBPyConnection, query: str, values: list[str]) -> int:
    ((count,),) = connection.execute(query, values).fetchall()
    return int(count)
