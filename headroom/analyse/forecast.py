"""`headroom forecast`: predictions for a document's arrays before its values are digitised."""

import csv
import datetime
import importlib.metadata
import io
from pathlib import Path
from typing import Any

import click
import duckdb

from headroom.analyse.size import Array, why_not
from headroom.cli import command
from headroom.warehouse import Warehouse, WarehouseError, rows_of
from ingest.find.sources import PAPER_FILE
from ingest.parsers.white_paper.document import read_document
from ingest.parsers.white_paper.sheets import Forecast
from ingest.parsers.white_paper.tidy import read_sheet

_KEY = ("controller", "raid_level", "drive", "drive_count", "profile")
# The document's arrays with their names in the catalog and their current predictions.
_PREDICTED = """
    select
        forecasts.controller, forecasts.raid_level, forecasts.drive, forecasts.drive_count,
        forecasts.profile_name as profile, forecasts.profile_id, forecasts.measurement_id,
        controllers.controller as known_controller, drives.drive as known_drive,
        forecasts.current_iops as predicted_iops,
        forecasts.current_bytes_per_second as predicted_bytes_per_second,
        forecasts.current_low_iops as low_iops,
        forecasts.current_low_bytes_per_second as low_bytes_per_second,
        forecasts.current_high_iops as high_iops,
        forecasts.current_high_bytes_per_second as high_bytes_per_second,
        forecasts.current_value_qualifier as predicted_qualifier,
        forecasts.current_evidence as evidence,
        forecasts.current_binding_ceiling as binding_ceiling,
        forecasts.current_missing_reason as missing_reason
    from rpt_forecasts as forecasts
    left join dim_controllers as controllers using (controller_id)
    left join dim_drives as drives using (drive_id)
    where forecasts.document_id = $1
"""


@command("headroom forecast papers/calomel-zfs-raid", name="forecast")
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
def forecast_command(warehouse: Warehouse, folder: Path) -> None:
    """Predict the arrays of a document in FOLDER before its values are digitised.

    Fills the empty rows of FOLDER/forecasts.csv with a prediction, or the reason for its absence.
    Commit it before you digitise the values; marts.rpt_forecasts has the score. See
    docs/white-papers.md.
    """
    with warehouse.open_published() as connection:
        forecast(connection, folder)


def forecast(connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
    """Fill in the open rows of the folder's forecasts.csv.

    Raises WarehouseError if an array is not published yet or its value is already digitised.
    """
    document = read_document(folder / PAPER_FILE)
    path = folder / Forecast.file
    try:
        listed = read_sheet(path, Forecast, document)
    except ExceptionGroup as group:
        raise WarehouseError("\n".join(map(str, group.exceptions))) from group
    rows = rows_of(connection.sql(_PREDICTED, params=[document.document_id]))
    published = {tuple(row[name] for name in _KEY): row for row in rows}
    made = {}
    for row in listed:
        if not row["forecast_date"]:
            found = published.get(tuple(row[name] for name in _KEY))
            place = f"{path}:{row['line']}"
            if found is None:
                raise WarehouseError(f"{place}: not published yet; run: headroom nightly {folder}")
            if found["measurement_id"]:
                reason = f"its value is digitised, {found['measurement_id']}"
                raise WarehouseError(f"{place}: {reason}; a forecast is made before")
            made[row["line"]] = found | {
                "missing_reason": None if found["evidence"] else _reason(connection, found),
                "headroom_version": importlib.metadata.version("headroom"),
                "forecast_date": datetime.datetime.now(datetime.UTC).date(),
            }
    _fill(path, made)
    missing = sum(bool(values["missing_reason"]) for values in made.values())
    click.echo(f"{path}: {len(made) - missing} predicted, {missing} not (missing_reason)")


def _reason(connection: duckdb.DuckDBPyConnection, found: dict[str, Any]) -> str:
    for kind in ("controller", "drive"):
        if found[kind] and not found[f"known_{kind}"]:
            return f"{found[kind]}: facts.csv has no fact of this {kind} without a condition"
    if not found["controller"]:
        reason: str = found["missing_reason"]
        return reason
    return why_not(
        connection,
        Array(
            found["known_controller"], found["raid_level"], found["known_drive"],
            found["drive_count"], found["profile_id"],
        ),
    )  # fmt: skip


def _fill(path: Path, made: dict[int, dict[str, Any]]) -> None:
    """Rewrite the sheet with the empty cells of these lines filled in."""
    reader = csv.DictReader(path.read_text(encoding="utf-8-sig").splitlines())
    text = io.StringIO()
    writer = csv.DictWriter(text, reader.fieldnames or (), lineterminator="\n")
    writer.writeheader()
    for row in reader:
        known = made.get(reader.line_num, {})
        writer.writerow({name: cell or known.get(name) for name, cell in row.items()})
    path.write_text(text.getvalue(), encoding="utf-8")
