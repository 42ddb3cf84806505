"""Reads the machine's devices (`disk_util`, option `filename`) and hostname from fio's results."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ingest.common.errors import InputError, NoResult
from ingest.common.text_files import as_utf8
from ingest.find.identify import identify
from ingest.find.packed import Member, Unpacker, is_packed, list_members
from ingest.find.sources import find_sources
from ingest.parsers import fio
from ingest.parsers.fio.documents import read_documents
from ingest.parsers.fio.schema import Run
from ingest.systems.describe.facts import Fact, facts_of
from ingest.systems.describe.target import Target, named_by


def read_results(folder: Path) -> tuple[Target, list[Fact], list[str]]:
    """Devices and hosts of all fio results in the folder, and remarks for the sidecar's head."""
    options: list[dict[str, str]] = []
    used: set[str] = set()
    facts: list[Fact] = []
    count = unread = 0
    unpacker = Unpacker()
    for source in _sources(folder):
        try:
            if isinstance(source, InputError):
                raise source
            path = source.path if isinstance(source, Member) else source
            data = as_utf8(
                unpacker.read(source) if isinstance(source, Member) else path.read_bytes()
            )
            if identify(path, data) is not fio:
                continue
            documents, _ = read_documents(data)
        except (InputError, NoResult, ValueError, RecursionError):
            unread += 1
            continue
        count += 1
        for run in (document.run for document in documents):
            options += _options(run)
            used |= {one.disk for one in run.disk_util or ()}
            for job in run.all_jobs:
                facts += facts_of("array", f"{path.name}: hostname", {"server": job.hostname})
    tested = replace(named_by(options, used), is_draft=True)
    names = ", ".join(sorted(tested.devices)) or "none named"
    remarks = [f"{count} fio results; devices: {names}"]
    if unread:
        remarks.append(f"{unread} other files were not read")
    return tested, facts, remarks


def _sources(folder: Path) -> Iterator[Path | Member | InputError]:
    """Files, members of packed files, and the faults of these."""
    for path in find_sources([folder]).files:
        if path.is_file() and is_packed(path.name):
            members, fault = list_members(path)
            yield from members
            yield from [fault] if fault else []
        elif path.is_file():
            yield path


def _options(run: Run) -> list[dict[str, str]]:
    """Each job's options over the global ones, which are a list for several servers."""
    shared = run.global_options or {}
    every = shared if isinstance(shared, list) else [shared]
    return [one | (job.options or {}) for one in every for job in run.all_jobs]
