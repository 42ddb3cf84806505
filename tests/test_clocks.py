"""A clock that was set back, or was in 2099 for a night, loses nothing and hides nothing."""

import datetime
import shutil
from pathlib import Path

import pytest

from headroom.publish import KEPT_RELEASES
from headroom.releases import prune, releases_of
from headroom.restore import restore
from headroom.warehouse import Warehouse
from tests.clock import AN_HOUR_BACK, IN_2099, Clock, clock
from tests.test_verify import Lab, lab

__all__ = ["clock", "lab"]
RIGHT = datetime.timedelta()
WRONG = pytest.mark.parametrize("offset", [AN_HOUR_BACK, IN_2099], ids=["back", "2099"])


def _sources_of_archive(lab: Lab, folder: Path) -> int:
    alone = Warehouse(folder)
    shutil.copytree(lab.warehouse.archive.folder, alone.archive.folder)
    return restore(alone).source_count


@WRONG
def test_the_archive_alone_has_what_was_loaded_by_any_clock(
    lab: Lab, clock: Clock, tmp_path: Path, offset: datetime.timedelta
) -> None:
    for number, clock.offset in enumerate([RIGHT, offset, offset, RIGHT, RIGHT]):
        lab.add(f"{number}.json", f"fio-3.{number}")
        lab.ingest()
        assert _sources_of_archive(lab, tmp_path / f"restored-{number}") == number + 1


@WRONG
def test_an_archive_of_an_older_version_is_read_and_goes_on(
    lab: Lab, clock: Clock, tmp_path: Path, offset: datetime.timedelta
) -> None:
    """Its lists are named by the time alone."""
    lab.add("old.json", "fio-3.1")
    lab.ingest()
    (old,) = lab.warehouse.archive.ledger.glob("*.json")
    now = datetime.datetime.now(datetime.UTC) + offset
    old.rename(old.with_name(f"{now:%Y%m%dT%H%M%S%fZ}.json"))
    assert _sources_of_archive(lab, tmp_path / "old") == 1
    lab.add("new.json", "fio-3.2")
    lab.ingest()
    assert _sources_of_archive(lab, tmp_path / "new") == 2
