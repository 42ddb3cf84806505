"""Functions that models use, on edge values that the models' data may not have."""

import random
from collections.abc import Iterator

import duckdb

from headroom.engines.trino.known import Known
from headroom.engines.trino.library import create_functions
from headroom.engines.trino.tables import Tables
from headroom.engines.trino.translate import translate
from tests.trino.compare import Comparison, compare

SEED = 20261123
COUNT = 20_000
# Each with its key, so that a row is compared with its counterpart.
QUERIES = {
    "six digits": "select id, format('{:g}', number) as x from samples.numbers",
    "three digits": "select id, format('{:.3g}', number) as x from samples.numbers",
    "a double as a text": "select id, number || '' as x from samples.numbers",
    "a time as a text": "select id, make_timestamp(id * 1000001) || '' as x from samples.numbers",
    "rounded": "select id, round(number, places::int) as x from samples.numbers",
    "the place of the first digit": "select id, floor(log10(nullif(abs(number), 0))) as x "
    "from samples.numbers",
    "powers of two": "select id, floor(log2(pow(2, places + 20))) as x from samples.numbers",
    "whole divisions": "select id, id // places as x, id / places as y from samples.numbers",
    "greatest and least": "select id, greatest(number, places, null) as x, "
    "least(other, number) as y from samples.numbers where not isnan(number)",
    "medians": "select places, median(number) as x from samples.numbers "
    "where not isnan(number) group by places",
    "sums in order": "select places, list_sum(list_sort(list(other))) as x "
    "from samples.numbers group by places",
    "texts in one": "select length(one) as n, string_agg(distinct one, ', ' order by one) as x "
    "from samples.texts group by all",
    "in a struct": "select id, cast(row(one, id, other) as varchar) as x from samples.texts",
    "matched": "select id, regexp_extract(one, '(a+)(b)?', 2) as x, "
    "split_part(one, 'a', 2) as y, regexp_extract_all(one, '[ab]') as z from samples.texts",
    "slugs": "select id, trim(regexp_replace(lower(one), '[^a-z0-9]+', '-', 'g'), '-') as x, "
    "md5(one) as y from samples.texts",
    "lists": "select id, list_contains([one, other], 'a') as x, "
    "array_to_string([one, null, other], ';') as z, "
    "[one, other][2] as last, list_position([one, other], 'b') as place from samples.texts",
    "JSON": "select id, object ->> 'a' as x, object ->> left(md5(one), 1) as y, "
    "json_keys(object) as z from samples.texts",
}


def samples() -> duckdb.DuckDBPyConnection:
    """A warehouse of two tables with the same rows each time."""
    made = random.Random(SEED)
    connection = duckdb.connect()
    connection.execute("attach ':memory:' as building; use building; create schema samples")
    connection.execute(
        "create table samples.numbers (id bigint, number double, other double, places bigint)"
    )
    connection.executemany("insert into samples.numbers values (?, ?, ?, ?)", list(_numbers(made)))
    connection.execute(
        "create table samples.texts (id bigint, one varchar, other varchar, object varchar)"
    )
    connection.executemany("insert into samples.texts values (?, ?, ?, ?)", list(_texts(made)))
    return connection


def _numbers(made: random.Random) -> Iterator[tuple[int, float | None, float | None, int]]:
    for number in (None, 0.0, float("inf"), float("-inf"), float("nan"), 100000.5, 999999.5, 1e6):
        yield -1, number, None, 1
    for index in range(COUNT):
        number = made.choice((1, -1)) * 10 ** made.uniform(-9, 18)
        places = made.randint(-6, 6)
        if index % 2:  # many end in a 5
            number = round(number, places + 1)
        yield index, number, made.choice((None, made.random())), places or 1


def _texts(made: random.Random) -> Iterator[tuple[int, str | None, str | None, str]]:
    letters = "ab -_.,'\"()[]{}:=\\/é µ0"
    for index in range(COUNT // 10):
        one, other = ("".join(made.choices(letters, k=made.randint(0, 6))) for _ in range(2))
        keys = made.sample("abcd", 3)
        object_ = ", ".join(f'"{key}": "{made.choice("xyz")}"' for key in keys)
        yield index, made.choice((one, one, None)), other, f"{{{object_}}}"


def compare_samples(tables: Tables) -> Iterator[tuple[str, Comparison]]:
    """Compare each query's rows on both engines."""
    create_functions(tables.cluster)
    warehouse = samples()
    for name in ("numbers", "texts"):
        tables.load(f"samples.{name}", warehouse.sql(f"from samples.{name}"))
    known = Known(warehouse)
    for number, (rule, query) in enumerate(QUERIES.items()):
        name = f"samples.query_{number}"
        warehouse.execute(f"create table {name} as from ({query}) limit 0")
        tables.create("table", name, translate(query, known, known.columns(query)))
        tables.copy_back(name, warehouse)
        yield rule, compare(warehouse, f"({query})", name)
