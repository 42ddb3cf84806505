"""Keeps the raw tables of own controllers and drives up to date with their definitions."""

from pathlib import Path

import duckdb
import msgspec
import polars as pl

from ingest.common.paths import printable, real_path
from ingest.common.vocabulary import slug
from ingest.find.sources import SYSTEM_FOLDER
from ingest.records.raw_tables import append, change_where
from ingest.systems.resolve import Sidecars
from ingest.systems.sidecar.definitions import (
    CATALOG_TABLES,
    DEFINITIONS,
    Definition,
    definition_row,
)
from ingest.systems.sidecar.kinds import read_value
from ingest.systems.sidecar.level import Values


def replace_catalog(connection: duckdb.DuckDBPyConnection, sidecars: Sidecars) -> None:
    """Replace the definitions of the sidecars that were read, forget those of deleted sidecars.

    A sidecar that was not read, or cannot be read now, keeps its definitions. Captured systems
    define the controllers and drives of current sources.
    """
    rows = _captured_rows(connection)
    for level in sidecars.readable:
        shown = sidecars.path_of(level.path)
        paths = {"absolute_path": printable(level.path), "sidecar_path": shown}
        own: list[Definition] = [*level.sidecar.controllers, *level.sidecar.drives]
        for definition in own:
            rows[definition.TABLE].append(paths | definition_row(definition))
    read = {printable(level.path) for level in sidecars.readable}
    for table, schema in CATALOG_TABLES.items():
        stored = connection.execute(f"select distinct absolute_path from raw.{table}").fetchall()
        over = [
            path
            for (path,) in stored
            if path.endswith(f"/{SYSTEM_FOLDER}")
            or path in read
            or not Path(real_path(path)).exists()
        ]
        change_where(connection, f"delete from raw.{table} where absolute_path", over)
        append(connection, f"raw.{table}", pl.DataFrame(rows[table], schema))


def _captured_rows(connection: duckdb.DuckDBPyConnection) -> dict[str, list[Values]]:
    """Controllers and drives of captured systems of current sources, as rows of CATALOG_TABLES;
    fields on which a system contradicts itself stay empty."""
    found = connection.execute(
        """
        select distinct absolute_path, system_path, subject, map_from_entries(found)
        from (
            select absolute_path, system_path, subject, list((field, value) order by field) as found
            from raw.system_facts semi join (
                select source_key from raw.sources where is_current
            ) using (source_key)
            where subject in ('controller', 'drive') and value is not null
            group by source_key, absolute_path, system_path, subject
        )
        order by all
        """
    ).fetchall()
    by_name: dict[tuple[str, str, str, str], list[dict[str, str]]] = {}
    for absolute, shown, subject, fields in found:
        if subject in fields:
            key = (absolute, shown, subject, slug(fields[subject]))
            by_name.setdefault(key, []).append(fields)
    rows: dict[str, list[Values]] = {table: [] for table in CATALOG_TABLES}
    for (absolute, shown, subject, _), several in by_name.items():
        definition = _defined(DEFINITIONS[subject], several)
        paths = {"absolute_path": absolute, "sidecar_path": shown}
        rows[definition.TABLE].append(paths | definition_row(definition))
    return rows


def _defined(definition: type[Definition], several: list[dict[str, str]]) -> Definition:
    found = {}
    for field in msgspec.structs.fields(definition):
        texts = dict.fromkeys(fields[field.name] for fields in several if field.name in fields)
        if len(texts) == 1 or field.required:
            found[field.name] = read_value(field.type, next(iter(texts)), is_text=True)
    return definition(**found)
