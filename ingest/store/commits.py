"""Commits: what a writer added to a store at once. Its last object names all others."""

import re
import uuid
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import duckdb
import msgspec

from ingest.errors import InputError
from ingest.records.archive import sha256_of
from ingest.records.moments import is_moment, next_moment
from ingest.records.packs import SUFFIX
from ingest.records.tables import RESULTS, parquet_rows
from ingest.store.ledgers import KEYS
from ingest.store.objects import Objects

RESULT_TABLES = frozenset(f"raw.{table}" for table in RESULTS)
COMMITS = "commits"
KNOWN = "known"
SENT = "store.sent"
"""A table of KNOWN: contents, and the moments of the commits that have their rows."""
_MACHINE = r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}"
_NAME = re.compile(rf"({_MACHINE})/(\d{{8}}T\d{{12}}Z-[0-9a-f]{{8}})")
_LARGEST_BYTES = 64 << 20
_LARGEST_PART_BYTES = 8 << 30


class Part(msgspec.Struct, frozen=True):
    """A Parquet file of a commit."""

    sha256: str
    size_bytes: int


class Commit(msgspec.Struct, frozen=True, kw_only=True):
    """What a commit says of itself, as JSON."""

    host: str | None
    """A hash of the machine's id; None where somebody else named it."""
    version: str = version("headroom")
    packs: list[str] = []
    """Without their ending."""
    results: dict[str, Part] = {}
    """Rows of these tables, of the contents that `ledger` has in `raw.files`."""
    ledger: dict[str, Part] = {}
    """Of the keys that changed all rows that a table has now."""
    gone: dict[str, list[str]] = {}
    """Keys of which it has no rows any more."""
    comprises: list[str] = []
    """In KNOWN: moments of the commits of which `ledger` is the outcome, with all keys."""


@dataclass(frozen=True)
class Name:
    """Of a commit: those of one machine follow each other by `moment`, and so do all."""

    machine: str
    moment: str

    def __str__(self) -> str:
        return f"{self.machine}/{self.moment}"

    def object(self, kind: str = COMMITS) -> str:
        return f"{kind}/{self}.json"

    def part(self, kind: str, table: str) -> str:
        """The object with its rows of a table, of this kind."""
        return f"{kind}/{table.partition('.')[2]}/{self}.parquet"


def new_name(machine: str, last: str | None) -> Name:
    """A commit of now, after the machine's last moment."""
    return Name(machine, f"{next_moment(last and _time_in(last))}-{uuid.uuid4().hex[:8]}")


def _time_in(moment: str) -> str:
    return moment.partition("-")[0]


def is_machine(text: str) -> bool:
    return re.fullmatch(_MACHINE, text) is not None


def ledger_of(kind: str) -> str:
    """The kind of parts that commits of a kind have as their ledger."""
    return "ledger" if kind == COMMITS else f"{kind}_ledger"


def names_in(objects: Objects, machine: str | None = None, kind: str = COMMITS) -> list[Name]:
    """The commits, or those of a machine, oldest first. Other objects are none.

    Raises:
        InputError: the store cannot be reached.
    """
    prefix = f"{kind}/{machine}/" if machine else f"{kind}/"
    try:
        there = objects.names(prefix)
    except OSError as error:
        raise InputError(objects.url, f"cannot be reached: {error}") from error
    found = (_NAME.fullmatch(one.removeprefix(f"{kind}/").removesuffix(".json")) for one in there)
    names = [Name(match[1], match[2]) for match in found if match and is_moment(_time_in(match[2]))]
    return sorted(names, key=lambda name: (name.moment, name.machine))


def read_commit(objects: Objects, name: Name, folder: Path, kind: str = COMMITS) -> Commit:
    """By way of a file in the folder, as `fetch`.

    Raises:
        InputError: it is missing or damaged.
        OSError: it cannot be read now.
    """
    path = folder / "commit.json"
    objects.fetch(name.object(kind), path, _LARGEST_BYTES)
    try:
        commit = msgspec.json.decode(path.read_bytes(), type=Commit)
    except msgspec.MsgspecError as error:
        raise InputError(f"{objects.url}/{name.object(kind)}", f"is no commit: {error}") from error
    odd = ({*commit.results} - RESULT_TABLES) | ({*commit.ledger, *commit.gone} - {*KEYS, SENT})
    odd |= {pack for pack in commit.packs if not re.fullmatch("[0-9a-f]{64}", pack)}
    if odd:
        reason = f"names {min(odd)!r}, which this version does not know: it is of {commit.version}"
        raise InputError(f"{objects.url}/{name.object(kind)}", reason)
    return commit


def keys_of(
    connection: duckdb.DuckDBPyConnection,
    objects: Objects,
    name: Name,
    table: str,
    folder: Path,
) -> set[str]:
    """Of which keys of a table a commit speaks; as `read_commit` and `fetch`."""
    commit = read_commit(objects, name, folder)
    keys = {*commit.gone.get(table, ())}
    if part := commit.ledger.get(table):
        rows = parquet_rows(connection, table, fetch(objects, name, "ledger", table, part, folder))
        found = connection.execute(f"select distinct {KEYS[table]} from ({rows})").fetchall()
        keys |= {key for (key,) in found}
    return keys


def write_commit(
    objects: Objects, name: Name, commit: Commit, folder: Path, kind: str = COMMITS
) -> None:
    path = folder / "commit.json"
    path.write_bytes(msgspec.json.encode(commit))
    objects.write(name.object(kind), path)


def fetch(objects: Objects, name: Name, kind: str, table: str, part: Part, folder: Path) -> Path:
    """One of a commit's Parquet files, as it was written; whoever reads it removes it.

    Raises:
        InputError: it is missing or damaged.
        OSError: it cannot be read now.
    """
    # A new name each time: DuckDB keeps what it read of a path, and sees no change within a second.
    path = folder / f"{uuid.uuid4().hex}.parquet"
    objects.fetch(name.part(kind, table), path, min(part.size_bytes, _LARGEST_PART_BYTES))
    if sha256_of(path) != part.sha256:
        raise InputError(
            f"{objects.url}/{name.part(kind, table)}",
            "is damaged: its sha256 is not the one in the commit",
        )
    return path


def write(objects: Objects, name: Name, kind: str, table: str, path: Path) -> Part:
    objects.write(name.part(kind, table), path)
    return Part(sha256_of(path), path.stat().st_size)


def fetch_pack(objects: Objects, pack: str, target: Path) -> None:
    """As `fetch`."""
    name = pack_object(pack)
    objects.fetch(name, target, _LARGEST_PART_BYTES)
    if sha256_of(target) != pack:
        raise InputError(f"{objects.url}/{name}", "is damaged: its sha256 is not its name")


def pack_object(pack: str) -> str:
    return f"packs/{pack}{SUFFIX}"
