"""The boards on Trino, without a server: what `make trino` then asks both engines."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
import sqlglot
import yaml

from dashboards.queries import boards, panel_queries, panels, selections, substitute
from headroom.trino.boards import BoardNotTranslated, BoardOnTrino, write_boards
from headroom.trino.build import open_warehouse
from headroom.trino.choices import held, released
from headroom.trino.panel_queries import prepared
from headroom.trino.texts import Untranslatable
from tests.conftest import ROOT

PROVISIONING = ROOT / "dashboards/provisioning-trino"
BOARDS = {board["uid"]: board for board in boards()}


@pytest.fixture(scope="module")
def results(warehouse: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(warehouse / "headroom.duckdb", read_only=True) as connection:
        yield connection


@pytest.fixture(scope="module")
def on_trino(
    warehouse: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, dict[str, Any]]:
    """By the uid of the board that each is made of."""
    folder = tmp_path_factory.mktemp("boards")
    (folder / "headroom-trino-of-an-older-version.json").write_text("{}")
    paths = list(write_boards(warehouse, folder, "lake", "readers"))
    assert set(folder.iterdir()) == set(paths)
    made = [json.loads(path.read_text()) for path in paths]
    return {board["uid"].replace("headroom-trino-", "headroom-"): board for board in made}


@pytest.mark.parametrize("uid", BOARDS)
def test_a_query_that_is_prepared_answers_the_same(
    uid: str, results: duckdb.DuckDBPyConnection
) -> None:
    for choice in selections(BOARDS[uid], results):
        for query in panel_queries(BOARDS[uid]):
            if query.is_quality:
                continue
            ours = results.execute(substitute(query.sql, choice))
            columns, rows = [column[0] for column in ours.description], ours.fetchall()
            made = prepared(substitute(query.sql, choice)).sql("duckdb")
            theirs = results.execute(made)
            assert [column[0] for column in theirs.description] == columns, query.panel
            assert theirs.fetchall() == rows, query.panel


@pytest.mark.parametrize("uid", BOARDS)
def test_every_query_is_translated(
    uid: str, on_trino: dict[str, dict[str, Any]], results: duckdb.DuckDBPyConnection
) -> None:
    made = on_trino[uid]
    choice, _ = selections(BOARDS[uid], results)
    choice |= {each["name"]: ["1 as x"] for each in made["templating"]["list"][len(choice) :]}
    asked = [target for panel in panels(made) for target in panel.get("targets", [])]
    queries = [target["rawSQL"] for target in asked if "rawSQL" in target]
    offers = [variable["query"] for variable in made["templating"]["list"]]
    queries += [offer["query"] for offer in offers if isinstance(offer, dict)]
    for sql in queries:
        filled = substitute(sql, choice)
        assert "${" not in filled, sql
        tables = list(sqlglot.parse_one(filled, dialect="trino").find_all(sqlglot.exp.Table))
        ctes = {"shown", "points", "drawn"}
        schemas = {(table.catalog, table.db) for table in tables if table.name not in ctes}
        assert schemas <= {("lake", "readers")}, sql
    of_nights = [target for target in asked if "rawSql" in target]
    assert {target["datasource"]["uid"] for target in of_nights} <= {"headroom-nights"}


@pytest.mark.parametrize("uid", BOARDS)
def test_both_kinds_of_boards_can_be_in_one_grafana(
    uid: str, on_trino: dict[str, dict[str, Any]]
) -> None:
    made, original = on_trino[uid], BOARDS[uid]
    assert made["uid"] not in BOARDS
    assert made["title"] == original["title"]
    assert set(made["tags"]).isdisjoint(original["tags"])
    text = json.dumps(made)
    assert not any(f"/d/{other}?" in text for other in BOARDS), "leads to a board on DuckDB"
    assert [panel["gridPos"] for panel in panels(made)] == [
        panel["gridPos"] for panel in panels(original)
    ]


def test_a_pivot_has_the_columns_that_a_hidden_choice_lists(
    on_trino: dict[str, dict[str, Any]],
) -> None:
    board = on_trino["headroom-run"]
    (panel,) = (each for each in panels(board) if each.get("title") == "IOPS over the run")
    ((target,),) = (panel["targets"],)
    (column,) = (
        each for each in board["templating"]["list"] if f"${{{each['name']}:raw}}" in str(target)
        and each["name"].startswith("directions_")
    )  # fmt: skip
    assert column["hide"] == 2
    assert column["skipUrlSync"]
    assert "SUM(" in column["query"]["query"]
    assert "${directions:sqlstring}" in column["query"]["query"]


def test_what_is_true_is_a_word(on_trino: dict[str, dict[str, Any]]) -> None:
    """Grafana shows the last row's boolean in every row."""
    (target,) = (
        target
        for panel in panels(on_trino["headroom-headroom"])
        for target in panel.get("targets", [])
        if panel["title"] == "How each limit is derived"
    )
    assert 'CAST("shown"."is_binding" AS VARCHAR) AS "is_binding"' in target["rawSQL"]


def test_what_grafana_puts_in_survives() -> None:
    sql = (
        "select '${a:raw}', min_${b:raw} as x from marts.y where c = any([${d:sqlstring}]) "
        "and e in (${f:raw})"
    )
    readable = held(sql)
    assert '"min_${b:raw}" as x' in readable
    assert "'${a:raw}'" in readable
    assert "['${d:sqlstring}']" in readable
    assert released(readable) == sql.replace("min_${b:raw}", '"min_${b:raw}"')


def test_a_query_without_translation_is_named(warehouse: Path) -> None:
    board = json.loads(json.dumps(BOARDS["headroom-vendors"]))
    panels(board)[1]["targets"][0]["rawSql"] = "select array_label from marts.measurements offset 3"
    connection = open_warehouse(warehouse / "building.duckdb")
    connection.execute("create schema memory.marts; use memory")
    with pytest.raises(BoardNotTranslated, match=r"headroom-trino-vendors, Each array: .*offset"):
        BoardOnTrino(board, connection, "lake", "readers").made()


def test_shapes_that_no_panel_has_are_refused() -> None:
    with pytest.raises(Untranslatable, match="a union of a panel"):
        prepared("select 1 as x union all by name select 2 as x")
    with pytest.raises(Untranslatable, match="a pivot in more than its order"):
        prepared("select a, b from (pivot (select 1 as x) on x in (1) using max(x) group by a)")


def test_grafana_is_told_of_trino() -> None:
    (source,) = _provisioned("datasources")["datasources"]
    (provider,) = _provisioned("dashboards")["providers"]
    assert (source["uid"], source["type"]) == ("headroom-trino", "trino-datasource")
    assert source["url"] == "$HEADROOM_TRINO_URL"
    assert provider["options"]["path"] == "$HEADROOM_TRINO_BOARDS"


def _provisioned(kind: str) -> Any:
    return yaml.safe_load((PROVISIONING / kind / "trino.yml").read_text())
