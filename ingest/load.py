"""Loads sources into `raw.*`: each whole or not at all, each content once.

`raw.files` has a row for each content that was loaded. A source is unchanged when its content, its
sidecars and the parsers' own code are those of the last time. `quality.quarantined_files` has what
could not be read and why.
"""

import datetime
import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import duckdb
import polars as pl

from ingest.errors import InputError
from ingest.parsers import PARSERS
from ingest.sidecar import RAW_FIELDS, resolve_sidecar
from ingest.sources import Source, identify

Status = Literal["loaded", "unchanged", "quarantined"]
_FILE_ID: dict[str, pl.DataType] = {"file_id": pl.String()}
FILES: dict[str, pl.DataType] = {
    **_FILE_ID,
    "path": pl.String(),
    "parser": pl.String(),
    "source_key": pl.String(),
    "is_current": pl.Boolean(),
    "size_bytes": pl.Int64(),
    "context_sha256": pl.String(),
    "ingested_at": pl.Datetime("us"),
}
SIDECARS: dict[str, pl.DataType] = {**_FILE_ID, **RAW_FIELDS}
QUARANTINE: dict[str, pl.DataType] = {
    "path": pl.String(),
    "file_path": pl.String(),
    "line": pl.Int64(),
    "parser": pl.String(),
    "reason": pl.String(),
    "quarantined_at": pl.Datetime("us"),
}


@dataclass(frozen=True)
class Outcome:
    """What became of one source."""

    path: str
    status: Status
    parser: str | None
    row_count: int = 0
    errors: list[InputError] = field(default_factory=list)


def prepare(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the raw and quality tables that are missing; add columns that newer parsers fill.

    Raises:
        InputError: a table has a column of another type than this version's parsers fill.
    """
    tables = {"raw.files": FILES, "raw.sidecars": SIDECARS}
    for parser in PARSERS:
        tables |= {f"raw.{name}": _FILE_ID | schema for name, schema in parser.TABLES.items()}
    tables["quality.quarantined_files"] = QUARANTINE
    connection.execute("create schema if not exists raw; create schema if not exists quality")
    for table, schema in tables.items():
        connection.register("wanted", pl.DataFrame(schema=schema))
        connection.execute(f"create table if not exists {table} as from wanted")
        existing = _column_types(connection, table)
        for name, column_type in _column_types(connection, "wanted").items():
            if name not in existing:
                connection.execute(f'alter table {table} add column "{name}" {column_type}')
            elif existing[name] != column_type:
                reason = f"{name} is {existing[name]}, this version's parsers fill {column_type}"
                remedy = "move building.duckdb out of the warehouse and ingest everything again"
                raise InputError(table, f"{reason}; {remedy}")
        connection.unregister("wanted")


def load(connection: duckdb.DuckDBPyConnection, files: Iterable[Path]) -> Iterator[Outcome]:
    """Load each file (or paper's folder) and say what became of it."""
    code = _parsers_fingerprint()
    for path in files:
        shown = os.path.relpath(path)
        if shown.startswith(".."):
            shown = str(path.resolve())
        errors: list[InputError] = []
        parser_name = None
        try:
            source = identify(path)
            parser_name = source.parser.NAME
            yield _load_source(connection, source, shown, code)
        except InputError as error:
            errors = [error]
        except OSError as error:
            errors = [InputError(path, str(error))]
        except ExceptionGroup as group:
            matching, unexpected = group.split(InputError)
            if unexpected or matching is None:
                raise
            errors = list(matching.exceptions)  # type: ignore[arg-type]
        if errors:
            yield _quarantine(connection, shown, parser_name, errors)


def _load_source(
    connection: duckdb.DuckDBPyConnection, source: Source, shown: str, code: str
) -> Outcome:
    file_id = source.file_id()
    sidecar = resolve_sidecar(source.path)
    context = hashlib.sha256((code + json.dumps(sidecar, sort_keys=True)).encode()).hexdigest()
    known = connection.execute(
        "select 1 from raw.files where file_id = ? and context_sha256 = ? and is_current",
        [file_id, context],
    ).fetchone()
    name = source.parser.NAME
    if known:
        _release(connection, shown)
        return Outcome(shown, "unchanged", name)
    frames = source.parser.parse(source.path)
    row_count = sum(frame.height for frame in frames.values())
    file_row = {
        "path": shown,
        "parser": name,
        "source_key": source.parser.source_key(shown, frames),
        "is_current": True,
        "size_bytes": sum(path.stat().st_size for path in source.parser.members(source.path)),
        "context_sha256": context,
        "ingested_at": _now(),
    }
    frames["files"] = pl.DataFrame([file_row], schema=_without_file_id(FILES))
    frames["sidecars"] = pl.DataFrame([sidecar] if sidecar else [], schema=RAW_FIELDS)
    _store(connection, file_id, str(file_row["source_key"]), frames)
    _release(connection, shown)
    return Outcome(shown, "loaded", name, row_count)


def _store(
    connection: duckdb.DuckDBPyConnection,
    file_id: str,
    source_key: str,
    frames: dict[str, pl.DataFrame],
) -> None:
    """Replace the content's rows in one transaction; its older revisions stop being current."""
    connection.begin()
    try:
        for table, frame in frames.items():
            connection.execute(f"delete from raw.{table} where file_id = ?", [file_id])
            connection.register("rows", frame.with_columns(pl.lit(file_id).alias("file_id")))
            connection.execute(f"insert into raw.{table} by name from rows")
            connection.unregister("rows")
        connection.execute(
            "update raw.files set is_current = (file_id = ?) where source_key = ?",
            [file_id, source_key],
        )
        connection.commit()
    except BaseException:
        connection.rollback()
        raise


def _quarantine(
    connection: duckdb.DuckDBPyConnection,
    shown: str,
    parser: str | None,
    errors: list[InputError],
) -> Outcome:
    now = _now()
    _release(connection, shown)
    connection.executemany(
        "insert into quality.quarantined_files values (?, ?, ?, ?, ?, ?)",
        [[shown, error.path, error.line, parser, error.reason, now] for error in errors],
    )
    return Outcome(shown, "quarantined", parser, errors=errors)


def _release(connection: duckdb.DuckDBPyConnection, shown: str) -> None:
    connection.execute("delete from quality.quarantined_files where path = ?", [shown])


def _without_file_id(schema: dict[str, pl.DataType]) -> dict[str, pl.DataType]:
    return {name: column_type for name, column_type in schema.items() if name not in _FILE_ID}


def _column_types(connection: duckdb.DuckDBPyConnection, table: str) -> dict[str, Any]:
    rows = connection.execute(f"describe {table}").fetchall()
    return {row[0]: row[1] for row in rows}


def _now() -> datetime.datetime:
    """UTC, without a zone: the Grafana plugin's DuckDB needs no extension for it."""
    return datetime.datetime.now(datetime.UTC).replace(tzinfo=None)


def _parsers_fingerprint() -> str:
    """Changes with any line of the ingest code: then every source is read anew."""
    folder = Path(__file__).parent
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
