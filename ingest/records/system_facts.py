"""Facts of captured systems about results, found by the devices that each result names."""

from collections.abc import Collection, Iterable
from typing import Any

import duckdb
import polars as pl

from ingest.common.paths import printable
from ingest.records.raw_tables import rows_as
from ingest.systems.describe.facts import Fact
from ingest.systems.describe.ranking import subject_of
from ingest.systems.describe.system import System
from ingest.systems.describe.target import Target, named_by
from ingest.systems.sidecar.fields import ArrayFields
from ingest.systems.sidecar.level import Values, columns_of


def targets_of(
    connection: duckdb.DuckDBPyConnection, file_ids: Collection[str]
) -> dict[str, Target]:
    """The devices and files that each fio content names; contents of several machines are left out,
    since any of the machines may be the captured one."""
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


def array_columns(facts: Iterable[Fact]) -> Values:
    """The facts that a sidecar may have, as columns of RAW_FIELDS."""
    return columns_of({fact.field: fact.value for fact in facts if _is_of_array(fact)})


def fact_rows(
    system: System, system_path: str, facts: Iterable[Fact], resolved: Values
) -> list[dict[str, Any]]:
    """Rows of `raw.system_facts`, without fields that a nearer sidecar overrides, and without facts
    about a controller or drive that the sidecar names differently."""
    place = {"absolute_path": printable(system.path), "system_path": system_path}
    rows = []
    for fact in facts:
        if fact.value is None:
            is_kept = fact.field not in resolved
        elif _is_of_array(fact):
            is_kept = array_columns([fact]).items() <= resolved.items()
        else:
            is_kept = array_columns(facts).get(fact.subject) == resolved.get(fact.subject)
        if is_kept:
            value = None if fact.value is None else str(fact.value)
            row = {"subject": fact.subject, "field": fact.field, "value": value}
            rows.append({**place, **row, "said_by": fact.source})
    return rows


def _is_of_array(fact: Fact) -> bool:
    """Whether a fact is about the array; a drive's vendor is not the array's."""
    return fact.field in ArrayFields.__struct_fields__ and subject_of(fact.field) == fact.subject
