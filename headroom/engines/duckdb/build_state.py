"""`built.*`: the state of the last build: its files, and the models as dbt compiled them.

built.models  a fingerprint of the models, dbt and DuckDB; without it the last build broke off
built.files   a fingerprint of each file, its places and their descriptions
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

from ingest.parsers import PARSERS, generic

# A file with its places and their descriptions; files are loaded whole and never edited.
_FILES = """
    select
        file_id,
        any_value(files.parser) as parser,
        sum(cast(hash(row(
            files.parser_version, files.ingested_at,
            sources.source_key, sources.revision, sources.is_current, sources.path, sidecars
        )) as hugeint)) as fingerprint,
    from raw.files
    left join raw.sources using (file_id)
    left join raw.sidecars using (source_key)
    group by file_id
"""
_LEDGER_TABLES = ("raw.files", "raw.sources", "raw.sidecars")
_CODE = ("build_state.py", "refresh.py")  # another version may keep other nodes
_TABLES_OF = {parser.NAME: {f"raw.{table}" for table in parser.TABLES} for parser in PARSERS}
_COMMON_TABLES = {f"raw.{table}" for table in generic.TABLES}
_TABLES_OF_FILES = set(_LEDGER_TABLES).union(*_TABLES_OF.values())


class Node(NamedTuple):
    """A raw table, seed, model or data test."""

    name: str
    """With its schema; a test has the name that dbt gives it."""
    kind: str
    query: str
    parents: frozenset[str]
    is_by_file: bool
    """Whether each row depends on one file. True for raw tables whose rows change with
    `built.files`, incremental models (dbt's `unique_key: file_id`) and views with a file_id."""
    contents: int | None
    """A hash of the rows at the last build, for tables that dbt made and raw tables that are not by
    file."""


def quoted(name: str) -> str:
    """The name, quoted as in compiled SQL."""
    schema, _, table = name.partition(".")
    return f'"building"."{schema}"."{table}"'


def contents(connection: duckdb.DuckDBPyConnection, relation: str) -> int:
    """A hash of rows in any order."""
    query = f"select coalesce(sum(cast(hash(t) as hugeint)), 0) from {relation} as t"
    ((found,),) = connection.execute(query).fetchall()
    return int(found)


def models_fingerprint(models: Path) -> str:
    """A fingerprint of this folder's models, dbt, DuckDB and the code that refreshes the models."""
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
    """Record which build, and which checks, the release contains."""
    connection.execute(
        "create or replace table built.release as select $1 as name, $2 as fingerprint",
        [release, _release_fingerprint(connection, checks)],
    )


def release_of(connection: duckdb.DuckDBPyConnection, checks: Path) -> str | None:
    """The release of the current build and these checks, if there is one."""
    for name, fingerprint in _rows(connection, "built.release"):
        if fingerprint == _release_fingerprint(connection, checks):
            return str(name)
    return None


def _release_fingerprint(connection: duckdb.DuckDBPyConnection, checks: Path) -> str:
    quarantine = "(select * exclude (quarantined_at) from quality.quarantined_files)"
    others = "(select path, kind from quality.files_without_results)"
    found = contents(connection, quarantine) + contents(connection, others)
    return f"{_fingerprint(checks, ['great-expectations', 'duckdb'])} {found}"


def is_built_by(connection: duckdb.DuckDBPyConnection, fingerprint: str) -> bool:
    """Whether these models made the marts."""
    return _rows(connection, "built.models") == [(fingerprint,)]


def _rows(connection: duckdb.DuckDBPyConnection, table: str) -> list[Any]:
    """Empty if there is no such table."""
    try:
        return connection.execute(f"from {table}").fetchall()
    except duckdb.CatalogException:
        return []


def mark_inconsistent(connection: duckdb.DuckDBPyConnection) -> None:
    """Mark the marts as inconsistent until `mark_built`."""
    connection.execute("create schema if not exists built")
    connection.execute("create or replace table built.models (fingerprint varchar)")
    connection.execute("drop table if exists built.release")
    connection.execute("drop table if exists quality.built_from")  # of an older version


def mark_built(connection: duckdb.DuckDBPyConnection, fingerprint: str) -> None:
    connection.execute(f"create or replace table built.files as {_FILES}")
    connection.execute("insert into built.models values (?)", [fingerprint])


def keep_nodes(connection: duckdb.DuckDBPyConnection, manifest: Path) -> None:
    """Store the nodes that dbt compiled, with a hash of each table that it made."""
    connection.execute(
        "create or replace table built.nodes (position bigint, name varchar, kind varchar, "
        "query varchar, parents varchar[], is_by_file boolean, contents hugeint)"
    )
    with_file_id = connection.execute(
        "select schema_name || '.' || table_name from duckdb_columns() "
        "where column_name = 'file_id'"
    ).fetchall()
    connection.begin()
    for position, node in enumerate(compiled_nodes(manifest)):
        is_by_file = node.is_by_file or (node.kind == "view" and (node.name,) in with_file_id)
        is_hashed = node.kind == "table" or (node.kind == "raw" and not is_by_file)
        hashed = contents(connection, quoted(node.name)) if is_hashed else None
        connection.execute(
            "insert into built.nodes values (?, ?, ?, ?, ?, ?, ?)",
            [position, *node[:3], sorted(node.parents), is_by_file, hashed],
        )
    connection.commit()


def compiled_nodes(manifest: Path) -> list[Node]:
    """The nodes that dbt compiled, parents first; `keep_nodes` finds the views that are by file."""
    read = json.loads(manifest.read_text())
    found = read["nodes"] | read["sources"]
    names = {key: _name(entry) for key, entry in found.items()}
    nodes = {names[key]: _node(names, key, entry) for key, entry in found.items()}
    order = TopologicalSorter({name: node.parents for name, node in nodes.items()})
    return [nodes[name] for name in order.static_order()]


def _name(entry: dict[str, Any]) -> str:
    is_test = entry["resource_type"] == "test"
    return entry["name"] if is_test else f"{entry['schema']}.{entry['name']}"


def _node(names: dict[str, str], key: str, entry: dict[str, Any]) -> Node:
    made = entry.get("config", {}).get("materialized", "raw")  # a source has none
    return Node(
        names[key],
        "table" if made == "incremental" else made,
        entry.get("compiled_code") or "",
        frozenset(names[parent] for parent in entry.get("depends_on", {}).get("nodes", [])),
        made == "incremental" or names[key] in _TABLES_OF_FILES,
        None,
    )


def read_nodes(connection: duckdb.DuckDBPyConnection) -> list[Node]:
    query = "select * exclude (position) from built.nodes order by position"
    rows = connection.execute(query).fetchall()
    return [
        Node(name, kind, query, frozenset(parents), *rest)
        for name, kind, query, parents, *rest in rows
    ]


class Changes(NamedTuple):
    """What changed in raw since the last build."""

    files: list[str]
    """file_ids of files that are new, gone, moved or described in another way."""
    file_tables: set[str]
    """The raw tables that have rows of these files."""
    tables: dict[str, int]
    """Other raw tables that changed, with a hash of their rows."""


def find_changes(connection: duckdb.DuckDBPyConnection, nodes: list[Node]) -> Changes:
    rows = connection.execute(
        f"""
        with known as ({_FILES}),

        files as (from known union from built.files),

        changed as (from files except (from known intersect from built.files))

        -- a measurement's id has the first 12 digits of its file_id, or all if two files share them
        select distinct file_id, parser from files
        where left(file_id, 12) in (select left(file_id, 12) from changed)
        """
    ).fetchall()
    parsers = {parser for _, parser in rows}
    # the parser of a package that was uninstalled left its rows
    names = set().union(*(_TABLES_OF.get(parser, _COMMON_TABLES) for parser in parsers))
    if rows:
        names.update(_LEDGER_TABLES)
    changed = {
        node.name: hashed
        for node in nodes
        if node.kind == "raw" and not node.is_by_file
        for hashed in [contents(connection, quoted(node.name))]
        if hashed != node.contents
    }
    return Changes(sorted({file_id for file_id, _ in rows}), names, changed)


def keep_contents(connection: duckdb.DuckDBPyConnection, changed: dict[str, int]) -> None:
    connection.execute(
        "update built.nodes set contents = unnested.hashed "
        "from (select unnest($1) as name, unnest($2::hugeint[]) as hashed) as unnested "
        "where nodes.name = unnested.name",
        [[*changed], [*changed.values()]],
    )
