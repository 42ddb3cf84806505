"""What fio's results say of the machine: devices (`disk_util`, option `filename`) and hostname."""

from dataclasses import dataclass
from pathlib import Path

from ingest.errors import InputError
from ingest.parsers import fio
from ingest.parsers.fio.documents import read_documents
from ingest.parsers.fio.schema import Run
from ingest.sources import find_files, identify
from ingest.systems.describe.facts import Fact, facts_of


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
            if not path.is_file():
                continue
            data = path.read_bytes()
            if identify(path, data) is not fio:
                continue
            documents, _ = read_documents(data)
        except (InputError, ValueError):
            unread += 1
            continue
        count += 1
        for run in (document.run for document in documents):
            named |= _named_devices(run)
            used |= {disk.name for disk in run.disk_util or ()}
            for job in run.all_jobs:
                facts += facts_of("array", f"{path.name}: hostname", {"server": job.hostname})
    devices = frozenset(named or used)
    remarks = [f"{count} fio results; devices: {', '.join(sorted(devices)) or 'none named'}"]
    if unread:
        remarks.append(f"{unread} other files were not read")
    return Results(devices, facts, remarks)


def _named_devices(run: Run) -> set[str]:
    """Of `filename`, a list of files with colons between; only devices count."""
    shared = run.global_options or {}
    options = [
        *(shared if isinstance(shared, list) else [shared]),
        *(job.options for job in run.all_jobs),
    ]
    names = [name for one in options if one for name in one.get("filename", "").split(":")]
    return {name.removeprefix("/dev/") for name in names if name.startswith("/dev/")}
