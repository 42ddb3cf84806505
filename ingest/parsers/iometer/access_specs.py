"""Access specifications: a worker's load, in one to a hundred lines of eight integers.

Size in bytes, % of the accesses that have it, % of them that read, % that are random, delay in ms
between bursts, their length, alignment in bytes (0: a sector) and reply in bytes; 1.1.0 ends the
line with a comma (AccessSpecList.cpp, SaveResults).
"""

from collections.abc import MutableMapping

from ingest.parsers.iometer.blocks import Row
from ingest.parsers.iometer.text import Lines, marker

Known = MutableMapping[str, list[int]]
"""The numbers of earlier lines: most blocks repeat the lines of the block before."""
_COLUMNS = ("size", "% of size", "% reads", "% random", "delay", "burst", "align", "reply")


def read_access_spec(lines: Lines, known: Known) -> tuple[str, list[Row]]:
    """The name of the specification whose first line was read, and its rows: line, mix index,
    assignment, and the eight numbers."""
    cells = lines.peek()
    if not cells or marker(cells) == "size":
        raise lines.error("an access specification has no name")
    lines.next()
    name = lines.delimiter.join(cells[:-1])
    assignment = lines.integer(cells[-1], "default assignment")
    line = lines.at
    if marker(lines.peek()) == "size":
        lines.next()
    rows: list[Row] = []
    while (cells := lines.peek()) and cells[0].strip().isdecimal():
        text = lines.next()
        if text not in known:
            known[text] = _numbers(lines, cells)
        rows.append((lines.at, len(rows), assignment, *known[text]))
    return name, rows or [(line, 0, assignment, *[None] * len(_COLUMNS))]


def _numbers(lines: Lines, cells: list[str]) -> list[int]:
    if len(cells) != len(_COLUMNS):
        raise lines.error(f"an access specification has {len(cells)} cells, not 8")
    numbers = [lines.integer(*pair) for pair in zip(cells, _COLUMNS, strict=True)]
    for number, column in zip(numbers, _COLUMNS, strict=True):
        if number < 0 or (column.startswith("%") and number > 100):
            raise lines.error(f"{column} is {number}, which an access specification cannot have")
    return numbers
