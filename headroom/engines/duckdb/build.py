"""`headroom build`: dbt on the file that is being built."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path

import click
import duckdb

from headroom import terminal
from headroom.engines.duckdb.build_state import (
    find_changes,
    is_built_by,
    keep_nodes,
    mark_built,
    mark_inconsistent,
    models_fingerprint,
    read_nodes,
)
from headroom.engines.duckdb.refresh import RefreshFailed, refresh
from headroom.release.stage import set_stage
from headroom.warehouse import Child, Warehouse, WarehouseError, child
from ingest.common.project_folder import project_folder
from ingest.records.raw_tables import make_tables

DBT_PROJECT = project_folder("dbt_project")
_DBT = [sys.executable, "-P", "-m", "headroom.engines.duckdb.dbt_process"]


@contextmanager
def dbt_if_models_changed(warehouse: Warehouse) -> Iterator[Child | None]:
    """Start dbt, which parses the models while results load; None if no model has changed."""
    with warehouse.open_building() as connection:
        is_built = is_built_by(connection, models_fingerprint(DBT_PROJECT))
    with nullcontext() if is_built else _start_dbt(warehouse) as dbt:
        yield dbt


def build(
    warehouse: Warehouse,
    *,
    with_unit_tests: bool,
    dbt: Child | None = None,
    fill: Callable[[Path], None] | None = None,
) -> None:
    """Build seeds and models, and run data tests; also unit tests if the models may have changed.

    `dbt` is a dbt process that was started earlier. With `fill`, dbt creates the tables without
    rows, and `fill` gets dbt's manifest and fills them on another engine.

    Raises:
        WarehouseError: dbt failed; its messages are on stderr.
    """
    with warehouse.open_building() as connection:
        make_tables(connection)
        set_stage(connection, "ingested")
        mark_inconsistent(connection)
    manifest = warehouse.folder / "dbt" / "manifest.json"
    if fill:
        _run_dbt(warehouse, "build", "--empty", "--full-refresh", *_without("test", "unit_test"))
        _run_dbt(warehouse, "run", "--select", "config.materialized:view")  # now with all rows
        _run_dbt(warehouse, "compile", "--full-refresh")
        fill(manifest)
    else:
        excluded = [] if with_unit_tests else _without("unit_test")
        _run_dbt(warehouse, "build", "--full-refresh", *excluded, dbt=dbt)
    with warehouse.open_building() as connection:
        keep_nodes(connection, manifest)
        mark_built(connection, models_fingerprint(DBT_PROJECT))
        set_stage(connection, "built")


def _without(*kinds: str) -> list[str]:
    return [word for kind in kinds for word in ("--exclude-resource-type", kind)]


def _run_dbt(warehouse: Warehouse, *command: str, dbt: Child | None = None) -> None:
    warehouse.let_go()
    with nullcontext(dbt) if dbt else _start_dbt(warehouse) as process:
        assert process.stdin and process.stdout
        with suppress(BrokenPipeError), process.stdin as order:  # dbt crashed: see its exit status
            order.write(json.dumps(command))
        _show_progress(process.stdout)
        if process.wait() != 0:
            raise WarehouseError(
                f"dbt {command[0]} failed; the log is {warehouse.folder}/dbt/dbt.log"
            )


def _start_dbt(warehouse: Warehouse) -> AbstractContextManager[Child]:
    """Start dbt. It is killed at the end: a stopped night does not wait for a long model."""
    command: list[str | Path] = [*_DBT, "--warn-error", "--no-use-colors", "--log-level", "none"]
    # a debug log would take a tenth of a first night; the SQL is in dbt/run/
    command += ["--log-format-file", "text", "--log-level-file", "info"]
    command += ["--project-dir", DBT_PROJECT, "--profiles-dir", DBT_PROJECT]
    # With relative names, what dbt parsed for one warehouse is valid for any other.
    environment = os.environ | {
        "HEADROOM_BUILDING": warehouse.building.name,
        "HEADROOM_QUERY_THREADS": str(max(1, (os.cpu_count() or 1) // 2)),
        "DBT_TARGET_PATH": str(warehouse.folder.resolve() / "dbt"),
        "DBT_LOG_PATH": str(warehouse.folder.resolve() / "dbt"),
    }
    return child(command, env=environment, cwd=warehouse.folder, stdout=subprocess.PIPE)


def _show_progress(lines: Iterable[str]) -> None:
    """Print dbt's warnings and errors; on a terminal also its progress."""
    with terminal.bar("building") as bar:
        for line in lines:
            if line == ".\n":
                bar.update(1)
            elif line.strip().isdigit():
                bar.length = int(line)
            else:
                click.echo(line, err=True, nl=False)


def bring_up_to_date(warehouse: Warehouse) -> int | None:
    """Rebuild the tables whose inputs changed, without dbt; returns how many changed.

    None if dbt has to build: models changed, or a data test failed, which dbt then reports.
    """
    with warehouse.open_building() as connection:
        make_tables(connection)
        models = models_fingerprint(DBT_PROJECT)
        if not is_built_by(connection, models):
            return None
        nodes = read_nodes(connection)
        changes = find_changes(connection, nodes)
        count = 0
        if any(changes):
            mark_inconsistent(connection)
            try:
                count = refresh(connection, nodes, changes)
            except (RefreshFailed, duckdb.Error) as error:
                click.echo(f"headroom: {error}; building everything with dbt", err=True)
                return None
            mark_built(connection, models)
        set_stage(connection, "built")
    return count
