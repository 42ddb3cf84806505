"""Every model on Trino: what dbt compiled for the warehouse, translated and run in its order."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import duckdb
import trino
from sqlglot.errors import SqlglotError

from headroom.built import Node, quoted, read_nodes
from headroom.trino.kinds import UnknownType
from headroom.trino.known import Known
from headroom.trino.library import create_functions
from headroom.trino.load import Lake, run
from headroom.trino.texts import Untranslatable
from headroom.trino.translate import translate

_MODELS = ("table", "view")


class Built(NamedTuple):
    """What became of one model."""

    name: str
    problem: str | None
    seconds: float


def open_warehouse(building: Path) -> duckdb.DuckDBPyConnection:
    """A built warehouse, attached as dbt's models call it; only to be read."""
    connection = duckdb.connect()
    connection.execute(f"attach '{building}' as building (read_only)")
    connection.execute("use building")
    return connection


def models(warehouse: duckdb.DuckDBPyConnection) -> list[Node]:
    """Parents first."""
    return [node for node in read_nodes(warehouse) if node.kind in _MODELS]


def build(warehouse: duckdb.DuckDBPyConnection, lake: Lake) -> Iterator[Built]:
    """Raw tables and seeds from the warehouse, then all models; each as it is done."""
    cluster = lake.cluster
    create_functions(cluster)
    load_raw(warehouse, lake)
    known = Known(warehouse)
    missing: set[str] = set()
    for node in models(warehouse):
        start = time.monotonic()
        lacking = sorted(node.parents & missing)
        problem = f"needs {', '.join(lacking)}" if lacking else _build(node, known, cluster)
        if problem:
            missing.add(node.name)
        yield Built(node.name, problem, time.monotonic() - start)


def load_raw(warehouse: duckdb.DuckDBPyConnection, lake: Lake) -> None:
    """Raw tables and seeds."""
    for node in read_nodes(warehouse):
        if node.kind in ("raw", "seed"):
            lake.load(node.name, warehouse.sql(f"from {quoted(node.name)}"))


def _build(node: Node, known: Known, cluster: trino.dbapi.Connection) -> str | None:
    """The model as a table or view; why that is not possible."""
    schema = node.name.partition(".")[0]
    try:
        sql = translate(node.query, known, known.columns(f"from {quoted(node.name)}"))
        run(cluster, f"create schema if not exists {schema}")
        run(cluster, f"drop {node.kind} if exists {node.name}")
        run(cluster, f"create {node.kind} {node.name} as\n{sql}")
    except (SqlglotError, Untranslatable, UnknownType) as error:
        return f"not translated: {error}"
    except trino.exceptions.TrinoQueryError as error:
        return f"fails: {error.message}"
    return None
