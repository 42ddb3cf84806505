"""Results blocks: a header, and rows under it."""

import polars as pl

from ingest.parsers.iometer.blocks import Block, Row
from ingest.parsers.iometer.cells import CellError, Number
from ingest.parsers.iometer.columns import BIN_HEADERS, BINS, LAYOUTS, Layout
from ingest.parsers.iometer.rows import (
    ROW_TYPES,
    UPDATE_LITERALS,
    align,
    clear,
    place,
    read_row,
    update_kind,
)
from ingest.parsers.iometer.tables import TABLES
from ingest.parsers.iometer.text import Lines, parse_stamp, unquote

_NAME_TORN = 6  # a row with fewer cells ends inside its name
_LAYOUT_BY_HEADERS = {layout.headers: layout for layout in LAYOUTS}


class Results:
    """The rows of a file, by table."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.results: list[Row] = []
        self.updates: list[Row] = []
        self._binned_lines: list[int] = []
        self._counts: list[Number] = []
        self.has_decimal_commas = False
        self._layout_by_line: dict[str, Layout] = {}

    def read_header(self, cells: list[str]) -> Layout:
        line = self.lines.all[self.lines.at - 1]
        if line in self._layout_by_line:  # each block repeats it
            return self._layout_by_line[line]
        names = [cell.lstrip("'").strip() for cell in cells]
        while names and not names[-1]:
            names.pop()
        layout = _LAYOUT_BY_HEADERS.get(tuple(names))
        if layout is None:
            raise self.lines.error(_header_fault(names))
        self._layout_by_line[line] = layout
        return layout

    def read(self, cells: list[str], block: Block) -> None:
        line = self.lines.at
        if len(cells) < _NAME_TORN:
            cells = self._whole_name(cells, block)
        has_time = block.layout.has_time
        time, cells = (cells[0], cells[1:]) if has_time else ("", cells)
        if cells[0] not in ROW_TYPES:
            raise self.lines.error(
                f"a row of {cells[0]!r} does not belong to the {block.layout.name} header"
            )
        if self.lines.delimiter == ";":
            cells = self._with_points(cells)
        try:
            cells = align(cells, block, block.session.spec_by_name)
            numbers, ambiguous, counts = read_row(cells, block)
        except CellError as error:
            raise self.lines.error(f"{error} (row {' '.join(cells[:2])})") from error
        row_type, name, spec = cells[0], unquote(cells[1]) or None, cells[2] or None
        if has_time and (kind := update_kind(row_type, cells[2])) == "update":
            clear(numbers, UPDATE_LITERALS)
            owner: tuple[object, ...] = (None, None, None, None)
        else:
            owner = place(row_type, spec, block)
        row = (line, block.index, row_type, *owner[:2], name, *owner[2:], *numbers, ambiguous)
        if has_time:
            self.updates.append((time, parse_stamp(time), kind, *row))
        else:
            self.results.append(row)
        if counts:
            self._binned_lines.append(line)
            self._counts += counts

    def bins(self) -> pl.DataFrame:
        """The latency bins of all rows, as a frame: they outnumber all other rows of a file."""
        count = len(self._binned_lines)
        lines = [line for line in self._binned_lines for _ in BIN_HEADERS]
        columns = (lines, *([*edges] * count for edges in BINS), self._counts)
        schema = TABLES["iometer_latency_bins"]
        return pl.DataFrame(dict(zip(schema, columns, strict=True)), schema=schema)

    def _whole_name(self, cells: list[str], block: Block) -> list[str]:
        """Up to 2006 a disk's name may contain a line end: the row continues on the next line."""
        lines, width = self.lines, len(block.layout.headers)
        while cells[0] == "DISK" and len(cells) < _NAME_TORN and not lines.is_at_end:
            rest = lines.split(lines.all[lines.at])
            if len(cells) + len(rest) <= width or rest[0] in ROW_TYPES:
                break
            lines.next()
            cells = [*cells[:-1], f"{cells[-1]}\n{rest[0]}", *rest[1:]]
        return cells

    def _with_points(self, cells: list[str]) -> list[str]:
        """Convert decimal commas to points; a cell with a point makes the commas ambiguous."""
        numbers = cells[3:]
        for cell in numbers:
            if "." in cell:
                raise self.lines.error(
                    f"{cell!r} has a decimal point although cells are separated by ';'"
                )
        self.has_decimal_commas |= any("," in cell for cell in numbers)
        return [*cells[:3], *(cell.replace(",", ".") for cell in numbers)]


def _header_fault(names: list[str]) -> str:
    nearest = max(LAYOUTS, key=lambda one: len(set(one.headers) & set(names)))
    for index, (name, known) in enumerate(zip(names, nearest.headers, strict=False)):
        if name != known:
            return f"column {index + 1} is {name!r}, where Iometer has {known!r}"
    counts = ", ".join(str(len(one.headers)) for one in LAYOUTS)
    return f"the header has {len(names)} columns, Iometer's headers have {counts}"
