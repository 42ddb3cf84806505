"""Takes what machines wrote to a store into a warehouse: each commit whole or not at all, once."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import polars as pl

from ingest.errors import InputError
from ingest.names import quoted, real_path
from ingest.records.archive import Archive
from ingest.records.ledger import IS_READ_BY_THIS_VERSION
from ingest.records.recording import Outcome, quarantine, utc_now
from ingest.records.tables import FILES, SOURCES, STORE_COMMITS, append, parquet_rows
from ingest.reparse import read_results
from ingest.store import commits
from ingest.store.commits import RESULT_TABLES, Commit, Name, Part
from ingest.store.ledgers import KEYS, of_machine, replace_groups
from ingest.store.objects import Objects
from ingest.systems.sidecar.catalog import CATALOG_TABLES

NAME = "store"
_NEVER_NULL = {
    "raw.files": FILES,
    "raw.sources": [name for name in SOURCES if name not in ("seen_as", "sidecar_sha256")],
    "raw.sidecars": ["source_key"],
    "raw.system_facts": ["source_key", "absolute_path"],
    "quality.quarantined_files": ["absolute_path", "path", "file_path", "reason"],
    "quality.files_without_results": ["absolute_path", "path", "kind"],
    **{f"raw.{table}": ["absolute_path"] for table in CATALOG_TABLES},
}


def take(
    connection: duckdb.DuckDBPyConnection, archive: Archive, objects: Objects
) -> Iterator[Outcome]:
    """Take what is new, and say what became of each source of all machines in the store.

    A commit that is damaged, and a store that cannot be reached, is quarantined and tried again by
    the next ingest.
    """
    yield from take_by(Taking(connection, archive, objects))


def take_by(taking: "Taking") -> Iterator[Outcome]:
    """As `take`."""
    connection, objects = taking.connection, taking.objects
    connection.execute(
        f"delete from quality.quarantined_files where parser = '{NAME}' "
        "and (absolute_path = $1 or starts_with(absolute_path, $1 || '/'))",
        [objects.url],
    )
    try:
        names = commits.names_in(objects)
        if not names:
            reason = "has no commits: is it the right folder or bucket, is it mounted?"
            raise InputError(objects.url, reason)
    except InputError as error:
        yield _refuse(connection, error)
        return
    loaded: set[str] = set()
    for name in names:
        if name in taking.taken:
            continue
        try:
            outcomes = taking.take(name)
        except Exception as error:  # whatever a stranger may put there
            yield _refuse(connection, _fault(objects, name, error))
        else:
            loaded |= {outcome.path for outcome in outcomes}
            yield from outcomes
    machines = {name.machine for name in names}
    _refuse_lost(connection, objects, machines)
    yield from (one for one in _known(connection, machines) if one.path not in loaded)
    yield from taking.read_outdated()


def _fault(objects: Objects, name: Name, error: Exception) -> InputError:
    """What is wrong with a commit: it goes by its own name, for it is what one may delete."""
    commit = f"{objects.url}/{name.object()}"
    if isinstance(error, InputError):
        of = error.path.removeprefix(f"{objects.url}/")
        return InputError(commit, error.reason if error.path == commit else f"{of} {error.reason}")
    first_line = (str(error).splitlines() or [repr(error)])[0]
    return InputError(commit, f"cannot be taken: {first_line}")


def _refuse(connection: duckdb.DuckDBPyConnection, error: InputError) -> Outcome:
    place = {"absolute_path": error.path, "path": error.path, "parser": NAME}
    quarantine(connection, place, [error])
    return Outcome(error.path, "quarantined", NAME, errors=[error])


def _known(connection: duckdb.DuckDBPyConnection, machines: set[str]) -> list[Outcome]:
    """The current sources of these machines, what they could not read, and what is no result."""
    of_machine = "split_part(absolute_path, ':', 1) = any($1)"
    sources = connection.execute(
        "select path, parser from raw.sources inner join raw.files using (file_id) "
        f"where is_current and {of_machine} order by path",
        [[*machines]],
    ).fetchall()
    refused = connection.execute(
        "select path, parser, file_path, line, reason from quality.quarantined_files "
        f"where {of_machine.replace('absolute_path', 'path')} order by path, file_path, line",
        [[*machines]],
    ).fetchall()
    others = connection.execute(
        f"select path from quality.files_without_results where {of_machine} order by path",
        [[*machines]],
    ).fetchall()
    errors: dict[tuple[str, str | None], list[InputError]] = defaultdict(list)
    for path, parser, file_path, line, reason in refused:
        errors[path, parser].append(InputError(real_path(file_path), reason, line=line))
    return [
        *(Outcome(path, "unchanged", parser) for path, parser in sources),
        *(Outcome(path, "quarantined", parser, errors=e) for (path, parser), e in errors.items()),
        *(Outcome(path, "no result", None) for (path,) in others),
    ]


def _refuse_lost(
    connection: duckdb.DuckDBPyConnection, objects: Objects, machines: set[str]
) -> None:
    """Current sources whose content came with no commit that could be taken."""
    lost = connection.execute(
        "select path from raw.sources anti join raw.files using (file_id) where is_current "
        "and split_part(absolute_path, ':', 1) = any($1) order by path",
        [[*machines]],
    ).fetchall()
    reason = "its commit is damaged; the next `headroom ingest --to` on that machine sends it again"
    for (path,) in lost:
        place = {"absolute_path": f"{objects.url}/{path}", "path": path, "parser": NAME}
        quarantine(connection, place, [InputError(path, reason)])


class Taking:
    """Takes commits, one after the other."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, archive: Archive, objects: Objects
    ) -> None:
        self.connection = connection
        self.archive = archive
        self.objects = objects
        self._is_read_by_this_version = IS_READ_BY_THIS_VERSION
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

    def read_outdated(self) -> Iterator[Outcome]:
        """Read from the archive what another version's parsers read on other machines."""
        if file_ids := self.outdated():
            self.connection.execute(
                "delete from quality.quarantined_files "
                "where absolute_path is null and list_contains($1, file_id)",
                [file_ids],
            )
            _, outcomes = read_results(self.connection, self.archive, {*file_ids})
            yield from (outcome for outcome in outcomes if outcome.errors)

    def outdated(self) -> list[str]:
        """Current contents from other machines that another version's parsers read."""
        rows = self.connection.execute(
            "select distinct file_id from raw.sources inner join raw.files using (file_id) "
            "where is_current and not starts_with(absolute_path, '/') "
            f"and not {self._is_read_by_this_version}"
        ).fetchall()
        return [file_id for (file_id,) in rows]

    def _take(self, name: Name, folder: Path) -> list[Outcome]:
        commit = commits.read_commit(self.objects, name, folder)
        for pack in commit.packs:
            self.archive.take_pack(pack, partial(commits.fetch_pack, self.objects, pack))
        self.connection.begin()
        try:
            row_counts = self._take_contents(name, commit, folder)
            self._take_ledger(name, commit, folder)
            self._date(name)
            self._refuse_contradictions(name)
            self._note(name)
            self.connection.commit()
        except BaseException:
            self.connection.rollback()
            raise
        self.taken.add(name)
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
        self.connection.execute(
            f"""
            create or replace temp table taken as
            select * from ({sent}) as sent
            where not exists (
                from raw.files
                where files.file_id = sent.file_id
                and (files.parser_version = sent.parser_version or {self._is_read_by_this_version})
            )
            """
        )
        file_ids = self.connection.execute("select file_id from taken").fetchall()
        for (file_id,) in file_ids:
            if not self.archive.knows(file_id):
                reason = f"has no pack with the content {file_id}"
                raise InputError(f"{self.objects.url}/{name.object()}", reason)
        if self.connection.execute("from raw.files semi join taken using (file_id)").fetchone():
            for table in ("raw.files", *sorted(RESULT_TABLES)):
                query = f"delete from {table} where file_id in (select file_id from taken)"
                self.connection.execute(query)
        self.connection.execute("insert into raw.files by name from taken")
        query = "delete from quality.quarantined_files where file_id in (select file_id from taken)"
        self.connection.execute(query)
        return self.take_rows(name, commit, folder) if file_ids else Counter()

    def take_rows(self, name: Name, commit: Commit, folder: Path) -> Counter[str]:
        """Those of the contents in `taken`; as `take`."""
        counts: Counter[str] = Counter()
        for table, part in commit.results.items():
            rows = self._rows(name, "results", table, part, folder)
            wanted = f"from ({rows}) semi join taken using (file_id)"
            self.connection.execute(f"insert into {table} by name {wanted}")
            query = f"select file_id, count(*) {wanted} group by file_id"
            counts.update(dict(self.connection.execute(query).fetchall()))
        return counts

    def _take_ledger(self, name: Name, commit: Commit, folder: Path) -> None:
        machine = name.machine
        later = [one for one in self.taken if one.machine == machine and one.moment > name.moment]
        for table in ({*commit.ledger} | {*commit.gone}) & (KEYS.keys() - {"raw.files"}):
            gone = {f"{machine}:{one}" for one in commit.gone.get(table, ())}
            rows = None
            if part := commit.ledger.get(table):
                rows = of_machine(
                    self.connection, self._rows(name, "ledger", table, part, folder), machine
                )
            said_later = {
                f"{machine}:{key}" for one in later for key in self._keys_of(one, table, folder)
            }
            replace_groups(self.connection, table, rows, gone, said_later)

    def _keys_of(self, name: Name, table: str, folder: Path) -> set[str]:
        """Of which keys a commit speaks that was taken; of none where it is damaged meanwhile."""
        try:
            return commits.keys_of(self.connection, self.objects, name, table, folder)
        except InputError:
            return set()

    def _date(self, name: Name) -> None:
        """What was taken is loaded now: a night reports what it loaded."""
        for table, column in (("raw.files", "ingested_at"), ("raw.sources", "loaded_at")):
            self.connection.execute(
                f"update {table} set {column} = ? where file_id in (select file_id from taken)"
                + f" and starts_with(source_key, '{name.machine}:')" * (table == "raw.sources"),
                [utc_now()],
            )

    def _rows(self, name: Name, kind: str, table: str, part: Part, folder: Path) -> str:
        path = commits.fetch(self.objects, name, kind, table, part, folder)
        given = self.connection.sql(f"from read_parquet({quoted(path)}) limit 0").columns
        self.refuse_newer(name, table, given)
        rows = parquet_rows(self.connection, table, path)
        needed = _NEVER_NULL.get(table, ())
        missing = " or ".join(f"{column} is null" for column in needed) or "false"
        is_whole = all(column in given for column in needed)
        if (
            not is_whole
            or self.connection.execute(f"select 1 from ({rows}) where {missing} limit 1").fetchone()
        ):
            raise InputError(f"{self.objects.url}/{name.object()}", f"lacks values in {table}")
        return rows

    def refuse_newer(self, name: Name, table: str, given: Iterable[str]) -> None:
        """Raises InputError: a commit has more columns than this version knows."""
        known = self.connection.table(table).columns
        if newer := [column for column in given if column not in known]:
            raise InputError(
                f"{self.objects.url}/{name.object()}",
                f"has the column {newer[0]} of {table}, which this version does not know: upgrade",
            )

    def _refuse_contradictions(self, name: Name) -> None:
        """What no writer sends, and the marts cannot be made of."""
        sources = (
            "select source_key from raw.sources where is_current "
            f"and starts_with(source_key, '{name.machine}:')"
        )
        found = {
            "two current revisions of {}": f"{sources} group by source_key having count(*) > 1",
            "the content {} twice": (
                "select file_id from taken group by file_id having count(*) > 1"
            ),
        }
        for reason, query in found.items():
            if row := self.connection.execute(f"{query} limit 1").fetchone():
                reason = f"has {reason.format(row[0])}"
                raise InputError(f"{self.objects.url}/{name.object()}", reason)

    def _note(self, name: Name) -> None:
        row = (self.objects.url, name.machine, name.moment, utc_now())
        frame = pl.DataFrame([row], schema=STORE_COMMITS, orient="row")
        append(self.connection, "raw.store_commits", frame)

    def _loaded(self, name: Name, row_counts: Counter[str]) -> list[Outcome]:
        sources = self.connection.execute(
            "select path, file_id, parser from raw.sources semi join taken using (file_id) "
            "inner join raw.files using (file_id) "
            f"where is_current and starts_with(source_key, '{name.machine}:') order by path"
        ).fetchall()
        return [
            Outcome(path, "loaded", parser, row_counts.pop(file_id, 0))
            for path, file_id, parser in sources
        ]
