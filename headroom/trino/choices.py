"""What Grafana puts into a query, in a form that survives translation.

`${name:sqlstring}`, a quoted list, stands as a text and is freed again. `${name:raw}` is a part of
a name, such as `min_${latency:raw}`: a column that DuckDB is told of. In parentheses it is a list
of texts: one text stands for all.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import duckdb

_PLACES = re.compile(
    r"""(?P<text>'(?:[^']|'')*')
    | (?P<listed>\$\{\w+:sqlstring\})
    | \(\$\{(?P<each>\w+):raw\}\)
    | (?P<name>\w*\$\{\w+:raw\}\w*)""",
    re.VERBOSE,
)
_TEXTS = re.compile(r"'\$\{(\w+):(sqlstring|each)\}'")
_NAME = re.compile(r'"\w*\$\{\w+:raw\}\w*"')
_REFERENCE = re.compile(r"\$\{(\w+):raw\}")
_TABLE = re.compile(r"\bmarts\.(\w+)")
EACH = re.compile(r"""(['"])\$\{(\w+):each\}\1""")
"""One of a list, as a text or as the name of a column."""


def held(sql: str) -> str:
    """The query as SQL that can be read."""

    def hold(place: re.Match[str]) -> str:
        if place["text"]:
            return place["text"]
        if place["listed"]:
            return f"'{place['listed']}'"
        return f"('${{{place['each']}:each}}')" if place["each"] else f'"{place["name"]}"'

    return _PLACES.sub(hold, sql)


def released(sql: str) -> str:
    """The query with what Grafana replaces."""
    return _TEXTS.sub(lambda text: f"${{{text[1]}:{'raw' if text[2] == 'each' else text[2]}}}", sql)


def offer_columns(
    sql: str, words: dict[str, list[str]], warehouse: duckdb.DuckDBPyConnection
) -> None:
    """Give the marts of a query the columns that choices name: each as one that it can be.

    `words` are what each choice can be.
    """
    for table in set(_TABLE.findall(sql)):
        relation = warehouse.sql(f"from building.marts.{table}")
        found = dict(_chosen(set(_NAME.findall(sql)), words, relation.columns))
        more = "".join(f', "{column}" as {name}' for name, column in found.items())
        warehouse.execute(
            f"create or replace view marts.{table} as select *{more} from building.marts.{table}"
        )


def _chosen(
    names: Iterable[str], words: dict[str, list[str]], columns: list[str]
) -> Iterator[tuple[str, str]]:
    for name in names:
        for variable in _REFERENCE.findall(name):
            for word in words.get(variable, []):
                column = name.strip('"').replace(f"${{{variable}:raw}}", word)
                if column in columns:
                    yield name, column
                    break


def words_of(variable: dict[str, Any]) -> list[str]:
    """The names of columns that a choice can be: those of a list, or the texts in a query."""
    text = variable["query"]
    if variable["type"] == "custom":
        return [option.rpartition(" : ")[2].strip() for option in text.split(",")]
    return re.findall(r"'(\w+)'", text) if variable["type"] == "query" else []
