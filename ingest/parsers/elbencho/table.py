"""The CSV of `--csvfile`: a row per phase. Runs append to it; 2.1.1 repeats its header each time.

`ISO date` is the end of the phase before 3.0.27 and its start from then on (CHANGELOG.md).
"""

import csv

from ingest.parsers.elbencho import results
from ingest.parsers.generic import Result

_PRECEDENCE = 1
_NEEDED = ("operation", "time ms [first]", "iops [first]", "mib/s [first]", "mib/s [last]")


def read(lines: list[str]) -> list[Result]:
    found = []
    header: list[str] = []
    for number, line in enumerate(lines, start=1):
        if line[:9].lower().strip('"').startswith("iso date"):
            header = [cell.strip().lower() for cell in cells_of(line, line)]
            first = line
        elif line.strip():
            found.append(_result(header, cells_of(line, first), number))
    return [result for result in found if result]


def cells_of(line: str, header: str) -> list[str]:
    """Spreadsheets write quotes and semicolons; elbencho itself never writes a comma in a cell.

    A damaged quote must not swallow the lines after it: each is read on its own.
    """
    separator = next((one for one in header if one in ",;\t"), ",")
    try:
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        return []


def _result(header: list[str], row: list[str], number: int) -> Result | None:
    cells = dict(zip(header, row, strict=False))
    operation = cells.get("operation", "")[:80]
    command = cells.get("command", "")
    if len(row) != len(header):
        reason = f"has {len(row)} cells, its header {len(header)}: a cut line"
        return results.damaged(number, operation, reason)
    if missing := [name for name in _NEEDED if name not in header]:
        return results.damaged(number, operation, f"its header has no column {missing[0]!r}")
    if "command" in header and not command.rstrip().endswith('"'):
        return results.damaged(number, operation, "ends inside its command: a cut line")
    try:
        return results.read_result(cells, command, number, _PRECEDENCE)
    except (ValueError, OverflowError) as error:
        return results.damaged(number, operation, str(error))
