"""`headroom compare`: which results compare, their factor, and whether it exceeds noise."""

import functools
import math
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest

from headroom.analyse.compare import _nothing_in_common, comparisons, nights
from headroom.analyse.name_search import Subject, find_profile, find_subject
from headroom.warehouse import WarehouseError
from tests.conftest import refusal
from tests.in_process import printed_rows, run
from tests.test_last_night import built, measured_nights

COLUMNS = {
    "texts": (
        "measurement_id", "document_id", "source_path", "source_position", "profile_id",
        "profile_short_label", "headline_metric", "controller", "raid_level", "drive_media",
        "drive", "array_label", "server", "condition", "tool_name", "io_engine", "value_qualifier",
        "pages",
        "tool_version", "controller_firmware", "drive_firmware", "filesystem", "os_name",
        "os_kernel", "bios_version", "series_id", "device_names", "limit_of", "ceiling_scope",
        "run_verdict",
    ),
    "whole": (
        "outstanding_io_count", "worker_count", "file_size_bytes", "drive_count", "stripe_bytes",
    ),
    "numbers": (
        "headline_value", "latency_mean_us", "latency_p99_us", "requested_runtime_seconds",
        "attained_ratio",
    ),
}  # fmt: skip
SCHEMA: dict[str, pl.DataType] = {
    **{name: pl.String() for name in COLUMNS["texts"]},
    **{name: pl.Int64() for name in COLUMNS["whole"]},
    **{name: pl.Float64() for name in COLUMNS["numbers"]},
    "measured_at": pl.Datetime("us"), "is_valid": pl.Boolean(), "is_derived": pl.Boolean(),
    "has_sidecar": pl.Boolean(), "has_own_processor": pl.Boolean(),
    "is_superseded": pl.Boolean(),
}  # fmt: skip
RUN = {
    "profile_id": "random-read100-4KiB", "profile_short_label": "random, 100 % read, 4KiB",
    "headline_metric": "iops", "outstanding_io_count": 16, "value_qualifier": "exact",
    "raid_level": "RAID 5", "is_valid": True, "is_derived": False, "source_position": "jobs[0] a",
}  # fmt: skip
SCHEMA_OF_RUNS = ("headline_value", "latency_mean_us", "latency_p99_us", "attained_ratio")
ELSEWHERE = "no factor: loads may differ"
CONTROLLERS = (Subject("controller", "A"), Subject("controller", "B"))


def _run(controller: str, value: float, **other: Any) -> dict[str, Any]:
    return RUN | {"controller": controller, "headline_value": value} | other


def _compared(rows: list[dict[str, Any]], **chosen: Any) -> list[dict[str, Any]]:
    """Controller A with controller B."""
    return _answer(_measurements(rows), **chosen)


