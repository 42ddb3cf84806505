"""Builds every model on Trino, in dbt's order, and copies its rows back into DuckDB's table."""

import time
from collections.abc import Iterator
from typing import NamedTuple

import duckdb
import trino
from sqlglot.errors import SqlglotError

from headroom.engines.duckdb.build_state import Node
from headroom.engines.trino.kinds import Untranslatable
from headroom.engines.trino.known import Known
from headroom.engines.trino.library import create_functions
from headroom.engines.trino.tables import Tables
from headroom.engines.trino.translate import translate

MODELS = ("table", "view")
_REFUSALS = (SqlglotError, Untranslatable, duckdb.Error, trino.exceptions.TrinoUserError)


class Built(NamedTuple):
    """How one model was built."""

    name: str
    seconds: float
    copy_seconds: float
    reason: str
    """Why DuckDB built it; empty if Trino did."""


def build(
    nodes: list[Node], warehouse: duckdb.DuckDBPyConnection, tables: Tables
) -> Iterator[Built]:
    """Load raw tables and seeds into Trino, then build all models; yields each one when done.

    The warehouse is attached under the name in dbt's queries, and has a table for each model, which
    is filled. DuckDB builds the models that Trino cannot, and their rows are loaded into Trino.
    """
    create_functions(tables.cluster)
    known = Known(warehouse)
    models = [node for node in nodes if node.kind != "test"]
    read = {parent for node in models for parent in node.parents}
    for node in models:
        if node.kind not in MODELS:
            tables.load(node.name, warehouse.sql(f"from {node.name}"))
            continue
        if node.kind == "view" and node.name not in read:  # only DuckDB needs it
            continue
        start = built = time.monotonic()
        reason = ""
        try:
            sql = translate(node.query, known, known.columns(f"from {node.name}"))
            tables.create(node.kind, node.name, sql)
            built = time.monotonic()
            if node.kind == "table":
                tables.copy_back(node.name, warehouse)
        except _REFUSALS as error:
            reason = str(error).partition("\n")[0]
            if node.kind == "table":
                warehouse.execute(f"insert into {node.name} by name {node.query}")
            built = time.monotonic()
            tables.load(node.name, warehouse.sql(f"from {node.name}"))
        yield Built(node.name, built - start, time.monotonic() - built, reason)
