"""Verdicts on runs, from files to words: a fresh drive, and SNIA's rounds to steady state.

`pytest tests/test_run_verdicts.py --regenerate` draws the pictures of docs/verdicts.md anew.
"""

import csv
import json
import random
from pathlib import Path
from typing import Any

import duckdb
import pytest

from headroom.analyse.report.charts import svg
from ingest.common.vocabulary import VERDICT_RULES
from tests.conftest import ROOT, built_of

DRIVE_BYTES = 480_000_000_000
SIDECAR = """\
server: bench
drive: S4500
drive_count: 1
drives:
  - drive: S4500
    drive_media: SSD
    capacity: 480 GB
"""
HOUR_SECONDS = 3600
START_SECONDS = 1_764_000_000
# Logs of a minute: the share of the full rate in each second, before 3 % noise.
SHAPES: dict[str, list[float]] = {
    "round range": [0.72 if 24 <= second < 36 else 1 for second in range(60)],
    "round slope": [1.09 - 0.18 * second / 60 for second in range(60)],
    "level change": [1 if second < 24 else 0.7 for second in range(60)],
    "noise": [1.25 if second % 2 else 0.75 for second in range(60)],
    "whole load": [1 if second < 42 else 0.5 for second in range(60)],
    "measured time": [1] * 60,
}
PICTURES = ROOT / "docs/pictures"


def fio_run(
    folder: Path,
    name: str,
    started: int,
    seconds: int,
    rw: str,
    bytes_per_second: float,
    **options: str,
) -> None:
    """A result of fio: one job with 32 I/Os of 4 or 128 KiB outstanding on a whole device."""
    block_bytes = 131072 if rw == "write" else 4096
    iops = bytes_per_second / block_bytes
    work = {
        "io_bytes": int(bytes_per_second * seconds),
        "bw_bytes": int(bytes_per_second),
        "bw": int(bytes_per_second / 1024),
        "iops": iops,
        "runtime": seconds * 1000,
        "total_ios": int(iops * seconds),
        "lat_ns": {"min": 1e5, "max": 1e7, "mean": 32 / iops * 1e9, "stddev": 1e4},
    }
    options |= {"rw": rw, "bs": str(block_bytes), "ioengine": "libaio", "iodepth": "32",
                "direct": "1", "runtime": str(seconds), "time_based": "1", "ramp_time": "5",
                "numjobs": "1", "filename": "/dev/sdb"}  # fmt: skip
    job = {"jobname": name, "groupid": 0, "error": 0, "job_runtime": seconds * 1000,
           "usr_cpu": 4.0, "sys_cpu": 9.0, "iodepth_level": {"32": 100.0},
           "job options": options, rw.removeprefix("rand"): work}  # fmt: skip
    result = {"fio version": "fio-3.36", "timestamp": started + seconds, "jobs": [job],
              "disk_util": [{"name": "sdb", "util": 99.0}]}  # fmt: skip
    folder.mkdir(exist_ok=True)
    (folder / f"{started}-{name}.json").write_text(json.dumps(result))


def _logged(folder: Path, shape: list[float], draw: random.Random) -> None:
    """Write a minute of reads with the logs of two processes, one of which may end early."""
    rates = [10_000 * share * draw.gauss(1, 0.03) for share in shape]
    fio_run(folder, "reads", START_SECONDS, 60, "randread", 4096 * sum(rates) / 60,
         write_iops_log="reads")  # fmt: skip
    ends_early = folder.name == "whole load"
    for number in (1, 2):
        lines = [f"{1000 * second}, {rate / (2 * share if ends_early else 2):.0f}, 0, 0, 0\n"
                 for second, (rate, share) in enumerate(zip(rates, shape, strict=True), 1)
                 if number == 1 or not ends_early or share == 1]  # fmt: skip
        (folder / f"reads_iops.{number}.log").write_text("".join(lines))


