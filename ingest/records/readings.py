"""The workers' input and output: readings of sources, and their rows as Arrow streams.

Streams travel as bytes: pickled frames cost four times as much.
"""

import io
import os
from array import array
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain, repeat
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa

from ingest.common.errors import InputError
from ingest.common.paths import printable
from ingest.find.packed import Member
from ingest.find.sources import below
from ingest.parsers import SCHEMAS, Rows

Tables = Mapping[str, Rows]
Streams = dict[str, bytes]
_MANY = 1 << 18
# Raised by polars and Arrow for a cell of another type, or too large for its column.
CELL_ERRORS = (
    pl.exceptions.PolarsError,
    pl.exceptions.PanicException,
    pa.ArrowInvalid,
    TypeError,
    OverflowError,
)


@dataclass(frozen=True)
class Place:
    """Where a source is, and its files' sizes and times (None while they may be changing)."""

    path: Path
    absolute: str
    seen_as: str | None
    size_bytes: int = 0
    """0 if it need not be read."""
    member: Member | None = None
    """Set if the source is in a packed file."""

    @property
    def key(self) -> str:
        """`absolute` as the warehouse stores it."""
        return printable(self.absolute)

    @property
    def shown(self) -> str:
        """The path as messages name it; links are not resolved, their folders are."""
        return below(os.getcwd(), self.absolute)


@dataclass
class Reading:
    """A source and the outcome of reading it; without a `source_key` its place is the key."""

    path: Path
    place: Place | None = None
    """None for an archived content, whose places are known."""
    parser: str | None = None
    file_id: str | None = None
    source_key: str | None = None
    size_bytes: int = 0
    row_count: int = 0
    errors: list[InputError] = field(default_factory=list)
    is_read: bool = False
    """Whether the content was read, good or bad; `file_id` is set once it is in the archive."""
    kind: str | None = None
    """The kind of a file that is no result and has no errors."""

    @property
    def shown(self) -> str:
        """The path as messages name it."""
        return self.place.shown if self.place else printable(self.path)


@dataclass(frozen=True)
class Batch:
    """Readings in the order of their files, and all their rows by table."""

    readings: list[Reading]
    streams: Streams


def refused(reading: Reading, reason: str) -> Batch:
    """A source that cannot be read at all."""
    reading.errors = [InputError(reading.path, reason)]
    return Batch([reading], {})


def as_streams(tables_by_file_id: Mapping[str, Tables]) -> Streams:
    """The rows of some contents by table.

    Raises one of CELL_ERRORS where a cell does not fit its column.
    """
    streams = {}
    for table in {table: None for tables in tables_by_file_id.values() for table in tables}:
        of_each = {file_id: tables.get(table, []) for file_id, tables in tables_by_file_id.items()}
        if any(map(len, of_each.values())):
            streams[table] = _as_stream(_frame(SCHEMAS[table], of_each))
    return streams


def _frame(kinds: Mapping[str, pl.DataType], rows_by_file_id: Mapping[str, Rows]) -> pl.DataFrame:
    frames: list[pl.DataFrame] = []
    file_ids: list[str] = []
    rows: list[tuple[Any, ...]] = []
    for file_id, some in rows_by_file_id.items():
        if isinstance(some, pl.DataFrame):
            frames.append(some.select(pl.lit(file_id).alias("file_id"), *kinds))
        else:
            file_ids += repeat(file_id, len(some))
            rows += some
    if rows:
        cells = zip(kinds.items(), zip(*rows, strict=True), strict=True)
        columns = {name: _column(kind, column) for (name, kind), column in cells}
        frames.append(pl.DataFrame({"file_id": file_ids, **columns}))
    return pl.concat(frames)


def _column(kind: pl.DataType, cells: Sequence[Any]) -> pl.Series:
    if isinstance(kind, pl.List):
        return pl.Series(_lists(kind, cells))
    return pl.Series(cells, dtype=kind)


def _lists(kind: pl.List, cells: Sequence[Sequence[Any] | None]) -> pa.Array:
    """Built by hand: polars makes a series of each list, which takes five times as long."""
    lists = [cell or () for cell in cells]
    offsets = _array([0, *accumulate(map(len, lists))], pl.Int64())
    if any(isinstance(cell, array) for cell in lists):
        numbers = array("q")
        for some in lists:
            numbers.extend(some)
        values = pa.Array.from_buffers(pa.int64(), len(numbers), [None, pa.py_buffer(numbers)])
    else:
        values = _array([*chain.from_iterable(lists)], kind.inner)
    is_missing = _array([cell is None for cell in cells], pl.Boolean())
    return pa.LargeListArray.from_arrays(offsets, values, mask=is_missing)


def _array(cells: Sequence[Any], kind: Any) -> pa.Array:
    """Built by polars: `pa.array` imports pandas, a third of a second in each worker."""
    return pl.Series(cells, dtype=kind).to_arrow()


def _as_stream(rows: pl.DataFrame) -> bytes:
    """Compressed if large, to save memory; compression takes more time than it saves."""
    buffer = io.BytesIO()
    rows.write_ipc_stream(buffer, compression="lz4" if len(rows) > _MANY else "uncompressed")
    return buffer.getvalue()


def read_stream(stream: bytes, file_ids: Collection[str] | None = None) -> pa.Table:
    """All rows, or those of some contents."""
    if file_ids is not None:
        rows = pl.read_ipc_stream(stream).filter(pl.col("file_id").is_in(file_ids))
        stream = _as_stream(rows)
    return pa.ipc.open_stream(stream).read_all()
