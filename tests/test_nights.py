"""Three nights: new results; rows that no measurement has, which hold the release back, beside
impossible values and a torn file, which do not; everything repaired.

A reader reads the published file all the time, and a receiver takes the summaries.
"""

import hashlib
import http.server
import json
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest

from headroom.release.history import Night, begin_night
from headroom.warehouse import Warehouse
from headroom.write import webhook
from headroom.write.nightly import _Run
from tests.conftest import ROOT, run_headroom

SAMPLE = ROOT / "data/samples/fio-virtual-disk"
IMPOSSIBLE_IOPS = 12952880890000
FAILED = ("raw.files.are_measured",)
# Blocks without a session: the models join it, so no measurement has these blocks.
LOST = (
    "insert into raw.iometer_blocks by name "
    "select file_id, 'H1' as header from raw.files cross join range(9)"
)
BROKEN = [f"bad/{folder}/{number}.json" for folder in "ab" for number in range(5)]
SECRET = "T0/B0/not-to-be-printed"


class Receiver(http.server.ThreadingHTTPServer):
    """A webhook that answers with the given statuses, then repeats the last one."""

    def __init__(self, *statuses: int) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.statuses = list(statuses)
        self.received: list[dict[str, str]] = []
        self.url = f"http://127.0.0.1:{self.server_port}/{SECRET}"


