"""The CSV of `--csvfile`: a row per phase. Runs append to it; 2.1.1 repeats its header each time.

`ISO date` is the end of the phase before 3.0.27 and its start from then on (CHANGELOG.md).
"""

import csv
from collections.abc import Iterator

from ingest.parsers.elbencho import options, results
from ingest.parsers.elbencho.results import Cells
from ingest.parsers.generic import Result

_PRECEDENCE = 1
_NEEDED = ("operation", "time ms [first]", "iops [first]", "mib/s [first]", "mib/s [last]")


def read(lines: list[str]) -> list[Result]:
    found = (_result(number, header, row) for number, header, row in rows(lines))
    return [result for result in found if result]


def rows(lines: list[str]) -> Iterator[tuple[int, list[str], list[str]]]:
    """Each row with its line and header, which is in lower case.

    Spreadsheets write quotes and semicolons; elbencho itself never writes a comma in a cell. A
    damaged quote must not swallow the lines after it: each is read on its own.
    """
    header: list[str] = []
    separator = next((one for one in lines[0] if one in ",;\t"), ",")
    for number, line in enumerate(lines, start=1):
        try:
            row = next(csv.reader([line], delimiter=separator), [])
        except csv.Error:
            row = []
        lowered = [cell.strip().lower() for cell in row]
        if lowered[:1] == ["iso date"] or "runtimems" in lowered:
            header = lowered
        elif line.strip():
            yield number, header, row


def cells_of(header: list[str], row: list[str], needed: tuple[str, ...]) -> Cells:
    """Raises ValueError."""
    if len(row) != len(header):
        raise ValueError(f"has {len(row)} cells, its header {len(header)}: a cut line")
    if missing := [name for name in needed if name not in header]:
        raise ValueError(f"its header has no column {missing[0]!r}")
    return dict(zip(header, row, strict=True))


def _result(number: int, header: list[str], row: list[str]) -> Result | None:
    operation = dict(zip(header, row, strict=False)).get("operation", "")[:80]
    try:
        cells = cells_of(header, row, _NEEDED)
        command = cells.get("command", "")
        if "command" in cells and not command.rstrip().endswith('"'):
            raise ValueError("ends inside its command: a cut line")
        return results.read_result(cells, options.read_command(command), number, _PRECEDENCE)
    except ValueError as error:
        return results.damaged(number, operation, error)
