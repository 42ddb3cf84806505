"""Every query of every board on both engines: the same rows in the same order."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import trino

from dashboards.queries import Selection, boards, panels, selections, substitute
from headroom.trino.boards import write_boards
from headroom.trino.load import run
from tests.trino.compare import normal

SCHEMA = "published"
# What Trino's data source plugin gives Grafana as what it is; of all else it makes texts.
PLOTTABLE = {"varchar", "bigint", "integer", "double", "timestamp", "date"}
# As Grafana's user, whom deploy/trino/rules.json lets read what is published.
FORBIDDEN = (
    "select * from marts.measurements",
    "select * from system.runtime.queries",
    "create table published.mine (x bigint)",
    "create or replace view published.measurements as select 1 as x",
    "drop view published.measurements",
    "delete from marts.measurements",
    "drop schema published cascade",
    "create function memory.default.joined(x bigint) returns bigint return x",
    "set session query_max_run_time = '9d'",
)


class Answer(NamedTuple):
    names: list[str]
    types: set[str]
    rows: list[Any]


def compare_boards(
    warehouse: Path, cluster: trino.dbapi.Connection, folder: Path
) -> Iterator[tuple[str, str]]:
    """Each query of each board by its name, with what is wrong with it, if anything.

    Asked of what is published, with the selection of the opening board and with the last offer of
    every choice.
    """
    viewer = trino.dbapi.connect(
        host=cluster.host, port=cluster.port, user="grafana", catalog=cluster.catalog
    )
    for statement in FORBIDDEN:
        yield f"refused: {statement}", _problem_of_asking(viewer, statement)
    paths = list(write_boards(warehouse, folder, cluster.catalog or "", SCHEMA))
    with duckdb.connect(warehouse / "headroom.duckdb", read_only=True) as results:
        for original, path in zip(boards(), paths, strict=True):
            made = json.loads(path.read_text())
            for choice in selections(original, results):
                yield from _compare_board(original, made, choice, results, viewer)


def _problem_of_asking(viewer: trino.dbapi.Connection, statement: str) -> str:
    try:
        run(viewer, statement)
    except trino.exceptions.TrinoUserError as error:
        return "" if error.error_name == "PERMISSION_DENIED" else error.message
    return "allowed"


def _compare_board(
    original: dict[str, Any],
    made: dict[str, Any],
    choice: Selection,
    results: duckdb.DuckDBPyConnection,
    cluster: trino.dbapi.Connection,
) -> Iterator[tuple[str, str]]:
    choice = dict(choice)
    offered = {each["name"]: each for each in original["templating"]["list"]}
    for variable in made["templating"]["list"]:
        name, query = variable["name"], variable["query"]
        if name not in offered:
            ((choice[name],),) = (_answer(cluster, query["query"], choice).rows,)
        elif _is_of_trino(variable):
            ours = results.execute(substitute(offered[name]["query"], choice)).fetchall()
            theirs = _answer(cluster, query["query"], choice)
            yield f"{made['uid']}: {name}", _difference(ours, theirs)
    for before, panel in zip(panels(original), panels(made), strict=True):
        if _is_of_trino(panel):
            ((ours_sql, theirs_sql),) = (
                (one["rawSql"], other["rawSQL"])
                for one, other in zip(before["targets"], panel["targets"], strict=True)
            )
            result = results.execute(substitute(ours_sql, choice))
            names = [column[0] for column in result.description]
            theirs = _answer(cluster, theirs_sql, choice)
            found = _difference(result.fetchall(), theirs)
            if names != theirs.names:
                found = f"columns {names} in DuckDB, {theirs.names} in Trino"
            yield f"{made['uid']}: {panel['title']}", found


def _is_of_trino(asking: dict[str, Any]) -> bool:
    return (asking.get("datasource") or {}).get("uid") == "headroom-trino"


def _answer(cluster: trino.dbapi.Connection, sql: str, choice: Selection) -> Answer:
    cursor = cluster.cursor()
    cursor.execute(substitute(sql, choice))
    rows = cursor.fetchall()
    return Answer(
        [column.name for column in cursor.description],
        {column.type_code.partition("(")[0] for column in cursor.description},
        [tuple(row) for row in rows],
    )


def _as_word(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _difference(ours: list[Any], theirs: Answer) -> str:
    if theirs.types - PLOTTABLE:
        return f"no types of Grafana: {theirs.types - PLOTTABLE}"
    ours = [tuple(_as_word(value) for value in row) for row in ours]
    one, other = (list(map(normal, rows)) for rows in (ours, theirs.rows))
    if one == other:
        return ""
    if sorted(map(repr, one)) == sorted(map(repr, other)):
        return "another order"
    pairs = [pair for pair in zip(one, other, strict=False) if pair[0] != pair[1]]
    return f"{len(one)} rows in DuckDB, {len(other)} in Trino: {pairs[:1]}"
