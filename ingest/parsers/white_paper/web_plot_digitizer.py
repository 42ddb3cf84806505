"""Charts digitised with WebPlotDigitizer: its exported CSV, `figures/<figure_id>.csv`.

The export has datasets side by side, two columns each, under two header rows: the dataset's name
and an empty cell, then `X,Y`. Datasets of fewer points end in empty cells. What the axes are stands
in the figure's row of figures.csv: `series_column` is what a dataset's name fills, `x_column` what
an x fills, `y_metric` and `axis_unit` what y is. Values read off a picture are approximate.
"""

import csv
import math
from collections.abc import Iterator
from pathlib import Path

from ingest.errors import InputError
from ingest.parsers.white_paper.cells import MOST, VALUE_FIELDS, Values, raw_columns
from ingest.parsers.white_paper.sheets import Measurement
from ingest.parsers.white_paper.vocabulary import QUANTITY_BY_METRIC
from ingest.vocabulary import UNITS_BY_QUANTITY, read_raid_level

_INTEGER_COLUMNS = ("outstanding_io_count", "queue_depth_per_drive", "drive_count")


def read_digitised_figure(path: Path, figure: Values) -> list[Values]:
    """The figure's points as rows of the measurements sheet.

    Raises:
        InputError: the figure's row leaves an axis open, a value is no number, or y lies outside
            the axis that the figure's row gives.
    """
    _require_axes(path, figure)
    try:
        rows = list(csv.reader(path.read_text(encoding="utf-8-sig").splitlines()))
    except (csv.Error, UnicodeDecodeError) as error:
        raise InputError(path, f"not a CSV in UTF-8: {error}") from error
    if len(rows) < 3 or [cell.strip() for cell in rows[1][:2]] != ["X", "Y"]:
        raise InputError(path, "not a WebPlotDigitizer export: its second line is X,Y,...", line=2)
    return [
        _point(path, figure, rows[0][column].strip(), line, rows[line - 1][column : column + 2])
        for column in range(0, len(rows[1]) - 1, 2)
        for line in _lines_with_point(rows, column)
    ]


def _require_axes(path: Path, figure: Values) -> None:
    needed = ("series_column", "x_column", "y_metric", "axis_unit")
    if not figure["is_digitised"]:
        raise InputError(path, "figures.csv marks this figure as not digitised")
    missing = [name for name in needed if figure[name] is None]
    if missing:
        raise InputError(path, f"figures.csv lacks for this figure: {', '.join(missing)}")
    units = UNITS_BY_QUANTITY[QUANTITY_BY_METRIC[figure["y_metric"]]]
    if figure["axis_unit"] not in units:
        raise InputError(path, f"axis_unit {figure['axis_unit']!r} is none of {', '.join(units)}")


def _lines_with_point(rows: list[list[str]], column: int) -> Iterator[int]:
    for line, row in enumerate(rows[2:], start=3):
        cells = [cell.strip() for cell in row[column : column + 2]]
        if any(cells):
            yield line


def _point(path: Path, figure: Values, dataset: str, line: int, cells: list[str]) -> Values:
    x, y = ([cell.strip() for cell in cells] + [""])[:2]
    values: Values = dict.fromkeys(
        name for columns in raw_columns(Measurement).values() for name in columns
    )
    values |= {name: figure[name] for name in ("edition", "page", "last_page", "controller")}
    values |= {name: figure[name] for name in ("profile", "raid_level", "drive")}
    values["drive_count"] = (
        _whole(path, line, figure["drive_count"]) if figure["drive_count"] else None
    )
    values[figure["series_column"]] = dataset
    x_column = figure["x_column"]
    values[x_column] = _whole(path, line, x) if x_column in _INTEGER_COLUMNS else x
    values["raid_level"] = _raid_level(path, line, values["raid_level"])
    number = _number(path, line, y)
    low, high = figure["axis_minimum"], figure["axis_maximum"]
    if (low is not None and number < low) or (high is not None and number > high):
        raise InputError(path, f"y {y} of {dataset!r} is off the axis {low} to {high}", line=line)
    metric = figure["y_metric"]
    return (
        values
        | dict.fromkeys(VALUE_FIELDS)
        | {
            "locator": f"{figure['title']}: {dataset}, x = {x}",
            "metric": metric,
            "quantity": QUANTITY_BY_METRIC[metric],
            "qualifier": "approximate",
            "number": number,
            "unit": figure["axis_unit"],
            "note": "read off the figure with WebPlotDigitizer",
            "sheet_path": f"figures/{path.name}",
            "line": line,
        }
    )


def _number(path: Path, line: int, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputError(path, f"{text!r} is not a number", line=line)
    return number


def _whole(path: Path, line: int, text: str) -> int:
    """An axis of counts is clicked a little beside its tick; the nearest whole number is meant."""
    number = round(_number(path, line, text))
    if not 0 <= number <= MOST:
        raise InputError(path, f"{text!r} is no count from 0 to {MOST}", line=line)
    return number


def _raid_level(path: Path, line: int, text: str | None) -> str | None:
    level = read_raid_level(text) if text else None
    if text and level is None:
        raise InputError(path, f"raid_level {text!r} is unknown", line=line)
    return level
