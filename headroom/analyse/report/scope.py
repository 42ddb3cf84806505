"""Chooses the measurements of a report: `temp.chosen` and `temp.chosen_results`."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb

from headroom.analyse.name_search import find_named, find_profile
from headroom.analyse.places import AT_PLACES, require_read, spellings
from headroom.warehouse import WarehouseError

# Own results by path and night, with published values of the controllers; without a path or a
# night, all results of the controllers.
_CHOSEN = f"""
    create temp table chosen as
    with {AT_PLACES},

    ours as (
        select measurement_id, profile_id
        from measurements
        where is_valid and document_id is null
            and if(
                len($places::varchar[]) > 0,
                measurement_id in (from at_places), not is_superseded
            )
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
        "places": spellings(places),
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
            require_read(connection, place)
        raise WarehouseError(f"{title}: no valid results")
    return title


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
