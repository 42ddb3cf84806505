import tomllib
from pathlib import Path
from typing import Any

import yaml

_FOLDER = Path(__file__).parent
_MODELS = yaml.safe_load((_FOLDER.parent / "dbt_project/vars.yml").read_text())
# By table and name: `BOUNDS["iops"]["max"]`. A table is in one of the two files.
BOUNDS: dict[str, dict[str, Any]] = {
    **_MODELS["vars"]["bounds"],
    **tomllib.loads((_FOLDER / "bounds.toml").read_text()),
}
