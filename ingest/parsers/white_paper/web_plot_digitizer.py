"""Charts digitised with WebPlotDigitizer: its exported CSV, `figures/<figure_id>.csv`.

The export has datasets side by side, two columns each, under two header rows: the dataset's name
and an empty cell, then `X,Y`. Shorter datasets end in empty cells. The figure's row of figures.csv
describes the axes: a dataset's name fills `series_column`, an x fills `x_column`, `y_metric` and
`axis_unit` describe y. Values read off a picture are approximate.
"""

import csv
import math
from contextlib import suppress
from io import StringIO
from pathlib import Path

from ingest.common.errors import InputError
from ingest.common.vocabulary import UNITS_BY_QUANTITY, read_raid_level
from ingest.parsers.white_paper.cells import MOST, Values
from ingest.parsers.white_paper.vocabulary import QUANTITY_BY_METRIC

_INTEGER_COLUMNS = ("outstanding_io_count", "queue_depth_per_drive", "drive_count")


def read_digitised_figure(path: Path, figure: Values) -> list[Values]:
    """The figure's points as rows of the measurements sheet.

    Raises:
        InputError: the figure's row does not describe an axis, a value is no number, or y lies
            outside the axis that the figure's row gives.
    """
    _require_axes(path, figure)
    try:
        rows = list(csv.reader(StringIO(path.read_text(encoding="utf-8-sig"))))
    except (csv.Error, UnicodeDecodeError) as error:
        raise InputError(path, f"not a CSV in UTF-8: {error}") from error
    if len(rows) < 3 or [cell.strip() for cell in rows[1][:2]] != ["X", "Y"]:
        raise InputError(path, "not a WebPlotDigitizer export: its second line is X,Y,...", line=2)
    if len(rows[0]) < len(rows[1]) - 1:
        raise InputError(path, "names fewer datasets than line 2 has pairs X,Y: export it again", 1)
    points = []
    for column in range(0, len(rows[1]) - 1, 2):
        for line, row in enumerate(rows[2:], start=3):
            x, y = ([cell.strip() for cell in row[column : column + 2]] + ["", ""])[:2]
            if not (x or y):
                continue
            try:
                point = _point(figure, rows[0][column].strip(), x, y)
            except ValueError as error:
                raise InputError(path, str(error), line=line) from error
            points.append(point | {"sheet_path": f"figures/{path.name}", "line": line})
    return points


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


def _point(figure: Values, dataset: str, x: str, y: str) -> Values:
    copied = ("edition", "page", "last_page", "controller", "profile", "raid_level", "drive")
    values = {name: figure[name] for name in copied}
    values["drive_count"] = _whole(figure["drive_count"]) if figure["drive_count"] else None
    values[figure["series_column"]] = dataset
    values[figure["x_column"]] = _whole(x) if figure["x_column"] in _INTEGER_COLUMNS else x
    if level := values["raid_level"]:
        values["raid_level"] = read_raid_level(level)
        if values["raid_level"] is None:
            raise ValueError(f"raid_level {level!r} is unknown")
    number = _number(y)
    low, high = figure["axis_minimum"], figure["axis_maximum"]
    if (low is not None and number < low) or (high is not None and number > high):
        raise ValueError(f"y {y} of {dataset!r} is off the axis {low} to {high}")
    return values | {
        "locator": f"{figure['title']}: {dataset}, x = {x}",
        "metric": figure["y_metric"],
        "quantity": QUANTITY_BY_METRIC[figure["y_metric"]],
        "qualifier": "approximate",
        "number": number,
        "unit": figure["axis_unit"],
        "note": "read off the figure with WebPlotDigitizer",
    }


def _number(text: str) -> float:
    with suppress(ValueError):
        if math.isfinite(number := float(text)):
            return number
    raise ValueError(f"{text!r} is not a number")


def _whole(text: str) -> int:
    """The nearest whole number: clicks on an axis of counts are a little beside its ticks."""
    number = round(_number(text))
    if not 0 <= number <= MOST:
        raise ValueError(f"{text!r} is no count from 0 to {MOST}")
    return number
