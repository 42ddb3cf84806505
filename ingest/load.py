"""Loads sources into `raw.*`: each whole or not at all, each content once.

`raw.files` has a row for each content that was loaded, `raw.sources` one for each place that has
it: a content is current as long as a source has it. A source is unchanged when its content, its
sidecars and the parsers' own code are those of the last time. `quality.quarantined_files` has what
could not be read and why.
"""

import datetime
import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import duckdb
import polars as pl

from ingest.errors import InputError
from ingest.parsers import PARSERS
from ingest.parsers.white_paper import NAME as PAPER
from ingest.sidecar import RAW_FIELDS, Sidecars
from ingest.sidecar.catalog import CATALOG_TABLES
from ingest.sidecar.store import store_catalog
from ingest.sources import PAPER_FILE, Source, identify, shown_path

Status = Literal["loaded", "unchanged", "quarantined"]
_FILE_ID: dict[str, pl.DataType] = {"file_id": pl.String()}
FILES: dict[str, pl.DataType] = {
    **_FILE_ID,
    "parser": pl.String(),
    "size_bytes": pl.Int64(),
    "ingested_at": pl.Datetime("us"),
}
SOURCES: dict[str, pl.DataType] = {
    "source_key": pl.String(),
    **_FILE_ID,
    "path": pl.String(),
    "context_sha256": pl.String(),
    "loaded_at": pl.Datetime("us"),
}
SIDECARS: dict[str, pl.DataType] = {**_FILE_ID, **RAW_FIELDS}
QUARANTINE: dict[str, pl.DataType] = {
    "absolute_path": pl.String(),
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
    tables = {"raw.files": FILES, "raw.sources": SOURCES, "raw.sidecars": SIDECARS}
    for parser in PARSERS:
        tables |= {f"raw.{name}": _FILE_ID | schema for name, schema in parser.TABLES.items()}
    tables |= {f"raw.{name}": schema for name, schema in CATALOG_TABLES.items()}
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
    _release_deleted(connection)
    code = _parsers_fingerprint()
    path_by_key: dict[str, Path] = {}
    sidecars = Sidecars()
    for path in files:
        errors: list[InputError] = []
        parser_name = PAPER if path.name == PAPER_FILE else None
        try:
            source = identify(path)
            parser_name = source.parser.NAME
            yield _load_source(connection, source, code, path_by_key, sidecars)
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
            yield _quarantine(connection, path, parser_name, errors)
    store_catalog(connection, sidecars)


def _load_source(
    connection: duckdb.DuckDBPyConnection,
    source: Source,
    code: str,
    path_by_key: dict[str, Path],
    sidecars: Sidecars,
) -> Outcome:
    shown, name = shown_path(source.path), source.parser.NAME
    source_key = source.parser.source_key(source.path)
    if path_by_key.setdefault(source_key, source.path) != source.path:
        raise InputError(source.path, f"{source_key!r} is already {path_by_key[source_key]}")
    file_id = source.file_id()
    sidecar = sidecars.resolve(source.path)
    context = hashlib.sha256((code + json.dumps(sidecar, sort_keys=True)).encode()).hexdigest()
    row = {"source_key": source_key, "path": shown, "context_sha256": context, "loaded_at": _now()}
    known = connection.execute(
        "select source_key from raw.sources where file_id = ? and context_sha256 = ?",
        [file_id, context],
    ).fetchall()
    if known:
        if (source_key,) not in known:  # the same content in another place
            _store(connection, file_id, {"sources": pl.DataFrame([row], schema=SOURCES)})
        _release(connection, source.path)
        return Outcome(shown, "unchanged", name)
    frames = source.parser.parse(source.path)
    row_count = sum(frame.height for frame in frames.values())
    size = sum(path.stat().st_size for path in source.parser.members(source.path))
    file_row = {"parser": name, "size_bytes": size, "ingested_at": _now()}
    frames["files"] = pl.DataFrame([file_row], schema=FILES)
    frames["sidecars"] = pl.DataFrame([sidecar] if sidecar else [], schema=SIDECARS)
    frames["sources"] = pl.DataFrame([row], schema=SOURCES)
    _store(connection, file_id, frames)
    _release(connection, source.path)
    return Outcome(shown, "loaded", name, row_count)


def _store(
    connection: duckdb.DuckDBPyConnection, file_id: str, frames: dict[str, pl.DataFrame]
) -> None:
    """Replace the content's rows, and what its source had before, in one transaction."""
    connection.begin()
    try:
        for table, frame in frames.items():
            key = "source_key" if table == "sources" else "file_id"
            rows = frame.with_columns(pl.lit(file_id).alias("file_id"))
            replaced = rows[key][0] if rows.height else file_id
            connection.execute(f"delete from raw.{table} where {key} = ?", [replaced])
            connection.register("rows", rows)
            connection.execute(f"insert into raw.{table} by name from rows")
            connection.unregister("rows")
        connection.commit()
    except BaseException:
        connection.rollback()
        raise


def _quarantine(
    connection: duckdb.DuckDBPyConnection,
    path: Path,
    parser: str | None,
    errors: list[InputError],
) -> Outcome:
    absolute, shown, now = str(path.resolve()), shown_path(path), _now()
    _release(connection, path)
    connection.executemany(
        f"insert into quality.quarantined_files ({', '.join(QUARANTINE)}) "
        "values (?, ?, ?, ?, ?, ?, ?)",
        [[absolute, shown, error.path, error.line, parser, error.reason, now] for error in errors],
    )
    return Outcome(shown, "quarantined", parser, errors=errors)


def _release(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    query = "delete from quality.quarantined_files where absolute_path = ?"
    connection.execute(query, [str(path.resolve())])


def _release_deleted(connection: duckdb.DuckDBPyConnection) -> None:
    """Forget quarantined files that are gone; what was loaded from a deleted file stays."""
    query = "select distinct absolute_path from quality.quarantined_files"
    for (absolute,) in connection.execute(query).fetchall():
        if not Path(absolute).exists():
            _release(connection, Path(absolute))


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
