"""Shared fixtures: a warehouse of the project's own data, and a small paper to damage."""

import fcntl
import functools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import Result
from hypothesis import settings

from headroom.engines.duckdb.build import bring_up_to_date
from headroom.warehouse import STORAGE, Warehouse
from ingest.find.sources import find_sources
from ingest.load import load
from tests import forked
from tests.lab import Lab

# The time of an example depends on how busy the machine is.
settings.register_profile("without deadline", deadline=None)
settings.load_profile("without deadline")

ROOT = Path(__file__).parents[1]
MINIMAL_PAPER = ROOT / "tests/golden/white_paper/minimal"
INSTALLED = Path(sys.executable).with_name("headroom")  # the console script
Headroom = Callable[..., subprocess.CompletedProcess[str]]
Ask = Callable[..., list[tuple[Any, ...]]]
MEMORY_NEEDED = 8 << 30


# Longest first, so that no core idles at the end: xdist hands out files in this order.
LONGEST = (
    "test_boards", "test_install", "test_nights", "test_refresh", "test_report",
    "test_mine_beside_published", "test_verify", "test_examples", "test_nightly", "test_asking",
    "test_inputs", "test_size", "test_build", "test_installed_parsers", "test_commands",
    "test_one_night", "test_comparisons", "test_corruptions", "test_results_in_marts",
    "test_archive", "test_terminals", "test_clocks", "test_claims", "test_corpus", "test_guard",
    "test_docs", "test_forecast", "test_verdict", "test_trino", "test_real_servers",
    "test_capture", "test_describe", "test_readers",
)  # fmt: skip


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--regenerate", action="store_true", help="rewrite the golden files")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    order = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: order.get(item.path.stem, len(LONGEST)))


def is_query(sql: str) -> bool:
    """Whether docker-compose.yml's data source accepts this as a query: deploy/queries_only."""
    rule = (ROOT / "deploy/queries_only/is_query.sql").read_text()
    ((answer,),) = duckdb.execute(rule, [sql]).fetchall()
    return bool(answer)


def pytest_configure(config: pytest.Config) -> None:
    """pytest-xdist's processes share one `program()`; test folders are in memory if they fit."""
    if getattr(config.option, "numprocesses", None):
        os.environ["HEADROOM_TEST_PROGRAM"] = str(program())
    memory = Path("/dev/shm")
    if memory.is_dir() and shutil.disk_usage(memory).free > MEMORY_NEEDED:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(memory))


@functools.cache
def program() -> Path:
    """A `headroom` that starts at once: see `tests/forked.py`."""
    if "HEADROOM_TEST_PROGRAM" in os.environ:
        return Path(os.environ["HEADROOM_TEST_PROGRAM"])
    folder = Path(tempfile.mkdtemp(prefix="headroom-tests-"))
    forked.start(folder)
    return folder / "headroom"


def run_headroom(warehouse: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """A command as a user runs it, from the project's root."""
    return subprocess.run(
        [program(), *arguments],
        cwd=ROOT,
        env=os.environ | {"HEADROOM_WAREHOUSE": str(warehouse)},
        capture_output=True,
        text=True,
    )


def refusal(result: subprocess.CompletedProcess[str] | Result) -> str:
    """The message of a command that refused what it was asked, with exit code 2."""
    code = result.exit_code if isinstance(result, Result) else result.returncode
    assert code == 2, result
    assert "Traceback" not in result.stderr
    return result.stderr


@pytest.fixture
def headroom(tmp_path: Path) -> Headroom:
    """`headroom ...` on an empty warehouse of the test's own, `tmp_path / "warehouse"`."""
    return lambda *arguments: run_headroom(tmp_path / "warehouse", *arguments)


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path)


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unchanged files count as such at once, however new they are."""
    monkeypatch.setattr("ingest.records.ledger._UNSETTLED_NS", 0)


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    """A copy of the minimal paper, to be damaged."""
    return shutil.copytree(MINIMAL_PAPER, tmp_path / "data/paper")


@pytest.fixture(scope="session")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse of the project's own data, with unit tests; `make test` makes it beforehand."""
    if "HEADROOM_TEST_WAREHOUSE" in os.environ:
        return ROOT / os.environ["HEADROOM_TEST_WAREHOUSE"]
    folder = tmp_path_factory.mktemp("warehouse")
    for command in (("ingest", "data"), ("build",), ("nightly", "data")):
        result = run_headroom(folder, *command)
        assert result.returncode == 0, result.stdout + result.stderr
    return folder


