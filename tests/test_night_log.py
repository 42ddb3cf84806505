"""What `status` shows of nights that are missing from the published history."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from headroom.read.night_log import unpublished_nights
from headroom.read.status import last_failure, status
from headroom.release.history import Night, begin_night, record_night
from headroom.release.releases import release_nights
from headroom.warehouse import Warehouse, WarehouseError
from headroom.write import nightly

KILLED = "did not end: killed or crashed"


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    return Warehouse(tmp_path)


def _log(warehouse: Warehouse, run_id: str, event: str, **facts: str) -> None:
    with warehouse.log.open("a") as file:
        file.write(json.dumps({"run_id": run_id, "event": event} | facts) + "\n")


def test_file_names_are_logged_unchanged(warehouse: Warehouse) -> None:
    places = ["Größe/日本.json", "\udcff"]
    nightly._Run(warehouse)._log("quarantined", places=places)
    line = warehouse.log.read_text()
    assert "Größe/日本.json" in line
    assert json.loads(line)["places"] == places


def test_unfinished_night_is_reported_first(
    warehouse: Warehouse, capsys: pytest.CaptureFixture[str]
) -> None:
    _log(warehouse, "20261120T023000Z", "published")
    _log(warehouse, "20261121T023000Z", "started")
    _log(warehouse, "20261121T023000Z", "ingested")
    assert last_failure(warehouse) == f"night 20261121T023000Z failed: {KILLED}"
    with pytest.raises(WarehouseError, match="nothing published yet"):
        status(warehouse)
    assert capsys.readouterr().out.splitlines()[0] == f"night 20261121T023000Z failed: {KILLED}"


_HOLD = """
import sys, time
from pathlib import Path
from headroom.warehouse import Warehouse
with Warehouse(Path(sys.argv[1])).lock():
    print("locked", flush=True)
    sys.stdin.read()
"""


def test_running_night_is_not_a_failure(warehouse: Warehouse) -> None:
    _log(warehouse, "20261121T023000Z", "failed", reason="no such file")
    _log(warehouse, "20261122T023000Z", "started")
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD, warehouse.folder],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])},
    ) as night:  # fmt: skip
        assert night.stdout and night.stdout.readline() == "locked\n"
        running, failed = unpublished_nights(warehouse, set())
        assert (running.status, failed.reason) == ("running", "no such file")
        assert last_failure(warehouse) == "night 20261121T023000Z failed: no such file"
        night.kill()
    assert last_failure(warehouse) == f"night 20261122T023000Z failed: {KILLED}"


def test_night_in_the_history_is_reported_once(warehouse: Warehouse) -> None:
    night = Night()
    with warehouse.open_building(must_exist=False) as connection:
        begin_night(connection, night)
        night.end("failed", reason="a bad paper")
        record_night(connection, night)
    release_nights(warehouse, "nights-1.duckdb")
    _log(warehouse, night.run_id, "started")
    _log(warehouse, night.run_id, "failed", reason="a bad paper")
    assert unpublished_nights(warehouse, {night.run_id}) == []
    assert last_failure(warehouse) == f"night {night.run_id} failed: a bad paper"
    _log(warehouse, "99990101T000000Z", "restoring", reason="building.duckdb is missing")
    with warehouse.log.open("a") as file:
        file.write('{"run_id": "torn')
    assert last_failure(warehouse) == f"night 99990101T000000Z failed: {KILLED}"
