"""Takes what machines wrote to a store into a warehouse: each commit whole or not at all, once."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import polars as pl

from ingest.errors import InputError
from ingest.names import real_path
from ingest.records.archive import Archive
from ingest.records.code import Code
from ingest.records.ledger import read_by
from ingest.records.recording import Outcome, quarantine, utc_now
from ingest.records.tables import STORE_COMMITS, append, parquet_rows
from ingest.reparse import read_results
from ingest.store import commits
from ingest.store.commits import RESULT_TABLES, Commit, Name, Part
from ingest.store.ledgers import of_machine, replace_groups
from ingest.store.objects import Objects

NAME = "store"


def take(
    connection: duckdb.DuckDBPyConnection, archive: Archive, objects: Objects
) -> Iterator[Outcome]:
    """Take what is new, and say what became of each source of all machines in the store.

    A commit that is damaged, and a store that cannot be reached, is quarantined and tried again by
    the next ingest.
    """
    connection.execute(
        f"delete from quality.quarantined_files where parser = '{NAME}' "
        "and (absolute_path = $1 or starts_with(absolute_path, $1 || '/'))",
        [objects.url],
    )
    try:
        names = commits.names_in(objects)
        if not names:
            raise InputError(objects.url, "has no commits: is it the right store, is it mounted?")
    except InputError as error:
        yield _refuse(connection, error)
        return
    loaded: set[str] = set()
    refused: dict[Name, InputError] = {}
    for name in names:
        if name.moment in _taken(connection, objects, name.machine):
            continue
        try:
            with TemporaryDirectory(prefix="headroom-") as folder:
                outcomes = _Taking(connection, archive, objects, name, Path(folder)).take()
        except InputError as error:
            refused[name] = error
        except (duckdb.Error, OSError) as error:
            reason = str(error).splitlines()[0]
            refused[name] = InputError(f"{objects.url}/{name.object}", reason)
        else:
            loaded |= {outcome.path for outcome in outcomes}
            yield from outcomes
    for name, fault in refused.items():
        if name.moment not in _taken(connection, objects, name.machine):  # nothing replaces it
            yield _refuse(connection, fault)
    machines = {name.machine for name in names}
    yield from (one for one in _known(connection, machines) if one.path not in loaded)
    yield from _read_outdated(connection, archive)


def _refuse(connection: duckdb.DuckDBPyConnection, error: InputError) -> Outcome:
    place = {"absolute_path": error.path, "path": error.path, "parser": NAME}
    quarantine(connection, place, [error])
    return Outcome(error.path, "quarantined", NAME, errors=[error])


def _taken(connection: duckdb.DuckDBPyConnection, objects: Objects, machine: str) -> set[str]:
    query = "select moment from raw.store_commits where store = ? and machine = ?"
    return {moment for (moment,) in connection.execute(query, [objects.url, machine]).fetchall()}


def _known(connection: duckdb.DuckDBPyConnection, machines: set[str]) -> list[Outcome]:
    """The current sources of these machines, and what they could not read."""
    of_machine = "split_part(absolute_path, ':', 1) = any($1)"
    sources = connection.execute(
        "select path, parser from raw.sources inner join raw.files using (file_id) "
        f"where is_current and {of_machine} order by path",
        [[*machines]],
    ).fetchall()
    refused = connection.execute(
        "select path, parser, file_path, line, reason from quality.quarantined_files "
        f"where {of_machine} order by path, file_path, line",
        [[*machines]],
    ).fetchall()
    errors: dict[tuple[str, str | None], list[InputError]] = defaultdict(list)
    for path, parser, file_path, line, reason in refused:
        errors[path, parser].append(InputError(real_path(file_path), reason, line=line))
    return [Outcome(path, "unchanged", parser) for path, parser in sources] + [
        Outcome(path, "quarantined", parser, errors=some) for (path, parser), some in errors.items()
    ]


def _read_outdated(connection: duckdb.DuckDBPyConnection, archive: Archive) -> Iterator[Outcome]:
    """Read from the archive what another version's parsers read on other machines."""
    outdated = connection.execute(
        "select distinct file_id from raw.sources inner join raw.files using (file_id) "
        f"where is_current and not starts_with(absolute_path, '/') and not {read_by(Code())}"
    ).fetchall()
    if outdated:
        _, outcomes = read_results(connection, archive, {file_id for (file_id,) in outdated})
        yield from (outcome for outcome in outcomes if outcome.errors)


