"""`headroom build`: dbt on the file that is being built."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
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
from headroom.warehouse import Warehouse, WarehouseError
from ingest.common.project_folder import project_folder
from ingest.records.raw_tables import prepare

DBT_PROJECT = project_folder("dbt_project")
_DBT = [sys.executable, "-P", "-m", "headroom.engines.duckdb.dbt_process"]


def build(
    warehouse: Warehouse, *, with_unit_tests: bool, fill: Callable[[Path], None] | None = None
) -> None:
    """Seeds, models and data tests; unit tests too where the models may have changed.

    With `fill` dbt makes the tables without rows, and another engine fills them; it gets dbt's
    manifest.

    Raises:
        WarehouseError: dbt failed; its messages are on stderr.
    """
    with warehouse.open_building() as connection:
        prepare(connection)
        set_stage(connection, "ingested")
        mark_inconsistent(connection)
    manifest = warehouse.folder / "dbt" / "manifest.json"
    if fill:
        _run_dbt(warehouse, "build", "--empty", "--full-refresh", *_without("test", "unit_test"))
        _run_dbt(warehouse, "run", "--select", "config.materialized:view")  # of all rows
        _run_dbt(warehouse, "compile", "--full-refresh")
        fill(manifest)
    else:
        excluded = [] if with_unit_tests else _without("unit_test")
        _run_dbt(warehouse, "build", "--full-refresh", *excluded)
    with warehouse.open_building() as connection:
        keep_nodes(connection, manifest)
        mark_built(connection, models_fingerprint(DBT_PROJECT))
        set_stage(connection, "built")


def _without(*kinds: str) -> list[str]:
    return [word for kind in kinds for word in ("--exclude-resource-type", kind)]


def _run_dbt(warehouse: Warehouse, *arguments: str) -> None:
    command: list[str | Path] = [*_DBT, "--warn-error", "--no-use-colors", "--log-format", "json"]
    # its log at level debug takes a tenth of a first night; the SQL is in dbt/run/
    command += ["--log-format-file", "text", "--log-level-file", "info", *arguments]
    command += ["--project-dir", DBT_PROJECT, "--profiles-dir", DBT_PROJECT]
    # Relative names: what dbt has parsed for one warehouse is then good for any other.
    environment = os.environ | {
        "HEADROOM_BUILDING": warehouse.building.name,
        "DBT_TARGET_PATH": str(warehouse.folder.resolve() / "dbt"),
        "DBT_LOG_PATH": str(warehouse.folder.resolve() / "dbt"),
    }
    with subprocess.Popen(
        command, env=environment, cwd=warehouse.folder, stdout=subprocess.PIPE, text=True,
        close_fds=False, process_group=0,  # Ctrl-C is for this process, which ends dbt
    ) as dbt:  # fmt: skip
        assert dbt.stdout
        try:
            _show_progress(dbt.stdout)
        except BaseException:  # a night that is stopped does not wait for a long model
            dbt.kill()
            raise
    if dbt.returncode != 0:
        raise WarehouseError(
            f"dbt {arguments[0]} failed; the log is {warehouse.folder}/dbt/dbt.log"
        )


def _show_progress(lines: Iterable[str]) -> None:
    """Print dbt's errors; on a terminal also its progress."""
    with terminal.bar("building") as bar:
        for line in lines:
            try:
                event = json.loads(line)
                data, info = event["data"], event["info"]
            except (ValueError, KeyError):  # a traceback, say
                click.echo(line, err=True, nl=False)
                continue
            bar.length = data.get("node_count", bar.length)
            if "execution_time" in data and "node_info" in data:
                bar.update(1)
            if info["level"] in ("warn", "error"):
                click.echo(info["msg"], err=True)


def bring_up_to_date(warehouse: Warehouse) -> int | None:
    """Rebuild the tables whose inputs changed, without dbt; returns how many changed.

    None if dbt has to build: models changed, or a data test failed, which dbt then reports.
    """
    with warehouse.open_building() as connection:
        prepare(connection)
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
