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
from ingest.store.ledgers import KEYS, of_machine, replace_groups
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
    taking = _Taking(connection, archive, objects)
    loaded: set[str] = set()
    refused: dict[Name, InputError] = {}
    for name in names:
        if name in taking.taken:
            continue
        try:
            outcomes = taking.take(name)
        except InputError as error:
            refused[name] = error
        except (duckdb.Error, OSError) as error:
            reason = str(error).splitlines()[0]
            refused[name] = InputError(f"{objects.url}/{name.object()}", reason)
        else:
            loaded |= {outcome.path for outcome in outcomes}
            yield from outcomes
    for name, fault in refused.items():
        if name not in taking.taken:  # nothing replaces it
            yield _refuse(connection, fault)
    machines = {name.machine for name in names}
    yield from (one for one in _known(connection, machines) if one.path not in loaded)
    yield from _read_outdated(connection, archive)


def _refuse(connection: duckdb.DuckDBPyConnection, error: InputError) -> Outcome:
    place = {"absolute_path": error.path, "path": error.path, "parser": NAME}
    quarantine(connection, place, [error])
    return Outcome(error.path, "quarantined", NAME, errors=[error])


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
    """Takes commits, one after the other."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, archive: Archive, objects: Objects
    ) -> None:
        self._connection = connection
        self._archive = archive
        self._objects = objects
        self._is_read_by_this_code = read_by(Code())
        query = "select machine, moment from raw.store_commits where store = ?"
        rows = connection.execute(query, [objects.url]).fetchall()
        self.taken = {Name(*row) for row in rows}

    def take(self, name: Name) -> list[Outcome]:
        """The sources that were loaded.

        Raises:
            InputError, duckdb.Error, OSError: none was.
        """
        with TemporaryDirectory(prefix="headroom-") as folder:
            return self._take(name, Path(folder))

    def _take(self, name: Name, folder: Path) -> list[Outcome]:
        commit = commits.read_commit(self._objects, name, folder)
        for pack in commit.packs:
            self._archive.take_pack(pack, partial(commits.fetch_pack, self._objects, pack))
        done = {name, *(Name(name.machine, moment) for moment in commit.replaces)}
        self._connection.begin()
        try:
            row_counts = self._take_contents(name, commit, folder)
            self._take_ledger(name, commit, folder)
            self._refuse_contradictions(name)
            self._note(done)
            self._connection.commit()
        except BaseException:
            self._connection.rollback()
            raise
        self.taken |= done
        return self._loaded(name, row_counts)

    def _take_contents(self, name: Name, commit: Commit, folder: Path) -> Counter[str]:
        """Those that the warehouse has not as this version's parsers read them; returns how many
        rows each has."""
        part = commit.ledger.get("raw.files")
        sent = (
            self._rows(name, "ledger", "raw.files", part, folder)
            if part
            else "from raw.files limit 0"
        )
        self._connection.execute(
            f"""
            create or replace temp table taken as
            select * from ({sent}) as sent
            where not exists (
                from raw.files
                where files.file_id = sent.file_id
                and (files.code_sha256 = sent.code_sha256 or {self._is_read_by_this_code})
            )
            """
        )
        file_ids = self._connection.execute("select file_id from taken").fetchall()
        for (file_id,) in file_ids:
            if not self._archive.knows(file_id):
                self._fail(name, f"has no pack with the content {file_id}")
        if self._connection.execute("from raw.files semi join taken using (file_id)").fetchone():
            for table in ("raw.files", *sorted(RESULT_TABLES)):
                query = f"delete from {table} where file_id in (select file_id from taken)"
                self._connection.execute(query)
        self._connection.execute("insert into raw.files by name from taken")
        counts: Counter[str] = Counter()
        for table, part in commit.results.items() if file_ids else ():
            rows = self._rows(name, "results", table, part, folder)
            wanted = f"from ({rows}) semi join taken using (file_id)"
            self._connection.execute(f"insert into {table} by name {wanted}")
            query = f"select file_id, count(*) {wanted} group by file_id"
            counts.update(dict(self._connection.execute(query).fetchall()))
        return counts

    def _take_ledger(self, name: Name, commit: Commit, folder: Path) -> None:
        machine = name.machine
        later = [one for one in self.taken if one.machine == machine and one.moment > name.moment]
        for table in ({*commit.ledger} | {*commit.gone}) & (KEYS.keys() - {"raw.files"}):
            gone = {f"{machine}:{one}" for one in commit.gone.get(table, ())}
            rows = None
            if part := commit.ledger.get(table):
                rows = of_machine(
                    self._connection, self._rows(name, "ledger", table, part, folder), machine
                )
            said_later = {
                f"{machine}:{key}"
                for one in later
                for key in commits.keys_of(self._connection, self._objects, one, table, folder)
            }
            replace_groups(self._connection, table, rows, gone, said_later)

    def _rows(self, name: Name, kind: str, table: str, part: Part, folder: Path) -> str:
        path = commits.fetch(self._objects, name, kind, table, part, folder)
        return parquet_rows(self._connection, table, path)

    def _refuse_contradictions(self, name: Name) -> None:
        """What no writer sends, and the marts cannot be made of."""
        of_machine = f"is_current and starts_with(source_key, '{name.machine}:')"
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
                self._fail(name, reason.format(row[0]))

    def _fail(self, name: Name, reason: str) -> None:
        raise InputError(f"{self._objects.url}/{name.object()}", reason)

    def _note(self, done: set[Name]) -> None:
        now = utc_now()
        rows = [(self._objects.url, one.machine, one.moment, now) for one in done]
        frame = pl.DataFrame(rows, schema=STORE_COMMITS, orient="row")
        append(self._connection, "raw.store_commits", frame)

    def _loaded(self, name: Name, row_counts: Counter[str]) -> list[Outcome]:
        sources = self._connection.execute(
            "select path, file_id, parser from raw.sources semi join taken using (file_id) "
            "inner join raw.files using (file_id) "
            f"where is_current and starts_with(source_key, '{name.machine}:') order by path"
        ).fetchall()
        return [
            Outcome(path, "loaded", parser, row_counts.pop(file_id, 0))
            for path, file_id, parser in sources
        ]
