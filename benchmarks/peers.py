"""Readers to compare ingest with. Each runs in its own process and prints its result as JSON.

    python -m benchmarks.peers METHOD FOLDER

"bare" and "limit" report the seconds of the work alone, without the start of their processes.
"""

import csv
import hashlib
import json
import re
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import polars as pl
import zstandard

from ingest.parsers.fio.schema import Run

Result = dict[str, Any]
_CHUNK = 100  # files
_ROWS = re.compile(rb"^(?:ALL|MANAGER|PROCESSOR|WORKER|DISK),.*", re.MULTILINE)
_WIDTH = 81  # cells of the widest row


def bare(folder: Path, processes: int, *, is_archived: bool = False) -> Result:
    """Decode all files into the structs of ingest. With `is_archived`, also hash them with sha256
    and compress them with zstd. Nothing is kept."""
    decode = partial(_decode, is_archived=is_archived)
    files = [str(path) for path in sorted(folder.rglob("*.json"))]
    chunks = [files[start : start + _CHUNK] for start in range(0, len(files), _CHUNK)]
    if processes == 1:
        started_at = time.perf_counter()
        done = sum(map(decode, chunks))
        return {"files": done, "seconds": time.perf_counter() - started_at}
    with ProcessPoolExecutor(processes) as pool:
        list(pool.map(decode, [[]] * processes))
        started_at = time.perf_counter()
        done = sum(pool.map(decode, chunks))
        return {"files": done, "seconds": time.perf_counter() - started_at}


def _decode(files: list[str], *, is_archived: bool) -> int:
    decoder, compressor = msgspec.json.Decoder(Run), zstandard.ZstdCompressor(level=1)
    for path in files:
        with open(path, "rb") as file:
            content = file.read()
        decoder.decode(content)
        if is_archived:
            hashlib.sha256(content).hexdigest()
            compressor.compress(content)
    return len(files)


def logs_limit(folder: Path) -> Result:
    """Reads each fio log with polars, takes its sha256 and compresses it."""
    compressor, started_at, lines = zstandard.ZstdCompressor(level=1), time.perf_counter(), 0
    for path in folder.rglob("*.log"):
        content = path.read_bytes()
        hashlib.sha256(content).hexdigest()
        compressor.compress(content)
        lines += pl.read_csv(content, has_header=False).height
    return {"lines": lines, "seconds": time.perf_counter() - started_at}


def read_json_auto(folder: Path) -> Result:
    """Load all runs into a table of a DuckDB file: one row per run, its jobs still nested."""
    with (
        tempfile.TemporaryDirectory() as temporary,
        duckdb.connect(Path(temporary, "peer.duckdb")) as connection,
    ):
        connection.execute("set preserve_insertion_order = false")
        connection.execute(
            "create table runs as select * from read_json_auto(?, maximum_object_size = 67108864, "
            "union_by_name = true, filename = true)",
            [f"{folder}/**/*.json"],
        )
        row = connection.execute("select count(*) from runs").fetchone()
    return {"files": row[0] if row else 0}


def python_csv(folder: Path) -> Result:
    """Read every row into a list, and convert each cell that is a number."""
    kept: list[list[Any]] = []
    files = sorted(folder.rglob("*.csv"))
    for path in files:
        with path.open(encoding="latin-1", newline="") as file:
            kept += [_numbers(row) for row in csv.reader(file)]
    return {"files": len(files)}


def _numbers(row: list[str]) -> list[Any]:
    cells: list[Any] = list(row)
    for index, cell in enumerate(row):
        with suppress(ValueError):
            cells[index] = float(cell)
    return cells


def polars_csv(folder: Path) -> Result:
    """Read the data lines of all files as one CSV with a given schema; drop other lines."""
    files = sorted(folder.rglob("*.csv"))
    lines = b"\n".join(b"\n".join(_ROWS.findall(path.read_bytes())) for path in files)
    texts: dict[str, type[pl.DataType]] = {f"column_{n}": pl.String for n in range(3)}
    numbers: dict[str, type[pl.DataType]] = {f"column_{n}": pl.Float64 for n in range(3, _WIDTH)}
    frame = pl.read_csv(
        lines,
        has_header=False,
        schema=texts | numbers,
        missing_columns="insert",
        truncate_ragged_lines=True,
        encoding="utf8-lossy",
    )
    return {"files": len(files), "rows": frame.height}


METHODS: dict[str, Callable[[Path], Result]] = {
    "bare-1": lambda folder: bare(folder, 1),
    "bare-2": lambda folder: bare(folder, 2),
    "limit": lambda folder: bare(folder, 2, is_archived=True),
    "read_json_auto": read_json_auto,
    "python-csv": python_csv,
    "polars-csv": polars_csv,
    "logs-limit": logs_limit,
}

if __name__ == "__main__":
    print(json.dumps(METHODS[sys.argv[1]](Path(sys.argv[2]))))
