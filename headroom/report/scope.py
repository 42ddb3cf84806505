"""Which measurements a report is about: `temp.chosen`, and `temp.chosen_results` of them."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import duckdb

from headroom.names import find_named
from headroom.warehouse import WarehouseError

_CHOSEN = "create temp table chosen as select measurement_id from measurements where is_valid and "
# Marts of medians have a row for an array at a load profile, not for each of its runs.
_RESULTS = """
    create temp table chosen_results as
    select distinct array_label, profile_id, document_id is null as is_own
    from measurements semi join chosen using (measurement_id)
"""


def choose(
    connection: duckdb.DuckDBPyConnection,
    controllers: Sequence[str] = (),
    runs: Iterable[Path] = (),
    *,
    is_last_night: bool = False,
) -> str:
    """Choose what is asked for, or everything; the title of a report about it.

    Raises:
        WarehouseError: nothing is chosen, or a name may be of several controllers.
    """
    found = [find_named(connection, "controller", "measurements", name) for name in controllers]
    places = [str(path) for path in runs]
    if found:
        connection.execute(
            f"{_CHOSEN} not is_superseded and list_contains($1, controller)", [found]
        )
    elif places:
        _choose_places(connection, places)
    elif is_last_night:
        _choose_last_night(connection)
    else:
        connection.execute(f"{_CHOSEN} not is_superseded")
    connection.execute(_RESULTS)
    if places:
        return f"Results in {', '.join(places)}"
    return ", ".join(found) or ("The last night" if is_last_night else "All results")


def _choose_places(connection: duckdb.DuckDBPyConnection, places: list[str]) -> None:
    """By the names under which they were read, or by where they are."""
    connection.execute(
        f"""
        {_CHOSEN} file_id in (
            select file_id from raw.sources, unnest($1) as places (place)
            where is_current and (
                starts_with(path || '/', place || '/')
                or starts_with(absolute_path || '/', place || '/')
            )
        )
        """,
        [[*places, *(os.path.abspath(place) for place in places)]],
    )
    if not connection.table("chosen").shape[0]:
        raise WarehouseError(f"{', '.join(places)}: no published results from there")


def _choose_last_night(connection: duckdb.DuckDBPyConnection) -> None:
    """What the night that made the release loaded, of results."""
    connection.execute(
        f"""
        {_CHOSEN} document_id is null and not is_superseded and file_id in (
            select file_id from raw.sources
            where loaded_at >= (select max(started_at) from quality.nightly_runs)
        )
        """
    )
