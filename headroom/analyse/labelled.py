"""Queries of this folder that write labels with the macros of the models."""

from pathlib import Path
from typing import Any

from ingest.common.project_folder import project_folder

_MACROS = project_folder("dbt_project/macros")
_SUBJECTS = ("texts", "comparisons", "prices", "paths", "runs")


def labelled(*names: str, **settings: Any) -> str:
    """The query in `name`.sql, or in several files one after the other, rendered."""
    from jinja2 import Environment  # takes a tenth of a second

    paths = [
        *(_MACROS / f"{subject}.sql" for subject in _SUBJECTS),
        *(Path(__file__).with_name(f"{name}.sql") for name in names),
    ]
    text = "".join(path.read_text() for path in paths)
    return Environment().from_string(text).render(settings)
