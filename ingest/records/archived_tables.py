"""Keeps the tables about files, systems and nights in the archive.

`archive/ledger/` has a Parquet file for each table, named by the sha256 of its bytes, and numbered
lists of them, `<number>.json`. The newest list and the contents restore `raw`. An unchanged table
is not written again; two lists are kept.
"""

import uuid
from collections.abc import Iterable
from pathlib import Path

import duckdb
import msgspec

from ingest.common.disk import flush
from ingest.common.errors import InputError
from ingest.common.paths import quoted
from ingest.records.archive import sha256_of

_KEPT_LISTS = 2
_PARTIAL = ".partial"


class ArchivedTable(msgspec.Struct, frozen=True):
    """An archived table: its file's name, and a hash of its rows in any order."""

    file: str
    contents: str


TableList = dict[str, ArchivedTable]


def archive_tables(
    connection: duckdb.DuckDBPyConnection, folder: Path, tables: Iterable[str]
) -> None:
    """Write the changed tables to the disk, and then their list."""
    folder.mkdir(parents=True, exist_ok=True)
    before = next(map(read_list, reversed(lists_in(folder))), None) or {}
    now = {table: _keep(connection, folder, table, before.get(table)) for table in sorted(tables)}
    if now != before:
        partial = folder / f"{uuid.uuid4().hex}{_PARTIAL}"
        partial.write_bytes(msgspec.json.format(msgspec.json.encode(now), indent=1) + b"\n")
        flush(partial)
        flush(folder)  # the tables' file names reach the disk before the list's
        last = max(map(_number, lists_in(folder)), default=0)
        partial.replace(folder / f"{last + 1}.json")
        flush(folder)
        flush(folder.parent)
    _sweep(folder)


def _keep(
    connection: duckdb.DuckDBPyConnection, folder: Path, table: str, before: ArchivedTable | None
) -> ArchivedTable:
    query = f"select count(*) || ' ' || coalesce(sum(cast(hash(t) as hugeint)), 0) from {table} t"
    ((contents,),) = connection.execute(query).fetchall()
    if before and before.contents == contents and (folder / before.file).is_file():
        return before
    partial = folder / f"{uuid.uuid4().hex}{_PARTIAL}"
    try:
        connection.execute(f"copy {table} to {quoted(partial)} (format parquet, compression zstd)")
        flush(partial)
        file = f"{table}-{sha256_of(partial)}.parquet"
        partial.replace(folder / file)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    return ArchivedTable(file, contents)


def newest_sound(folder: Path) -> TableList | None:
    """The newest list with undamaged files."""
    for path in reversed(lists_in(folder)):
        kept = read_list(path)
        if kept and all(_is_sound(folder / one.file) for one in kept.values()):
            return kept
    return None


def lists_in(folder: Path) -> list[Path]:
    """Oldest first."""
    return sorted(folder.glob("*.json"), key=_number)


def _number(path: Path) -> int:
    return int(path.stem) if path.stem.isdecimal() else 0


def read_list(path: Path) -> TableList | None:
    """None if it is damaged."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=TableList)
    except (OSError, ValueError):
        return None


def faults_in(folder: Path) -> list[InputError]:
    """Damaged and missing files."""
    faults = []
    for path in lists_in(folder):
        kept = read_list(path)
        if kept is None:
            faults.append(InputError(path, "is damaged"))
        for one in (kept or {}).values():
            if not _is_sound(folder / one.file):
                faults.append(InputError(folder / one.file, "is missing or damaged"))
    return faults


def load_table(
    connection: duckdb.DuckDBPyConnection, folder: Path, table: str, kept: TableList
) -> None:
    """Replace a table's rows with the archived ones, in the columns of this version."""
    source = f"read_parquet({quoted(folder / kept[table].file)})"
    known = connection.sql(f"from {source} limit 0").columns
    both = [f'"{name}"' for name in connection.table(table).columns if name in known]
    connection.execute(f"delete from {table}")
    connection.execute(f"insert into {table} by name select {', '.join(both)} from {source}")


def _is_sound(path: Path) -> bool:
    try:
        return path.stem.endswith(sha256_of(path))
    except OSError:
        return False


def _sweep(folder: Path) -> None:
    """Remove partial files of killed writers, old lists, and files that no list names."""
    lists = lists_in(folder)
    for old in lists[:-_KEPT_LISTS]:
        old.unlink()
    named = {one.file for path in lists[-_KEPT_LISTS:] for one in (read_list(path) or {}).values()}
    for path in folder.iterdir():
        if path.suffix == _PARTIAL or (path.suffix == ".parquet" and path.name not in named):
            path.unlink()
