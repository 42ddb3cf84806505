"""`headroom forecast`: what is predicted of a document's arrays before its values are digitised."""

import csv
import datetime
import importlib.metadata
import io
from pathlib import Path
from typing import Any

import click
import duckdb

from headroom.size import Array, why_not
from headroom.warehouse import WarehouseError
from ingest.parsers.white_paper.document import read_document
from ingest.parsers.white_paper.sheets import Forecast
from ingest.parsers.white_paper.tidy import read_sheet
from ingest.sources import PAPER_FILE

_KEY = ("controller", "raid_level", "drive", "drive_count", "profile")
# The document's arrays with their names in the catalog, and what is predicted of each now.
_PREDICTED = """
    select
        forecasts.controller, raid_level, forecasts.drive, drive_count,
        forecasts.profile_name as profile, profile_id, measurement_id,
        controllers.controller as known_controller, drives.drive as known_drive,
        predictions.iops as predicted_iops,
        predictions.bytes_per_second as predicted_bytes_per_second,
        predictions.low_iops, predictions.low_bytes_per_second,
        predictions.high_iops, predictions.high_bytes_per_second,
        predictions.value_qualifier as predicted_qualifier,
        predictions.evidence, predictions.binding_ceiling
    from rpt_forecasts as forecasts
    left join dim_controllers as controllers using (controller_id)
    left join dim_drives as drives using (drive_id)
    left join fct_predictions as predictions
        using (controller_id, raid_level, drive_id, drive_count, profile_id)
    where forecasts.document_id = $1
"""


def forecast(connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
    """Fill in the open rows of the folder's forecasts.csv; others stay as they are.

    Raises:
        WarehouseError: an array is not published as it is listed here, or its value is digitised.
        InputError: document.yml or forecasts.csv cannot be read.
    """
    document = read_document(folder / PAPER_FILE)
    path = folder / Forecast.file
    try:
        listed = read_sheet(path, Forecast, document)
    except ExceptionGroup as group:
        raise WarehouseError("\n".join(map(str, group.exceptions))) from group
    relation = connection.sql(_PREDICTED, params=[document.document_id])
    rows = [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]
    published = {tuple(row[name] for name in _KEY): row for row in rows}
    made = {}
    for row in listed:
        if not row["forecast_date"]:
            found = published.get(tuple(row[name] for name in _KEY))
            open_row = _open(found, f"{path}:{row['line']}", folder)
            made[row["line"]] = _forecast_of(connection, open_row)
    _fill(path, made)
    missing = sum(bool(values["missing_reason"]) for values in made.values())
    click.echo(f"{path}: {len(made) - missing} predicted, {missing} not (missing_reason)")


def _open(found: dict[str, Any] | None, place: str, folder: Path) -> dict[str, Any]:
    """The published row, if it is there and its value is not digitised yet."""
    if found is None:
        raise WarehouseError(f"{place}: not published yet; run: headroom nightly {folder}")
    if found["measurement_id"]:
        reason = f"its value is digitised, {found['measurement_id']}; a forecast is made before"
        raise WarehouseError(f"{place}: {reason}")
    return found


def _forecast_of(connection: duckdb.DuckDBPyConnection, found: dict[str, Any]) -> dict[str, Any]:
    return found | {
        "missing_reason": None if found["evidence"] else _reason(connection, found),
        "headroom_version": importlib.metadata.version("headroom"),
        "forecast_date": datetime.datetime.now(datetime.UTC).date(),
    }


def _reason(connection: duckdb.DuckDBPyConnection, found: dict[str, Any]) -> str:
    for kind in ("controller", "drive"):
        if not found[f"known_{kind}"]:
            return f"{found[kind]}: facts.csv has no fact of this {kind} without a condition"
    return why_not(
        connection,
        Array(
            found["known_controller"], found["raid_level"], found["known_drive"],
            found["drive_count"], found["profile_id"],
        ),
    )  # fmt: skip


def _fill(path: Path, made: dict[int, dict[str, Any]]) -> None:
    """Write the sheet again, with the cells of these lines."""
    reader = csv.DictReader(path.read_text(encoding="utf-8-sig").splitlines())
    text = io.StringIO()
    writer = csv.DictWriter(text, reader.fieldnames or (), lineterminator="\n")
    writer.writeheader()
    for row in reader:
        known = made.get(reader.line_num, {})
        writer.writerow({name: cell or known.get(name) for name, cell in row.items()})
    path.write_text(text.getvalue(), encoding="utf-8")
