"""Moments: times as names, each later than the one before it, whatever the clock says."""

import re
from datetime import datetime, timedelta

from ingest.records.recording import utc_now

_TIME = "%Y%m%dT%H%M%S%fZ"


def next_moment(last: str | None) -> str:
    """Now; if the clock was set back since the last moment, or was ahead then, just after it."""
    now = utc_now()
    if last:
        now = max(now, _time_of(last) + timedelta(microseconds=1))
    return f"{now:{_TIME}}"


def is_moment(text: str) -> bool:
    """Of any clock, however wrong, after which another moment can come."""
    try:
        is_time = _time_of(text).year < datetime.max.year
    except ValueError:
        return False
    return is_time and re.fullmatch(r"\d{8}T\d{12}Z", text) is not None


def _time_of(moment: str) -> datetime:
    return datetime.strptime(moment, _TIME)
