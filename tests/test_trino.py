"""Models in Trino's SQL: each rule on one query, and large models; `make trino` runs them all."""

import re
from pathlib import Path
from typing import Any, cast

import duckdb
import pytest
import sqlglot

from headroom.engines.duckdb.build_state import compiled_nodes
from headroom.engines.trino import tables as trino_tables
from headroom.engines.trino.kinds import Untranslatable
from headroom.engines.trino.known import Known
from headroom.engines.trino.tables import Tables
from headroom.engines.trino.translate import translate
from tests.trino import LARGE, artifacts
from tests.trino.compare import compare

_TABLES = """
    attach ':memory:' as building;
    use building;
    create schema marts;
    create table marts.runs (
        run_id varchar, iops double, depth bigint, measured_at timestamp, names varchar[],
        facts map(varchar, double), mix struct(block_bytes bigint, share_ratio double)[],
        options varchar, is_valid boolean
    );
    create table marts.drives (run_id varchar, drive varchar, depth bigint)
"""
# SQL that Trino reads differently or not at all, and its translation.
_QUERIES = {
    "a division is of doubles": (
        "select depth / 2 as x from marts.runs",
        'SELECT CAST("runs"."depth" AS DOUBLE) / CAST(2 AS DOUBLE) AS "x" FROM "marts"."runs" AS '
        '"runs"',
    ),
    "a whole division by 0 is null": (
        "select depth // 2 as x from marts.runs",
        'SELECT ( "runs"."depth" / NULLIF(2, 0) ) AS "x" FROM "marts"."runs" AS "runs"',
    ),
    "numbers beside texts are texts": (
        "select 'depth ' || depth || ', ' || iops as x from marts.runs",
        "SELECT 'depth ' || CAST(\"runs\".\"depth\" AS VARCHAR) || ', ' || "
        'memory.default.double_text("runs"."iops") AS "x" FROM "marts"."runs" AS "runs"',
    ),
    "a JSON object as a map": (
        "select try_cast(options as map (varchar, varchar)) as x from marts.runs",
        'SELECT try(CAST(json_parse("runs"."options") AS MAP(VARCHAR, VARCHAR))) AS "x" FROM '
        '"marts"."runs" AS "runs"',
    ),
    "an alias is what it stands for": (
        "select iops * 2 as twice, twice + 1 as more from marts.runs where twice > 3",
        'SELECT "runs"."iops" * 2 AS "twice", "runs"."iops" * 2 + 1 AS "more" FROM "marts"."runs"'
        ' AS "runs" WHERE ( "runs"."iops" * 2 ) > 3',
    ),
    "a column goes before an alias": (
        "select iops as depth, depth + 1 as more from marts.runs",
        'SELECT "runs"."iops" AS "depth", "runs"."depth" + 1 AS "more" FROM "marts"."runs" AS '
        '"runs"',
    ),
    "where rows are ordered an alias goes before a column": (
        "select distinct on (depth) 1 as depth from marts.runs order by depth",
        'SELECT "depth" FROM ( SELECT 1 AS "depth", ROW_NUMBER() OVER (PARTITION BY ( 1 ) ORDER '
        'BY ( 1 )) AS "_row_number" FROM "marts"."runs" AS "runs" ) AS "_t" WHERE "_row_number" ='
        " 1",
    ),
    "group by all": (
        "select depth, max(iops) as best from marts.runs group by all",
        'SELECT "runs"."depth" AS "depth", MAX("runs"."iops") AS "best" FROM "marts"."runs" AS '
        '"runs" GROUP BY 1',
    ),
    "in having an alias goes before a column that is no key": (
        "select depth, max(iops) as iops from marts.runs group by depth having iops > sum(iops) /"
        " 2 and depth > 1",
        'SELECT "runs"."depth" AS "depth", MAX("runs"."iops") AS "iops" FROM "marts"."runs" AS '
        '"runs" GROUP BY 1 HAVING MAX("runs"."iops") > SUM("runs"."iops") / CAST(2 AS DOUBLE) AND'
        ' "runs"."depth" > 1',
    ),
    "exclude and replace": (
        "select * exclude (run_id) replace (depth + 1 as depth) from marts.drives",
        'SELECT "drives"."drive" AS "drive", "drives"."depth" + 1 AS "depth" FROM '
        '"marts"."drives" AS "drives"',
    ),
    "qualify": (
        "select run_id from marts.runs qualify row_number() over (order by iops) = 1",
        'SELECT "run_id" FROM ( SELECT "runs"."run_id" AS "run_id", ROW_NUMBER() OVER (ORDER BY '
        '"runs"."iops") = 1 AS "_is_kept" FROM "marts"."runs" AS "runs" ) AS "_kept" WHERE '
        '"_is_kept"',
    ),
    "distinct on": (
        "select distinct on (depth) run_id from marts.runs order by iops desc",
        'SELECT "run_id" FROM ( SELECT "runs"."run_id" AS "run_id", ROW_NUMBER() OVER (PARTITION '
        'BY "runs"."depth" ORDER BY "runs"."iops" DESC) AS "_row_number" FROM "marts"."runs" AS '
        '"runs" ) AS "_t" WHERE "_row_number" = 1',
    ),
    "unnest among columns": (
        "select unnest(names) as name, upper(name) as loud from marts.runs",
        'SELECT "_items"."_item0" AS "name", UPPER("_items"."_item0") AS "loud" FROM '
        '"marts"."runs" AS "runs" CROSS JOIN UNNEST("runs"."names") AS "_items"("_item0")',
    ),
    "unnest of structs": (
        "select unnest(mix) as part from marts.runs",
        'SELECT "_items"."_item0" AS "part" FROM "marts"."runs" AS "runs" CROSS JOIN '
        'UNNEST(TRANSFORM("runs"."mix", "each" -> ROW(each))) AS "_items"("_item0")',
    ),
    "using": (
        "select run_id, drive from marts.runs join marts.drives using (run_id)",
        'SELECT COALESCE("runs"."run_id", "drives"."run_id") AS "run_id", "drives"."drive" AS '
        '"drive" FROM "marts"."runs" AS "runs" JOIN "marts"."drives" AS "drives" ON '
        '"runs"."run_id" = "drives"."run_id"',
    ),
    "anti join": (
        "select run_id from marts.runs anti join marts.drives using (run_id)",
        'SELECT "runs"."run_id" AS "run_id" FROM "marts"."runs" AS "runs" WHERE NOT EXISTS( '
        'SELECT 1 FROM "marts"."drives" AS "drives" WHERE "runs"."run_id" = "drives"."run_id" )',
    ),
    "union by name": (
        "select run_id, iops from marts.runs union all by name select depth, run_id from "
        "marts.drives",
        'SELECT "runs"."run_id" AS "run_id", "runs"."iops" AS "iops", CAST(NULL AS BIGINT) AS '
        '"depth" FROM "marts"."runs" AS "runs" UNION ALL SELECT "drives"."run_id" AS "run_id", '
        'CAST(NULL AS DOUBLE) AS "iops", "drives"."depth" AS "depth" FROM "marts"."drives" AS '
        '"drives"',
    ),
    "members of maps and lists": (
        "select facts['a'] as a, names[-1] as b, mix[1].block_bytes as c from marts.runs",
        'SELECT element_at("runs"."facts", \'a\') AS "a", element_at("runs"."names", -1) AS "b", '
        'element_at("runs"."mix", 1)."block_bytes" AS "c" FROM "marts"."runs" AS "runs"',
    ),
    "a filter over a window": (
        "select count(*) filter (where is_valid) over (partition by depth) as n from marts.runs",
        'SELECT COUNT(if("runs"."is_valid", 1)) OVER (PARTITION BY "runs"."depth") AS "n" FROM '
        '"marts"."runs" AS "runs"',
    ),
    "the best over a window, of rows that count": (
        "select arg_min(run_id, iops) filter (is_valid) over (partition by depth) as best from "
        "marts.runs",
        'SELECT min_by( "runs"."run_id", if("runs"."is_valid" AND NOT ( "runs"."run_id" ) IS '
        'NULL, "runs"."iops") ) OVER (PARTITION BY "runs"."depth") AS "best" FROM "marts"."runs" '
        'AS "runs"',
    ),
    "an exact median": (
        "select median(iops) as m from marts.runs",
        'SELECT memory.default.median_of( array_sort(ARRAY_AGG("runs"."iops") FILTER(WHERE NOT ( '
        '"runs"."iops" ) IS NULL)) ) AS "m" FROM "marts"."runs" AS "runs"',
    ),
    "an order counts with a limit alone": (
        "select run_id from (select run_id from marts.runs order by iops limit 3) order by 1",
        'SELECT "_0"."run_id" AS "run_id" FROM ( SELECT "runs"."run_id" AS "run_id" FROM '
        '"marts"."runs" AS "runs" ORDER BY "runs"."iops" LIMIT 3 ) AS "_0"',
    ),
    "is not true": (
        "select is_valid is not true as x from marts.runs",
        'SELECT NOT COALESCE("runs"."is_valid", FALSE) AS "x" FROM "marts"."runs" AS "runs"',
    ),
    "greatest leaves nulls out": (
        "select greatest(iops, depth) as x from marts.runs",
        'SELECT ARRAY_MAX(FILTER(ARRAY["runs"."iops", "runs"."depth"], "each" -> NOT "each" IS '
        'NULL)) AS "x" FROM "marts"."runs" AS "runs"',
    ),
}


