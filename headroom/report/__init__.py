"""`headroom report`: what the marts say, as one HTML file that needs nothing beside it."""

import duckdb

from headroom.report.page import html
from headroom.report.parts import night, parts
from headroom.report.rows import Part
from headroom.report.scope import Scope, choose
from headroom.warehouse import Warehouse

__all__ = ["EVERYTHING", "Scope", "report"]

EVERYTHING = Scope()

_FACTS = """
    select
        count(*) filter (document_id is null and is_chosen) as own_value_count,
        count(distinct file_id) filter (document_id is null and is_chosen) as file_count,
        count(*) filter (document_id is not null) as published_value_count,
        count(distinct document_id) as paper_count,
        coalesce(bool_or(headline_metric = 'bytes_per_second'), false) as has_throughput,
    from (
        select *, measurement_id in (from chosen) as is_chosen
        from measurements semi join shown using (measurement_id)
    )
"""


def report(warehouse: Warehouse, scope: Scope = EVERYTHING) -> str:
    """The page about what is asked for.

    Raises:
        WarehouseError: nothing is published, or nothing of what is asked for.
    """
    of_night: list[Part] = []
    if scope.is_last_night:
        with warehouse.open_quality() as connection:
            of_night += night(connection)
    with warehouse.open_published() as connection:
        title = choose(connection, scope)
        of_values = list(parts(connection))
        facts = _facts(connection)
    found = sorted([*of_night, *of_values], key=lambda part: not part.is_lead)
    return html(title, warehouse.published.resolve().name, facts, found)


def _facts(connection: duckdb.DuckDBPyConnection) -> str:
    """What the page rests on, and what its GB/s are."""
    ((ours, files, published, papers, has_throughput),) = connection.execute(_FACTS).fetchall()
    facts = f"Our own values: {ours:,}, from {files:,} file{'s' * (files != 1)}." if ours else ""
    if published:
        facts += f" Published values: {published:,}, from {papers:,} paper{'s' * (papers != 1)}."
    if has_throughput:
        facts += " A GB/s is 10^9 bytes a second; “as printed” keeps the paper's MB/s (see Papers)."
    return facts.strip()
