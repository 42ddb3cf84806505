"""`quality.state`: how far the file that is being built has come since its last change.

Publishing needs what was ingested to be built, and what was built to be checked. The stage is set
back before anything changes, so that a killed run leaves no stage that does not hold.

`quality.built_from` says what the marts were built from: raw and the models make them.
"""

import hashlib
from importlib.metadata import version
from pathlib import Path
from typing import Literal

import duckdb

from headroom.warehouse import WarehouseError

Stage = Literal["ingested", "built", "checked"]
_REMEDY: dict[str, str] = {
    "built": "not built since the last ingest; run: headroom build",
    "checked": "not checked since it was built; run: headroom check",
}
# What says which rows raw has: contents are loaded whole and are never edited.
_CONTENTS = {
    "files": "file_id, code_sha256, ingested_at",
    "sources": "source_key, revision, is_current, file_id, path",
    "sidecars": "*",
    "system_facts": "*",
    "sidecar_controllers": "*",
    "sidecar_drives": "*",
}
_ORDER: tuple[Stage, ...] = ("ingested", "built", "checked")


def set_stage(connection: duckdb.DuckDBPyConnection, stage: Stage) -> None:
    connection.execute("create schema if not exists quality")
    connection.execute(f"create or replace table quality.state as select '{stage}' as stage")


def require_stage(connection: duckdb.DuckDBPyConnection, stage: Stage) -> None:
    """Raises WarehouseError with what to run first."""
    reached: Stage = connection.execute("select stage from quality.state").fetchall()[0][0]
    if _ORDER.index(reached) < _ORDER.index(stage):
        raise WarehouseError(_REMEDY[_ORDER[_ORDER.index(reached) + 1]])


def note_built_from(connection: duckdb.DuckDBPyConnection, fingerprint: str | None) -> None:
    """None while the marts are being built: a build that ends halfway has no fingerprint."""
    connection.execute(
        "create or replace table quality.built_from as select $1 as fingerprint", [fingerprint]
    )


def is_built_from(connection: duckdb.DuckDBPyConnection, fingerprint: str) -> bool:
    known = connection.execute(
        "select 1 from duckdb_tables() where schema_name = 'quality' and table_name = 'built_from'"
    ).fetchall()
    return bool(known) and connection.execute("from quality.built_from").fetchall() == [
        (fingerprint,)
    ]


def fingerprint(connection: duckdb.DuckDBPyConnection, models: Path) -> str:
    """Of all that the marts are made of: raw, the models in this folder, dbt and DuckDB."""
    digest = hashlib.sha256()
    for package in ("dbt-core", "dbt-duckdb", "duckdb"):
        digest.update(version(package).encode())
    for path in sorted(models.rglob("*")):
        if path.suffix in (".sql", ".yml", ".csv", ".md"):
            digest.update(path.read_bytes())
    for table, columns in _CONTENTS.items():
        rows = connection.execute(
            f"with rows as (select {columns} from raw.{table}) "
            "select count(*), sum(cast(hash(rows) as hugeint)) from rows"
        ).fetchall()
        digest.update(repr(rows).encode())
    return digest.hexdigest()
