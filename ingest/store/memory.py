"""What a machine knew of its files when it last wrote to a store, for its next run.

That follows from its commits. So that no run has to read them all, now and then one leaves what it
knows, and from which commits. Only writers read that, and none needs it.
"""

from collections.abc import Iterable
from pathlib import Path

import duckdb
import polars as pl

from ingest.errors import InputError
from ingest.names import quoted
from ingest.records.tables import parquet_rows, rows_as
from ingest.store import commits
from ingest.store.commits import COMMITS, KNOWN, SENT, Commit, Name, Part
from ingest.store.ledgers import KEYS, replace_groups
from ingest.store.objects import Objects

_MOST_COMMITS = 30


class Memory:
    """In a database with the tables of ingest, and SENT."""

    def __init__(
        self, objects: Objects, machine: str, connection: duckdb.DuckDBPyConnection, folder: Path
    ) -> None:
        """Raises InputError: the store cannot be reached."""
        self.damaged: list[str] = []
        """Moments of commits that cannot be read: what was in them is sent again."""
        self.hosts: set[str | None] = set()
        """Who wrote the commits."""
        self._objects = objects
        self._machine = machine
        self._connection = connection
        self._folder = folder
        self._comprised: list[str] = []
        self._recalled: list[str] = []
        connection.execute(f"create schema store; create table {SENT} (file_id text, moment text)")
        for name in reversed(commits.names_in(objects, machine, KNOWN)):
            if known := self._recall(name, KNOWN):
                self._comprised = known.comprises
                break
        for name in commits.names_in(objects, machine):
            if name.moment not in self._comprised:
                is_read = self._recall(name, COMMITS)
                (self._recalled if is_read else self.damaged).append(name.moment)

    def next_name(self) -> Name:
        last = max([*self._comprised, *self._recalled, *self.damaged], default=None)
        return commits.new_name(self._machine, last)

    def _recall(self, name: Name, kind: str) -> Commit | None:
        """None where it is damaged."""
        self._connection.begin()
        try:
            commit = commits.read_commit(self._objects, name, self._folder, kind)
            for table in {*commit.ledger, *commit.gone}:
                part = commit.ledger.get(table)
                rows = self._rows(name, commits.ledger_of(kind), table, part) if part else None
                if table == SENT:
                    self._connection.execute(f"insert into {SENT} {rows}")
                else:
                    replace_groups(self._connection, table, rows, commit.gone.get(table, ()))
                    if table == "raw.files" and kind == COMMITS:
                        self._note_sent(f"select file_id from ({rows})", name)
        except (InputError, duckdb.Error):
            self._connection.rollback()
            return None
        self._connection.commit()
        self.hosts.add(commit.host)
        return commit

    def _rows(self, name: Name, kind: str, table: str, part: Part) -> str:
        path = commits.fetch(self._objects, name, kind, table, part, self._folder)
        return parquet_rows(self._connection, table, path)

    def _note_sent(self, file_ids: str, name: Name) -> None:
        query = (
            f"insert into {SENT} select file_id, '{name.moment}' from ({file_ids}) as t (file_id)"
        )
        self._connection.execute(query)

    def note(self, name: Name, commit: Commit, files: pl.DataFrame) -> None:
        """A commit was written, with the rows of these contents."""
        self._recalled += [name.moment, *self.damaged]
        self.damaged = []
        with rows_as(self._connection, "files", files):
            self._note_sent("select key from files", name)
        if len(self._recalled) >= _MOST_COMMITS:
            self._keep(commit.host)

    def _keep(self, host: str | None) -> None:
        name = self.next_name()
        comprised = self._comprised + self._recalled
        parts = {}
        path = self._folder / "known.parquet"
        for table in (*KEYS, SENT):
            self._connection.execute(f"copy {table} to {quoted(path)} (format parquet)")
            parts[table] = commits.write(self._objects, name, commits.ledger_of(KNOWN), table, path)
        known = Commit(host=host, ledger=parts, comprises=comprised)
        commits.write_commit(self._objects, name, known, self._folder, KNOWN)
        self._comprised, self._recalled = comprised, []

    def bring(self, tables: Iterable[str], file_ids: Iterable[str]) -> None:
        """Have the rows that contents have in these tables, of those that were sent earlier."""
        frame = pl.DataFrame({"file_id": [*file_ids]}, {"file_id": pl.String()})
        with rows_as(self._connection, "wanted", frame):
            moments = self._connection.execute(
                f"select distinct moment from {SENT} semi join wanted using (file_id) order by all"
            ).fetchall()
            for (moment,) in moments:
                name = Name(self._machine, moment)
                commit = commits.read_commit(self._objects, name, self._folder)
                for table in tables:
                    if part := commit.results.get(table):
                        rows = self._rows(name, "results", table, part)
                        self._connection.execute(
                            f"insert into {table} by name from ({rows}) "
                            f"semi join wanted using (file_id) anti join {table} using (file_id)"
                        )
