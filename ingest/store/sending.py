"""Reads files on any machine and writes what is new of them to a store.

The store knows what a machine sent before, so the machine itself keeps nothing: a writer works in
a temporary folder, with that machine's part of the ledger.
"""

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import polars as pl

from ingest.errors import InputError
from ingest.forget import forget
from ingest.load import load
from ingest.names import quoted
from ingest.records.archive import Archive
from ingest.records.recording import Outcome
from ingest.records.tables import prepare, rows_as
from ingest.sources import PAPER_FILE, Found
from ingest.store import commits
from ingest.store.commits import RESULT_TABLES, Commit, Name, Part
from ingest.store.ledgers import KEYS, changed_keys, remember
from ingest.store.memory import Memory
from ingest.store.objects import Objects

_MACHINE_ID = Path("/etc/machine-id")


@dataclass(frozen=True)
class _Unsent(Archive):
    """An archive that takes what the store has not, from this machine."""

    def has(self, file_id: str, content: bytes) -> bool:
        return file_id in _sent(self.folder / "sent") or super().has(file_id, content)


@cache
def _sent(path: Path) -> frozenset[str]:
    """Once in each process that reads files."""
    return frozenset(path.read_text().split())


def host_id() -> str:
    """What tells this machine from others of its name.

    Raises:
        InputError: it has no id, as containers have none.
    """
    try:
        text = _MACHINE_ID.read_text().strip()
    except OSError:
        text = ""
    if not text:
        raise InputError(_MACHINE_ID, "is missing or empty: name this machine with --as NAME")
    return hashlib.sha256(f"headroom {text}".encode()).hexdigest()[:16]  # the id itself is private


class Outbox:
    """What a machine sends to a store; without a `host` its name may be another machine's, too."""

    def __init__(
        self,
        objects: Objects,
        machine: str,
        host: str | None,
        folder: Path,
        connection: duckdb.DuckDBPyConnection,
    ) -> None:
        self._objects = objects
        self._host = host
        self._folder = folder
        self._connection = connection
        prepare(connection)
        self._memory = Memory(objects, machine, connection, folder)
        if host and self._memory.hosts - {host, None}:
            reason = f"another machine is called {machine!r} there: name this one with --as NAME"
            raise InputError(objects.url, reason)
        remember(connection)
        self._archive = _Unsent(folder / "archive")
        self._archive.folder.mkdir()
        known = connection.execute(
            "select file_id from raw.files union select file_id from quality.quarantined_files "
            "where file_id is not null"
        ).fetchall()
        (self._archive.folder / "sent").write_text("\n".join(file_id for (file_id,) in known))

    def load(self, found: Found) -> Iterator[Outcome]:
        """Read and send files, some thousand at a time, and say what became of each."""
        papers = [path for path in found.files if path.name == PAPER_FILE]
        found.files = [path for path in found.files if path.name != PAPER_FILE]
        reason = "is a paper: ingest it into the warehouse itself, stores take results only"
        found.faults += [InputError(path, reason) for path in papers]
        yield from load(self._connection, found, self._archive, is_apart=True, outbox=self)
        self.send()

    def forget(self, paths: Iterable[Path]) -> tuple[int, int]:
        """As `ingest.forget.forget`, in the store."""
        counts = forget(self._connection, paths)
        self.send()
        return counts

    def send(self) -> None:
        """Write what is new since the last time, if anything is."""
        changes = {table: changed_keys(self._connection, table) for table in KEYS}
        changes = {table: keys for table, keys in changes.items() if keys.height}
        if not changes:
            return
        name = self._memory.next_name()
        gone = {
            table: keys.filter("is_gone")["key"].to_list()
            for table, keys in changes.items()
            if keys["is_gone"].any()
        }
        kept = {table: keys.filter(~pl.col("is_gone")) for table, keys in changes.items()}
        files = kept.get("raw.files", pl.DataFrame({"key": []}, {"key": pl.String()}))
        commit = Commit(
            host=self._host,
            packs=self._send_packs(files),
            results=self._send_each(name, "results", dict.fromkeys(sorted(RESULT_TABLES), files)),
            ledger=self._send_each(name, "ledger", kept),
            gone=gone,
        )
        commits.write_commit(self._objects, name, commit, self._folder)
        remember(self._connection, changes)
        self._memory.note(name, commit, files)

    def _send_packs(self, files: pl.DataFrame) -> list[str]:
        """Those with these contents, and with what could not be parsed, that this run has read."""
        refused = self._connection.execute(
            "select distinct file_id from quality.quarantined_files where file_id is not null"
        ).fetchall()
        file_ids = [*files["key"], *(file_id for (file_id,) in refused)]
        packs = {spot.path for one in file_ids for spot in self._archive.index.find(one)}
        for pack in packs:
            if pack.exists():  # an earlier commit of this run may have sent it
                self._objects.write(commits.pack_object(pack.stem), pack)
                pack.unlink()
        return sorted(pack.stem for pack in packs)

    def _send_each(self, name: Name, kind: str, keys: dict[str, pl.DataFrame]) -> dict[str, Part]:
        """The rows of these keys of each table, as far as there are any."""
        parts = {}
        path = self._folder / "part.parquet"
        for table, some in keys.items():
            column = KEYS.get(table, "file_id")
            with rows_as(self._connection, "keys", some):
                query = f"from {table} where {column} in (select key from keys)"
                if self._connection.execute(f"{query} limit 1").fetchall():
                    self._connection.execute(
                        f"copy ({query}) to {quoted(path)} (format parquet, compression zstd)"
                    )
                    parts[table] = commits.write(self._objects, name, kind, table, path)
        return parts

    def bring(self, tables: Iterable[str], file_ids: Iterable[str]) -> None:
        self._memory.bring(tables, file_ids)


@contextmanager
def open_outbox(objects: Objects, machine: str, host: str | None) -> Iterator[Outbox]:
    """For one run.

    Raises:
        InputError, OSError: the store cannot be reached, or the name is another machine's.
    """
    with (
        TemporaryDirectory(prefix="headroom-") as folder,
        duckdb.connect(Path(folder, "outbox.duckdb")) as connection,
    ):
        yield Outbox(objects, machine, host, Path(folder), connection)
