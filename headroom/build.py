"""`headroom build`: dbt on the file that is being built."""

import os
import subprocess
import sys
from pathlib import Path

from headroom.checks import forget_checks
from headroom.warehouse import Warehouse, WarehouseError

DBT_PROJECT = Path(__file__).parents[1] / "dbt_project"


def build(warehouse: Warehouse) -> None:
    """Seeds, models, unit tests and data tests; the checks of an earlier build no longer count.

    Raises:
        WarehouseError: dbt failed; its own words are on stderr.
    """
    with warehouse.open_building() as connection:
        forget_checks(connection)
    command: list[str | Path] = [
        Path(sys.executable).with_name("dbt"),
        "--quiet",
        "--warn-error",
        "build",
    ]
    folders = ["--project-dir", str(DBT_PROJECT), "--profiles-dir", str(DBT_PROJECT)]
    environment = os.environ | {
        "HEADROOM_BUILDING": str(warehouse.building.resolve()),
        "DBT_TARGET_PATH": str(warehouse.folder.resolve() / "dbt"),
        "DBT_LOG_PATH": str(warehouse.folder.resolve() / "dbt"),
    }
    result = subprocess.run([*command, *folders], env=environment, stdout=sys.stderr)
    if result.returncode != 0:
        raise WarehouseError(f"dbt build failed; the log is {warehouse.folder}/dbt/dbt.log")
