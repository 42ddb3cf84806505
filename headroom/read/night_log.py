"""Nights that are in `nightly.log` but not in the published history.

A killed night logged no end. After a full disk or a damaged file the end of a night is only here.
"""

import json
import os
from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Any

from headroom.warehouse import Warehouse

_READ_BYTES = 1 << 22  # some nights with a thousand quarantined files each, or many without
_ENDS = ("published", "held back", "failed")


@dataclass(frozen=True)
class LoggedNight:
    """A night's last line in the log."""

    run_id: str
    status: str
    """As in `quality.nightly_runs`; 'running' without an end."""
    reason: str | None


def unpublished_nights(warehouse: Warehouse, published: Container[str]) -> list[LoggedNight]:
    """Nights logged after the last published one, newest first."""
    is_running = warehouse.is_locked()
    found: dict[str, LoggedNight] = {}
    for line in _last_lines(warehouse):
        run_id, event = str(line.get("run_id")), str(line.get("event"))
        if run_id in published:
            found.clear()
        else:
            status = event if event in _ENDS else "running"
            if status != "running" or run_id not in found or found[run_id].status == "running":
                found[run_id] = LoggedNight(run_id, status, line.get("reason"))
    nights = [*reversed(found.values())]
    for place, night in enumerate(nights):
        if night.status == "running":
            is_over = not is_running or place > 0
            reason = "did not end: killed or crashed" if is_over else None
            nights[place] = LoggedNight(night.run_id, "failed" if is_over else "running", reason)
    return nights


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
