"""Builds all models of a warehouse on one engine, and prints as JSON what that took.

python -m benchmarks.engines trino .bench/scale-1
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import duckdb

from benchmarks.ducklake import lake
from benchmarks.ingest import BENCH, ROOT
from tests.trino.artifacts import install
from tests.trino.server import cluster

TRINO = ROOT / ".trino"
# A coordinator that works alone: what is left of 24 GiB when the system has its part.
_HEAP_GIGABYTES = 14


def on_duckdb(warehouse: Path) -> dict[str, float]:
    """`dbt run` on the warehouse's own file."""
    seconds = _dbt_run(ROOT / "dbt_project", warehouse)
    with duckdb.connect(warehouse / "building.duckdb", read_only=True) as connection:
        used = "select used_blocks * block_size from pragma_database_size()"
        ((all_bytes,),) = connection.execute(used).fetchall()
    return {"seconds": seconds, "all_bytes": all_bytes}


def _dbt_run(project: Path, warehouse: Path) -> float:
    environment = os.environ | {
        "HEADROOM_BUILDING": "building.duckdb",
        "DBT_TARGET_PATH": str(warehouse.resolve() / "dbt"),
        "DBT_LOG_PATH": str(warehouse.resolve() / "dbt"),
    }
    dbt = [sys.executable, "-P", "-m", "headroom.engines.duckdb.dbt_process", "--quiet"]
    dbt += ["run", "--project-dir", str(project), "--profiles-dir", str(project)]
    start = time.perf_counter()
    subprocess.run(dbt, env=environment, cwd=warehouse, check=True)
    return time.perf_counter() - start


def on_ducklake(warehouse: Path) -> dict[str, float]:
    """`dbt run` on Parquet files, with the catalog in a Postgres."""
    folder = BENCH / "ducklake"
    with lake(warehouse, folder) as project:
        raw_bytes = _size(folder / "data")
        seconds = _dbt_run(project, warehouse)
    return {"seconds": seconds, "raw_bytes": raw_bytes, "all_bytes": _size(folder / "data")}


def on_trino(warehouse: Path) -> dict[str, float]:
    """`headroom.engines.trino` on one node; the start of the server is not counted."""
    work, copy = TRINO / "work", warehouse / "trino"
    with cluster(install(TRINO), work, workers=0, heap_gigabytes=_HEAP_GIGABYTES) as connection:
        copy.mkdir()
        shutil.copy(warehouse / "building.duckdb", copy)
        command = [sys.executable, "-m", "headroom.engines.trino", "--warehouse", str(copy)]
        command += ["--port", str(connection.port)]
        command += ["--folder", str(work / "data/shared"), "--location", "local:///shared"]
        start = time.perf_counter()
        with (warehouse / "trino.log").open("w") as log:
            subprocess.run(command, stdout=log, check=True)
        seconds = time.perf_counter() - start
    found = {"seconds": seconds, "raw_bytes": _size(work / "data/shared/raw")}
    found["all_bytes"] = _size(work / "data")
    shutil.rmtree(work)
    shutil.rmtree(copy)
    return found


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


ENGINES: dict[str, Callable[[Path], dict[str, float]]] = {
    "DuckDB": on_duckdb,
    "DuckLake": on_ducklake,
    "Trino": on_trino,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engines", description=__doc__)
    parser.add_argument("engine", choices=[*ENGINES])
    parser.add_argument("warehouse", type=Path, metavar="DIR")
    arguments = parser.parse_args()
    print(json.dumps(ENGINES[arguments.engine](arguments.warehouse)))


if __name__ == "__main__":
    main()
