"""`headroom report`: what the marts say, as one HTML file that needs nothing beside it."""

from collections.abc import Sequence
from pathlib import Path

from headroom.report.page import html
from headroom.report.parts import Part, night, parts
from headroom.report.scope import choose
from headroom.warehouse import Warehouse

_FACTS = """
    select
        count(*), count(distinct array_label), count(distinct profile_id),
        count(distinct document_id), count(distinct file_id) filter (document_id is null)
    from measurements semi join chosen using (measurement_id)
"""


def report(
    warehouse: Warehouse,
    controllers: Sequence[str] = (),
    runs: Sequence[Path] = (),
    *,
    is_last_night: bool = False,
) -> str:
    """The page about controllers, places of results, the last night, or everything.

    Raises:
        WarehouseError: nothing is published, or nothing of what is asked for.
    """
    found: list[Part] = []
    if is_last_night:
        with warehouse.open_quality() as connection:
            found += night(connection)
    with warehouse.open_published() as connection:
        title = choose(connection, controllers, runs, is_last_night=is_last_night)
        values, arrays, profiles, papers, files = connection.execute(_FACTS).fetchall()[0]
        found += parts(connection)
    facts = (
        f"Values: {values:,}. Arrays: {arrays:,}. Load profiles: {profiles:,}. "
        f"Papers: {papers:,}. Our own files: {files:,}."
    )
    return html(title, warehouse.published.resolve().name, facts, found)
