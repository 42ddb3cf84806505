"""The boards on Trino: what Grafana asks DuckDB, asked of Trino's data source.

A pivot whose columns follow from a choice is a list of aggregates, which Trino cannot make while it
answers: a further choice, not shown, asks Trino for the list as a text, and Grafana puts it in.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
from sqlglot import exp
from sqlglot.errors import SqlglotError

from headroom.trino.build import open_warehouse
from headroom.trino.choices import EACH, held, offer_columns, released, words_of
from headroom.trino.kinds import UnknownType
from headroom.trino.known import Known
from headroom.trino.panel_queries import prepared
from headroom.trino.scope import Columns
from headroom.trino.texts import Untranslatable
from headroom.trino.translate import translate_in_order
from ingest.project import project_folder

Board = dict[str, Any]
_DUCKDB = "headroom"
_TRINO = {"type": "trino-datasource", "uid": "headroom-trino"}
_TAG = "headroom-trino"
_TABLE_FORMAT = 1
# Trino's data source knows the columns of a choice by other names.
_OFFERED = {"__value": "value", "__text": "text"}
# A text as SQL has it, and the name of a column that is called so.
_TEXT = "'''(?:[^'']|'''')*'''"
_BARE = "replace(substr(text, 2, length(text) - 2), '''''', '''')"
_NAME = f"""'"' || replace({_BARE}, '"', '""') || '"'"""


class BoardNotTranslated(Exception):
    """A query of a board that has no translation."""


def write_boards(warehouse: Path, folder: Path, catalog: str, schema: str) -> Iterator[Path]:
    """Write every board into the folder, over those of an earlier version.

    Raises:
        BoardNotTranslated: a panel or a choice has no translation.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("headroom-trino-*.json"):
        old.unlink()
    connection = open_warehouse(warehouse / "building.duckdb")
    connection.execute("create schema memory.marts; use memory")
    for path in sorted(project_folder("dashboards/generated").glob("*.json")):
        board = json.loads(path.read_text())
        made = BoardOnTrino(board, connection, catalog, schema).made()
        written = folder / f"{made['uid']}.json"
        written.write_text(json.dumps(made, indent=1, ensure_ascii=False, sort_keys=True) + "\n")
        yield written


class BoardOnTrino:
    """One board; what is asked of the nights stays with the file of the nights."""

    def __init__(
        self, board: Board, warehouse: duckdb.DuckDBPyConnection, catalog: str, schema: str
    ) -> None:
        text = json.dumps(board).replace("/d/headroom-", "/d/headroom-trino-")
        self._board: Board = json.loads(text)
        self._warehouse = warehouse
        self._known = Known(warehouse)
        self._schema = (catalog, schema)
        self._variables: list[Board] = self._board["templating"]["list"]
        self._words = {each["name"]: words_of(each) for each in self._variables if "query" in each}
        self._lists: dict[str, str] = {}  # projections of all values of a list, by their template

    def made(self) -> Board:
        """Raises BoardNotTranslated."""
        board = self._board
        board["uid"] = board["uid"].replace("headroom-", "headroom-trino-", 1)
        board["tags"] = [_TAG]
        for link in board["links"]:
            link["tags"] = [_TAG]
        for entry in board["panels"]:
            for panel in [entry, *entry.get("panels", [])]:
                self._turn_panel(panel)
        for variable in list(self._variables):
            if _is_of_marts(variable):
                self._turn_variable(variable)
        return board

    def _turn_panel(self, panel: Board) -> None:
        if not _is_of_marts(panel):
            return
        panel["datasource"] = _TRINO
        panel["targets"] = [
            {
                "refId": target["refId"],
                "datasource": _TRINO,
                "format": _TABLE_FORMAT,
                "rawSQL": self._translated(panel["title"], target["rawSql"]),
            }
            for target in panel["targets"]
        ]

    def _turn_variable(self, variable: Board) -> None:
        variable["datasource"] = _TRINO
        sql = self._translated(variable["name"], variable["query"])
        variable["query"] = {"refId": variable["name"], "query": sql}

    def _translated(self, what: str, sql: str) -> str:
        readable = held(sql)
        try:
            offer_columns(readable, self._words, self._warehouse)
            query = prepared(readable)
            kinds = self._known.columns(query.sql("duckdb"))
            made = _with_words(translate_in_order(query, self._known), kinds)
        except (SqlglotError, Untranslatable, UnknownType, duckdb.Error) as error:
            problem = f"{self._board['uid']}, {what}: not translated: {error}"
            raise BoardNotTranslated(problem) from error
        for table in made.find_all(exp.Table):
            if table.db == "marts":
                table.set("catalog", exp.to_identifier(self._schema[0]))
                table.set("db", exp.to_identifier(self._schema[1]))
        for select in made.find_all(exp.Select):
            for projection in select.expressions:
                self._turn_projection(projection)
        return released(_sql(made))

    def _turn_projection(self, projection: exp.Expr) -> None:
        if name := _OFFERED.get(projection.alias):
            projection.set("alias", exp.to_identifier(name, quoted=True))
        if each := EACH.fullmatch(f'"{projection.alias}"'):
            name = self._list_of(_sql(projection), each[2])
            projection.replace(exp.Var(this=f"${{{name}:raw}}"))

    def _list_of(self, template: str, each: str) -> str:
        """The choice that is this projection for each value of another choice."""
        if template in self._lists:
            return self._lists[template]
        name = self._lists[template] = f"{each}_{len(self._lists) + 1}"
        (of,) = (variable for variable in self._variables if variable["name"] == each)
        query = {"refId": name, "query": _list_query(template, each)}
        more = {"name": name, "label": name, "datasource": _TRINO, "query": query}
        self._variables.append(of | more)
        return name


def _is_of_marts(asking: Board) -> bool:
    return (asking.get("datasource") or {}).get("uid") == _DUCKDB


def _with_words(made: exp.Expr, kinds: Columns) -> exp.Expr:
    """With 'true' and 'false' instead of booleans.

    Of those Trino's data source 1.1.1 shows the last row's in every row: the converter of
    grafana-plugin-sdk-go 0.296 returns a pointer into a row that it fills again.
    """
    for projection, kind in zip(made.expressions, kinds.values(), strict=True):
        if kind.this == exp.DType.BOOLEAN:
            projection.set("this", exp.cast(projection.this.copy(), "varchar", dialect="trino"))
    return made


def _sql(node: exp.Expr) -> str:
    return node.sql("trino", identify=True, normalize_functions=False)


def _list_query(template: str, each: str) -> str:
    """Asks for the template with each text of a list in its places; its end is a name."""
    words, end = [], 0
    for place in EACH.finditer(template):
        words.append(_quoted(template[end : place.start()]))
        words.append("text" if place[1] == "'" else _NAME)
        end = place.end()
    return (
        f"select array_join(transform(regexp_extract_all(${{{each}:sqlstring}}, {_TEXT}), "
        f"text -> {' || '.join(words)}), ', ') as value"
    )


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
