"""One row of an Iometer results block: its place among the others, its numbers, its bins.

A DISK or NETWORK row has its WORKER's raw times and latency bins, not its own (Worker.cpp takes
them from `results`, not from `target->results`): they are left out there. Its access specification
is its worker's.
"""

from collections.abc import Collection

from ingest.parsers.iometer.blocks import Block
from ingest.parsers.iometer.cells import CellError, Number, read_at_once, read_one_by_one
from ingest.parsers.iometer.columns import COLUMN_NAMES, TICK_COLUMNS

TARGET_TYPES = frozenset({"DISK", "NETWORK", "UNKNOWN"})
ROW_TYPES = TARGET_TYPES | {"ALL", "MANAGER", "PROCESSOR", "WORKER"}
UPDATE_LITERALS = ("target_count", "run_time_ticks")  # an update row always has 1 and 0 there
_BIN_TYPES = ("ALL", "MANAGER", "WORKER")
_TRACKED_BY_QT = {
    "manager_count", "worker_count", "target_count", "iops", "read_iops", "write_iops",
    "mib_per_second", "mb_per_second", "read_mb_per_second", "write_mb_per_second",
    "response_time_mean_ms", "response_time_max_ms", "error_count", "cpu_percent",
    "cpu_user_percent", "cpu_privileged_percent",
}  # fmt: skip
_UNTRACKED_BY_QT = set(COLUMN_NAMES) - _TRACKED_BY_QT
_INDEX = {column: index for index, column in enumerate(COLUMN_NAMES)}
_TICKS = slice(_INDEX[TICK_COLUMNS[0]], _INDEX[TICK_COLUMNS[-1]] + 1)
_NO_TICKS = [None] * len(TICK_COLUMNS)
_RC1_SHIFT = 3  # PROCESSOR rows of 1.1.0-rc1 lack the three columns that it added
_STARTING_SECTOR = 45


def align(cells: list[str], block: Block, known_specs: Collection[str]) -> list[str]:
    """The cells under their headers. Up to 2006 a disk's name may have commas in it.

    Raises:
        CellError: they do not fit the header.
    """
    layout = block.layout
    width = layout.width
    extra = len(cells) - width
    if cells[0] == "PROCESSOR" and extra <= 0:
        if layout.name == "H2" and (extra == -_RC1_SHIFT or any(cells[_STARTING_SECTOR:][:1])):
            cells = [*cells[:9], *[""] * _RC1_SHIFT, *cells[9:]][:width]
        if len(cells) in (width, layout.first_bin):
            return cells + [""] * (width - len(cells))
    elif extra > 0:
        cells = [cells[0], ",".join(cells[1 : 2 + extra]), *cells[2 + extra :]]
        is_aligned = cells[2] in known_specs or not cells[2]
        if is_aligned and all(not cell or cell.isdecimal() for cell in cells[3:6]):
            return cells
    elif extra == 0:
        return cells
    raise CellError("the number of cells", str(width + extra))


def read_row(cells: list[str], block: Block) -> tuple[list[Number], str | None, list[Number]]:
    """The row's numbers, its ambiguous cells, and its latency bins' counts.

    Raises:
        CellError: a cell is no number.
    """
    row_type, layout = cells[0], block.layout
    ambiguous = None
    if at_once := read_at_once(cells, layout):
        numbers, counts = at_once
    else:
        numbers, counts, ambiguous = read_one_by_one(cells, layout)
    if row_type in TARGET_TYPES:
        numbers[_TICKS] = _NO_TICKS
    if block.session.is_qt:
        clear(numbers, _UNTRACKED_BY_QT)
    elif counts and row_type in _BIN_TYPES:
        return numbers, ambiguous, counts
    return numbers, ambiguous, []


def clear(numbers: list[Number], columns: Collection[str]) -> None:
    """Clear columns where Iometer prints a literal, or another row's number."""
    for column in columns:
        numbers[_INDEX[column]] = None


def place(
    row_type: str, spec: str | None, block: Block
) -> tuple[int | None, int | None, str | None, int | None]:
    """Ordinals of the manager and worker that the row belongs to, and its specification."""
    found = block.session.spec_by_name.get(spec or "")
    if row_type == "ALL":
        block.has_all_row = True
    elif row_type == "MANAGER":
        block.manager = 0 if block.manager is None else block.manager + 1
    elif row_type == "WORKER":
        block.worker = 0 if block.worker is None else block.worker + 1
        block.worker_spec = (spec, found)
        return block.manager, block.worker, spec, found
    elif row_type in TARGET_TYPES:
        return block.manager, block.worker, *block.worker_spec
    if row_type in ("ALL", "MANAGER") and spec is None and len(block.specs) == 1:
        found = block.specs[0]
    return (None if row_type == "ALL" else block.manager), None, spec, found


def update_kind(row_type: str, spec: str) -> str:
    """In the companion file a worker's averages name their specification, its updates do not."""
    if row_type == "ALL":
        return "total"
    return "worker_average" if spec else "update"
