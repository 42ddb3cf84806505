"""Keeps `raw.sidecars` in step with what the `headroom.yml` files say of each source."""

import hashlib
import os
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import polars as pl

from ingest.names import printable, real_path
from ingest.records.ledger import Ledger
from ingest.records.recording import Outcome, quarantine
from ingest.records.tables import SIDECARS, append, rows_as
from ingest.sources import SIDECAR_FILE, shown_path, target_of
from ingest.systems.sidecar import Sidecars
from ingest.systems.sidecar.catalog import CATALOG_TABLES

NAME = "sidecar"
_SORTED = msgspec.json.Encoder(order="sorted")
_CHANGES: dict[str, pl.DataType] = {**SIDECARS, "sidecar_sha256": pl.String()}


class Descriptions:
    """What sidecars say of the places of one ingest, as far as it is news."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, ledger: Ledger) -> None:
        self._connection = connection
        self._ledger = ledger
        self._sidecars = Sidecars()
        self._changed: dict[str, dict[str, Any]] = {}
        self._is_news: dict[str, bool] = {}

    def note(self, absolute: str) -> None:
        """Look what the sidecars above a place say of it.

        What one that cannot be read said of it before stays said.
        """
        described = self._sidecars.resolve(absolute, partial(self._said_before, absolute))
        sha256 = hashlib.sha256(_SORTED.encode(described)).hexdigest()
        known = self._ledger.by_place.get(absolute)
        if known is None or known.sidecar_sha256 != sha256:
            self._changed[absolute] = {**described, "sidecar_sha256": sha256}
            self._is_news[absolute] = known is not None

    def apply(self, sidecar: Path) -> Iterator[Outcome]:
        """Look what is said now of all sources below a sidecar; one that is bad `store` tells."""
        folder = Path(os.path.realpath(sidecar.parent))
        self._sidecars.look_in(folder)
        below = self._known_below([folder])
        for absolute in below:
            self.note(absolute)
        path = folder / sidecar.name
        if str(path) not in self._sidecars.errors:
            is_news = any(map(self.is_news, below))
            yield Outcome(shown_path(path), "loaded" if is_news else "unchanged", NAME)

    def _known_below(self, folders: Iterable[Path]) -> list[str]:
        """Places of sources, and of what could not be read, whose files are below the folders."""
        refused = (path for path, at in self._ledger.quarantined.items() if at.parser != NAME)
        starts = tuple(os.path.join(folder, "") for folder in folders)
        known = {*self._ledger.by_place, *refused}
        return [absolute for absolute in known if target_of(absolute).startswith(starts)]

    def _said_before(self, absolute: str) -> dict[str, Any]:
        known = self._ledger.by_place.get(absolute)
        return self._stored.get(known.source_key, {}) if known else {}

    @cached_property
    def _stored(self) -> dict[str, dict[str, Any]]:
        """The rows of `raw.sidecars` by source, without what they do not say."""
        query = f"select {', '.join(SIDECARS)} from raw.sidecars"
        rows = self._connection.execute(query).pl().iter_rows(named=True)
        said = ({name: value for name, value in row.items() if value is not None} for row in rows)
        return {row.pop("source_key"): row for row in said}

    def is_news(self, absolute: str) -> bool:
        """Whether a place that was known is described in another way than before."""
        return self._is_news.get(absolute, False)

    def store(self) -> Iterator[Outcome]:
        """Write the news in one transaction, when the places are in; say which sidecars are bad."""
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
                self._replace(changes)
            self._replace_catalog()
            self._connection.execute(
                f"delete from quality.quarantined_files where parser = '{NAME}' "
                f"or ends_with(absolute_path, '/{SIDECAR_FILE}')"
            )
            for path, errors in self._sidecars.errors.items():
                facts = {"absolute_path": printable(path), "path": printable(path), "parser": NAME}
                quarantine(self._connection, facts, errors)
            self._connection.commit()
        except BaseException:
            self._connection.rollback()
            raise
        for path, errors in met_now.items():
            yield Outcome(printable(path), "quarantined", NAME, errors=errors)

    def _look_again(self, met_now: Collection[str]) -> None:
        """At the bad sidecars of earlier runs that this one did not meet: those that still are bad
        for a place below them stay in quarantine."""
        bad = [
            Path(path).parent
            for path, entry in self._ledger.quarantined.items()
            if entry.parser == NAME and path not in met_now
        ]
        for absolute in self._known_below(bad) if bad else ():
            self._sidecars.resolve(absolute)

    def _replace(self, changes: pl.DataFrame) -> None:
        with rows_as(self._connection, "changes", changes):
            self._connection.execute(
                "delete from raw.sidecars where source_key in (select source_key from changes)"
            )
            self._connection.execute(
                "update raw.sources set sidecar_sha256 = changes.sidecar_sha256 from changes "
                "where sources.source_key = changes.source_key and sources.is_current"
            )
        said = changes.filter(
            pl.any_horizontal(pl.exclude("source_key", "sidecar_sha256").is_not_null())
        )
        append(self._connection, "raw.sidecars", said.drop("sidecar_sha256"))

    def _replace_catalog(self) -> None:
        """Replace the definitions of the sidecars met, forget those of sidecars that are gone.

        A sidecar that was not met, or cannot be read now, keeps what it said.
        """
        met = {printable(path) for path in self._sidecars.met()}
        for table, rows in self._sidecars.catalog_rows().items():
            stored = self._connection.execute(f"select distinct absolute_path from raw.{table}")
            for (path,) in stored.fetchall():
                if path in met or not Path(real_path(path)).exists():
                    self._connection.execute(
                        f"delete from raw.{table} where absolute_path = ?", [path]
                    )
            append(self._connection, f"raw.{table}", pl.DataFrame(rows, CATALOG_TABLES[table]))
