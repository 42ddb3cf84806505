"""Models in Trino's SQL: each rule on one query, and every model; `make trino` runs them."""

from decimal import Decimal
from pathlib import Path

import duckdb
import pytest
import sqlglot
from sqlglot import exp
from trino.types import NamedRowTuple

from headroom.built import quoted
from headroom.trino.build import models, open_warehouse
from headroom.trino.known import Known
from headroom.trino.texts import Untranslatable
from headroom.trino.translate import translate
from tests.trino import artifacts
from tests.trino.compare import compare, normal

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
# What Trino reads otherwise, or does not read, and what it becomes.
_QUERIES = {
    "a division is of doubles": (
        "select depth / 2 as x from marts.runs",
        'SELECT CAST("runs"."depth" AS DOUBLE) / CAST(2 AS DOUBLE) AS "x" FROM "marts"."runs"',
    ),
    "a whole division by 0 is null": (
        "select depth // 2 as x from marts.runs",
        'SELECT ( "runs"."depth" / NULLIF(2, 0) ) AS "x" FROM "marts"."runs"',
    ),
    "numbers beside texts are texts": (
        "select 'depth ' || depth || ', ' || iops as x from marts.runs",
        "SELECT 'depth ' || CAST(\"runs\".\"depth\" AS VARCHAR) || ', ' "
        '|| memory.default.double_text("runs"."iops") AS "x" FROM "marts"."runs"',
    ),
    "an alias is what it stands for": (
        "select iops * 2 as twice, twice + 1 as more from marts.runs where twice > 3",
        'SELECT "runs"."iops" * 2 AS "twice", ( "runs"."iops" * 2 ) + 1 AS "more" '
        'FROM "marts"."runs" WHERE ( "runs"."iops" * 2 ) > 3',
    ),
    "a column goes before an alias": (
        "select iops as depth, depth + 1 as more from marts.runs",
        'SELECT "runs"."iops" AS "depth", "runs"."depth" + 1 AS "more" FROM "marts"."runs"',
    ),
    "where rows are ordered an alias goes before a column": (
        "select distinct on (depth) 1 as depth from marts.runs order by depth",
        'SELECT "depth" FROM ( SELECT "depth", ROW_NUMBER() OVER (PARTITION BY "_key0" '
        'ORDER BY "_order0") AS "_place" FROM ( SELECT 1 AS "depth", 1 AS "_key0", '
        '1 AS "_order0" FROM "marts"."runs" ) AS "_keyed" ) AS "_kept" WHERE "_place" = 1',
    ),
    "group by all": (
        "select depth, max(iops) as best from marts.runs group by all",
        'SELECT "runs"."depth" AS "depth", MAX("runs"."iops") AS "best" FROM "marts"."runs" '
        "GROUP BY 1",
    ),
    "in having an alias goes before a column that is no key": (
        "select depth, max(iops) as iops from marts.runs group by depth "
        "having iops > sum(iops) / 2 and depth > 1",
        'SELECT "runs"."depth" AS "depth", MAX("runs"."iops") AS "iops" FROM "marts"."runs" '
        'GROUP BY 1 HAVING ( MAX("runs"."iops") ) > SUM("runs"."iops") / CAST(2 AS DOUBLE) '
        'AND "runs"."depth" > 1',
    ),
    "exclude and replace": (
        "select * exclude (run_id) replace (depth + 1 as depth) from marts.drives",
        'SELECT "drives"."drive" AS "drive", "drives"."depth" + 1 AS "depth" FROM "marts"."drives"',
    ),
    "qualify": (
        "select run_id from marts.runs qualify row_number() over (order by iops) = 1",
        'SELECT "run_id" FROM ( SELECT "runs"."run_id" AS "run_id", '
        'ROW_NUMBER() OVER (ORDER BY "runs"."iops") = 1 AS "_is_kept" FROM "marts"."runs" ) '
        'AS "_kept" WHERE "_is_kept"',
    ),
    "distinct on": (
        "select distinct on (depth) run_id from marts.runs order by iops desc",
        'SELECT "run_id" FROM ( SELECT "run_id", '
        'ROW_NUMBER() OVER (PARTITION BY "_key0" ORDER BY "_order0" DESC) AS "_place" FROM ( '
        'SELECT "runs"."run_id" AS "run_id", "runs"."depth" AS "_key0", "runs"."iops" AS "_order0" '
        'FROM "marts"."runs" ) AS "_keyed" ) AS "_kept" WHERE "_place" = 1',
    ),
    "unnest among columns": (
        "select unnest(names) as name, upper(name) as loud from marts.runs",
        'SELECT "_items"."_item0" AS "name", UPPER(( "_items"."_item0" )) AS "loud" '
        'FROM "marts"."runs" CROSS JOIN UNNEST("runs"."names") AS "_items"("_item0")',
    ),
    "unnest of structs": (
        "select unnest(mix, recursive := true) from marts.runs",
        'SELECT "_items"."_item0"."block_bytes" AS "block_bytes", '
        '"_items"."_item0"."share_ratio" AS "share_ratio" FROM "marts"."runs" '
        'CROSS JOIN UNNEST(TRANSFORM("runs"."mix", "each" -> ROW(each))) AS "_items"("_item0")',
    ),
    "using": (
        "select run_id, drive from marts.runs join marts.drives using (run_id)",
        'SELECT "runs"."run_id" AS "run_id", "drives"."drive" AS "drive" FROM "marts"."runs" '
        'JOIN "marts"."drives" ON "runs"."run_id" = "drives"."run_id"',
    ),
    "anti join": (
        "select run_id from marts.runs anti join marts.drives using (run_id)",
        'SELECT "runs"."run_id" AS "run_id" FROM "marts"."runs" WHERE NOT EXISTS( SELECT 1 '
        'FROM "marts"."drives" WHERE "runs"."run_id" = "drives"."run_id" )',
    ),
    "union by name": (
        "select run_id, iops from marts.runs union all by name select depth, run_id "
        "from marts.drives",
        'SELECT "runs"."run_id" AS "run_id", "runs"."iops" AS "iops", '
        'CAST(NULL AS BIGINT) AS "depth" FROM "marts"."runs" UNION ALL '
        'SELECT "drives"."run_id" AS "run_id", CAST(NULL AS DOUBLE) AS "iops", '
        '"drives"."depth" AS "depth" FROM "marts"."drives"',
    ),
    "members of maps and lists": (
        "select facts['a'] as a, names[-1] as b, mix[1].block_bytes as c from marts.runs",
        'SELECT element_at("runs"."facts", \'a\') AS "a", '
        'element_at("runs"."names", -1) AS "b", '
        'element_at("runs"."mix", 1)."block_bytes" AS "c" FROM "marts"."runs"',
    ),
    "a filter over a window": (
        "select count(*) filter (where is_valid) over (partition by depth) as n from marts.runs",
        'SELECT COUNT(if("runs"."is_valid", 1)) OVER (PARTITION BY "runs"."depth") AS "n" '
        'FROM "marts"."runs"',
    ),
    "the best over a window, of rows that count": (
        "select arg_min(run_id, iops) filter (is_valid) over (partition by depth) as best "
        "from marts.runs",
        'SELECT min_by( "runs"."run_id", if("runs"."is_valid" AND '
        'NOT ( "runs"."run_id" ) IS NULL, "runs"."iops") ) OVER (PARTITION BY "runs"."depth") '
        'AS "best" FROM "marts"."runs"',
    ),
    "an exact median": (
        "select median(iops) as m from marts.runs",
        'SELECT memory.default.median_of( array_sort(ARRAY_AGG("runs"."iops") '
        'FILTER(WHERE NOT ( "runs"."iops" ) IS NULL)) ) AS "m" FROM "marts"."runs"',
    ),
    "an order counts with a limit alone": (
        "select run_id from (select run_id from marts.runs order by iops limit 3) order by 1",
        'SELECT "_query0"."run_id" AS "run_id" FROM ( SELECT "runs"."run_id" AS "run_id" '
        'FROM "marts"."runs" ORDER BY "runs"."iops" LIMIT 3 ) AS "_query0"',
    ),
    "any of a list": (
        "select run_id = any(['a', 'b']) as x from marts.runs",
        'SELECT contains(ARRAY[\'a\', \'b\'], "runs"."run_id") AS "x" FROM "marts"."runs"',
    ),
    "a text again and again": (
        "select repeat('ab', depth) as x from marts.runs",
        'SELECT ARRAY_JOIN(REPEAT(\'ab\', CAST("runs"."depth" AS INTEGER)), \'\') AS "x" '
        'FROM "marts"."runs"',
    ),
    "is not true": (
        "select is_valid is not true as x from marts.runs",
        'SELECT NOT COALESCE("runs"."is_valid", FALSE) AS "x" FROM "marts"."runs"',
    ),
    "greatest leaves nulls out": (
        "select greatest(iops, depth) as x from marts.runs",
        'SELECT ARRAY_MAX(FILTER(ARRAY["runs"."iops", "runs"."depth"], '
        '"each" -> NOT "each" IS NULL)) AS "x" FROM "marts"."runs"',
    ),
    "a moment in a zone has none": (
        "select now() at time zone 'UTC' as x from marts.runs",
        'SELECT CAST(at_timezone(now(), \'UTC\') AS TIMESTAMP(6)) AS "x" FROM "marts"."runs"',
    ),
    "days before a date": (
        "select cast(measured_at as date) - 3 as x from marts.runs",
        'SELECT DATE_ADD(\'DAY\', -( 3 ), CAST("runs"."measured_at" AS DATE)) AS "x" '
        'FROM "marts"."runs"',
    ),
    "a hash of two": (
        "select hash(run_id, iops) as x from marts.runs",
        'SELECT memory.default.hashed(CAST(ARRAY[CAST("runs"."run_id" AS JSON), '
        'CAST("runs"."iops" AS JSON)] AS JSON)) AS "x" FROM "marts"."runs"',
    ),
    "a whole division of more than 64 bits": (
        "select 18446744073709551615 // depth as x from marts.runs",
        "SELECT ( ( CAST('18446744073709551615' AS DECIMAL(20, 0)) "
        '- CAST(\'18446744073709551615\' AS DECIMAL(20, 0)) % NULLIF("runs"."depth", 0) ) '
        '/ NULLIF("runs"."depth", 0) ) AS "x" FROM "marts"."runs"',
    ),
    "rows are compared member by member": (
        "select (iops, run_id) > (depth, 'a') as x from marts.runs",
        'SELECT ( "runs"."iops" > "runs"."depth" OR ( "runs"."iops" = "runs"."depth" AND '
        '( ( "runs"."run_id" > \'a\' OR ( "runs"."run_id" = \'a\' AND FALSE ) ) ) ) ) '
        'AS "x" FROM "marts"."runs"',
    ),
}


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
def test_queries(rule: str, known: Known) -> None:
    query, expected = _QUERIES[rule]
    assert _translated(query, known) == expected