@pytest.fixture(scope="session", autouse=True)
def parsed_models() -> None:
    """All warehouses reuse dbt's parsed models of the tests' warehouse; dbt writes its own file."""
    if "HEADROOM_TEST_WAREHOUSE" in os.environ:
        parsed = ROOT / os.environ["HEADROOM_TEST_WAREHOUSE"] / "dbt/partial_parse.msgpack"
        os.environ["DBT_PARTIAL_PARSE_FILE_PATH"] = str(parsed)


def copy_warehouse(warehouse: Path, folder: Path) -> Path:
    """A copy to change; releases and packs are linked if possible, for nothing rewrites them."""
    no_logs = shutil.ignore_patterns("dbt.log*", "data_docs")

    def copy(source: str, target: str) -> None:
        if Path(source).parent.name in ("releases", "packs") and not source.endswith("SUMS"):
            with suppress(OSError):  # another file system
                return os.link(source, target)
        shutil.copy2(source, target)

    return shutil.copytree(warehouse, folder, symlinks=True, ignore=no_logs, copy_function=copy)


def built_of(results: Sequence[Path], empty: Path, folder: Path) -> Path:
    """Build a new warehouse with only these results; its `building.duckdb`."""
    new = Warehouse(folder)
    new.folder.mkdir(exist_ok=True)
    shutil.copy(empty, new.building)
    with new.open_building() as connection:
        list(load(connection, find_sources(results), new.archive))
    assert bring_up_to_date(new)
    return new.building


@pytest.fixture(scope="session")
def empty(warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `building.duckdb` of the tests' warehouse without results, for short first nights.

    The first pytest-xdist process that needs it makes it for all.
    """
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "empty"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "made").exists():
            emptied(warehouse, folder)
            (folder / "made").touch()
    return folder / "building.duckdb"


def emptied(warehouse: Path, folder: Path) -> Path:
    """A copy of the `building.duckdb` in this folder, without results."""
    copy = Warehouse(folder)
    shutil.copy(warehouse / "building.duckdb", copy.building)
    with copy.open_building() as connection:
        tables = connection.execute(
            "select schema_name || '.' || table_name from duckdb_tables() "
            "where schema_name in ('raw', 'quality') or table_name = 'release'"
        ).fetchall()
        for (table,) in tables:
            connection.execute(f"delete from {table}")
    assert bring_up_to_date(copy)
    small = folder / "small.duckdb"  # the copy keeps the size that it had with all results
    with duckdb.connect(config=STORAGE) as connection:
        connection.execute(f"attach '{copy.building}' as building; attach '{small}' as small")
        connection.execute("copy from database building to small")
    return small.replace(copy.building)


def first_night(empty: Path, warehouse: Path, *paths: Path) -> subprocess.CompletedProcess[str]:
    """The first night of a warehouse without results, which must be published."""
    warehouse.mkdir()
    shutil.copy(empty, warehouse)
    night = run_headroom(warehouse, "nightly", *paths)
    assert night.returncode == 0, night.stdout + night.stderr
    return night


@pytest.fixture(scope="session")
def release(warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse of only the published file, opened sealed: DuckDB opens a file in one mode."""
    folder = tmp_path_factory.mktemp("release")
    shutil.copy(warehouse / "headroom.duckdb", folder)
    return folder


@pytest.fixture(scope="session")
def few_predictions(
    warehouse: Path, release: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The release with the predictions of few arrays (else nine tenths of all rows), and nights."""
    folder = shutil.copytree(release, tmp_path_factory.mktemp("few") / "warehouse")
    with duckdb.connect(folder / "headroom.duckdb") as connection:
        for table in ("fct_predictions", "fct_predicted_limits"):
            connection.execute(
                f"delete from marts.{table} "
                "where drive_count > 3 or controller_id not like 'praid-ep4%'"
            )
    shutil.copy(warehouse / "nights.duckdb", folder)
    return folder


@pytest.fixture(scope="session")
def published(warehouse: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(warehouse / "headroom.duckdb", read_only=True) as connection:
        yield connection


def asking(connection: duckdb.DuckDBPyConnection) -> Ask:
    """The rows of a query: `ask("from t where a = ? and b = ?", 1, 2)`."""
    return lambda query, *values: connection.execute(query, values or None).fetchall()


@pytest.fixture
def marts(published: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """The tests' warehouse, as published, where marts need no schema, as for commands."""
    cursor = published.cursor()
    cursor.execute("set search_path = 'marts'")
    return cursor


@pytest.fixture(scope="session")
def ask(published: duckdb.DuckDBPyConnection) -> Ask:
    """Of the tests' warehouse, as published."""
    return asking(published)
