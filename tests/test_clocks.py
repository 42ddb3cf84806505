"""A clock that is set back, or to 2099 for a night, loses no results and hides no nights."""

import datetime
import json
import os
import random
import shutil
from pathlib import Path
from types import SimpleNamespace

import duckdb
import pytest

from headroom.read.status import NIGHT_QUERIES, last_failure
from headroom.release.history import (
    Night,
    Status,
    begin_night,
    prepare_history,
    record_night,
)
from headroom.release.publish import publish, publish_nights
from headroom.release.releases import prune, release_warehouse, releases_of
from headroom.release.restore import restore
from headroom.release.stage import set_stage
from headroom.warehouse import Warehouse
from headroom.write.verify import verify
from ingest.records import recorder
from ingest.records.recorder import utc_now
from tests.lab import WarehouseLab, harm
from tests.test_verify import lab

__all__ = ["lab"]
AN_HOUR_BACK = datetime.timedelta(hours=-1)
IN_2099 = datetime.datetime(2099, 1, 1) - datetime.datetime(2026, 11, 24)
RIGHT = datetime.timedelta()
OFFSETS = [RIGHT, AN_HOUR_BACK, IN_2099, RIGHT, AN_HOUR_BACK]
STEPS = 5 if "CLOCKS" in os.environ else 2


