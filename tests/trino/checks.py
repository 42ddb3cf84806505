"""The checks on data that breaks them: the same failing rows on both engines."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb
import polars as pl
import trino

from expectations.run import duckdb_file, run_checks
from expectations.suite import checks
from headroom.built import contents, quoted
from headroom.trino.build import open_warehouse
from headroom.trino.check import queries
from headroom.trino.load import Lake, run
from headroom.trino.quality import failed_critical_checks, set_stage
from tests.test_corruptions import CORRUPTIONS
from tests.trino.compare import Comparison, compare

# Each of a fresh copy: what some break hides what others do. Together they break every check.
ROUNDS: dict[str, tuple[str, ...]] = {
    "implausible": ("a version whose results cannot be", "a paper of what cannot be"),
    "units": ("nanoseconds as microseconds", "a clock ahead", "one run under two names"),
    "forgotten": ("half of the rows forgotten",),
    "lost": ("half of the rows lost",),
    "nothing": ("no files", "no measurements"),
    "values": (
        *(
            name
            for name, (sql, found) in CORRUPTIONS.items()
            if found and sql.startswith("update") and "is_valid" not in sql
        ),
        "half of the files not there",
        "more I/Os in bins than were done",
        "no sidecar",
    ),
}
_TABLE = re.compile(r"\b(?:raw|marts|quality)\.\w+")


def compare_checks(warehouse: Path, lake: Lake) -> Iterator[tuple[str, Comparison]]:
    """The failing rows of each check in each round; then what Great Expectations makes of them."""
    broken = Path(lake.folder).with_name("broken") / "building.duckdb"
    broken.parent.mkdir()
    loaded: dict[str, int] = {}
    failing: dict[str, bool] = {}
    for name, corruptions in ROUNDS.items():
        _break(warehouse / "building.duckdb", broken, corruptions)
        building = open_warehouse(broken)
        _load(building, lake, loaded)
        for check_id, found in _failing_rows(building, lake.cluster):
            failing[check_id] = failing.get(check_id, False) or found.row_count > 0
            yield f"{name}: {check_id}", found
        building.close()
    yield "checks that a round breaks", compare(["check"], _ids(failing), _ids(_all()))
    yield "what Great Expectations finds", _results(broken, lake.cluster)


def _all() -> dict[str, bool]:
    return {check.check_id: True for check in checks()}


def _ids(failing: dict[str, bool]) -> list[tuple[str]]:
    return [(check_id,) for check_id, is_failing in failing.items() if is_failing]


def _break(building: Path, broken: Path, corruptions: tuple[str, ...]) -> None:
    shutil.copyfile(building, broken)
    with duckdb.connect(broken) as connection:
        for corruption in corruptions:
            connection.execute(CORRUPTIONS[corruption][0])


def _load(building: duckdb.DuckDBPyConnection, lake: Lake, loaded: dict[str, int]) -> None:
    """The tables that checks read, where they are not as they were loaded."""
    tables = {table for check in checks() for table in _TABLE.findall(check.failing_rows)}
    for table in sorted(tables):
        found = contents(building, quoted(table))
        if loaded.get(table) != found:
            lake.load(table, building.sql(f"from {quoted(table)}"))
            loaded[table] = found


def _failing_rows(
    building: duckdb.DuckDBPyConnection, cluster: trino.dbapi.Connection
) -> Iterator[tuple[str, Comparison]]:
    translated = queries(building)
    for check in checks():
        relation = building.sql(check.failing_rows)
        theirs = [tuple(row) for row in run(cluster, translated(check))]
        yield check.check_id, compare(relation.columns, relation.fetchall(), theirs)


def _results(broken: Path, cluster: trino.dbapi.Connection) -> Comparison:
    """The results of `check` on Trino, kept there, and those on DuckDB; it refuses to go on."""
    set_stage(cluster, "built")
    words = ["--port", str(cluster.port), "--catalog", cluster.catalog, "check"]
    command = [sys.executable, "-m", "headroom.trino", "--warehouse", str(broken.parent), *words]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    assert "FAILED critical marts.measurements.units_agree" in done.stdout
    told = ["check_id", "severity", "is_passed", "failing_row_count", "description", "bound"]
    ours = run_checks(duckdb_file(broken))
    theirs = run(cluster, f"select {', '.join(told)} from quality.check_results where is_latest")
    critical = ours.filter(~pl.col("is_passed"), severity="critical")["check_id"]
    assert failed_critical_checks(cluster) == sorted(critical)
    return compare(told, ours.select(told).rows(), [tuple(row) for row in theirs])
