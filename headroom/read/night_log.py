"""Nights that are in `nightly.log` but not in the published history.

A killed night logged no end. After a full disk or a damaged file the end of a night is only here.
"""

import json
import os
from collections.abc import Container, Iterable
from typing import Any, NamedTuple

from headroom.warehouse import Warehouse

_READ_BYTES = 1 << 22  # some nights with a thousand quarantined files each, or many without
_ENDS = ("published", "held back", "failed")


class LoggedNight(NamedTuple):
    """A night as the log has it."""

    run_id: str
    status: str
    """As in `quality.nightly_runs`; 'running' without an end."""
    reason: str | None


def unpublished_nights(warehouse: Warehouse, published: Container[str]) -> list[LoggedNight]:
    """Nights logged after the last published one, newest first."""
    is_running = warehouse.is_locked()  # asked first: a night may end meanwhile
    found: dict[str, LoggedNight | None] = {}
    for line in _last_lines(warehouse):
        run_id, event = str(line.get("run_id")), str(line.get("event"))
        if run_id in published:
            found.clear()
        elif event in _ENDS:
            found[run_id] = LoggedNight(run_id, event, line.get("reason"))
        else:
            found.setdefault(run_id)
    newest = next(reversed(found), None)
    if is_running and newest and found[newest] is None:
        found[newest] = LoggedNight(newest, "running", None)
    return [
        night or LoggedNight(run_id, "failed", "did not end: killed or crashed")
        for run_id, night in reversed(found.items())
    ]


def _last_lines(warehouse: Warehouse) -> Iterable[dict[str, Any]]:
    try:
        with warehouse.log.open("rb") as file:
            file.seek(max(file.seek(0, os.SEEK_END) - _READ_BYTES, 0))
            lines = file.read().splitlines()
    except OSError:
        return
    for line in lines:
        try:
            found = json.loads(line)
        except ValueError:  # cut off
            continue
        if isinstance(found, dict):
            yield found
