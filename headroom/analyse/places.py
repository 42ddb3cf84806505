"""Own results by the path of a file, folder or archive: as it was loaded, or where it is now."""

import os
from collections.abc import Sequence

import duckdb

from headroom.analyse.name_search import nearest_names
from headroom.warehouse import WarehouseError

_IS_THERE = """(
    starts_with(path || '/', place || '/') or starts_with(absolute_path || '/', place || '/')
)"""
_IS_PLACED = f"is_current and {_IS_THERE}"
# CTEs for a query with the parameter `places`; the CTE `at_places` has the results there.
AT_PLACES = f"""
    placed as (
        select file_id, path
        from raw.sources, unnest($places::varchar[]) as places (place)
        where {_IS_PLACED}
    ),

    -- a file at two places has a result for each, if a headroom.yml differs
    described as (
        select distinct file_id from measurements where source_path in (select path from placed)
    ),

    -- the sum of several hosts replaces its parts, unless a place is one of them
    combined as (
        select measurement_id
        from measurements, unnest($places::varchar[]) as places (place)
        where part_count is not null and starts_with(source_path, place || '/')
    ),

    at_places as (
        select measurement_id
        from measurements
        where document_id is null
            and (
                measurement_id in (from combined)
                or source_path in (select path from placed)
                or file_id in (
                    select file_id from placed anti join described using (file_id)
                )
            )
            and (combined_id is null or combined_id not in (from combined))
    )
"""


def spellings(paths: Sequence[str]) -> list[str]:
    """The paths as they are and absolute: the parameter `places`."""
    return [*paths, *map(os.path.abspath, paths)]


def require_read(connection: duckdb.DuckDBPyConnection, path: str) -> None:
    """Raise WarehouseError if no file was read from there, with the reason if one was refused."""
    places = "unnest($1) as places (place)"
    is_read = f"select 1 from raw.sources, {places} where {_IS_PLACED} limit 1"
    if not connection.execute(is_read, [spellings([path])]).fetchall():
        refused = (
            f"select reason from quality.quarantined_files, {places} where {_IS_THERE} limit 1"
        )
        for (reason,) in connection.execute(refused, [spellings([path])]).fetchall():
            raise WarehouseError(f"{path}: quarantined: {reason}")
        nearest = nearest_names(connection, path, "folder")
        hint = f"; the nearest: {nearest}" if nearest else ""
        raise WarehouseError(
            f"{path}: no run was read from there{hint}; read it: headroom nightly {path}"
        )
