"""`headroom acknowledge`: changes with a known reason are no longer reported.

A change point may move by a measurement or two as more is measured, and stays acknowledged.
"""

import duckdb
import polars as pl

from expectations import BOUNDS
from headroom.warehouse import WarehouseError
from ingest.records.raw_tables import append
from ingest.records.recorder import utc_now

ACKNOWLEDGED: dict[str, pl.DataType] = {
    "change_id": pl.String(),
    "series_id": pl.String(),
    "metric": pl.String(),
    "changed_at": pl.Datetime("us"),
    "reason": pl.String(),
    "acknowledged_at": pl.Datetime("us"),
}
_KNOWN = """
    select change_id, series_id, series_name, metric, changed_at, acknowledged_reason
    from quality.change_points
    union
    select change_id, series_id, series_name, metric, measured_at, acknowledged_reason
    from quality.last_night where is_outside
"""
_MARK = """
    update quality.{table} as found set acknowledged_reason = (
        select arg_max(reason, acknowledged_at)
        from quality.acknowledged_changes as known
        where known.series_id = found.series_id and known.metric = found.metric and (
            select count(*) from marts.fct_repeated_measurements as points
            where points.series_id = found.series_id and points.metric = found.metric
                and points.measured_at between least(known.changed_at, found.{time})
                    and greatest(known.changed_at, found.{time})
        ) <= $margin + 1
    )
"""


def mark_acknowledged(connection: duckdb.DuckDBPyConnection) -> None:
    """Update the reason of each change in building.duckdb."""
    margin = {"margin": BOUNDS["changes"]["reason_points"]}
    for table, time in (("change_points", "changed_at"), ("last_night", "measured_at")):
        connection.execute(_MARK.format(table=table, time=time), margin)
    connection.execute(
        "update quality.change_points set is_recent = false where acknowledged_reason is not null"
    )


def acknowledge(connection: duckdb.DuckDBPyConnection, change: str, reason: str) -> str:
    """Store the reason of a change, given by the start of its id; returns its description."""
    query = f"select * from ({_KNOWN}) where starts_with(change_id, $1) and $1 != ''"
    try:
        found = connection.execute(query, [change]).fetchall()
    except (duckdb.CatalogException, duckdb.BinderException) as error:
        raise WarehouseError("not checked by this version yet; run: headroom check") from error
    if len(found) != 1:
        rows = connection.execute(
            f"select change_id, series_name, metric from ({_KNOWN}) "
            "where acknowledged_reason is null order by all"
        ).fetchall()
        open_changes = "".join(f"\n  {id_} {name}: {metric}" for id_, name, metric in rows)
        hint = f"unacknowledged changes:{open_changes}" if rows else "there are none"
        raise WarehouseError(f"{change}: matches {len(found) or 'no'} changes; {hint}")
    change_id, series_id, series_name, metric, changed_at, _ = found[0]
    row = (change_id, series_id, metric, changed_at, reason, utc_now())
    rows_kept = pl.DataFrame([row], schema=ACKNOWLEDGED, orient="row")
    append(connection, "quality.acknowledged_changes", rows_kept)
    mark_acknowledged(connection)
    return f"{series_name}: {metric} since {changed_at:%Y-%m-%d %H:%M}"
