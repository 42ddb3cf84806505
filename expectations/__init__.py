import tomllib
from pathlib import Path
from typing import Any

import yaml

from ingest.common.project_folder import project_folder

_FOLDER = Path(__file__).parent
_MODELS = yaml.safe_load((project_folder("dbt_project") / "dbt_project.yml").read_text())
# By table and name: `BOUNDS["iops"]["max"]`. A table is in one of the two files.
BOUNDS: dict[str, dict[str, Any]] = {
    **_MODELS["vars"]["bounds"],
    **tomllib.loads((_FOLDER / "bounds.toml").read_text()),
}