def test_columns_have_the_order_and_types_of_the_built_table(known: Known) -> None:
    columns = known.columns("select measured_at, iops from marts.runs")
    made = translate("select iops, measured_at from marts.runs", known, columns)
    assert made.startswith(
        'select\n    cast("measured_at" as timestamp(6)) as "measured_at",\n'
        '    cast("iops" as double) as "iops"\nfrom ('
    )


def test_what_has_no_translation_is_said(known: Known) -> None:
    with pytest.raises(Untranslatable, match="the first 'a'"):
        _translated("select regexp_replace(run_id, 'a', 'b') as x from marts.runs", known)
    with pytest.raises(Untranslatable, match="format 'x'"):
        _translated("select format('{:x}', depth) as x from marts.runs", known)
    with pytest.raises(Untranslatable, match="offset"):
        _translated("select run_id from marts.runs offset 3", known)
    with pytest.raises(Untranslatable, match="an order of rows that are kept"):
        kept = "qualify row_number() over (order by iops) < 9 order by depth limit 3"
        _translated(f"select run_id from marts.runs {kept}", known)


def test_every_model_is_translated(warehouse: Path) -> None:
    connection = open_warehouse(warehouse / "building.duckdb")
    known = Known(connection)
    for node in models(connection):
        made = translate(node.query, known, known.columns(f"from {quoted(node.name)}"))
        parsed = sqlglot.parse_one(made, dialect="trino")
        assert not list(parsed.find_all(exp.Qualify)), node.name


def test_rows_of_both_engines_are_alike() -> None:
    row = NamedRowTuple([1, Decimal("2.5")], ["a", "b"], ["bigint", "decimal"])
    assert normal([row]) == normal([{"a": 1, "b": 2.5}])
    assert normal(float("nan")) == normal(float("nan"))
    assert normal(Decimal(10**20)) == 10**20


def test_a_comparison_says_what_differs_and_how_far() -> None:
    ours = [("a", 1.0), ("b", 2.0)]
    assert compare(["name", "value"], ours, reversed(ours)).is_equal
    found = compare(["name", "value"], ours, [("a", 1.0), ("b", 2.5)])
    assert (found.unequal_count, found.most_relative) == (1, 0.2)
    assert found.columns == {"value": (2.0, 2.5)}
    assert not compare(["name", "value"], ours, [*ours, ("b", 2.0)]).is_equal


def test_a_download_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = next(iter(artifacts.SHA512))
    (tmp_path / "downloads").mkdir()
    (tmp_path / "downloads" / name).write_bytes(b"not Trino")
    with pytest.raises(artifacts.WrongHash, match=name):
        artifacts.install(tmp_path)
    assert not (tmp_path / "downloads" / name).exists()
