"""`quality.state`: the stage of building.duckdb: ingested, built or checked.

It is reset before each change, so a killed run never leaves a later stage.
"""

from typing import Literal

import duckdb

from headroom.warehouse import WarehouseError

Stage = Literal["ingested", "built", "checked"]
_REMEDY: dict[str, str] = {
    "built": "not built since the last ingest; run: headroom build",
    "checked": "not checked since it was built; run: headroom check",
}
_ORDER: tuple[Stage, ...] = ("ingested", "built", "checked")


def set_stage(connection: duckdb.DuckDBPyConnection, stage: Stage) -> None:
    connection.execute("create schema if not exists quality")
    connection.execute(f"create or replace table quality.state as select '{stage}' as stage")


def require_stage(connection: duckdb.DuckDBPyConnection, stage: Stage) -> None:
    """Raises WarehouseError with the command to run first."""
    reached: Stage = connection.execute("select stage from quality.state").fetchall()[0][0]
    if _ORDER.index(reached) < _ORDER.index(stage):
        raise WarehouseError(_REMEDY[_ORDER[_ORDER.index(reached) + 1]])