def _each_compared(cases: list[list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """The one pair of each case, by one query: each case gets its own load profile."""
    rows = [row | {"profile_id": str(case)} for case, rows in enumerate(cases) for row in rows]
    found = sorted(_compared(rows), key=lambda row: int(row["profile_id"]))
    assert [row["profile_id"] for row in found] == [str(case) for case in range(len(cases))]
    return found


def _measurements(rows: list[dict[str, Any]]) -> pl.DataFrame:
    """With each run's series: repeats share all columns but their own (`fct_measurements`)."""
    own = (*SCHEMA_OF_RUNS, "measured_at", "source_path", "run_verdict")
    named = [
        {
            "measurement_id": str(number),
            "series_id": None
            if "document_id" in row
            else repr(sorted((name, value) for name, value in row.items() if name not in own)),
        }
        | row
        for number, row in enumerate(rows)
    ]
    return pl.DataFrame(named, schema=SCHEMA)


def _answer(
    measurements: pl.DataFrame, subjects: tuple[Subject, Subject] = CONTROLLERS, **chosen: Any
) -> list[dict[str, Any]]:
    with duckdb.connect() as connection:
        connection.register("given", measurements)
        connection.execute(
            "create table rpt_measurements as select * exclude (device_names, run_verdict) "
            "from given;"
            "create table fct_measurements as select measurement_id, device_names from given;"
            "create table rpt_run_verdicts as "
            "select measurement_id, run_verdict as verdict, 'why' as reason from given"
        )
        return comparisons(connection, *subjects, **chosen).pl().to_dicts()


def test_factor_is_of_medians_with_a_rank_interval() -> None:
    """Medians 11.5 and 23, so 2 x.

    With four runs a side, the smallest and the greatest of all 16 ratios bound the factor
    (2 / C(8, 4) = 2.9 % are outside): 20 / 13 = 1.538 and 26 / 10 = 2.6.
    """
    rows = [_run("A", value) for value in (10, 11, 12, 13)]
    (row,) = _compared(rows + [_run("B", value) for value in (20, 22, 24, 26)])
    assert row["factor"] == 2
    assert (row["low_factor"], row["high_factor"]) == (20 / 13, 2.6)
    assert (row["factor_label"], row["interval_label"]) == ("2 x", "1.54 to 2.6 x")
    assert (row["a_label"], row["a_basis"]) == ("11.5 IOPS", "median of 4, 10 IOPS to 13 IOPS")


def test_untrusted_side_is_reported_with_its_newest_reason() -> None:
    days = [datetime(2026, 11, day) for day in (3, 2, 1)]
    rows = [
        _run("A", 10, run_verdict=verdict, measured_at=day)
        for verdict, day in zip(("trusted", "cached", "too short"), days, strict=True)
    ]
    cases = [[*rows, _run("B", 20, run_verdict=b)] for b in ("trusted", "not steady", None)]
    doubts = [(row["a_doubt"], row["b_doubt"]) for row in _each_compared(cases)]
    newest = "2 of 3 runs, the newest: cached (why)"
    assert doubts == [(newest, None), (newest, "not steady (why)"), (newest, None)]


def test_too_few_runs_have_no_interval() -> None:
    counts = {
        (1, 1): "1 run a side: no interval",
        (3, 3): "3 runs and 3 runs: no interval",
        (1, 9): "1 run and 9 runs: no interval",
        (3, 5): "2 to 2 x",
    }
    found = _each_compared([[_run("A", 10.0)] * a + [_run("B", 20.0)] * b for a, b in counts])
    told = [(row["factor_label"], row["interval_label"]) for row in found]
    assert told == [("2 x", interval) for interval in counts.values()]


def test_interval_that_includes_1_is_noise() -> None:
    values = (98, 99, 100, 101, 102)
    (row,) = _compared([_run(side, value) for side in "AB" for value in values])
    assert row["factor_label"] == "≈ 1 x, within noise"


def test_different_settings_give_no_factor() -> None:
    """Both values are still shown."""
    cases: list[tuple[dict[str, Any], str, str, str]] = [
        ({"outstanding_io_count": 32}, ELSEWHERE, "differences", "outstanding I/Os 16 and 32"),
        ({"outstanding_io_count": None}, ELSEWHERE, "obstacles", ""),
        (
            {"condition": "cache off"}, "not comparable", "obstacles",
            "condition not reported and cache off",
        ),
        ({"raid_level": "RAID 10"}, "not comparable", "obstacles", "RAID level RAID 5 and RAID 10"),
        (
            {"raid_level": None}, "possibly not comparable", "unknowns",
            "RAID level RAID 5 and not reported",
        ),
        (
            {"drive_media": "SSD", "drive": "X"}, "possibly not comparable", "unknowns",
            "medium not reported and SSD; drive not reported and X",
        ),
        ({"drive_count": 8}, "possibly not comparable", "unknowns", "drives not reported and 8"),
    ]  # fmt: skip
    found = _each_compared([[_run("A", 10), _run("B", 20, **other)] for other, *_ in cases])
    for row, (_, told, note, text) in zip(found, cases, strict=True):
        assert (row["factor"], row["factor_label"], row[note]) == (None, told, text)
        assert (row["a_value"], row["b_value"]) == (10, 20)


def test_io_engines_matter_only_if_both_are_known() -> None:
    is_same = {"io_uring": False, None: True, "libaio": True}
    first = _run("A", 10, io_engine="libaio")
    found = _each_compared([[first, _run("B", 20, io_engine=engine)] for engine in is_same])
    assert [row["is_comparable"] for row in found] == [*is_same.values()]


def test_other_differences_are_listed() -> None:
    rows = [_run("A", 10, os_kernel="6.1", stripe_bytes=65536)]
    (row,) = _compared([*rows, _run("B", 20, os_kernel="6.8", stripe_bytes=262144)])
    assert row["differences"] == "stripe 64KiB and 256KiB; kernel 6.1 and 6.8"


def test_different_jobs_are_not_repeats() -> None:
    rows = [_run("A", 10), _run("A", 90, source_position="jobs[1] b")]
    (row,) = _compared([*rows, _run("B", 20)])
    assert (row["a_value"], row["a_run_count"], row["factor"]) == (10, 1, 2)


@pytest.mark.parametrize(
    ("column", "values", "told"),
    [
        ("drive", "XYZ", "drive {} and Z"),
        ("server", "XYZ", "host {} and Z"),
        ("stripe_bytes", (1024, 2048, 4096), "stripe {}KiB and 4KiB"),
        ("source_position", [f"jobs[0] {name}" for name in "XYZ"], "job jobs[0] {} and jobs[0] Z"),
        ("source_path", ("x/X/1", "x/Y/1", "y/Z/1"), "path {}/1 and Z/1"),
    ],
)
def test_heading_names_the_difference_between_pairs(
    column: str, values: Sequence[Any], told: str
) -> None:
    """A has two results and B one, which differ only in this column; each pair is one block."""
    rows = [
        RUN | {"source_path": f"{folder}/1", "array_label": str(value)}
        | {"headline_value": 10, "latency_mean_us": 9, column: value}
        for folder, value in zip("xxy", values, strict=True)
    ]  # fmt: skip
    found = _answer(_measurements(rows), (Subject("folder", "x"), Subject("folder", "y")))
    told_apart = [row["setting"].partition(" outstanding I/Os, ")[2] for row in found]
    names = (1, 1, 2, 2) if column == "stripe_bytes" else "XXYY"
    assert told_apart == [told.format(name) for name in names]
    assert [row["quantity"] for row in found] == ["IOPS", "mean latency"] * 2


def test_files_without_sidecars_pair_by_name() -> None:
    rows = [
        RUN
        | {
            "headline_value": value, "source_path": f"{folder}/{file}", "raid_level": None,
            "has_sidecar": False, "series_id": f"{folder}/{file}",
        }
        for folder, factor in (("one/2026-11-20", 1), ("two", 2))
        for file, value in (("sda.json", 10 * factor), ("sdb.json", 70 * factor))
    ]  # fmt: skip
    folders = (Subject("folder", "one/2026-11-20"), Subject("folder", "two"))
    found = _answer(_measurements(rows), folders)
    assert [(row["a_value"], row["b_value"]) for row in found] == [(10, 20), (70, 140)]
    assert {row["setting"].split(", path ")[1] for row in found} == {"sda.json", "sdb.json"}
    assert "add server to a headroom.yml beside them" in found[0]["remedy"]


def test_folder_is_compared_with_the_rest_of_its_superset() -> None:
    """Own runs on a controller beside its other results; no run is compared with itself."""
    rows = [
        _run("A", 10, source_path="x/1.json", series_id="1"),
        _run("A", 20, source_path="x/y/2.json", series_id="2"),
    ]
    for a, b in ((("folder", "x/y"), ("controller", "A")), (("folder", "x/y"), ("folder", "x"))):
        (row,) = _answer(_measurements(rows), (Subject(*a), Subject(*b)))
        assert (row["a_value"], row["b_value"], row["narrower_side"]) == (20, 10, "a")
        (row,) = _answer(_measurements(rows), (Subject(*b), Subject(*a)))
        assert (row["a_value"], row["b_value"], row["narrower_side"]) == (10, 20, "b")


def test_results_on_both_sides_are_left_out() -> None:
    rows = [
        _run("A", 10, server="s"), _run("A", 20, server="t"), _run("B", 30, server="s"),
    ]  # fmt: skip
    (row,) = _answer(_measurements(rows), (Subject("controller", "A"), Subject("host", "s")))
    assert (row["a_value"], row["b_value"]) == (20, 30)


def test_examples_count_only_without_other_results() -> None:
    example = _run("A", 90, is_superseded=True, source_path="x/1.json")
    rows = [example, _run("A", 10, source_path="y/1.json"), _run("B", 20)]
    (row,) = _compared(rows)
    assert (row["a_value"], row["a_run_count"]) == (10, 1)
    (row,) = _answer(_measurements(rows), (Subject("folder", "x"), CONTROLLERS[1]))
    assert row["a_value"] == 90


def _swept(controller: str, values: list[float], **other: Any) -> list[dict[str, Any]]:
    return [
        _run(controller, value, outstanding_io_count=4**place, **other)
        for place, value in enumerate(values)
    ]


PRINTED = {
    "document_id": "paper", "pages": "49", "outstanding_io_count": None, "tool_name": "Iometer",
    "value_qualifier": "at_most", "limit_of": "controller", "source_position": "line 1",
    "attained_ratio": 1.0, "ceiling_scope": "value is the limit",
}  # fmt: skip


def test_a_maximum_is_compared_with_a_maximum() -> None:
    """Fujitsu 2016, page 49: up to 133000 IO/s over all loads; a sweep reaches 124000."""
    sweep = _swept("A", [5000, 30000, 124000, 120000], tool_name="fio", attained_ratio=0.9)
    (row,) = _compared([*sweep, _run("B", 133000, **PRINTED)])
    assert (row["pair_kind"], row["a_value"], row["b_value"]) == ("maxima", 124000, 133000)
    assert row["factor_label"] == "1.07 x, of maxima"
    assert row["a_basis"] == "best of 4 loads: 16 outstanding I/Os, 1 run"
    assert (row["a_attained_ratio"], row["b_share_label"]) == (0.9, "is the limit")
    assert row["remedy"] == ""


def test_equally_ranked_maxima_give_a_stable_answer() -> None:
    maxima = [_run("A", 10 + host, server=str(host), **PRINTED) for host in range(5)]
    (row,) = _compared([*maxima, _run("B", 30, **PRINTED | {"raid_level": "RAID 10"})])
    (turned,) = _compared([_run("B", 30, **PRINTED | {"raid_level": "RAID 10"}), *maxima[::-1]])
    assert row == turned


def test_one_load_is_no_maximum_but_both_values_are_shown() -> None:
    (row,) = _compared([_run("A", 29800), _run("B", 133000, **PRINTED)])
    assert (row["a_label"], row["b_label"]) == ("29.8 kIOPS", "≤ 133 kIOPS")
    assert (row["factor"], row["factor_label"]) == (None, "no factor: A is not a maximum")
    assert row["remedy"].startswith("≤ 133 kIOPS is a maximum over all loads: run iodepth 1 to 256")


def test_sweep_that_still_rises_is_reported() -> None:
    (row,) = _compared([*_swept("A", [1, 20, 30]), _run("B", 133, **PRINTED)])
    assert row["remedy"] == "A is best at its most outstanding I/Os: run more of them"


def test_same_raid_level_comes_first() -> None:
    rows = [
        _run("A", 29800),
        _run("B", 248000, array_label="b 0", **PRINTED | {"raid_level": "RAID 0"}),
        _run("B", 133000, array_label="b 5", **PRINTED),
    ]
    first, rest = _compared(rows)
    assert (first["b_value"], first["pair_kind"]) == (133000, "maxima")
    assert (rest["pair_kind"], rest["b_value"], rest["b_array_label"]) == ("other", 248000, "b 0")


def test_latencies_are_compared_beside_the_headline() -> None:
    rows = [_run("A", 10, latency_mean_us=100, latency_p99_us=900)]
    found = _compared([*rows, _run("B", 20, latency_mean_us=50)])
    assert [(row["quantity"], row["factor"]) for row in found] == [
        ("IOPS", 2), ("mean latency", 0.5),
    ]  # fmt: skip


def test_factors_keep_the_marks_of_printed_values() -> None:
    marks = [
        ("at_most", "at_most", "paper", "2 x, of maxima"),
        ("at_most", "at_most", "other", "no factor: both are bounds"),
        ("approximate", "exact", "paper", "≈ 2 x"),
        ("at_least", "exact", "paper", "≤ 2 x"),
        ("at_most", "exact", "paper", "≥ 2 x"),
    ]
    printed = {"source_position": "line 1", "outstanding_io_count": None}
    cases = [
        [
            _run("A", 10, value_qualifier=a_mark, document_id="paper", pages="4", **printed),
            _run("B", 20, value_qualifier=b_mark, document_id=b_paper, pages="7", **printed),
        ]
        for a_mark, b_mark, b_paper, _ in marks
    ]
    for row, (*_, told) in zip(_each_compared(cases), marks, strict=True):
        assert (row["factor_label"], row["a_basis"]) == (told, "paper, p. 4")
        assert row["interval_label"] in ("printed: no interval", None)


def test_since_leaves_older_runs_out() -> None:
    day = pl.Series(["2026-11-01", "2026-11-20"]).str.to_datetime().to_list()
    rows = [_run("A", 10, measured_at=day[0]), _run("A", 15, measured_at=day[1])]
    (row,) = _compared([*rows, _run("B", 30, measured_at=day[1])], since="2026-11-10")
    assert (row["a_value"], row["factor"]) == (15, 2)


@functools.cache
def _rank_orders(m: int, n: int) -> list[int]:
    """The number of orders of m and n runs by rank sum, smallest first (Mann and Whitney)."""
    if 0 in (m, n):
        return [1]
    found = [0] * (m * n + 1)
    for shift, orders in ((n, _rank_orders(m - 1, n)), (0, _rank_orders(m, n - 1))):
        for place, number in enumerate(orders):
            found[place + shift] += number
    return found


def test_interval_misses_at_most_5_percent() -> None:
    """How often it misses the true factor follows from how many ratios it leaves out on a side."""
    chance = np.random.default_rng(1)
    counts = [(m, n) for m in range(1, 21) for n in range(m, 21)]
    factors = (0.2, 1, 5)
    sides = [
        (chance.exponential(1, m), chance.exponential(factors[(m + n) % 3], n)) for m, n in counts
    ]
    cases = [[_run("A", x) for x in a] + [_run("B", x) for x in b] for a, b in sides]
    levels = []
    for (m, n), (a, b), row in zip(counts, sides, _each_compared(cases), strict=True):
        if row["low_factor"] is None:
            assert m < 3 or n < 5, "too few runs for an interval"
            continue
        ratios = np.sort(np.divide.outer(b, a), axis=None).tolist()
        left_out = ratios.index(row["low_factor"])
        assert ratios[-1 - left_out] == row["high_factor"]
        assert row["is_within_noise"] == (row["low_factor"] <= 1 <= row["high_factor"])
        levels.append(2 * sum(_rank_orders(m, n)[: left_out + 1]) / math.comb(m + n, m))
    assert 0.045 < max(levels) <= 0.05
    assert np.median(levels) > 0.04


def _last_night(values: list[float]) -> dict[str, Any]:
    with built(measured_nights({"s": values})) as connection:
        (row,) = nights(connection, "p").pl().to_dicts()
        assert nights(connection, "q").pl().is_empty()
    return row


def test_last_night_is_compared_with_the_previous_one() -> None:
    row = _last_night([100, 101, 99, 100, 101, 99, 80])
    assert (row["a_label"], row["b_label"]) == ("99 IOPS", "80 IOPS")
    assert row["factor_label"] == "0.808 x, regression"
    assert row["interval_label"].startswith("band of 6 nights: 9")
    row = _last_night([5, 6])
    assert row["factor_label"] == "1.2 x"
    assert row["interval_label"] == "too few nights to judge (2 of 3)"


def test_missing_mart_means_an_older_version(tmp_path: Path) -> None:
    with duckdb.connect(tmp_path / "nights.duckdb") as connection:
        connection.execute("create schema quality")
    told = refusal(run(tmp_path, "compare", "previous", "last"))
    assert "published by an older version; run: headroom nightly" in told


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("EP420i", "controller", "PRAID EP420i"),
        ("praid cp400I", "controller", "PRAID CP400i"),
        ("sas-12g-hdd", "drive", "SAS-12G-HDD"),
        ("fujitsu-iodrive2", "document", "fujitsu-iodrive2-2013"),
        ("virtual machine", "host", "virtual machine, 2 vCPU"),
        ("data/samples/fio-virtual-disk-runs/", "folder", "data/samples/fio-virtual-disk-runs"),
        ("virtual-disk-runs", "folder", "data/samples/fio-virtual-disk-runs"),
        ("EP420i, RAID 5, 24x", "array", "PRAID EP420i, RAID 5, 24 x SAS-12G-SSD"),
        ("drive:iodrive2 1.2tb", "drive", "ioDrive2 1.2TB MLC"),
    ],
)
def test_partial_name_is_found(
    marts: duckdb.DuckDBPyConnection, text: str, kind: str, name: str
) -> None:
    subject = find_subject(marts, text)
    assert (subject.kind, subject.name.removeprefix(f"{Path.cwd()}/")) == (kind, name)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("EP4", "EP4: ambiguous name; choose one of these:\n  controller:PRAID EP400i\n"),
        ("EP999", "EP999: unknown name; the nearest: PRAID EP400i; PRAID EP420i; "),
        ("", ": unknown name"),
        ("%", "%: unknown name"),
    ],
)
def test_unknown_or_ambiguous_name_lists_candidates(
    marts: duckdb.DuckDBPyConnection, text: str, told: str
) -> None:
    with pytest.raises(WarehouseError) as refused:
        find_subject(marts, text)
    assert told in str(refused.value)


