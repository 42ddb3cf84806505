"""Creates DuckDB's functions that Trino lacks, from `functions_sql/`, in the catalog `memory`."""

import re
from pathlib import Path

import trino

from headroom.engines.trino.tables import run

_FOLDER = Path(__file__).with_name("functions_sql")
_SCHEMA = "memory.default."
_TEXTS = [
    re.sub(r"^--.*\n", "", path.read_text(), flags=re.M) for path in sorted(_FOLDER.iterdir())
]
NAMES = {name for text in _TEXTS for name in re.findall(rf"function {_SCHEMA}(\w+)", text)}
_CALL = re.compile(rf"(?<![\w.])(?=(?:{'|'.join(NAMES)})\()")


def create_functions(cluster: trino.dbapi.Connection) -> None:
    """Create them, or replace those of an earlier version."""
    for text in _TEXTS:
        for statement in _CALL.sub(_SCHEMA, text).strip().removesuffix(";").split(";\n\n"):
            run(cluster, statement)


def with_schema(name: str) -> str:
    """The function's name, with its schema if it is one of these."""
    return _SCHEMA + name if name in NAMES else name