@pytest.fixture(scope="module")
def building(empty: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    lab = tmp_path_factory.mktemp("lab")
    draw = random.Random(1)
    for name, shape in SHAPES.items():
        _logged(lab / name, shape, draw)
    for name in ("fresh", "unfilled", "pts", "cliff", "minute"):
        (lab / name).mkdir()
        (lab / name / "headroom.yml").write_text(SIDECAR)
    fio_run(lab / "fresh", "randwrite", START_SECONDS, 10, "randwrite", 300e6)
    for number, folder in enumerate(("unfilled", "pts", "cliff")):
        if folder != "unfilled":
            seconds = int(2 * DRIVE_BYTES / 400e6)
            fio_run(lab / folder, "fill", START_SECONDS + number, seconds, "write", 400e6)
        for minute, change in enumerate((0, 4e6, -3e6, 2e6, -1e6)):
            at = START_SECONDS + HOUR_SECONDS + 60 * minute + number
            # SNIA: within 20 % of the mean, and without a slope
            rate = 300e6 / (1 + minute) if folder == "cliff" else 90e6 + change
            fio_run(lab / folder, "randwrite", at, 60, "randwrite", rate)
    fio_run(lab / "minute", "randread", START_SECONDS, 60, "randread", 200e6)
    return built_of([lab], empty, tmp_path_factory.mktemp("warehouse"))


@pytest.fixture(scope="module")
def verdicts(building: Path) -> dict[str, str]:
    """The last verdict of each folder, `verdict: reason`."""
    with duckdb.connect(building, read_only=True) as connection:
        rows = connection.execute(
            "select source_path, verdict || ': ' || reason from marts.rpt_run_verdicts "
            "inner join marts.measurements using (measurement_id) order by measured_at"
        ).fetchall()
    return {path.split("/")[-2]: found for path, found in rows}


def test_ten_seconds_on_a_fresh_drive_are_not_trusted(verdicts: dict[str, str]) -> None:
    assert verdicts["fresh"].startswith("insufficient data: ")
    assert "measured for 10 s, expected at least 60 s" in verdicts["fresh"]
    assert "wrote 3 GB to 480 GB of drives, expected at least 200 %" in verdicts["fresh"]


def test_rounds_on_a_drive_that_was_not_filled_are_not_trusted(verdicts: dict[str, str]) -> None:
    assert verdicts["unfilled"] == (
        "insufficient data: wrote 27.12 GB to 480 GB of drives, expected at least 200 %"
    )


def test_rounds_to_steady_state_after_a_fill_are_trusted(verdicts: dict[str, str]) -> None:
    assert verdicts["pts"] == "trusted: passes every rule that applies"


def test_rounds_that_fall_are_not_steady(verdicts: dict[str, str]) -> None:
    assert verdicts["cliff"].startswith("not steady: the last five runs differ by ")


def test_a_minute_without_a_log_is_not_known_to_be_steady(verdicts: dict[str, str]) -> None:
    assert verdicts["minute"].startswith("insufficient data: no log of ten intervals")


def test_rules_have_one_model_and_documented_words() -> None:
    rows = list(csv.DictReader((ROOT / "dbt_project/seeds/dim_verdict_rules.csv").open()))
    models = "".join(
        path.read_text()
        for path in (ROOT / "dbt_project/models/intermediate/verdicts").glob("int_verdicts__*.sql")
    )
    for rule in VERDICT_RULES:
        assert models.count(f"'{rule}' as rule") == 1, rule
    words = {row["verdict_word"] for row in rows if row["verdict_word"]} | {"trusted"}
    page = (ROOT / "docs/verdicts.md").read_text()
    assert all(f"| `{word}` |" in page for word in words)


def _rows(building: Path, query: str) -> list[dict[str, Any]]:
    with duckdb.connect(building, read_only=True) as connection:
        found = connection.execute(query)
        names = [column[0] for column in found.description]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def _is_drawn(name: str, drawn: str, request: pytest.FixtureRequest) -> bool:
    picture = PICTURES / name
    if request.config.getoption("--regenerate"):
        picture.write_text(drawn + "\n")
    return picture.read_text() == drawn + "\n"


def test_logs_fail_the_rule_of_their_shape(building: Path, request: pytest.FixtureRequest) -> None:
    """The picture has each log with its rule's reason; the dashed line is fio's mean."""
    rows = _rows(
        building,
        """
        select
            rules.rule, rules.rule || ': ' || rules.reason as title, rates.elapsed_seconds as s,
            rates.iops, runs.iops as mean, rules.verdict, rules.rule_order,
        from marts.fct_run_rates as rates
        inner join marts.measurements as runs using (measurement_id)
        inner join marts.fct_run_verdicts as rules using (measurement_id)
        where rules.rule = split_part(runs.source_path, '/', -2)
        order by rules.rule_order, rates.elapsed_seconds
    """,
    )
    found = {row["rule"]: row["verdict"] for row in rows}
    assert found == dict.fromkeys(SHAPES, "failed") | {"measured time": "passed"}
    iops = {"field": "iops", "type": "quantitative", "title": None, "scale": {"domainMin": 0},
            "axis": {"tickCount": 3, "format": "~s"}}  # fmt: skip
    second = {"field": "s", "type": "quantitative", "title": None, "axis": {"tickCount": 6}}
    line = {"mark": {"type": "line", "strokeWidth": 1.2, "color": "#1f3d7a"},
            "encoding": {"x": second, "y": iops}}  # fmt: skip
    mean = {"mark": {"type": "rule", "strokeDash": [4, 3], "color": "#c2571a"},
            "encoding": {"y": {"aggregate": "max", "field": "mean",
                               "type": "quantitative"}}}  # fmt: skip
    header = {"labelAnchor": "start", "labelFontSize": 11, "labelLimit": 420, "title": None}
    spec = {
        "facet": {
            "field": "title",
            "type": "nominal",
            "sort": {"field": "rule_order", "op": "min"},
            "header": header,
        },
        "columns": 2,
        "spec": {"width": 400, "height": 90, "layer": [line, mean]},
    }
    assert _is_drawn("verdict-logs.svg", svg(spec, rows), request)


def test_rules_are_drawn_with_their_margins(
    warehouse: Path, building: Path, request: pytest.FixtureRequest
) -> None:
    """The picture has the values of all runs here relative to each rule's threshold."""
    query = """
        select distinct
            rules.rule_order, rules.rule || ': ' || rules.threshold_label as label, rules.verdict,
            round(least(100, greatest(0.01, if(
                seed.comparison = 'at least',
                rules.value / rules.threshold,
                coalesce(rules.threshold / nullif(rules.value, 0), 100)
            ))), 3) as margin,
        from marts.fct_run_verdicts as rules
        inner join marts.dim_verdict_rules as seed using (rule)
        where rules.threshold_unit != 'yes/no' and rules.verdict in ('passed', 'failed')
        order by all
    """
    rows = sorted(_rows(building, query) + _rows(warehouse / "headroom.duckdb", query),
                  key=lambda row: (row["rule_order"], row["margin"]))  # fmt: skip
    assert all((row["margin"] >= 1) == (row["verdict"] == "passed") for row in rows)
    margin = {"field": "margin", "type": "quantitative", "title": None,
              "scale": {"type": "log", "domain": [0.01, 100]},
              "axis": {"values": [0.01, 0.1, 1, 10, 100],
                       "labelExpr": "datum.value == 1 ? 'threshold' : datum.value + ' x'"},
              }  # fmt: skip
    label = {"field": "label", "type": "nominal", "sort": None, "title": None,
             "axis": {"labelLimit": 300, "ticks": False, "domain": False}}  # fmt: skip
    colour = {"condition": {"test": "datum.verdict == 'passed'", "value": "#3f7fe0"},
              "value": "#c2571a"}  # fmt: skip
    dots = {"mark": {"type": "point", "filled": True, "size": 45, "opacity": 0.7},
            "encoding": {"x": margin, "y": label, "color": colour}}  # fmt: skip
    threshold = {"mark": {"type": "rule", "color": "#4b5262"}, "encoding": {"x": {"datum": 1}}}
    spec = {"width": 560, "height": {"step": 20}, "layer": [threshold, dots]}
    assert _is_drawn("verdict-rules.svg", svg(spec, rows), request)