class Clock:
    """A wrong clock for this process: only `utc_now`, which names and dates files and rows."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.offset = datetime.timedelta()
        fake = SimpleNamespace(datetime=self, UTC=datetime.UTC)
        patch.setattr(recorder, "datetime", fake)

    def now(self, zone: datetime.tzinfo) -> datetime.datetime:
        return datetime.datetime.now(zone) + self.offset


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def _sources_of_archive(lab: WarehouseLab, folder: Path) -> int:
    alone = Warehouse(folder)
    shutil.copytree(lab.warehouse.archive.folder, alone.archive.folder)
    return restore(alone).source_count


def test_archive_restores_everything_despite_wrong_clocks(
    lab: WarehouseLab, clock: Clock, tmp_path: Path
) -> None:
    for number, clock.offset in enumerate(OFFSETS):
        lab.add(f"{number}.json", f"fio-3.{number}")
        lab.ingest()
    assert _sources_of_archive(lab, tmp_path / "restored") == len(OFFSETS)


def test_older_archive_is_read_and_continued(lab: WarehouseLab, tmp_path: Path) -> None:
    """Only the time names its ledger files."""
    lab.add("old.json", "fio-3.1")
    lab.ingest()
    (old,) = lab.warehouse.archive.ledger.glob("*.json")
    now = datetime.datetime.now(datetime.UTC) + IN_2099
    old.rename(old.with_name(f"{now:%Y%m%dT%H%M%S%fZ}.json"))
    assert _sources_of_archive(lab, tmp_path / "old") == 1
    lab.add("new.json", "fio-3.2")
    lab.ingest()
    assert _sources_of_archive(lab, tmp_path / "new") == 2


def test_the_newest_release_is_the_one_published_last(lab: WarehouseLab, clock: Clock) -> None:
    warehouse = lab.warehouse
    lab.ingest(lab.add())
    names = []
    for clock.offset in OFFSETS:
        names.append(f"headroom-{utc_now():%Y%m%dT%H%M%S%fZ}.duckdb")
        release_warehouse(warehouse, names[-1], lambda _: None)
    assert [one.name for one in releases_of(warehouse, warehouse.published)] == names
    warehouse.published.unlink()
    prune(warehouse, 2)
    assert [one.name for one in releases_of(warehouse, warehouse.published)] == names[-2:]


def _night(lab: WarehouseLab, status: Status, reason: str) -> None:
    night = Night()
    with lab.warehouse.open_building() as connection:
        begin_night(connection, night)
        night.end(status, reason=reason)
        record_night(connection, night)
    publish_nights(lab.warehouse)


def test_status_shows_the_last_night_despite_wrong_clocks(lab: WarehouseLab, clock: Clock) -> None:
    lab.ingest(lab.add())
    statuses: tuple[Status, ...] = ("failed", "published", "failed", "published", "failed")
    for number, clock.offset in enumerate(OFFSETS):
        _night(lab, statuses[number], f"reason {number}")
        failure = last_failure(lab.warehouse) or ""
        assert failure.endswith(f"failed: reason {number}") == (statuses[number] == "failed")
    ((_, _, last_nights),) = [one for one in NIGHT_QUERIES if one[0] == "Last nights"]
    with lab.warehouse.open_quality() as connection:
        reasons = [row[-1] for row in connection.execute(last_nights).fetchall()]
    assert reasons == [f"reason {number}" for number in (4, 3, 2, 1, 0)]


def test_failed_night_only_in_the_log_is_shown(lab: WarehouseLab, clock: Clock) -> None:
    lab.ingest(lab.add())
    _night(lab, "published", "")
    clock.offset = AN_HOUR_BACK
    with lab.warehouse.open_quality() as connection:
        ((published,),) = connection.execute("select run_id from quality.nightly_runs").fetchall()
    events = {published: "published", Night().run_id: "failed"}
    lab.warehouse.log.write_text(
        "".join(json.dumps({"run_id": one, "event": event}) + "\n" for one, event in events.items())
    )
    assert last_failure(lab.warehouse) == f"night {[*events][1]} failed: None"


def test_release_is_newer_than_earlier_nights(lab: WarehouseLab, clock: Clock) -> None:
    """The order of publication counts: file times come from a clock, too."""
    warehouse = lab.warehouse
    lab.ingest(lab.add())
    _night(lab, "held back", "before")
    for path in (warehouse.nights, warehouse.nights.resolve()):
        os.utime(path, (4e9, 4e9))
    release_warehouse(warehouse, "headroom-1.duckdb", _publish)
    assert last_failure(warehouse) is None


def _publish(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("update quality.nightly_runs set status = 'published'")


def _harm_release(link: Path, any_: random.Random) -> None:
    """Damage a release, or remove it or the link to it."""
    lost = any_.choice([link, link.resolve(), None])
    if lost:
        lost.unlink()
    else:
        harm(link.resolve(), any_.random() * 0.9)


@pytest.mark.parametrize("seed", range(int(os.environ.get("CLOCKS", "1"))))
def test_wrong_clocks_and_damaged_releases_lose_nothing(
    lab: WarehouseLab, clock: Clock, tmp_path: Path, seed: int
) -> None:
    """Removed and damaged files are found and repaired; CLOCKS=60 in `make torture`."""
    warehouse, any_ = lab.warehouse, random.Random(seed)
    for number in range(1, STEPS + 1):
        clock.offset = any_.choice([RIGHT, AN_HOUR_BACK, IN_2099, datetime.timedelta(days=-9999)])
        lab.add(f"{number}.json", f"fio-3.{number}")
        lab.ingest()
        with warehouse.open_building() as connection:
            connection.execute(
                "create schema if not exists marts; create schema if not exists built"
            )
            prepare_history(connection)
            set_stage(connection, "checked")
        publish(warehouse)
        status: Status = any_.choice(["published", "failed"])
        _night(lab, status, f"{number}")
        told = last_failure(warehouse)
        assert (told or "").endswith(f"failed: {number}") == (status == "failed"), told
        if link := any_.choice([warehouse.published, warehouse.nights, None]):
            _harm_release(link, any_)
            assert [*verify(warehouse).damages()]
        is_rebuilt = number > 1 and any_.random() < 0.3
        if is_rebuilt:
            warehouse.building.unlink()
        assert [*lab.repair().damages()] == []
        assert last_failure(warehouse) == told
        with warehouse.open_published() as connection:
            ((count,),) = connection.execute("select count(*) from raw.sources").fetchall()
        assert count == number or is_rebuilt
    assert _sources_of_archive(lab, tmp_path / "alone") == number
