"""`built.*`: what the marts were built from, and the models as dbt compiled them.

built.models  a fingerprint of the models, dbt and DuckDB; without it the last build broke off
built.nodes   raw tables, seeds, models and data tests, parents first, with a hash of their rows
built.release the release made of all this, with a fingerprint of its checks and quarantine

The schema stays in the file that is being built: it is about that file alone.
"""

import hashlib
import json
from collections.abc import Iterable
from graphlib import TopologicalSorter
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from ingest.parsers import PARSERS

# Files are loaded whole and never edited, so the ledger tells whether a parser's tables changed.
_LEDGER = """
    select
        files.parser,
        sum(cast(hash(row(
            file_id, files.parser_version, files.ingested_at,
            sources.source_key, sources.revision, sources.is_current, sources.path, sidecars
        )) as hugeint)) as contents,
    from raw.files
    left join raw.sources using (file_id)
    left join raw.sidecars using (source_key)
    group by files.parser
"""
_LEDGER_TABLES = ("raw.files", "raw.sources", "raw.sidecars")
_CODE = ("built.py", "refresh.py")  # another version may keep other nodes
_PARSER_OF = {f"raw.{table}": parser.NAME for parser in PARSERS for table in parser.TABLES}


class Node(NamedTuple):
    """A raw table, seed, model or data test."""

    name: str
    """With its schema; of a test, as dbt calls it."""
    kind: str
    query: str
    parents: frozenset[str]
    contents: int | None
    """A hash of a table's rows when it was last built."""


def quoted(name: str) -> str:
    """As compiled SQL has it."""
    schema, _, table = name.partition(".")
    return f'"building"."{schema}"."{table}"'


def contents(connection: duckdb.DuckDBPyConnection, relation: str) -> int:
    """A hash of rows in any order."""
    query = f"select coalesce(sum(cast(hash(t) as hugeint)), 0) from {relation} as t"
    ((found,),) = connection.execute(query).fetchall()
    return int(found)


def models_fingerprint(models: Path) -> str:
    """Of the models in this folder, and of what builds and refreshes them."""
    code = b"".join(Path(__file__).with_name(name).read_bytes() for name in _CODE)
    packages = ("dbt-core", "dbt-duckdb", "duckdb")
    return f"{_fingerprint(models, packages)} {hashlib.sha256(code).hexdigest()}"


def _fingerprint(folder: Path, packages: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for package in packages:
        digest.update(version(package).encode())
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".sql", ".yml", ".csv", ".md", ".toml", ".py"):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def note_release(connection: duckdb.DuckDBPyConnection, release: str, checks: Path) -> None:
    """The release has what was built and what was found by the checks in this folder."""
    connection.execute(
        "create or replace table built.release as select $1 as name, $2 as fingerprint",
        [release, _release_fingerprint(connection, checks)],
    )


def release_of(connection: duckdb.DuckDBPyConnection, checks: Path) -> str | None:
    """The release that has what is built now, found by these checks, if there is one."""
    query = "select 1 from duckdb_tables() where schema_name = 'built' and table_name = 'release'"
    if not connection.execute(query).fetchall():
        return None
    ((name, fingerprint),) = connection.execute("from built.release").fetchall()
    return name if fingerprint == _release_fingerprint(connection, checks) else None


def _release_fingerprint(connection: duckdb.DuckDBPyConnection, checks: Path) -> str:
    quarantine = "(select * exclude (quarantined_at) from quality.quarantined_files)"
    others = "(select path, kind from quality.files_without_results)"
    found = contents(connection, quarantine) + contents(connection, others)
    return f"{_fingerprint(checks, ['great-expectations', 'duckdb'])} {found}"


def is_built_by(connection: duckdb.DuckDBPyConnection, fingerprint: str) -> bool:
    """Whether these models made the marts."""
    query = "select 1 from duckdb_tables() where schema_name = 'built' and table_name = 'models'"
    known = connection.execute(query).fetchall()
    return bool(known) and connection.execute("from built.models").fetchall() == [(fingerprint,)]


