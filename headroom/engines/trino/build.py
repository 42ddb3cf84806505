"""Builds every model on Trino, in dbt's order, and copies its rows back into DuckDB's table."""

import json
import time
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import duckdb
import trino
from sqlglot.errors import SqlglotError

from headroom.engines.trino.kinds import UnknownType
from headroom.engines.trino.known import Known
from headroom.engines.trino.library import create_functions
from headroom.engines.trino.tables import Tables, run
from headroom.engines.trino.texts import Untranslatable
from headroom.engines.trino.translate import translate


class Node(NamedTuple):
    """A raw table, a seed or a model."""

    name: str
    """With its schema."""
    kind: str
    """source, seed, view or table."""
    query: str
    parents: frozenset[str]


class Built(NamedTuple):
    """What happened to one model."""

    name: str
    problem: str | None
    seconds: float
    copy_seconds: float


def read_nodes(manifest: Path) -> list[Node]:
    """What dbt compiled, parents first."""
    read = json.loads(manifest.read_text())
    entries = {
        key: entry
        for key, entry in (read["nodes"] | read["sources"]).items()
        if entry["resource_type"] in ("source", "seed", "model")
    }
    names = {key: f"{entry['schema']}.{entry['name']}" for key, entry in entries.items()}
    nodes = {}
    for key, entry in entries.items():
        parents = entry.get("depends_on", {}).get("nodes", [])
        nodes[names[key]] = Node(
            names[key],
            "view"
            if entry.get("config", {}).get("materialized") == "view"
            else "table"
            if entry["resource_type"] == "model"
            else entry["resource_type"],
            entry.get("compiled_code") or "",
            frozenset(names[parent] for parent in parents),
        )
    order = TopologicalSorter({node.name: node.parents for node in nodes.values()})
    return [nodes[name] for name in order.static_order()]


def build(
    nodes: list[Node], warehouse: duckdb.DuckDBPyConnection, tables: Tables
) -> Iterator[Built]:
    """Load raw tables and seeds into Trino, then build all models; yields each one when done.

    The warehouse is attached as dbt's queries call it, with a table for each model; those are
    filled.
    """
    create_functions(tables.cluster)
    known = Known(warehouse)
    missing: set[str] = set()
    for node in nodes:
        start = time.monotonic()
        if node.kind in ("source", "seed"):
            tables.load(node.name, warehouse.sql(f"from {node.name}"))
            continue
        lacking = sorted(node.parents & missing)
        problem = f"needs {', '.join(lacking)}" if lacking else _build(node, known, tables)
        built = time.monotonic()
        if problem:
            missing.add(node.name)
        elif node.kind == "table":
            tables.copy_back(node.name, warehouse)
        yield Built(node.name, problem, built - start, time.monotonic() - built)


def _build(node: Node, known: Known, tables: Tables) -> str | None:
    """Create the model as a table or view; returns why that is not possible."""
    try:
        sql = translate(node.query, known, known.columns(f"from {node.name}"))
        tables.create(node.kind, node.name, sql)
    except (SqlglotError, Untranslatable, UnknownType) as error:
        return f"not translated: {error}"
    except trino.exceptions.TrinoQueryError as error:
        return f"fails: {error.message}"
    return None