class _Handler(http.server.BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.received.append(json.loads(body))
        statuses = self.server.statuses
        self.send_response(statuses.pop(0) if len(statuses) > 1 else statuses[0])
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def receiver(*statuses: int) -> Iterator[Receiver]:
    with Receiver(*statuses) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


class Reader(threading.Thread):
    """Opens the published file again and again, like a user of a board."""

    def __init__(self, published: Path) -> None:
        super().__init__(daemon=True)
        self._published = published
        self._is_done = threading.Event()
        self.seen: set[tuple[Any, ...]] = set()
        self.error: Exception | None = None

    def run(self) -> None:
        query = "select count(*), max(iops) < 1e9, count(distinct source_path) from {}"
        try:
            is_last = False
            while not is_last:
                is_last = self._is_done.wait(0.5)
                with duckdb.connect(self._published, read_only=True) as connection:
                    rows = connection.execute(query.format("marts.measurements")).fetchall()
                self.seen.update(rows)
        except Exception as error:
            self.error = error

    def stop(self) -> None:
        self._is_done.set()
        self.join()


@dataclass
class After:
    """The state after a night."""

    result: subprocess.CompletedProcess[str]
    release: str
    content: str
    received: list[dict[str, str]]
    status: str
    quiet: subprocess.CompletedProcess[str]  # status --quiet


@dataclass
class Nights:
    warehouse: Path
    after: list[After]
    refused: subprocess.CompletedProcess[str]  # `headroom publish` after the second night
    reader: Reader

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Query the published history."""
        with duckdb.connect(self.warehouse / "nights.duckdb", read_only=True) as connection:
            return connection.execute(query).fetchall()


def _night(warehouse: Path, lab: Path, *statuses: int) -> After:
    with receiver(*statuses) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("HEADROOM_WEBHOOK_URL", server.url)
        patch.setenv("GREAT_EXPECTATIONS", "1")  # see tests/forked.py
        result = run_headroom(warehouse, "nightly", lab)
    published = (warehouse / "headroom.duckdb").resolve()
    content = hashlib.sha256(published.read_bytes()).hexdigest()
    status = run_headroom(warehouse, "status").stdout
    quiet = run_headroom(warehouse, "status", "--quiet")
    return After(result, published.name, content, server.received, status, quiet)


def _first_job(text: str, name: str, iops: float) -> str:
    """The run's first job with another fio version, name and rate."""
    run = json.loads(text)
    run["fio version"] = "fio-4.0"
    run["jobs"] = [run["jobs"][0] | {"jobname": name}]
    run["jobs"][0]["read"]["iops"] = iops
    return json.dumps(run)


@pytest.fixture(scope="module")
def nights(empty: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nights]:
    folder = tmp_path_factory.mktemp("nights")
    warehouse, lab = folder / "warehouse", folder / "lab"
    warehouse.mkdir()
    shutil.copy(empty, warehouse)
    shutil.copytree(SAMPLE, lab)
    run = (lab / "2026-11-21-libaio.json").read_text()
    after = [_night(warehouse, lab, 200)]
    reader = Reader(warehouse / "headroom.duckdb")
    reader.start()
    (lab / "second.json").write_text(run.replace("12952.880890", f"{IMPOSSIBLE_IOPS}"))
    (lab / "third.json").write_text(run[: len(run) // 2])
    for name in BROKEN:
        (lab / name).parent.mkdir(parents=True, exist_ok=True)
        (lab / name).write_text(_first_job(run, f"fio-4.0 {name}", IMPOSSIBLE_IOPS))
    with duckdb.connect(warehouse / "building.duckdb") as connection:
        connection.execute(LOST)
    after.append(_night(warehouse, lab, 500, 503, 200))
    refused = run_headroom(warehouse, "publish")
    for name in ("second", "third"):
        (lab / f"{name}.json").write_text(run.replace("fio-3.33", f"fio-3.33-{name}"))
    for name in BROKEN:
        (lab / name).write_text(_first_job(run, f"fio-4.0 {name}", 12952))
    with duckdb.connect(warehouse / "building.duckdb") as connection:
        connection.execute("delete from raw.iometer_blocks")
    after.append(_night(warehouse, lab, 500))
    reader.stop()
    yield Nights(warehouse, after, refused, reader)


def test_each_night_is_a_row_of_the_published_history(nights: Nights) -> None:
    critical = f"critical checks failed, nothing published: {', '.join(FAILED)}"
    first, _, third = (after.release for after in nights.after)
    assert nights.rows(
        "select status, reason, file_loaded_count, file_unchanged_count, file_quarantined_count, "
        "measurement_count, critical_failed_count, release, is_latest "
        "from quality.nightly_runs order by started_at"
    ) == [
        ("published", None, 1, 0, 0, 5, 0, first, False),
        ("held back", critical, 11, 1, 1, 20, 1, None, False),
        ("published", None, 12, 1, 0, 25, 0, third, True),
    ]
    assert nights.rows(
        "select count(*) from quality.nightly_runs where started_at < ended_at "
        "and check_passed_count > 0 and run_id = strftime(started_at, '%Y%m%dT%H%M%SZ')"
    ) == [(3,)]


def test_the_checks_of_every_night_are_kept(nights: Nights) -> None:
    assert nights.rows(
        "select is_passed, severity, failing_row_count, results.is_latest "
        "from quality.check_results as results join quality.nightly_runs using (run_id) "
        f"where check_id = '{FAILED[0]}' order by started_at"
    ) == [
        (True, "critical", 0, False),
        (False, "critical", 1, False),
        (True, "critical", 0, True),
    ]


def test_impossible_values_are_reported(nights: Nights) -> None:
    told = "FAILED warning marts.measurements.implausible_results"
    assert [told in after.result.stdout for after in nights.after] == [False, True, False]


def test_held_back_night_keeps_the_published_release(nights: Nights) -> None:
    first, second, third = nights.after
    assert [after.result.returncode for after in nights.after] == [0, 1, 0]
    assert (second.release, second.content) == (first.release, first.content)
    assert third.release > first.release
    assert "held back" in second.status
    assert str(nights.warehouse.parent / "lab/third.json") in second.status
    assert "Nothing is quarantined" in third.status


def test_quiet_status_reports_a_held_back_night(nights: Nights) -> None:
    assert [after.quiet.returncode for after in nights.after] == [0, 1, 0]
    assert not any(after.quiet.stdout for after in nights.after)
    first, second, third = (after.quiet.stderr for after in nights.after)
    assert first == third == ""
    assert "held back: critical checks failed" in second
    assert len(second.splitlines()) == 1


def test_publish_command_refuses_failed_checks(nights: Nights) -> None:
    for check_id in FAILED:
        assert f"FAILED critical {check_id}" in nights.after[1].result.stdout
    assert nights.refused.returncode == 1
    assert "critical checks failed, nothing published" in nights.refused.stderr


def test_release_records_itself_as_published(nights: Nights) -> None:
    with duckdb.connect(nights.warehouse / "headroom.duckdb", read_only=True) as connection:
        latest = "select status, release from quality.nightly_runs where is_latest"
        assert connection.execute(latest).fetchall() == [("published", nights.after[2].release)]


def test_the_data_docs_show_the_last_night(nights: Nights) -> None:
    folder = nights.warehouse / "data_docs/validations/marts/measurements"
    (page,) = folder.glob("*/*/*.html")
    assert nights.rows("select run_id from quality.nightly_runs where is_latest") == [
        (page.relative_to(folder).parts[0],)
    ]
    assert "iops is physically possible" in page.read_text()


def test_a_reader_only_ever_sees_good_data(nights: Nights) -> None:
    assert nights.reader.error is None
    assert nights.reader.seen == {(5, True, 1), (25, True, 13)}


def test_posting_the_summary_is_retried(nights: Nights) -> None:
    first, second, third = nights.after
    assert [len(after.received) for after in nights.after] == [1, 3, 3]
    for after in nights.after:
        assert after.received[-1]["text"] in after.result.stdout
    assert "files: 1 loaded, 0 unchanged, 0 quarantined" in first.received[0]["text"]
    failed = "failed: " + ", ".join(f"critical {check_id}" for check_id in FAILED)
    assert failed in second.received[2]["text"]
    assert "webhook" not in first.result.stderr + second.result.stderr
    assert "posting the summary to the webhook failed: HTTP status 500" in third.result.stderr


def test_the_log_has_every_step_and_no_secret(nights: Nights) -> None:
    text = (nights.warehouse / "nightly.log").read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    steps = ["started", "ingested", "built", "checked"]
    refused = [line for line in lines if line["event"] == "quarantined"]
    assert [line["event"] for line in lines if line not in refused] == [
        *steps, "published", *steps, "held back", *steps, "published", "webhook failed",
    ]  # fmt: skip
    assert len({line["run_id"] for line in lines}) == 3
    assert all(line["seconds"] >= 0 for line in lines if line not in refused)
    (second,) = {line["run_id"] for line in refused}
    assert [line["event"] for line in lines if line["run_id"] == second][-1] == "held back"
    assert all("lab/third.json" in place for line in refused for place in line["places"])
    printed = [after.result.stdout + after.result.stderr for after in nights.after]
    assert SECRET not in text + "".join(printed)


@pytest.mark.parametrize(
    ("published", "outcome"),
    [
        ("headroom-2.duckdb", ("published", None, "headroom-2.duckdb")),
        ("headroom-1.duckdb", ("failed", "interrupted", None)),
    ],
)
def test_stopped_night_records_the_published_release(
    tmp_path: Path, published: str, outcome: tuple[str | None, ...]
) -> None:
    (tmp_path / "headroom.duckdb").symlink_to(published)
    run = _Run(Warehouse(tmp_path))
    run.night.end("published", release="headroom-2.duckdb")
    run.stop(KeyboardInterrupt())
    assert (run.night.status, run.night.reason, run.night.release) == outcome


def test_killed_night_is_recorded_as_failed(tmp_path: Path) -> None:
    with Warehouse(tmp_path).open_building(must_exist=False) as connection:
        nights = [Night(), Night()]
        for night in nights:
            begin_night(connection, night)
        assert nights[0].run_id != nights[1].run_id
        assert connection.execute(
            "select status, reason, ended_at, file_loaded_count, is_latest "
            "from quality.nightly_runs order by started_at"
        ).fetchall() == [
            ("failed", "did not end: killed or crashed", None, None, False),
            ("running", None, None, None, True),
        ]


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        (f"http://127.0.0.1:1/{SECRET}", "Connection refused"),
        (f"htp:{SECRET}", "InvalidSchema"),
        (SECRET, "MissingSchema"),
        (f"http://127.0.0.1:{SECRET}", "InvalidURL"),
    ],
)
def test_webhook_failure_does_not_reveal_its_url(
    monkeypatch: pytest.MonkeyPatch, url: str, problem: str
) -> None:
    monkeypatch.setattr(webhook, "_PAUSE_SECONDS", 0)
    monkeypatch.setenv("HEADROOM_WEBHOOK_URL", url)
    assert webhook.post("text") == problem


def test_webhook_url_may_come_from_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("HEADROOM_WEBHOOK_URL", raising=False)
    monkeypatch.setenv("HEADROOM_WEBHOOK_URL_FILE", str(tmp_path / "url"))
    assert webhook.post("text") == "HEADROOM_WEBHOOK_URL_FILE: No such file or directory"
    with receiver(200) as server:
        (tmp_path / "url").write_text(f"{server.url}\n")
        assert webhook.post("text") is None
        assert server.received == [{"text": "text"}]
    (tmp_path / "url").write_text("")
    assert webhook.post("text") is None


@pytest.mark.parametrize(
    ("statuses", "count", "problem"),
    [((500, 429, 200), 3, None), ((404,), 3, "HTTP status 404"), ((204,), 1, None)],
)
def test_a_webhook_is_tried_three_times(
    monkeypatch: pytest.MonkeyPatch, statuses: tuple[int, ...], count: int, problem: str | None
) -> None:
    monkeypatch.setattr(webhook, "_PAUSE_SECONDS", 0)
    with receiver(*statuses) as server:
        monkeypatch.setenv("HEADROOM_WEBHOOK_URL", server.url)
        assert webhook.post("text") == problem
        assert server.received == [{"text": "text"}] * count
