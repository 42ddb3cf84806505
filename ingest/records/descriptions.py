"""Keeps `raw.sidecars` up to date with each source's `headroom.yml` and captured system."""

import hashlib
import os
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import polars as pl

from ingest.common.paths import printable
from ingest.find.links import ANYWHERE, AllowedLinks
from ingest.find.sources import MANIFEST_FILE, SIDECAR_FILE, SYSTEM_FOLDER, shown_path, target_of
from ingest.parsers import VERSIONS
from ingest.records.ledger import Ledger
from ingest.records.own_hardware import replace_catalog
from ingest.records.raw_tables import SIDECARS, SYSTEM_FACTS, append, rows_as
from ingest.records.recorder import Outcome, quarantine
from ingest.records.system_facts import array_columns, fact_rows, targets_of
from ingest.systems.describe.system import System
from ingest.systems.describe.target import Target
from ingest.systems.job_files import read_job_files
from ingest.systems.resolve import Sidecars
from ingest.systems.sidecar.fields import RAW_FIELDS
from ingest.systems.sidecar.level import Values

NAME = "sidecar"
VERSION = 3
"""Raise it with every change of the facts of captured systems: all systems are read again."""
_READ_BY = f"{VERSION}, fio {VERSIONS['fio']}"  # fio's rows name the devices
_SORTED = msgspec.json.Encoder(order="sorted")
_CHANGES: dict[str, pl.DataType] = {**SIDECARS, "sidecar_sha256": pl.String()}


