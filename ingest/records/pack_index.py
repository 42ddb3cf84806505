"""Finds contents in packs by an index, which can be rebuilt from the packs at any time."""

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from ingest.records.packs import SUFFIX, UNREADABLE, Spot, spots_in

# A content may be in several packs, one of them damaged.
_TABLES = """
create table if not exists packs (number integer primary key, name text not null unique);
create table if not exists contents (
    file_id text not null, pack integer not null, start integer not null, size integer not null,
    primary key (file_id, pack)
) without rowid;
"""
# Random bytes in the file give names that are not UTF-8, and text in place of numbers.
_DAMAGED = (sqlite3.DatabaseError, ValueError, TypeError)
_MOST_SECONDS_LOCKED = 300.0
T = TypeVar("T")


class PackIndex:
    """Several processes may use it at once; a damaged one is rebuilt."""

    def __init__(self, packs: Path, file: Path) -> None:
        self._packs = packs
        self._file = file
        self._connection: sqlite3.Connection | None = None
        self._is_renewed = False

    def find(self, file_id: str) -> list[Spot]:
        """The spots where a content should be."""
        return [spot for _, spot in self._select("file_id", file_id)]

    def contents_of(self, pack: str) -> dict[str, Spot]:
        """The contents that a pack should have, if it was ever indexed."""
        return dict(self._select("name", pack))

    def _select(self, column: str, value: str) -> list[tuple[str, Spot]]:
        query = (
            "select file_id, name, start, size from contents inner join packs on number = pack "
            f"where {column} = ?"
        )

        def select(connection: sqlite3.Connection) -> list[tuple[str, Spot]]:
            rows = connection.execute(query, [value]).fetchall()
            return [(one, Spot(self._packs / name, int(at), int(n))) for one, name, at, n in rows]

        return self._ask(select)

    def add(self, pack: Path) -> None:
        def insert(connection: sqlite3.Connection) -> None:
            with connection:
                _insert(connection, pack)

        self._ask(insert)

    def renew(self) -> bool:
        """Rebuild the index, once in a process; returns whether it did."""
        if self._is_renewed:
            return False
        self._is_renewed = True
        self.remove()
        return True

    def remove(self) -> None:
        """Remove the index; the next query rebuilds it."""
        if self._connection:
            self._connection.close()
        self._connection = None
        self._file.unlink(missing_ok=True)

    def _ask(self, ask: Callable[[sqlite3.Connection], T]) -> T:
        """Raises OSError if a rebuilt index fails, too."""
        try:
            return ask(self._open())
        except _DAMAGED:
            self.remove()
        try:
            return ask(self._open())
        except _DAMAGED as error:
            raise OSError(f"{self._file}: {error}") from error

    def _open(self) -> sqlite3.Connection:
        """At its first use in a process the index catches up with the packs."""
        if self._connection is None:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self._file, timeout=_MOST_SECONDS_LOCKED)
            # After a power failure the index is rebuilt from the packs.
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
            there = {path.name for path in self._packs.glob(f"*{SUFFIX}")}
            gone = [(name,) for name in known - there]
            if gone:
                connection.executemany("delete from packs where name = ?", gone)
                query = "delete from contents where pack not in (select number from packs)"
                connection.execute(query)
            for name in there - known:
                with suppress(*UNREADABLE):  # the next process tries again: it may be restored
                    _insert(connection, self._packs / name)


def _insert(connection: sqlite3.Connection, pack: Path) -> None:
    spots = spots_in(pack)
    connection.execute("insert or ignore into packs (name) values (?)", [pack.name])
    query = "select number from packs where name = ?"
    (number,) = connection.execute(query, [pack.name]).fetchone()
    connection.executemany(
        "insert or replace into contents values (?, ?, ?, ?)",
        [(file_id, number, spot.offset, spot.size) for file_id, spot in spots.items()],
    )