def note_broken(connection: duckdb.DuckDBPyConnection) -> None:
    """From now on until `note_built` the marts are of nothing in particular."""
    connection.execute("create schema if not exists built")
    connection.execute("create or replace table built.models (fingerprint varchar)")
    connection.execute("drop table if exists built.release")
    connection.execute("drop table if exists quality.built_from")  # of an older version
    connection.execute("drop table if exists built.files")  # likewise


def note_built(connection: duckdb.DuckDBPyConnection, fingerprint: str) -> None:
    connection.execute("insert into built.models values (?)", [fingerprint])


def keep_nodes(connection: duckdb.DuckDBPyConnection, manifest: Path) -> None:
    """Keep what dbt compiled, and a hash of each table that it made."""
    connection.execute(
        "create or replace table built.nodes (position bigint, name varchar, kind varchar, "
        "query varchar, parents varchar[], contents hugeint)"
    )
    nodes = _in_order(json.loads(manifest.read_text()))
    found = raw_contents(connection, nodes)
    for position, node in enumerate(nodes):
        if node.kind == "table":
            found[node.name] = contents(connection, quoted(node.name))
        connection.execute(
            "insert into built.nodes values (?, ?, ?, ?, ?, ?)",
            [position, *node[:3], sorted(node.parents), found.get(node.name)],
        )


def _in_order(manifest: dict[str, Any]) -> list[Node]:
    """Parents first."""
    found = manifest["nodes"] | manifest["sources"]
    names = {key: _name(entry) for key, entry in found.items()}
    nodes = {names[key]: _node(names, key, entry) for key, entry in found.items()}
    order = TopologicalSorter({name: node.parents for name, node in nodes.items()})
    return [nodes[name] for name in order.static_order()]


def _name(entry: dict[str, Any]) -> str:
    is_test = entry["resource_type"] == "test"
    return entry["name"] if is_test else f"{entry['schema']}.{entry['name']}"


def _node(names: dict[str, str], key: str, entry: dict[str, Any]) -> Node:
    kinds = {"source": "raw", "test": "test", "seed": "seed"}
    return Node(
        names[key],
        kinds.get(entry["resource_type"]) or entry["config"]["materialized"],
        entry.get("compiled_code") or "",
        frozenset(names[parent] for parent in entry.get("depends_on", {}).get("nodes", [])),
        None,
    )


def read_nodes(connection: duckdb.DuckDBPyConnection) -> list[Node]:
    query = "select * exclude (position) from built.nodes order by position"
    rows = connection.execute(query).fetchall()
    return [
        Node(name, kind, query, frozenset(parents), contents)
        for name, kind, query, parents, contents in rows
    ]


def raw_contents(connection: duckdb.DuckDBPyConnection, nodes: list[Node]) -> dict[str, int]:
    """By raw table: a hash of its rows, or of the files that they are from."""
    by_parser = dict(connection.execute(_LEDGER).fetchall())
    found = {}
    for name in (node.name for node in nodes if node.kind == "raw"):
        if name in _LEDGER_TABLES:
            found[name] = sum(by_parser.values())
        elif name in _PARSER_OF:
            found[name] = by_parser.get(_PARSER_OF[name], 0)
        else:
            found[name] = contents(connection, quoted(name))
    return found


def find_changes(connection: duckdb.DuckDBPyConnection, nodes: list[Node]) -> dict[str, int]:
    """The raw tables that changed since the last build, with their new hashes."""
    built = {node.name: node.contents for node in nodes}
    found = raw_contents(connection, nodes)
    return {name: hashed for name, hashed in found.items() if hashed != built[name]}


def keep_contents(connection: duckdb.DuckDBPyConnection, changed: dict[str, int]) -> None:
    connection.executemany(
        "update built.nodes set contents = $2 where name = $1", [*changed.items()]
    )
