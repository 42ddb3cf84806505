"""`headroom build`: dbt on the file that is being built."""

import os
import subprocess
import sys
from pathlib import Path

from headroom.state import fingerprint, is_built_from, note_built_from, set_stage
from headroom.warehouse import Warehouse, WarehouseError
from ingest.records.tables import prepare

DBT_PROJECT = Path(__file__).parents[1] / "dbt_project"


def build(warehouse: Warehouse, *, with_unit_tests: bool) -> None:
    """Seeds, models and data tests; unit tests too where the models may have changed.

    Raises:
        WarehouseError: dbt failed; its own words are on stderr.
    """
    with warehouse.open_building() as connection:
        prepare(connection)
        set_stage(connection, "ingested")
        note_built_from(connection, None)
    command: list[str | Path] = [Path(sys.executable).with_name("dbt"), "--quiet", "--warn-error"]
    if not sys.stderr.isatty():
        command.append("--no-use-colors")
    command += ["build", "--project-dir", DBT_PROJECT, "--profiles-dir", DBT_PROJECT]
    if not with_unit_tests:
        command += ["--exclude-resource-type", "unit_test"]
    # Relative names: what dbt has parsed for one warehouse is then good for any other.
    environment = os.environ | {
        "HEADROOM_BUILDING": warehouse.building.name,
        "DBT_TARGET_PATH": str(warehouse.folder.resolve() / "dbt"),
        "DBT_LOG_PATH": str(warehouse.folder.resolve() / "dbt"),
    }
    result = subprocess.run(
        command, env=environment, cwd=warehouse.folder, stdout=sys.stderr, close_fds=False
    )
    if result.returncode != 0:
        raise WarehouseError(f"dbt build failed; the log is {warehouse.folder}/dbt/dbt.log")
    with warehouse.open_building() as connection:
        note_built_from(connection, fingerprint(connection, DBT_PROJECT))
        set_stage(connection, "built")


def is_current(warehouse: Warehouse) -> bool:
    """Whether the marts are what a build would make; then they count as built."""
    with warehouse.open_building() as connection:
        prepare(connection)
        found = is_built_from(connection, fingerprint(connection, DBT_PROJECT))
        if found:
            set_stage(connection, "built")
    return found
