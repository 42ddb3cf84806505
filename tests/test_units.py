"""dbt's macros for units, and for values of fio's options (HOWTO, "Parameter types")."""

from typing import Any

import duckdb
import pytest
import yaml
from jinja2 import Environment

from ingest.common.vocabulary import BARE_UNIT, UNITS_BY_QUANTITY
from tests.conftest import ROOT

DBT = ROOT / "dbt_project"
VARS = yaml.safe_load((DBT / "dbt_project.yml").read_text())["vars"]
ENVIRONMENT = Environment()
ENVIRONMENT.globals["var"] = VARS.__getitem__
MACROS: Any = ENVIRONMENT.from_string((DBT / "macros/units.sql").read_text()).module


def _value(sql: str, *parameters: object) -> Any:
    return duckdb.execute(f"select {sql}", parameters).fetchall()[0][0]


@pytest.mark.parametrize(
    ("option", "binary", "decimal"),
    [
        ("512", 512, 512),
        ("512b", 512, 512),
        ("4k 4K 4kb 4KB", 4096, 4000),
        ("4kib 4KiB", 4000, 4096),
        ("3m 3M 3mb", 3 << 20, 3 * 10**6),
        ("3MiB", 3 * 10**6, 3 << 20),
        ("3g", 3 << 30, 3 * 10**9),
        ("3GiB", 3 * 10**9, 3 << 30),
        ("3t", 3 << 40, 3 * 10**12),
        ("3TiB", 3 * 10**12, 3 << 40),
        ("8388607t", (1 << 63) - (1 << 40), 8388607 * 10**12),
        ("9223373t", None, None),  # beyond 2^63
        ("4k,64k 4k-64k k -4k 1.5k 4x 4kk many", None, None),
    ],
)
def test_fio_size_becomes_bytes(option: str, binary: int | None, decimal: int | None) -> None:
    size = MACROS.fio_size_bytes("$1::varchar", "$2::varchar")
    for one in option.split(" "):
        assert _value(size, one, "1024") == binary, one
        assert _value(size, one, "1000") == decimal, one


@pytest.mark.parametrize(
    ("option", "count"),
    [("1", 1), ("1k", 1024), ("0", None), ("1000000", 10**6), ("1000001", None), ("many", None)],
)
def test_fio_count_is_one_to_a_million(option: str, count: int | None) -> None:
    assert _value(MACROS.fio_count("$1::varchar", "'1024'"), option) == count


@pytest.mark.parametrize(
    ("option", "ratio"),
    [("0", 0), ("50", 0.5), ("100", 1), ("101", None), ("-1", None), ("half", None)],
)
def test_fio_percentage_becomes_a_ratio(option: str, ratio: float | None) -> None:
    assert _value(MACROS.fio_ratio("$1::varchar"), option) == ratio


@pytest.mark.parametrize(
    ("option", "seconds"),
    [
        ("20", 20),
        ("20s", 20),
        ("1.5m", 90),
        ("5 m", 300),
        ("2h", 7200),
        ("3d", 259200),
        ("10ms", 0.01),
        ("7us", 7e-6),
        ("1:30", 90),
        (":30", 30),
        ("1:02:03", 3723),
        ("1:02:03:04", 93784),
        ("soon", None),
        ("5 parsecs", None),
    ],
)
def test_fio_time_becomes_seconds(option: str, seconds: float | None) -> None:
    found = _value(MACROS.fio_time_seconds("$1::varchar"), option)
    assert found == (None if seconds is None else pytest.approx(seconds, rel=1e-12))


@pytest.mark.parametrize(
    ("depth", "ratio"),
    [
        (1, 1),
        (2, 0.9),
        (3, 0.9),
        (4, 0.75),
        (8, 0.55),
        (16, 0.45),
        (32, 0.4),
        (63, 0.4),
        (64, 0.25),
        (999, 0.25),
    ],
)
def test_reached_depth_sums_its_level_and_deeper(depth: int, ratio: float) -> None:
    levels = '{"1": 10.0, "2": 15.0, "4": 20.0, "8": 10.0, "16": 5.0, "32": 15.0, ">=64": 25.0}'
    reached = MACROS.fio_io_depth_reached_ratio("$1::varchar", "$2")
    assert _value(reached, levels, depth) == pytest.approx(ratio)
    assert _value(reached, '{"1": 103.0}', depth) == (1 if depth == 1 else 0)
    assert _value(reached, None, depth) is None


@pytest.mark.parametrize(
    ("units", "binary", "decimal"),
    [
        ("IO/s IOPS count us times B byte bytes B/s rpm", 1, 1),
        ("KiB KiB/s", 1 << 10, 1 << 10),
        ("MiB MiB/s", 1 << 20, 1 << 20),
        ("GiB GiB/s", 1 << 30, 1 << 30),
        ("TiB", 1 << 40, 1 << 40),
        ("kB", 1 << 10, 10**3),
        ("MB MB/s", 1 << 20, 10**6),
        ("GB GB/s", 1 << 30, 10**9),
        ("TB", 1 << 40, 10**12),
        ("ns", 1e-3, 1e-3),
        ("ms krpm", 1e3, 1e3),
        ("s MHz", 1e6, 1e6),
        ("minutes", 6e7, 6e7),
        ("hours", 3.6e9, 3.6e9),
        ("GHz", 1e9, 1e9),
        ("%", 0.01, 0.01),
        ("parsec", None, None),
    ],
)
def test_units_convert_to_their_base_unit(
    units: str, binary: float | None, decimal: float | None
) -> None:
    for unit in units.split(" "):
        for base, factor in ((2, binary), (10, decimal)):
            wanted = None if factor is None else pytest.approx(3 * factor, rel=1e-12)
            assert _value(MACROS.to_base_unit("3", "$1::varchar", base), unit) == wanted, unit
    assert _value(MACROS.to_bytes("1.5", "'kB'", 2)) == 1536


def test_every_unit_is_tried() -> None:
    (tried,) = test_units_convert_to_their_base_unit.pytestmark
    known = {unit for quantity in VARS["quantities"].values() for unit in quantity["units"]}
    assert known - {unit for case in tried.args[1] for unit in case[0].split(" ")} == set()


def test_ingest_and_dbt_know_the_same_units() -> None:
    quantities = VARS["quantities"]
    assert {name: (*one["units"],) for name, one in quantities.items()} == UNITS_BY_QUANTITY
    assert {name: one["bare"] for name, one in quantities.items() if "bare" in one} == BARE_UNIT


def test_fio_latency_becomes_microseconds() -> None:
    to_us = MACROS.to_us("$1", "$2::varchar")
    assert [_value(to_us, 1500, unit) for unit in ("ns", "us", "ms")] == [1.5, 1500, None]