def _lab(places: dict[str, str], reasons: dict[str, str]) -> duckdb.DuckDBPyConnection:
    """A warehouse of files; of files with one content, the first by path is measured."""
    first = {content: path for path, content in sorted(places.items(), reverse=True)}
    measured = [
        RUN | {"source_path": path, "is_valid": content not in reasons}
        for content, path in first.items()
    ]  # fmt: skip
    connection = duckdb.connect()
    connection.register("given", _measurements(measured))
    connection.register(
        "notes",
        pl.DataFrame(
            [(path, content, reasons.get(content)) for content, path in first.items()],
            schema=["source_path", "file_id", "validity_note"], orient="row",
        ),
    )  # fmt: skip
    connection.execute(
        "create table rpt_measurements as select *, null as document_title "
        "from given join notes using (source_path); "
        "create view measurements as from rpt_measurements; "
        "create table dim_arrays as select null as array_id, null as array_label; "
        "create schema raw; "
        "create table raw.files (file_id varchar, parser varchar); create table raw.sources "
        "(path varchar, absolute_path varchar, file_id varchar, is_current boolean)"
    )
    for path, content in places.items():
        connection.execute("insert into raw.files values (?, 'fio')", [content])
        connection.execute("insert into raw.sources values (?, ?, ?, true)", [path, path, content])
    return connection