class Descriptions:
    """Collects and stores the new descriptions of the places of one ingest."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, ledger: Ledger, links: AllowedLinks = ANYWHERE
    ) -> None:
        self._connection = connection
        self._ledger = ledger
        self._links = links
        self._sidecars = Sidecars(links, ledger.path_of)
        self._jobs: dict[str, str | None] = {}
        self._changed: dict[str, dict[str, Any]] = {}
        self._is_changed: dict[str, bool] = {}
        self._captured: dict[str, tuple[System, str | None]] = {}
        """Places with a captured system, and their content before this run."""

    def note(self, absolute: str) -> None:
        """Look up the description of a place.

        An unreadable sidecar leaves the earlier description in force.
        """
        described: Any = self._resolve(absolute)
        known = self._ledger.by_place.get(absolute)
        system = self._sidecars.system_of(absolute)
        seen: Any = [described, system.sha256, _READ_BY] if system else described
        sha256 = hashlib.sha256(_SORTED.encode(seen)).hexdigest()
        if system:
            self._captured[absolute] = (system, known.file_id if known else None)
        if known is None or known.sidecar_sha256 != sha256:
            self._changed[absolute] = {**described, "sidecar_sha256": sha256}
            self._is_changed[absolute] = known is not None

    def _resolve(self, absolute: str, captured: Values | None = None) -> Values:
        stored_values = partial(self._stored_values, absolute)
        described = self._sidecars.resolve(absolute, stored_values, captured)
        folder = os.path.dirname(target_of(absolute))
        if folder not in self._jobs:
            self._jobs[folder] = read_job_files(folder, self._links)
        jobs = self._jobs[folder]
        return {**described, "job_files": jobs} if jobs else described

    def apply(self, sidecar: Path) -> Iterator[Outcome]:
        """Look up the descriptions of all sources below a sidecar, or below the manifest of a
        captured system; `store` reports bad ones."""
        folder = Path(os.path.realpath(_described_by(sidecar)))
        self._sidecars.look_in(folder)
        below = self._known_below([folder])
        for absolute in below:
            self.note(absolute)
        path = Path(os.path.realpath(sidecar.parent)) / sidecar.name
        bad = [Path(one) for one in self._sidecars.errors]
        is_bad = path in bad
        if path.name == MANIFEST_FILE:
            is_bad = any(path.parent in (one, one.parent) for one in bad)
        if not is_bad:
            is_changed = any(map(self.is_changed, below))
            yield Outcome(shown_path(path), "loaded" if is_changed else "unchanged", NAME)

    def _known_below(self, folders: Iterable[Path]) -> list[str]:
        """Known places below the folders: sources and quarantined files."""
        refused = (path for path, at in self._ledger.quarantined.items() if at.parser != NAME)
        starts = tuple(os.path.join(folder, "") for folder in folders)
        known = {*self._ledger.by_place, *refused}
        return [absolute for absolute in known if target_of(absolute).startswith(starts)]

    def _stored_values(self, absolute: str) -> dict[str, Any]:
        known = self._ledger.by_place.get(absolute)
        return self._stored.get(known.source_key, {}) if known else {}

    @cached_property
    def _stored(self) -> dict[str, dict[str, Any]]:
        """The rows of `raw.sidecars` by source, without nulls."""
        query = f"select source_key, {', '.join(RAW_FIELDS)} from raw.sidecars"
        rows = self._connection.execute(query).pl().iter_rows(named=True)
        known = ({name: value for name, value in row.items() if value is not None} for row in rows)
        return {row.pop("source_key"): row for row in known}

    def is_changed(self, absolute: str) -> bool:
        """Whether a known place has another description than before."""
        return self._is_changed.get(absolute, False)

    def store(self) -> Iterator[Outcome]:
        """Write new descriptions in one transaction, after their places; yield the bad sidecars."""
        facts = self._describe_captured()
        rows = [
            {"source_key": self._ledger.by_place[absolute].source_key, **row}
            for absolute, row in self._changed.items()
            if absolute in self._ledger.by_place
        ]
        changes = pl.DataFrame(rows, schema=_CHANGES)
        met_now = self._sidecars.errors
        self._look_again(met_now.keys())
        self._connection.begin()
        try:
            if changes.height:
                self._replace(changes, pl.DataFrame(facts, schema=SYSTEM_FACTS))
            replace_catalog(self._connection, self._sidecars)
            self._connection.execute(
                "delete from quality.quarantined_files "
                f"where parser = '{NAME}' or ends_with(absolute_path, '/{SIDECAR_FILE}')"
            )
            for path, errors in self._sidecars.errors.items():
                place = {"absolute_path": printable(path), "path": printable(path), "parser": NAME}
                quarantine(self._connection, place, errors)
            self._connection.commit()
        except BaseException:
            self._connection.rollback()
            raise
        for path, errors in met_now.items():
            yield Outcome(printable(path), "quarantined", NAME, errors=errors)

    def _look_again(self, met_now: Collection[str]) -> None:
        """Resolve the places below bad sidecars that this run did not read: sidecars that are
        still bad stay quarantined."""
        bad = [
            _described_by(Path(path))
            for path, entry in self._ledger.quarantined.items()
            if entry.parser == NAME and path not in met_now
        ]
        for absolute in self._known_below(bad) if bad else ():
            self._sidecars.resolve(absolute)

    def _describe_captured(self) -> list[dict[str, Any]]:
        """Add the facts of captured systems, now that the contents are loaded; returns the rows of
        `raw.system_facts`."""
        current = self._ledger.by_place
        news = {
            absolute: system
            for absolute, (system, before) in self._captured.items()
            if absolute in current
            and (absolute in self._changed or current[absolute].file_id != before)
        }
        if not news:
            return []
        named = targets_of(self._connection, {current[absolute].file_id for absolute in news})
        rows = []
        for absolute, system in news.items():
            facts = system.facts_for(named.get(current[absolute].file_id, Target()))
            resolved = self._resolve(absolute, array_columns(facts))
            sha256 = self._changed.get(absolute, {}).get("sidecar_sha256")
            self._changed[absolute] = {
                **resolved, "sidecar_sha256": sha256 or current[absolute].sidecar_sha256
            }  # fmt: skip
            key = {"source_key": current[absolute].source_key}
            shown = self._ledger.path_of(system.path)
            rows += [key | row for row in fact_rows(system, shown, facts, resolved)]
        return rows

    def _replace(self, changes: pl.DataFrame, facts: pl.DataFrame) -> None:
        with rows_as(self._connection, "changes", changes):
            for table in ("raw.sidecars", "raw.system_facts"):
                self._connection.execute(
                    f"delete from {table} where source_key in (select source_key from changes)"
                )
            self._connection.execute(
                "update raw.sources set sidecar_sha256 = changes.sidecar_sha256 from changes "
                "where sources.source_key = changes.source_key and sources.is_current"
            )
        described = changes.filter(
            pl.any_horizontal(pl.exclude("source_key", "sidecar_sha256").is_not_null())
        )
        append(self._connection, "raw.sidecars", described.drop("sidecar_sha256"))
        append(self._connection, "raw.system_facts", facts)


def _described_by(path: Path) -> Path:
    """The folder that a sidecar or a file of a captured system describes."""
    is_captured = path.parent.name == SYSTEM_FOLDER and path.name != SIDECAR_FILE
    return path.parent.parent if is_captured else path.parent
