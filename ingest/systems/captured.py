"""What captured systems say of results: found by the devices that each result names."""

from collections.abc import Collection, Iterable
from typing import Any

import duckdb
import msgspec
import polars as pl

from ingest.names import printable
from ingest.records.tables import rows_as
from ingest.sources import shown_path
from ingest.systems.describe.facts import Fact
from ingest.systems.describe.system import System
from ingest.systems.describe.target import Target, named_by
from ingest.systems.sidecar.catalog import (
    CATALOG_TABLES,
    ControllerDefinition,
    Definition,
    DriveDefinition,
    definition_row,
)
from ingest.systems.sidecar.kinds import read_value
from ingest.systems.sidecar.level import Values, columns_of
from ingest.vocabulary import slug

_DEFINITIONS: dict[str, tuple[str, type[Definition]]] = {
    "controller": ("sidecar_controllers", ControllerDefinition),
    "drive": ("sidecar_drives", DriveDefinition),
}


def tested_by(
    connection: duckdb.DuckDBPyConnection, file_ids: Collection[str]
) -> dict[str, Target]:
    """What each content of fio names. One of several machines names nothing: which of them was
    captured is not known."""
    wanted = pl.DataFrame({"file_id": [*file_ids]}, {"file_id": pl.String()})
    with rows_as(connection, "wanted", wanted):
        rows = connection.execute(
            """
            with jobs as (
                select
                    file_id,
                    list(distinct {
                        'filename': options ->> 'filename', 'directory': options ->> 'directory'
                    }) as options,
                    count(distinct hostname) as host_count
                from raw.fio_jobs semi join wanted using (file_id)
                group by file_id
            ),
            disks as (
                select file_id, list(distinct disk) as disks
                from raw.fio_disks semi join wanted using (file_id)
                group by file_id
            )
            select file_id, options, coalesce(disks, []) from jobs left join disks using (file_id)
            where host_count < 2
            """
        ).fetchall()
    return {file_id: named_by(options, disks) for file_id, options, disks in rows}


def said_of(facts: Iterable[Fact]) -> Values:
    """The facts that a sidecar may say, as columns of RAW_FIELDS."""
    return columns_of({fact.field: fact.value for fact in facts if fact.value is not None})


def fact_rows(system: System, facts: Iterable[Fact], resolved: Values) -> list[dict[str, Any]]:
    """Rows of `raw.system_facts`, without those that a nearer sidecar says otherwise."""
    place = {"absolute_path": printable(system.path), "system_path": shown_path(system.path)}
    return [
        {
            **place,
            "subject": fact.subject,
            "field": fact.field,
            "value": None if fact.value is None else str(fact.value),
            "said_by": fact.source,
        }
        for fact in facts
        if said_of([fact]).items() <= resolved.items()
        and (fact.value is not None or fact.field not in resolved)
    ]


def definition_rows(connection: duckdb.DuckDBPyConnection) -> dict[str, list[Values]]:
    """Controllers and drives that the captured systems of current sources define, as rows of
    CATALOG_TABLES. What one system says differently of one name is left open."""
    said = connection.execute(
        """
        select distinct absolute_path, system_path, subject, map_from_entries(said)
        from (
            select absolute_path, system_path, subject, list((field, value) order by field) as said
            from raw.system_facts semi join (
                select source_key from raw.sources where is_current
            ) using (source_key)
            where subject in ('controller', 'drive') and value is not null
            group by source_key, absolute_path, system_path, subject
        )
        order by all
        """
    ).fetchall()
    alike: dict[tuple[str, str, str, str], list[dict[str, str]]] = {}
    for absolute, shown, subject, fields in said:
        if subject in fields:
            key = (absolute, shown, subject, slug(fields[subject]))
            alike.setdefault(key, []).append(fields)
    rows: dict[str, list[Values]] = {table: [] for table in CATALOG_TABLES}
    for (absolute, shown, subject, _), several in alike.items():
        table, definition = _DEFINITIONS[subject]
        paths = {"absolute_path": absolute, "sidecar_path": shown}
        rows[table].append(paths | definition_row(_defined(definition, several)))
    return rows


def _defined(definition: type[Definition], several: list[dict[str, str]]) -> Definition:
    found = {}
    for field in msgspec.structs.fields(definition):
        texts = dict.fromkeys(said[field.name] for said in several if field.name in said)
        if len(texts) == 1 or field.required:
            found[field.name] = read_value(field.type, next(iter(texts)), is_text=True)
    return definition(**found)
