"""What the tools say together: whoever knows best is asked first, and who is asked agrees."""

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
from ingest.systems.sidecar.catalog import ControllerDefinition, DriveDefinition

# A RAID tool knows the drives behind its volumes, smartctl a drive itself, lsblk only what the
# system sees.
READERS: tuple[tuple[ModuleType, ...], ...] = (
    (storcli, ssacli, mdadm, lvm, multipath),
    (smartctl, nvme),
    (lsblk, lspci),
    (machine, findmnt),
)
READER_OF = {reader.KIND: reader for readers in READERS for reader in readers}
_OF_HARDWARE = (storcli, ssacli, smartctl, nvme, lsblk, lspci)
DEFINED: tuple[tuple[Subject, tuple[str, ...]], ...] = (
    ("controller", ControllerDefinition.__struct_fields__),
    ("drive", DriveDefinition.__struct_fields__),
)
NOT_SAID = "not in any input"
Ranked = list[list[Fact]]
"""Facts by who knows best."""


def read_facts(inputs: list[Input], tested: Target) -> Ranked:
    """What each tool says of what was tested.

    A virtual machine is told of disks and links that its host made up: of hardware it says nothing.

    Raises:
        InputError: an input is not what its tool prints.
    """
    trees = [disk for one in inputs if one.kind == lsblk.KIND for disk in lsblk.trees(one)]
    tested = expanded(tested, trees)
    hypervisor = machine.hypervisor(inputs)
    ranked: Ranked = []
    for readers in READERS:
        facts: list[Fact] = []
        for reader in readers:
            found = reader.read([one for one in inputs if one.kind == reader.KIND], tested)
            if hypervisor and reader in _OF_HARDWARE:
                reason = f"a virtual machine ({hypervisor}) does not see its host's hardware"
                found = [_open(fact, reason) for fact in found]
            if tested.several:
                reason = f"{' and '.join(tested.several)} are tested"
                found = [_open(one, reason) if one.field == "drive_count" else one for one in found]
            facts += found
        ranked.append(facts)
    return ranked


def _open(fact: Fact, reason: str) -> Fact:
    said = "" if fact.value is None else f" says {fact.value}"
    return Fact(fact.subject, fact.field, None, f"{fact.source}{said}; {reason}")


def said(
    subject: Subject, field: str, ranked: Iterable[list[Fact]]
) -> tuple[str | int | None, str]:
    """The value and its source; or None, and why it is left open."""
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
    return None, "; ".join(remarks) or NOT_SAID


def subject_of(name: str) -> Subject:
    """Whose field it is: a sidecar's `vendor` is the controller's."""
    return next((subject for subject, names in DEFINED if name in names), "array")
