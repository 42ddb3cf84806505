"""Messages of ingest, a night and status: each once, in words, with a working remedy."""

import json
import re
from pathlib import Path

import duckdb
import pytest

from headroom.read.status import PUBLISHED_QUERIES
from headroom.release.failed_checks import failed_checks
from headroom.write.ingest_summary import refusals
from ingest.common.errors import InputError
from ingest.records.recorder import Outcome
from ingest.systems.sidecar.fields import Sidecar
from tests.conftest import ROOT, Headroom
from tests.in_process import run

_REMEDIES = ROOT / "dbt_project/models/marts/rpt_missing_ceilings.sql"
_LIMITS = ROOT / "dbt_project/macros/limits.sql"


def test_refusals_with_the_same_reason_share_a_line(headroom: Headroom, tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"{number}.json").write_text("notes")
    brief = headroom("ingest", tmp_path).stdout.splitlines()
    assert len(brief) == 3
    assert re.fullmatch(r"none +\S+\.json: is not JSON.* \(and 29 more\)", brief[2])
    detailed = headroom("ingest", "--verbose", tmp_path).stdout
    assert detailed.count(".json: is not JSON") == 30


def test_reasons_beyond_twenty_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    errors = [InputError("a.json", f"reason {number}", line=number + 1) for number in range(25)]
    refusals([Outcome("a.json", "quarantined", "fio", errors=errors)])
    lines = capsys.readouterr().out.splitlines()
    assert (len(lines), lines[1]) == (22, "fio     a.json:1: reason 0")
    assert lines[-1] == "and 5 more reasons: see quality.quarantined_files"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nosuch"], "nosuch: no such file or folder"),
        (["--nosuch"], "No such option"),
    ],
)
def test_wrong_arguments_start_no_night(
    headroom: Headroom, tmp_path: Path, arguments: list[str], told: str
) -> None:
    refused = headroom("nightly", *arguments)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert told in refused.stderr
    assert not [*tmp_path.glob("warehouse/*")]


def test_failed_check_is_described_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    row = {
        "check_id": "marts.measurements.fast", "severity": "warning", "is_passed": False,
        "description": "it is too fast", "observed": "2", "failing_row_count": 2,
        "bound": "iops.max = 9", "sample_rows": json.dumps([
            {"source_path": "lab/a.json", "source_position": "jobs[0] db", "iops": 10.5,
             "raid_level": None, "min_iops": 1},
            {"source_path": None, "document_id": "paper", "page": 7, "iops": 11},
        ]),
    }  # fmt: skip
    broken = row | {"failing_row_count": None, "observed": "no column", "sample_rows": None}
    failed_checks([row, broken, row | {"is_passed": True}])
    assert capsys.readouterr().out.splitlines() == [
        "  FAILED warning marts.measurements.fast: it is too fast (2 rows; bound iops.max = 9)",
        "    lab/a.json, jobs[0] db: iops 10.5, min iops 1",
        "    paper, page 7: iops 11",
        "  FAILED warning marts.measurements.fast: it is too fast (could not be run: no column)",
    ]


def test_status_does_not_count_samples_as_own_results(release: Path) -> None:
    shown = run(release, "status").stdout
    assert shown.startswith("No results of your own yet (the samples are examples)\nLast nights")
    assert "[{" not in shown


def test_status_says_that_the_papers_are_not_loaded() -> None:
    ((_, _, query),) = [one for one in PUBLISHED_QUERIES if "--papers" in one[0]]
    with duckdb.connect() as connection:
        connection.execute("create schema marts; create table marts.dim_documents (id varchar)")
        assert connection.execute(query).fetchall() == [(0,)]
        connection.execute("insert into marts.dim_documents values ('a paper')")
        assert not connection.execute(query).fetchall()


def test_every_remedy_for_a_missing_ceiling_exists() -> None:
    """Each reason for a missing link limit has one; a field is one of headroom.yml, a page
    exists."""
    text = _REMEDIES.read_text()
    given = re.findall(r"then (?:concat_ws)?'?([a-z_]+):|'([a-z_]+):'", text)
    fields = {one or other for one, other in given}
    of_load = {"access_pattern", "read_percent"}
    assert fields == {"drive_interface", "drive_count", "raid_level", *of_load}
    assert fields <= {*Sidecar.__struct_fields__}
    pages = re.findall(r"\((docs/[\w.]+)\)", text)
    assert pages and all((ROOT / page).exists() for page in pages)
    of_links = _LIMITS.read_text().partition("macro limits_of_links(")[2]
    disk = of_links.split("union all")[0]
    reasons = {*re.findall(r"then '([^']+)'", disk)}
    with_field = {*re.findall(r"when '([^']+)'\s+then", text)}
    assert with_field == reasons
