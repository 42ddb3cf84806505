"""`lspci -vv` (as root, else the links are missing), or `lspci -nn`: storage controllers."""

import re

from ingest.errors import InputError
from ingest.systems.describe.facts import Fact, Input, facts_of
from ingest.vocabulary import LINE_RATES

KIND = "lspci"
COMMAND = ("lspci", "-vv")
_DEVICE = re.compile(r"^(?P<slot>[\da-f:.]+) (?P<kind>[^:\[]+?)(?: \[\d{4}\])?: (?P<name>.+)$")
_TAIL = re.compile(r"( \[[\da-f]{4}:[\da-f]{4}\])?( \(rev \w+\))?( \(prog-if .*\))?$")
_LINK = re.compile(r"LnkSta:\s*Speed (?P<rate>\d+(?:\.\d+)?)GT/s[^,]*, Width x(?P<lanes>\d+)")
_SUBSYSTEM = re.compile(r"^\s+Subsystem: (?P<name>.+?)(?: \[[\da-f:]+\])?$", re.MULTILINE)
_CONTROLLERS = ("RAID bus controller", "Serial Attached SCSI controller", "SATA controller")
_NVME = "Non-Volatile memory controller"
_PCIE = {rate / 1e9: name for name, rate in LINE_RATES.items() if name.startswith("PCIe")}


def read(inputs: list[Input], devices: frozenset[str]) -> list[Fact]:
    is_nvme = bool(devices) and all(name.startswith("nvme") for name in devices)
    facts: list[Fact] = []
    for one in inputs:
        blocks = re.split(r"\n(?=\S)", one.text.strip())
        if not any(_DEVICE.match(block.split("\n")[0]) for block in blocks):
            reason = f"names no device; expected what `{' '.join(COMMAND)}` prints"
            raise InputError(one.source, reason)
        for block in blocks:
            device = _DEVICE.match(block.split("\n")[0])
            if device is None:
                continue
            source = f"{one.source}: {device['slot']} {device['kind']}"
            if is_nvme and device["kind"] == _NVME:
                facts += facts_of("drive", f"{source}, LnkSta", {"drive_interface": _link(block)})
            elif not is_nvme and device["kind"] in _CONTROLLERS:
                facts += _controller_facts(block, device["name"], source)
    return facts


def _controller_facts(block: str, chip: str, source: str) -> list[Fact]:
    """A card is known by its subsystem's name, if it has one: the chip is in many cards."""
    subsystem = _SUBSYSTEM.search(block)
    chip = _TAIL.sub("", chip)
    name = chip
    if subsystem and not re.search(r"\bDevice [\da-f]{4}$", subsystem["name"]):
        name = subsystem["name"]
    facts = facts_of("controller", f"{source} {chip}", {"controller": name, "full_name": name})
    interface, _, lanes = (_link(block) or "").partition(" x")
    return facts + facts_of(
        "controller",
        f"{source}, LnkSta",
        {"host_interface": interface, "host_lane_count": int(lanes) if lanes else None},
    )


def _link(block: str) -> str | None:
    """The link as it is now: 'PCIe 3.0 x8'."""
    link = _LINK.search(block)
    generation = _PCIE.get(float(link["rate"])) if link else None
    return f"{generation} x{link['lanes']}" if link and generation else None
