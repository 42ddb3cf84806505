"""What fio's results say of the machine: devices (`disk_util`, option `filename`) and hostname."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from ingest.describe.facts import Fact, facts_of
from ingest.errors import InputError
from ingest.sources import find_files, identify


class _Disk(msgspec.Struct):
    name: str = ""


class _Job(msgspec.Struct, rename={"options": "job options"}):
    hostname: str | None = None
    options: dict[str, Any] = {}


class _Run(msgspec.Struct, rename={"global_options": "global options"}):
    global_options: dict[str, Any] | list[dict[str, Any]] = {}
    jobs: list[_Job] = []
    client_stats: list[_Job] = []
    disk_util: list[_Disk] = []


@dataclass(frozen=True)
class Results:
    """`devices` are names as in /dev; `remarks` are for the head of the sidecar."""

    devices: frozenset[str]
    facts: list[Fact]
    remarks: list[str]


def read_results(folder: Path) -> Results:
    """Devices and hosts of all fio results in the folder; what cannot be read is counted."""
    named: set[str] = set()
    used: set[str] = set()
    facts: list[Fact] = []
    count = unread = 0
    for path in find_files([folder]):
        try:
            if identify(path).parser.NAME != "fio":
                continue
            run = _read_run(path.read_bytes().decode("utf-8-sig", errors="replace"))
        except (InputError, ValueError, msgspec.ValidationError):
            unread += 1
            continue
        count += 1
        named |= _named_devices(run)
        used |= {disk.name for disk in run.disk_util if disk.name}
        for job in run.jobs + run.client_stats:
            facts += facts_of("array", f"{path.name}: hostname", {"server": job.hostname})
    devices = frozenset(named or used)
    remarks = [f"{count} fio results; devices: {', '.join(sorted(devices)) or 'none named'}"]
    if unread:
        remarks.append(f"{unread} other files were not read")
    return Results(devices, facts, remarks)


def _read_run(text: str) -> _Run:
    """The first document; fio writes notes before and further documents behind it."""
    start = 0 if text.startswith("{") else text.index("\n{") + 1
    values, _ = json.JSONDecoder(strict=False).raw_decode(text, start)
    return msgspec.convert(values, type=_Run)


def _named_devices(run: _Run) -> set[str]:
    """Of `filename`, a list of files with colons between; only devices count."""
    shared = run.global_options if isinstance(run.global_options, list) else [run.global_options]
    options = [*shared, *(job.options for job in run.jobs + run.client_stats)]
    names = [name for one in options for name in str(one.get("filename", "")).split(":")]
    return {name.removeprefix("/dev/") for name in names if name.startswith("/dev/")}
