"""The state of each place: its content, since when, and its file's sizes and times.

`raw.files` has a row for each loaded content, `raw.sources` a row for each revision of each place;
one revision is current. `quality.quarantined_files` has the unreadable files and the reasons; a
place that became unreadable keeps its last good revision.
"""

import os
import re
import time
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import duckdb

from ingest.common.errors import InputError
from ingest.common.paths import real_path
from ingest.find.packed import ENDINGS, list_members
from ingest.find.sources import PAPER_FILE, below
from ingest.parsers import VERSIONS, white_paper
from ingest.records.readings import Place

# A file written just before it is read may change again within one clock tick, unnoticed.
_UNSETTLED_NS = 2_000_000_000
IS_READ_BY_THIS_VERSION = "coalesce((coalesce(parser, ''), parser_version) in ({}), false)".format(
    ", ".join(f"('{name or ''}', '{version}')" for name, version in VERSIONS.items())
)
_PACKED_FOLDER = re.compile(rf"(?:{'|'.join(map(re.escape, ENDINGS))})(?=/)", re.IGNORECASE)


@dataclass(frozen=True)
class Revision:
    """The current content of a source."""

    source_key: str
    revision: int
    file_id: str
    parser: str
    absolute: str
    seen_as: str | None
    sidecar_sha256: str | None
    is_read_by_this_version: bool


@dataclass(frozen=True)
class Quarantined:
    """A place that is not loaded."""

    path: str
    parser: str | None
    file_id: str | None
    seen_as: str | None
    errors: list[InputError] = field(default_factory=list)
    kind: str | None = None
    """The kind of a file that is no result, see NO_RESULTS."""


@dataclass
class Ledger:
    """The state of the warehouse, kept up to date during a run."""

    by_key: dict[str, Revision]
    by_place: dict[str, Revision]
    quarantined: dict[str, Quarantined]
    forgotten: dict[str, int]
    """The last revision number of each source without a current revision."""
    file_ids: dict[str, bool]
    """Contents that were loaded, and whether this version of the parsers read them."""
    folder: str = ""
    """The folder that paths in the warehouse are relative to; empty if they are absolute."""
    _by_content: dict[str, str] | None = None

    @cached_property
    def places_in(self) -> dict[str, list[str]]:
        """The known places by their packed file."""
        found = defaultdict[str, list[str]](list)
        for absolute in {**self.by_place, **self.quarantined}:
            for end in _PACKED_FOLDER.finditer(absolute):
                found[absolute[: end.end()]].append(absolute)
        return found

    def path_of(self, absolute: Path | str) -> str:
        """A path as the warehouse stores it: provenance."""
        return below(self.folder, str(absolute))

    def known_as(self, absolute: str, seen_as: str) -> "Quarantined | Revision | None":
        """The entry of a place if its look is still `seen_as` and these parsers read it."""
        refused, revision = self.quarantined.get(absolute), self.by_place.get(absolute)
        if refused and refused.seen_as == seen_as:
            return refused
        is_current = revision and revision.is_read_by_this_version and revision.seen_as == seen_as
        return revision if is_current else None

    def note_revision(self, revision: Revision) -> None:
        """Make it the current revision of its source and its place."""
        self.by_key[revision.source_key] = self.by_place[revision.absolute] = revision
        if self._by_content is not None:
            self._by_content.setdefault(revision.file_id, revision.absolute)

    def first_place(self, file_id: str) -> str | None:
        """The place that first had a content."""
        if self._by_content is None:
            self._by_content = {}
            for revision in self.by_place.values():
                self._by_content.setdefault(revision.file_id, revision.absolute)
        return self._by_content.get(file_id)


def locate_members(packed: Place, ledger: Ledger) -> tuple[list[Place], InputError | None]:
    """The places in a packed file, and its fault.

    An unchanged packed file whose places are all known is not opened.
    """
    known = ledger.places_in.get(packed.absolute)
    if known and packed.absolute not in ledger.quarantined:
        seen_as = _seen_in(packed, len(known))
        if seen_as and all(ledger.known_as(absolute, seen_as) for absolute in known):
            below = len(packed.absolute) + 1
            return [Place(packed.path / one[below:], one, seen_as) for one in known], None
    members, fault = list_members(packed.path)
    seen_as = _seen_in(packed, len(members))
    places = [
        Place(one.path, f"{packed.absolute}/{one.name}", seen_as, one.size_bytes, one)
        for one in members
    ]
    if not members and fault is None:
        fault = InputError(packed.path, "contains no files")
    return places, fault


