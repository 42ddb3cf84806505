"""Ranks facts: the best informed tool wins; fields on which tools of one rank differ stay open."""

from collections.abc import Iterable
from types import ModuleType

from ingest.systems.describe import (
    findmnt,
    lsblk,
    lspci,
    lvm,
    machine,
    mdadm,
    multipath,
    nvme,
    smartctl,
    ssacli,
    storcli,
)
from ingest.systems.describe.facts import Fact, Input, Subject
from ingest.systems.describe.target import Target, expanded
from ingest.systems.sidecar.definitions import ControllerDefinition, DriveDefinition

# A RAID tool knows the drives behind its volumes, smartctl one drive, lsblk only what the system
# sees.
READERS: tuple[tuple[ModuleType, ...], ...] = (
    (storcli, ssacli, mdadm, lvm, multipath),
    (smartctl, nvme),
    (lsblk, lspci),
    (machine, findmnt),
)
READER_OF = {
    reader.__name__.rpartition(".")[2]: reader for readers in READERS for reader in readers
}
_OF_HARDWARE = (storcli, ssacli, smartctl, nvme, lsblk, lspci)
DEFINED: tuple[tuple[Subject, tuple[str, ...]], ...] = (
    ("controller", ControllerDefinition.__struct_fields__),
    ("drive", DriveDefinition.__struct_fields__),
)
NOT_IN_INPUTS = "not in any input"
Ranked = list[list[Fact]]
"""Facts, the best informed tools' first."""


def read_facts(inputs: list[Input], tested: Target) -> Ranked:
    """The facts of each tool about the tested devices.

    A virtual machine sees disks and links that its host made up: fields about hardware stay open.

    Raises:
        InputError: an input is not its tool's output.
    """
    of_kind: dict[str, list[Input]] = {kind: [] for kind in READER_OF}
    for one in inputs:
        of_kind[one.kind].append(one)
    tested = expanded(tested, [disk for one in of_kind["lsblk"] for disk in lsblk.trees(one)])
    hypervisor = machine.hypervisor(inputs)
    facts = {reader: [*reader.read(of_kind[kind], tested)] for kind, reader in READER_OF.items()}
    if hypervisor:
        reason = f"a virtual machine ({hypervisor}) does not see its host's hardware"
        for reader in _OF_HARDWARE:
            facts[reader] = [_open(fact, reason) for fact in facts[reader]]
    if tested.several:
        reason = f"{' and '.join(tested.several)} are tested"
        for reader, found in facts.items():
            facts[reader] = [
                _open(one, reason) if one.field == "drive_count" else one for one in found
            ]
    return [[fact for reader in readers for fact in facts[reader]] for readers in READERS]


def _open(fact: Fact, reason: str) -> Fact:
    printed = "" if fact.value is None else f" says {fact.value}"
    return Fact(fact.subject, fact.field, None, f"{fact.source}{printed}; {reason}")


def best_value(
    subject: Subject, field: str, ranked: Iterable[list[Fact]]
) -> tuple[str | int | None, str]:
    """The value and its source; or None, and why the field stays open."""
    about = [
        [fact for fact in facts if (fact.subject, fact.field) == (subject, field)]
        for facts in ranked
    ]
    for facts in about:
        sources = {fact.value: fact.source for fact in facts if fact.value is not None}
        if len(sources) == 1:
            return next(iter(sources.items()))
        if sources:
            all_said = "; ".join(f"{value} ({source})" for value, source in sources.items())
            return None, f"several are named: {all_said}"
    remarks = dict.fromkeys(fact.source for facts in about for fact in facts)
    return None, "; ".join(remarks) or NOT_IN_INPUTS


def subject_of(name: str) -> Subject:
    """The owner of a field: a sidecar's `vendor` is the controller's."""
    return next((subject for subject, names in DEFINED if name in names), "array")