class _Taking:
    """One commit."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        archive: Archive,
        objects: Objects,
        name: Name,
        folder: Path,
    ) -> None:
        self._connection = connection
        self._archive = archive
        self._objects = objects
        self._name = name
        self._folder = folder

    def take(self) -> list[Outcome]:
        """The sources that were loaded.

        Raises:
            InputError, duckdb.Error, OSError: none was.
        """
        commit = commits.read_commit(self._objects, self._name, self._folder)
        for pack in commit.packs:
            self._archive.take_pack(pack, partial(commits.fetch_pack, self._objects, pack))
        self._connection.begin()
        try:
            row_counts = self._take_contents(commit)
            self._take_ledger(commit)
            self._refuse_contradictions()
            self._note([self._name.moment, *commit.replaces])
            self._connection.commit()
        except BaseException:
            self._connection.rollback()
            raise
        return self._loaded(row_counts)

    def _take_contents(self, commit: Commit) -> Counter[str]:
        """Those that the warehouse has not as this version's parsers read them; returns how many
        rows each has."""
        part = commit.ledger.get("raw.files")
        sent = self._rows("ledger", "raw.files", part) if part else "from raw.files limit 0"
        self._connection.execute(
            f"""
            create or replace temp table taken as
            select * from ({sent}) as sent
            where not exists (
                from raw.files
                where files.file_id = sent.file_id
                and (files.code_sha256 = sent.code_sha256 or {read_by(Code())})
            )
            """
        )
        file_ids = self._connection.execute("select file_id from taken").fetchall()
        for (file_id,) in file_ids:
            if not self._archive.knows(file_id):
                self._fail(f"has no pack with the content {file_id}")
        if self._connection.execute("from raw.files semi join taken using (file_id)").fetchone():
            for table in ("raw.files", *sorted(RESULT_TABLES)):
                query = f"delete from {table} where file_id in (select file_id from taken)"
                self._connection.execute(query)
        self._connection.execute("insert into raw.files by name from taken")
        counts: Counter[str] = Counter()
        for table, part in commit.results.items() if file_ids else ():
            rows = f"({self._rows('results', table, part)}) semi join taken using (file_id)"
            self._connection.execute(f"insert into {table} by name from {rows}")
            query = f"select file_id, count(*) from {rows} group by file_id"
            counts.update(dict(self._connection.execute(query).fetchall()))
        return counts

    def _take_ledger(self, commit: Commit) -> None:
        machine = self._name.machine
        for table in ({*commit.ledger} | {*commit.gone}) - {"raw.files"}:
            gone = {f"{machine}:{one}" for one in commit.gone.get(table, ())}
            rows = None
            if part := commit.ledger.get(table):
                rows = of_machine(self._connection, self._rows("ledger", table, part), machine)
            replace_groups(self._connection, table, rows, gone, self._said_later(table))

    def _said_later(self, table: str) -> set[str]:
        """The keys of which a commit that was taken already, and is of a later moment, speaks."""
        said: set[str] = set()
        taken = _taken(self._connection, self._objects, self._name.machine)
        for moment in taken:
            if moment > self._name.moment:
                later = Name(self._name.machine, moment)
                said |= commits.keys_of(self._connection, self._objects, later, table, self._folder)
        return {f"{self._name.machine}:{key}" for key in said}

    def _rows(self, kind: str, table: str, part: Part) -> str:
        path = commits.fetch(self._objects, self._name, kind, table, part, self._folder)
        return parquet_rows(self._connection, table, path)

    def _refuse_contradictions(self) -> None:
        """What no writer sends, and the marts cannot be made of."""
        of_machine = f"is_current and starts_with(source_key, '{self._name.machine}:')"
        found = {
            "has two current revisions of {}": (
                f"select source_key from raw.sources where {of_machine} "
                "group by source_key having count(*) > 1"
            ),
            "has no content of {}": (
                f"select source_key from raw.sources anti join raw.files using (file_id) "
                f"where {of_machine}"
            ),
            "has the content {} twice": (
                "select file_id from taken group by file_id having count(*) > 1"
            ),
        }
        for reason, query in found.items():
            if row := self._connection.execute(f"{query} limit 1").fetchone():
                self._fail(reason.format(row[0]))

    def _fail(self, reason: str) -> None:
        raise InputError(f"{self._objects.url}/{self._name.object}", reason)

    def _note(self, moments: list[str]) -> None:
        now = utc_now()
        rows = [(self._objects.url, self._name.machine, moment, now) for moment in moments]
        frame = pl.DataFrame(rows, schema=STORE_COMMITS, orient="row")
        append(self._connection, "raw.store_commits", frame)

    def _loaded(self, row_counts: Counter[str]) -> list[Outcome]:
        sources = self._connection.execute(
            "select path, file_id, parser from raw.sources semi join taken using (file_id) "
            "inner join raw.files using (file_id) "
            f"where is_current and starts_with(source_key, '{self._name.machine}:') order by path"
        ).fetchall()
        return [
            Outcome(path, "loaded", parser, row_counts.pop(file_id, 0))
            for path, file_id, parser in sources
        ]
