"""Chooses the measurements of a report: `temp.chosen` and `temp.chosen_results`."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb

from headroom.analyse.name_search import find_named, find_profile, nearest_names
from headroom.warehouse import WarehouseError

# Own results by path and night, with published values of the controllers; without a path or a night
# everything of the controllers. A place is the path of a file as it was loaded, or where it is.
_IS_PLACED = """is_current and (
    starts_with(path || '/', place || '/') or starts_with(absolute_path || '/', place || '/')
)"""
_CHOSEN = f"""
    create temp table chosen as
    with placed as (
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

    ours as (
        select measurement_id, profile_id
        from measurements
        where is_valid and document_id is null
            and (len($places::varchar[]) > 0 or not is_superseded)
            and (
                len($places::varchar[]) = 0
                or measurement_id in (from combined)
                or source_path in (select path from placed)
                or file_id in (
                    select file_id from placed anti join described using (file_id)
                )
            )
            and (combined_id is null or combined_id not in (from combined))
            and (not $is_last_night or file_id in (
                select file_id from raw.sources
                where loaded_at >= (select started_at from quality.nightly_runs where is_latest)
            ))
            and (
                $is_ours or $is_any_controller
                or list_contains($controllers::varchar[], controller)
            )
    )

    select measurement_id
    from measurements
    where is_valid and coalesce(profile_id = $profile, $profile is null) and (
        measurement_id in (select measurement_id from ours)
        or document_id is not null
        and case
            when list_contains($controllers::varchar[], controller)
                then not $is_ours or profile_id in (select profile_id from ours)
            else $is_any_controller and not $is_ours
        end
    )
"""
# Marts of medians have a row for each array and load profile.
_RESULTS = """
    create temp table chosen_results as
    select distinct array_label, profile_id, document_id is null as is_own
    from rpt_measurements semi join chosen using (measurement_id)
"""


@dataclass(frozen=True)
class Scope:
    """The options of a report; all must hold."""

    controllers: Sequence[str] = ()
    runs: Sequence[Path] = ()
    profile: str | None = None
    is_last_night: bool = False


def choose(connection: duckdb.DuckDBPyConnection, scope: Scope) -> str:
    """Choose the measurements and return the report's title.

    Raises WarehouseError if there are none, or a name is unknown or ambiguous.
    """
    controllers = [
        find_named(connection, "controller", "measurements", name) for name in scope.controllers
    ]
    profile_id = find_profile(connection, scope.profile) if scope.profile else None
    places = [str(path) for path in scope.runs]
    given = {
        "controllers": controllers,
        "is_any_controller": not controllers,
        "places": [*places, *map(os.path.abspath, places)],
        "profile": profile_id,
        "is_last_night": scope.is_last_night,
        "is_ours": bool(places) or scope.is_last_night,
    }
    connection.execute(_CHOSEN, given)
    connection.execute(_RESULTS)
    title = _title(connection, scope, controllers, profile_id)
    is_ours = "select 1 from chosen_results where is_own"
    found = connection.execute(is_ours if places else "from chosen limit 1").fetchall()
    if not (found or scope.is_last_night):
        for place in places:
            _require_known(connection, place)
        raise WarehouseError(f"{title}: no valid results")
    return title


def _require_known(connection: duckdb.DuckDBPyConnection, place: str) -> None:
    is_known = f"select 1 from raw.sources, unnest($1) as places (place) where {_IS_PLACED} limit 1"
    if not connection.execute(is_known, [[place, os.path.abspath(place)]]).fetchall():
        nearest = nearest_names(connection, place, "folder")
        raise WarehouseError(f"--runs {place}: no run was read from there; the nearest: {nearest}")


def _title(
    connection: duckdb.DuckDBPyConnection,
    scope: Scope,
    controllers: Sequence[str],
    profile_id: str | None,
) -> str:
    ours = [f"results in {', '.join(map(str, scope.runs))}"] * bool(scope.runs)
    night = ["the last night"] * scope.is_last_night
    title = " beside ".join(filter(None, [", ".join(night + ours), ", ".join(controllers)]))
    if profile_id:
        ((label,),) = connection.execute(
            "select profile_label from dim_load_profiles where profile_id = $1", [profile_id]
        ).fetchall()
        title = f"{title or 'all results'}: {label}"
    return title[:1].upper() + title[1:] if title else "All results"
