"""Results of the command that docs/fio.md recommends are loaded as the page says.

tests/fio_page/ has the output of fio 3.33, run as on the page but with less data and time.
"""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from tests.conftest import ROOT, built_of

PAGE = (ROOT / "docs/fio.md").read_text()
RESULTS = ROOT / "tests/fio_page"
COMMAND = re.findall(r"^    (fio (?s:.*?)\.json)$", PAGE, re.MULTILINE)[0]
OPTIONS = dict(
    word.removeprefix("--").split("=") for word in shlex.split(COMMAND.replace("\\\n", ""))[1:]
)


@pytest.fixture(scope="module")
def marts(
    empty: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[duckdb.DuckDBPyConnection]:
    built = built_of([RESULTS], empty, tmp_path_factory.mktemp("page"))
    with duckdb.connect(built, read_only=True) as connection:
        yield connection


def test_results_come_from_the_documented_command() -> None:
    """fio recorded each of its options, because each has a value."""
    (job,) = json.loads((RESULTS / "database.json").read_text())["jobs"]
    of_the_run = {"size": "512M", "ramp_time": "2", "runtime": "5"}
    of_the_output = {"output", "output-format"}
    recorded = {name: OPTIONS[name] for name in OPTIONS.keys() - of_the_output}
    assert job["job options"] == recorded | of_the_run


def test_every_option_is_explained() -> None:
    explained = re.findall(
        r"`--([\w-]+)", "".join(re.findall(r"^\| `--.*? \|", PAGE, re.MULTILINE))
    )
    assert set(explained) == OPTIONS.keys() - {"name", "filename", "output"}


def test_it_is_a_valid_database_load_without_a_condition(marts: duckdb.DuckDBPyConnection) -> None:
    rows = marts.execute(
        "select profile_id, outstanding_io_count, worker_count, condition, is_valid, validity_note "
        "from marts.measurements where source_format = 'fio'"
    ).fetchall()
    assert rows == [("random-read67-8KiB", 64, 4, None, True, None)]


def test_its_percentiles_are_exact(marts: duckdb.DuckDBPyConnection) -> None:
    query = "select distinct direction, method from marts.fct_latency_percentiles order by all"
    methods = marts.execute(query).fetchall()
    assert methods == [("mixed", "merged bins"), ("read", "printed"), ("write", "printed")]


def test_its_log_is_joined(marts: duckdb.DuckDBPyConnection) -> None:
    """For each process and direction; their means add up to the run's IOPS."""
    (row,) = marts.execute(
        """
        with processes as (
            select measurement_id, job_number, direction, avg(iops) as iops
            from marts.fct_time_series
            group by all
        )
        select count(*), sum(processes.iops), any_value(measurements.iops)
        from processes
        inner join marts.measurements as measurements using (measurement_id)
        """
    ).fetchall()
    count, logged_iops, iops = row
    assert count == 4 * 2
    assert logged_iops == pytest.approx(iops, rel=0.02)
