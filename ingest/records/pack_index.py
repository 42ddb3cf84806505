"""Where each content is: an index of the packs, which are the truth and make it again."""

import os
import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from ingest.records.packs import SUFFIX, UNREADABLE, Entry, entries_of

# Of several packs with a content each is listed: one may be damaged.
_TABLES = """
create table if not exists packs (number integer primary key, name text not null unique);
create table if not exists contents (
    file_id text not null, pack integer not null, start integer not null, size integer not null,
    primary key (file_id, pack)
) without rowid;
"""
# Bytes at random in the file make names that are no UTF-8, and text where a number should be.
_DAMAGED = (sqlite3.DatabaseError, ValueError, TypeError)
_MOST_SECONDS_LOCKED = 300.0
T = TypeVar("T")


@dataclass(frozen=True)
class Spot:
    """Compressed bytes in a file; without a size up to its end."""

    path: Path
    offset: int = 0
    size: int = -1


class PackIndex:
    """Several processes may read and write it at once. One that is damaged is made anew."""

    def __init__(self, packs: Path, file: Path) -> None:
        self._packs = packs
        self._file = file
        self._connection: sqlite3.Connection | None = None
        self._is_renewed = False

    def find(self, file_id: str) -> list[Spot]:
        """Where a content should be."""
        query = (
            "select name, start, size from contents inner join packs on number = pack "
            "where file_id = ?"
        )

        def find(connection: sqlite3.Connection) -> list[Spot]:
            rows = connection.execute(query, [file_id]).fetchall()
            return [Spot(self._packs / name, int(start), int(size)) for name, start, size in rows]

        return self._ask(find)

    def contents_of(self, pack: str) -> dict[str, Spot]:
        """What a pack should have, as far as it was ever indexed."""
        query = (
            "select file_id, start, size from contents inner join packs on number = pack "
            "where name = ?"
        )

        def find(connection: sqlite3.Connection) -> dict[str, Spot]:
            rows = connection.execute(query, [pack]).fetchall()
            return {one: Spot(self._packs / pack, int(at), int(size)) for one, at, size in rows}

        return self._ask(find)

    def add(self, pack: str, entries: Iterable[Entry]) -> None:
        rows = [*entries]

        def insert(connection: sqlite3.Connection) -> None:
            with connection:
                _insert(connection, pack, rows)

        self._ask(insert)

    def renew(self) -> bool:
        """Read in all packs again, once in a process; returns whether it did."""
        if self._is_renewed:
            return False
        self._is_renewed = True
        self.remove()
        return True

    def remove(self) -> None:
        """What asks it next makes it of the packs."""
        if self._connection:
            self._connection.close()
        self._connection = None
        self._file.unlink(missing_ok=True)

    def _ask(self, ask: Callable[[sqlite3.Connection], T]) -> T:
        """Raises OSError where a new index fails, too."""
        try:
            return ask(self._open())
        except _DAMAGED:
            self.remove()
        try:
            return ask(self._open())
        except _DAMAGED as error:
            raise OSError(f"{self._file}: {error}") from error

    def _open(self) -> sqlite3.Connection:
        """At its first use in a process the index takes in what happened to the packs meanwhile."""
        if self._connection is None:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self._file, timeout=_MOST_SECONDS_LOCKED)
            # What is lost by a power failure, the packs still have.
            connection.execute("pragma synchronous = off")
            connection.execute("pragma journal_mode = memory")
            connection.executescript(_TABLES)
            self._catch_up(connection)
            self._connection = connection
        return self._connection

    def _catch_up(self, connection: sqlite3.Connection) -> None:
        with connection:
            connection.execute("begin immediate")
            known = {name for (name,) in connection.execute("select name from packs")}
            there = {name for name in _names_in(self._packs) if name.endswith(SUFFIX)}
            gone = [(name,) for name in known - there]
            if gone:
                connection.executemany("delete from packs where name = ?", gone)
                query = "delete from contents where pack not in (select number from packs)"
                connection.execute(query)
            for name in there - known:
                try:
                    entries = [*entries_of(self._packs / name)]
                except UNREADABLE:
                    continue  # it is tried again by the next process: someone may restore it
                _insert(connection, name, entries)


def _names_in(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except FileNotFoundError:
        return []


def _insert(connection: sqlite3.Connection, pack: str, entries: Iterable[Entry]) -> None:
    connection.execute("insert or ignore into packs (name) values (?)", [pack])
    query = "select number from packs where name = ?"
    (number,) = connection.execute(query, [pack]).fetchone()
    connection.executemany(
        "insert or replace into contents values (?, ?, ?, ?)",
        [(entry.file_id, number, entry.offset, entry.size) for entry in entries],
    )