def _seen_in(packed: Place, count: int) -> str | None:
    return packed.seen_as and f"{packed.seen_as}; one of {count}"


def locate(path: Path, folders: dict[str, str]) -> Place:
    """The place of a source file; `folders` caches resolved folders.

    An inaccessible file has no `seen_as`: it is always read, which reports the reason.
    """
    folder, name = os.path.split(path)
    if folder not in folders:
        folders[folder] = os.path.join(os.path.realpath(folder), "")
    absolute = folders[folder] + name
    try:
        members = white_paper.members(path) if name == PAPER_FILE else [path]
        looks = [os.stat(member) for member in members]
    except OSError:
        return Place(path, absolute, None)
    newest = max(max(look.st_mtime_ns, look.st_ctime_ns) for look in looks)
    seen_as = None
    if time.time_ns() - newest > _UNSETTLED_NS:
        parts = (f"{s.st_size} {s.st_mtime_ns} {s.st_ctime_ns} {s.st_ino}" for s in looks)
        seen_as = ", ".join(parts)
    return Place(path, absolute, seen_as, sum(look.st_size for look in looks))


def read_ledger(connection: duckdb.DuckDBPyConnection) -> Ledger:
    """The queries avoid parameters: with them DuckDB imports pandas, a quarter of a second."""
    revisions = [
        Revision(key, number, file_id, parser, real_path(absolute), *looks)
        for key, number, file_id, parser, absolute, *looks in connection.execute(
            f"""
            select source_key, revision, file_id, files.parser, absolute_path, seen_as,
                sidecar_sha256, {IS_READ_BY_THIS_VERSION}
            from raw.sources inner join raw.files using (file_id)
            where is_current
            """
        ).fetchall()
    ]
    forgotten = connection.execute(
        "select source_key, max(revision) from raw.sources group by source_key "
        "having not bool_or(is_current)"
    ).fetchall()
    query = f"select file_id, {IS_READ_BY_THIS_VERSION} from raw.files"
    file_ids = dict(connection.execute(query).fetchall())
    return Ledger(
        {revision.source_key: revision for revision in revisions},
        {revision.absolute: revision for revision in revisions},
        _read_quarantined(connection),
        dict(forgotten),
        file_ids,
        _folder_of_paths(connection),
    )


def _folder_of_paths(connection: duckdb.DuckDBPyConnection) -> str:
    """The working folder of the first ingest: a later one elsewhere continues the same series.

    A warehouse that moved to another machine, without that folder, takes the working folder.
    """
    rows = connection.execute(
        """
        select absolute_path[:length(absolute_path) - length(path)] as folder
        from raw.sources
        where is_current and ends_with(absolute_path, path)
        group by folder
        order by count(*) desc, folder
        """
    ).fetchall()
    folders = [real_path(folder) for (folder,) in rows]
    if folders == [""]:
        return ""
    return next((one for one in folders if one and os.path.isdir(one)), os.getcwd())


def _read_quarantined(connection: duckdb.DuckDBPyConnection) -> dict[str, Quarantined]:
    """Quarantined files and files without results, by place; those of other parser versions have
    no `seen_as`."""
    found: dict[str, Quarantined] = {}
    rows = connection.execute(
        f"""
        select absolute_path, path, parser, file_id, if({IS_READ_BY_THIS_VERSION}, seen_as, null),
            file_path, reason, line
        from quality.quarantined_files
        where absolute_path is not null
        order by absolute_path, file_path, line
        """
    ).fetchall()
    for absolute, *facts, file_path, reason, line in rows:
        entry = found.setdefault(real_path(absolute), Quarantined(*facts))
        entry.errors.append(InputError(real_path(file_path), reason, line=line))
    rows = connection.execute(
        f"""
        select absolute_path, path, kind, if(parser_version = '{VERSIONS[None]}', seen_as, null)
        from quality.files_without_results
        """
    ).fetchall()
    for absolute, path, kind, seen_as in rows:
        found[real_path(absolute)] = Quarantined(path, None, None, seen_as, kind=kind)
    return found
