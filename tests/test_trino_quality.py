"""Checks and publication on Trino: the SQL that is made; `make trino` runs it."""

from pathlib import Path

import pytest
import sqlalchemy
import sqlglot
from click.testing import CliRunner
from sqlglot import exp

from expectations.suite import checks
from headroom.history import HISTORY
from headroom.trino import quality
from headroom.trino.__main__ import main
from headroom.trino.build import open_warehouse
from headroom.trino.check import as_template, queries
from headroom.trino.releases import view
from tests.test_corruptions import CORRUPTIONS
from tests.trino.checks import ROUNDS

_OLD = {"release": "varchar", "place": "bigint", "port": "varchar"}
_NEW = {"release": "varchar", "place": "bigint", "port": "double", "note": "varchar"}


def test_every_check_is_translated(warehouse: Path) -> None:
    translated = queries(open_warehouse(warehouse / "building.duckdb"))
    for check in checks():
        parsed = sqlglot.parse_one(translated(check), dialect="trino")
        tables = {f"{table.db}.{table.name}" for table in parsed.find_all(exp.Table) if table.db}
        assert check.table in tables, check.check_id
        assert not parsed.find(exp.Qualify, exp.Limit), check.check_id


def test_a_query_reaches_trino_as_it_is() -> None:
    query = "select ' line ' || cast(3 as varchar) || ': ' || '{a}:b::c' as x /* 1:2 */"
    read = str(sqlalchemy.text(as_template(query).format(batch="(select 1)")).compile())
    assert read == f"/* (select 1) */ {query}"


def test_a_view_shows_the_current_release() -> None:
    assert view("one", {"one__00000001": _OLD}) == (
        "create or replace view published.one as "
        "with chosen as (select release from releases.current) "
        'select "place", "port" from releases.one__00000001 '
        "where release = (select release from chosen)"
    )


def test_a_view_of_changing_columns_shows_both_tables() -> None:
    made = sqlglot.parse_one(view("one", {"one__1": _OLD, "one__2": _NEW}), dialect="trino")
    selects = [select.sql("trino") for select in made.expression.find_all(exp.Select)]
    assert [select for select in selects if "__" in select] == [
        'SELECT "place", CAST(NULL AS DOUBLE) AS "port", CAST(NULL AS VARCHAR) AS "note" '
        "FROM releases.one__1 WHERE release = (SELECT release FROM chosen)",
        'SELECT "place", "port", "note" FROM releases.one__2 '
        "WHERE release = (SELECT release FROM chosen)",
    ]


@pytest.mark.parametrize("table", quality.TABLES)
def test_the_history_has_a_type_for_each_column(table: str) -> None:
    assert all(kind in quality.TYPES for kind in HISTORY[table].values())


def test_the_rounds_break_every_check() -> None:
    broken = {
        check for names in ROUNDS.values() for name in names for check in CORRUPTIONS[name][1]
    }
    assert broken == {check.check_id for check in checks()}


def test_a_cluster_out_of_reach_is_one_line(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["--warehouse", str(tmp_path), "--port", "1", "releases"])
    assert result.exit_code == 2
    assert result.output.startswith("headroom: ")
    assert result.output.count("\n") == 1
    assert "127.0.0.1" in result.output