def test_last_path_component_matches_as_a_whole() -> None:
    with _lab({"x/run10/a.json": "a", "y/run1/b.json": "b"}, {}) as connection:
        assert find_subject(connection, "run1") == Subject("folder", "y/run1")


def test_a_folder_of_copies_names_the_original() -> None:
    """lab/b is not taken for lab/bad; a folder with a result of its own is found as usual."""
    places = {
        "lab/a/1.json": "1",
        "lab/b/1.json": "1",
        "lab/bad/2.json": "2",
        "lab/bad/3.json": "1",
    }
    with _lab(places, {}) as connection:
        with pytest.raises(WarehouseError, match="lab/b: only copies of results in lab/a; name"):
            find_subject(connection, "lab/b")
        assert find_subject(connection, "lab/bad").name == "lab/bad"


def test_a_folder_without_a_valid_result_says_why() -> None:
    places = {"lab/good/1.json": "1", "lab/bad/2.json": "2"}
    a, b = Subject("folder", "lab/bad"), Subject("folder", "lab/good")
    with _lab(places, {"2": "fio ended the job with error 5"}) as connection:
        told = _nothing_in_common(connection, a, b)
    assert told == "folder lab/bad has 1 result, none valid: fio ended the job with error 5"


def test_printed_values_are_no_results_of_a_tool() -> None:
    """As in the comparison itself, only own runs count."""
    places = {"lab/run.json": "run", "paper/measurements.csv": "printed"}
    tool, other = Subject("tool", "fio"), Subject("tool", "vdbench")
    with _lab(places, {"run": "fio ended the job with error 5"}) as connection:
        connection.execute(
            "update rpt_measurements set tool_name = 'fio', "
            "document_id = if(file_id = 'printed', 'paper', null)"
        )
        told = _nothing_in_common(connection, tool, other)
    assert told.startswith("tool fio has 1 result, none valid: fio ended the job with error 5")


