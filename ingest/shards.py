"""Rows on their way from a worker to the warehouse: an Arrow stream for each table.

Nobody takes it apart: pickled frames cost four times as much.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from ingest.records.tables import RESULTS

Rows = dict[str, list[tuple[Any, ...]]]
Shards = dict[str, bytes]
# What polars and Arrow raise for a cell that is not of its column's type, or too large for it.
UNFIT = (
    pl.exceptions.PolarsError,
    pl.exceptions.PanicException,
    pa.ArrowInvalid,
    TypeError,
    OverflowError,
)


def as_shards(rows_by_file_id: dict[str, Rows]) -> Shards:
    """The rows of some contents by table.

    Raises one of UNFIT where a cell is none of its column's.
    """
    tables = {table: None for rows in rows_by_file_id.values() for table in rows}
    ids = pa.array(rows_by_file_id, pa.string())
    shards = {}
    for table in tables:
        of_each = [rows.get(table, []) for rows in rows_by_file_id.values()]
        numbers = [number for number, rows in enumerate(of_each) for _ in rows]
        if numbers:
            file_id = pa.DictionaryArray.from_arrays(pa.array(numbers, pa.int32()), ids)
            shards[table] = _as_stream(table, file_id, [row for rows in of_each for row in rows])
    return shards


def read_shard(shard: bytes, file_ids: Iterable[str] | None = None) -> pa.Table:
    """The rows, or only those of some contents."""
    rows = pa.ipc.open_stream(shard).read_all()
    if file_ids is None:
        return rows
    wanted = pa.array(file_ids, pa.string())
    return rows.filter(pc.is_in(pc.cast(rows["file_id"], pa.string()), wanted))


def _as_stream(table: str, file_id: pa.Array, rows: Sequence[tuple[Any, ...]]) -> bytes:
    kinds = {name: kind for name, kind in RESULTS[table].items() if name != "file_id"}
    cells = zip(*rows, strict=True)
    columns = [_column(*one) for one in zip(kinds.values(), cells, strict=True)]
    batch = pa.record_batch([file_id, *columns], names=["file_id", *kinds])
    with pa.BufferOutputStream() as stream:
        with pa.ipc.new_stream(stream, batch.schema) as writer:
            writer.write_batch(batch)
        shard: bytes = stream.getvalue().to_pybytes()
    return shard


def _column(kind: pl.DataType, cells: Sequence[Any]) -> pa.Array:
    if isinstance(kind, pl.List):  # polars makes a series of each list: five times as long
        return pa.array(cells, pl.Series(dtype=kind).to_arrow().type)
    return pl.Series(cells, dtype=kind).to_arrow()
