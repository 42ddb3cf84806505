"""Queries of this folder that write labels with the macros of the models."""

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ingest.common.project_folder import project_folder

if TYPE_CHECKING:
    from jinja2 import Template

_MACROS = project_folder("dbt_project/macros")
_SUBJECTS = ("texts", "comparisons", "prices", "paths", "runs")


def labelled(name: str, **settings: Any) -> str:
    """The query `name`.sql, rendered."""
    return _template(name).render(settings)


@functools.cache
def _template(name: str) -> "Template":
    from jinja2 import Environment  # takes a tenth of a second

    macros = [_MACROS / f"{subject}.sql" for subject in _SUBJECTS]
    texts = [path.read_text() for path in (*macros, Path(__file__).with_name(f"{name}.sql"))]
    return Environment().from_string("".join(texts))