def test_load_profile_is_found_by_name(marts: duckdb.DuckDBPyConnection) -> None:
    for text in (
        "database", "OLTP 8K", "random-read67-8kib", "random, 67 % read, 8 KiB",
        "8k random 67% read", "100% random, 33% write, 8KB", "8192B random 67/33",
        "load profile:random-read67-8KiB",
    ):  # fmt: skip
        assert find_profile(marts, text) == "random-read67-8KiB"
    assert find_profile(marts, "randwrite 4k") == "random-read0-4KiB"
    with pytest.raises(WarehouseError, match="ambiguous load profile") as refused:
        find_profile(marts, "Sequential read")
    _, *listed = str(refused.value).splitlines()
    assert all("profile:sequential-read100-" in line for line in listed)
    for text in ("Sequential Reads 1M", "seq read 1024k"):
        assert find_profile(marts, text) == "sequential-read100-1MiB"
    for text in ("4k random 120% read", "67% random read 4k", "4k random read QD32"):
        with pytest.raises(WarehouseError, match="unknown load profile; the nearest: random-read"):
            find_profile(marts, text)


def test_two_controllers_of_a_paper(release: Path) -> None:
    """Fujitsu 2016, page 49: up to 28700 and up to 133000 IO/s at RAID 5."""
    command = ("compare", "cp400i", "ep420i", "--profile", "database")
    rows = printed_rows(release, *command)
    (row,) = (row for row in rows if "RAID 5" in row["setting"])
    assert row["factor"] == 133000 / 28700
    assert (row["factor_label"], row["a_pages"]) == ("4.63 x, of maxima", "49")
    for baseline in ("ep420i", "b"):
        turned = printed_rows(release, *command, "--baseline", baseline)
        assert {row["factor"] for row in turned} == {1 / row["factor"] for row in rows}
    assert printed_rows(release, *command, "--baseline", "A") == rows


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("EP420i", "EP420i"), "are the same controller, PRAID EP420i"),
        (("EP420i", "CP400i", "--baseline", "C"), "write A (EP420i) or B (CP400i)"),
        (("EP420i", "last"), "previous can only be compared with last"),
        (("last", "previous"), "too few nights to compare"),
        (("HighPoint", "ioDrive2 785GB MLC"), "at a common load profile"),
        (("EP420i", "CP400i", "--profile", "File"), "File: ambiguous load profile; "),
        ((), "name A and B, or use --tools"),
        (("CP400i",), "name A and B, or use --tools"),
        (("--tools", "CP400i"), "--tools takes only --profile and --format"),
        (("--tools", "--since", "2026-11-20"), "--tools takes only --profile and --format"),
        (("previous", "last", "--baseline", "B"), "last take only --profile and --format"),
        (("last", "previous", "--since", "2026-11-20"), "last take only --profile and --format"),
    ],
)
def test_impossible_comparison_is_refused(
    few_predictions: Path, arguments: tuple[str, ...], told: str
) -> None:
    assert told in refusal(run(few_predictions, "compare", *arguments))
