"""The queries of the generated boards with variables filled in as Grafana does, for tests and
benchmarks: `${name:sqlstring}` is a quoted list, `${name:raw}` the value, `$__timeFilter(column)`
a range.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import duckdb

from benchmarks import ROOT

GENERATED = ROOT / "dashboards/generated"
_REFERENCE = re.compile(r"\$\{(\w+):(sqlstring|raw)\}")
_TIME_FILTER = re.compile(r"\$__timeFilter\((\w+)\)")
Selection = dict[str, list[str]]


@dataclass(frozen=True)
class PanelQuery:
    board: str
    panel: str
    sql: str
    """Its variables are not filled in yet."""
    is_quality: bool
    empty: str
    """Shown if there are no rows."""


def boards() -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in sorted(GENERATED.glob("*.json"))]


def panels(board: dict[str, Any]) -> list[dict[str, Any]]:
    """All panels, also those of folded rows."""
    return [
        panel
        for entry in board["panels"]
        for panel in (entry["panels"] if entry["type"] == "row" else [entry])
    ]


def panel_queries(board: dict[str, Any]) -> Iterator[PanelQuery]:
    for panel in panels(board):
        for target in panel.get("targets", []):
            is_quality = target["datasource"]["uid"] == "headroom-nights"
            empty = panel["fieldConfig"]["defaults"]["noValue"]
            yield PanelQuery(board["uid"], panel["title"], target["rawSql"], is_quality, empty)


def selections(
    board: dict[str, Any], connection: duckdb.DuckDBPyConnection, given: Selection | None = None
) -> tuple[Selection, Selection]:
    """The values when the board opens, and the last value of every variable, with those given."""
    first, last = (_select(board, connection, given or {}, is_first) for is_first in (True, False))
    return first, last


def _select(
    board: dict[str, Any], connection: duckdb.DuckDBPyConnection, given: Selection, is_first: bool
) -> Selection:
    chosen: Selection = {}
    for variable in board["templating"]["list"]:
        options = given.get(variable["name"]) or _options(variable, chosen, connection)
        # as in Grafana: a single choice is an empty text if there are no options
        options = options or ([] if variable.get("multi") else [""])
        if variable["name"] in given or (variable.get("includeAll") and is_first):
            chosen[variable["name"]] = options
        else:
            chosen[variable["name"]] = options[:1] if is_first else options[-1:]
    return chosen


def _options(
    variable: dict[str, Any], chosen: Selection, connection: duckdb.DuckDBPyConnection
) -> list[str]:
    if variable["type"] == "query":
        result = connection.execute(substitute(variable["query"], chosen))
        names = [column[0] for column in result.description]
        value = names.index("__value") if "__value" in names else 0
        return [row[value] for row in result.fetchall()]
    if variable["type"] == "custom":
        return [part.split(" : ")[-1].strip() for part in variable["query"].split(",")]
    return [variable["query"]]


def substitute(sql: str, chosen: Selection) -> str:
    def put_in(match: re.Match[str]) -> str:
        values = chosen[match[1]]
        if match[2] == "raw":
            return ",".join(values)
        return ",".join("'" + value.replace("'", "''") + "'" for value in values)

    sql = _REFERENCE.sub(put_in, sql)
    return _TIME_FILTER.sub(r"\1 between '1970-01-01' and '2100-01-01'", sql)
