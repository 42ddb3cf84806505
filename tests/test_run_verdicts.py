"""Verdicts on runs, from files to words: a fresh drive, and SNIA's rounds to steady state."""

import csv
import json
from pathlib import Path

import duckdb
import pytest

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


def _run(
    folder: Path, name: str, started: int, seconds: int, rw: str, bytes_per_second: float
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
    options = {"rw": rw, "bs": str(block_bytes), "ioengine": "libaio", "iodepth": "32",
               "direct": "1", "runtime": str(seconds), "time_based": "1", "ramp_time": "5",
               "numjobs": "1", "filename": "/dev/sdb"}  # fmt: skip
    job = {"jobname": name, "groupid": 0, "error": 0, "job_runtime": seconds * 1000,
           "usr_cpu": 4.0, "sys_cpu": 9.0, "iodepth_level": {"32": 100.0},
           "job options": options, rw.removeprefix("rand"): work}  # fmt: skip
    result = {"fio version": "fio-3.36", "timestamp": started + seconds, "jobs": [job],
              "disk_util": [{"name": "sdb", "util": 99.0}]}  # fmt: skip
    folder.mkdir(exist_ok=True)
    (folder / f"{started}-{name}.json").write_text(json.dumps(result))


@pytest.fixture(scope="module")
def verdicts(empty: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The last verdict of each folder, `verdict: reason`."""
    lab = tmp_path_factory.mktemp("lab")
    for name in ("fresh", "unfilled", "pts", "cliff", "minute"):
        (lab / name).mkdir()
        (lab / name / "headroom.yml").write_text(SIDECAR)
    _run(lab / "fresh", "randwrite", START_SECONDS, 10, "randwrite", 300e6)
    for number, folder in enumerate(("unfilled", "pts", "cliff")):
        if folder != "unfilled":
            seconds = int(2 * DRIVE_BYTES / 400e6)
            _run(lab / folder, "fill", START_SECONDS + number, seconds, "write", 400e6)
        for minute, change in enumerate((0, 4e6, -3e6, 2e6, -1e6)):
            at = START_SECONDS + HOUR_SECONDS + 60 * minute + number
            # SNIA: within 20 % of the mean, and without a slope
            rate = 300e6 / (1 + minute) if folder == "cliff" else 90e6 + change
            _run(lab / folder, "randwrite", at, 60, "randwrite", rate)
    _run(lab / "minute", "randread", START_SECONDS, 60, "randread", 200e6)
    building = built_of([lab], empty, tmp_path_factory.mktemp("warehouse"))
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
    assert verdicts["minute"].startswith("insufficient data: no log of 10 intervals")


def test_each_rule_is_of_one_topic_and_in_the_words_of_the_documents() -> None:
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