_TYPES = """
    create schema raw;
    create table raw.types as select
        17014118346046923173168730371588410572::hugeint as big,
        18446744073709551615::ubigint as wide,
        timestamp '2026-11-26 01:02:03.000004' as moment, map {'a': 1.5} as facts,
        [{'n': 1::utinyint, 's': null::varchar}] as parts, 'nan'::double as number
    union all select null, null, null, null, null, null
"""


@pytest.fixture
def known() -> Known:
    connection = duckdb.connect()
    connection.execute(_TABLES)
    return Known(connection)


def _translated(sql: str, known: Known) -> str:
    """The query without the casts around it, in one line."""
    made = translate(sql, known, known.columns(sql))
    return " ".join(made.partition("from (\n")[2].removesuffix(") as model").split())


@pytest.mark.parametrize("rule", _QUERIES)
def test_query_is_translated(rule: str, known: Known) -> None:
    query, expected = _QUERIES[rule]
    assert _translated(query, known) == expected


def test_columns_have_the_order_and_types_of_the_built_table(known: Known) -> None:
    columns = known.columns("select measured_at, iops from marts.runs")
    made = translate("select iops, measured_at from marts.runs", known, columns)
    assert made.startswith(
        'select\n    cast("measured_at" as timestamp(6)) as "measured_at",\n'
        '    cast("iops" as double) as "iops"\nfrom ('
    )


