"""Where the project's own folders are: at the root of a clone, or in an installed package."""

from pathlib import Path

_ROOT = Path(__file__).parents[2]
# `tool.hatch` in pyproject.toml puts them there in a wheel.
_IN_WHEEL = _ROOT / "headroom" / "files"
IS_INSTALLED = _IN_WHEEL.is_dir()
"""Whether this is an installed package: it has no folder `data` that a user could name."""


def project_folder(name: str) -> Path:
    """`dbt_project`, `data`, `dashboards/generated` and the like; none may be written to."""
    return (_IN_WHEEL if IS_INSTALLED else _ROOT) / name
