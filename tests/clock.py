"""A wrong clock for this process: only `utc_now`, which names and dates files and rows."""

import datetime
from types import SimpleNamespace

import pytest

from ingest.records import recorder

AN_HOUR_BACK = datetime.timedelta(hours=-1)
IN_2099 = datetime.datetime(2099, 1, 1) - datetime.datetime(2026, 11, 24)


class Clock:
    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.offset = datetime.timedelta()
        fake = SimpleNamespace(datetime=self, UTC=datetime.UTC)
        patch.setattr(recorder, "datetime", fake)

    def now(self, zone: datetime.tzinfo) -> datetime.datetime:
        return datetime.datetime.now(zone) + self.offset


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)