_UNTRANSLATED = {
    "a replacement in the middle": "select regexp_replace(run_id, 'a', 'b') as x from marts.runs",
    "a format": "select format('{:x}', depth) as x from marts.runs",
    "a function that sqlglot does not know": "select hash(depth) as x from marts.runs",
    "a function that Trino lacks": "select mode(depth) as x from marts.runs",
    "a whole row": "select runs as x from marts.runs",
    "fields of structs in a list": "select unnest(mix, recursive := true) from marts.runs",
    "columns by a pattern": "select columns('i.*') from marts.runs",
    "a pivot": "select * from (unpivot marts.drives on depth into name what value value)",
}


@pytest.mark.parametrize("what", _UNTRANSLATED)
def test_untranslated_queries_are_refused(what: str, known: Known) -> None:
    with pytest.raises(Untranslatable):
        _translated(_UNTRANSLATED[what], known)


def test_large_models_are_translated(warehouse: Path) -> None:
    nodes = {node.name: node for node in compiled_nodes(warehouse / "dbt" / "manifest.json")}
    with duckdb.connect(warehouse / "building.duckdb", read_only=True) as connection:
        known = Known(connection)
        for name in LARGE:
            made = translate(nodes[name].query, known, known.columns(f"from {name}"))
            sqlglot.parse_one(made, dialect="trino")


def test_rows_survive_a_round_trip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Written for Trino, and read back from the files that Trino lists."""
    statements: list[str] = []

    def answer(_: object, sql: str) -> list[list[str]]:
        statements.append(sql)
        files = re.findall(r"location => '(.*?)'", " ".join(statements))
        return [[file] for file in files] if "$files" in sql else []

    monkeypatch.setattr(trino_tables, "run", answer)
    tables = Tables(cast(Any, None), str(tmp_path), "local:///shared")
    connection = duckdb.connect()
    connection.execute(_TYPES)
    tables.load("raw.types", connection.sql("from raw.types"))
    assert any('"big" decimal(38, 0), "wide" decimal(20, 0)' in each for each in statements)
    connection.execute("create table raw.kept as from raw.types")
    connection.execute("delete from raw.types")
    tables.copy_back("raw.types", connection)
    assert compare(connection, "raw.kept", "raw.types") == (2, 0, 0)


def test_comparison_counts_differing_rows() -> None:
    connection = duckdb.connect()
    connection.execute("create table a as from (values (1, 'x'), (1, 'x'), (2, null)) as t (n, s)")
    connection.execute("create table b as from (values (1, 'x'), (2, null), (3, 'y')) as t (n, s)")
    assert compare(connection, "a", "a") == (3, 0, 0)
    assert compare(connection, "a", "b") == (3, 1, 1)
    assert not compare(connection, "a", "b").is_equal


def test_a_download_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = next(iter(artifacts.SHA512))
    (tmp_path / "downloads").mkdir()
    (tmp_path / "downloads" / name).write_bytes(b"not Trino")
    with pytest.raises(artifacts.WrongHash, match=name):
        artifacts.install(tmp_path)
    assert not (tmp_path / "downloads" / name).exists()
