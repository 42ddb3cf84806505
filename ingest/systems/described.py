"""Keeps `raw.sidecars` in step with what the `headroom.yml` files say of each source."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import polars as pl

from ingest.errors import InputError
from ingest.names import printable, real_path
from ingest.records.ledger import Ledger, Place
from ingest.records.recording import Outcome, quarantine
from ingest.records.tables import SIDECARS, append, rows_as
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
        self._errors: dict[str, InputError] = {}

    def note(self, place: Place) -> None:
        """Look what the sidecars above a place say of it.

        A place under a sidecar that cannot be read keeps what was said of it before.
        """
        try:
            described = self._sidecars.resolve(place.absolute)
        except InputError as error:
            self._errors[error.path] = error
            return
        sha256 = hashlib.sha256(_SORTED.encode(described)).hexdigest()
        known = self._ledger.by_place.get(place.absolute)
        if known is None or known.sidecar_sha256 != sha256:
            self._changed[place.absolute] = {**described, "sidecar_sha256": sha256}
            self._is_news[place.absolute] = known is not None

    def is_news(self, place: Place) -> bool:
        """Whether a place that was known is described in another way than before."""
        return self._is_news.get(place.absolute, False)

    def store(self) -> Iterator[Outcome]:
        """Write the news in one transaction, when the places are in; say which sidecars are bad."""
        rows = [
            {"source_key": self._ledger.by_place[absolute].source_key, **row}
            for absolute, row in self._changed.items()
            if absolute in self._ledger.by_place
        ]
        changes = pl.DataFrame(rows, schema=_CHANGES)
        self._connection.begin()
        try:
            if changes.height:
                self._replace(changes)
            self._replace_catalog()
            self._connection.execute(
                f"delete from quality.quarantined_files where parser = '{NAME}'"
            )
            for path, error in self._errors.items():
                facts = {"absolute_path": printable(path), "path": printable(path), "parser": NAME}
                quarantine(self._connection, facts, [error])
            self._connection.commit()
        except BaseException:
            self._connection.rollback()
            raise
        for path, error in self._errors.items():
            yield Outcome(printable(path), "quarantined", NAME, errors=[error])

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
