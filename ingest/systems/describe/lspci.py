"""`lspci -vv` (as root, else the links are missing), or `lspci -nn`: storage controllers.

`lspci-paths.txt` of `headroom capture` says on which of them each disk is: where sysfs has it, by
a path that names the PCI devices on the way.
"""

import re

from ingest.errors import InputError
from ingest.systems.describe.facts import Fact, Input, facts_of
from ingest.systems.describe.target import Target
from ingest.vocabulary import LINE_RATES

KIND = "lspci"
COMMAND = ("lspci", "-vv")
_DEVICE = re.compile(r"^(?P<slot>[\da-f:.]+) (?P<kind>[^:\[]+?)(?: \[\d{4}\])?: (?P<name>.+)$")
_TAIL = re.compile(r"( \[[\da-f]{4}:[\da-f]{4}\])?( \(rev \w+\))?( \(prog-if [^()]*\))?$")
_LINK = re.compile(
    r"LnkSta:\s*Speed (?P<rate>\d+(?:\.\d+)?)GT/s[^,\n]{0,40}, Width x(?P<lanes>\d{1,3})"
)
_SUBSYSTEM = re.compile(r"^[ \t]{1,40}Subsystem: (?P<name>.+?)(?: \[[\da-f:]+\])?$", re.MULTILINE)
_PATH = re.compile(r"^(/sys/class/\S+) (/sys/\S+)$", re.MULTILINE)
_SLOT = re.compile(r"/([\da-f]{4,8}:[\da-f]{2}:[\da-f]{2}\.[\da-f])(?=/)")
_CONTROLLERS = ("RAID bus controller", "Serial Attached SCSI controller", "SATA controller")
_NVME = "Non-Volatile memory controller"
_PCIE = {rate / 1e9: name for name, rate in LINE_RATES.items() if name.startswith("PCIe")}


def read(inputs: list[Input], tested: Target) -> list[Fact]:
    links = [dict(_PATH.findall(one.text)) for one in inputs if one.text.startswith("/sys/")]
    slots = {slot for one in links for slot in _slots(one, tested)}
    is_nvme = bool(tested.devices) and all(name.startswith("nvme") for name in tested.devices)
    facts: list[Fact] = []
    for one in inputs:
        if one.text.startswith("/sys/"):
            continue
        blocks = re.split(r"\n(?=\S)", one.text.strip())
        if not any(_DEVICE.match(block.split("\n")[0]) for block in blocks):
            reason = f"names no device; expected the output of `{' '.join(COMMAND)}`"
            raise InputError(one.source, reason)
        for block in blocks:
            device = _DEVICE.match(block.split("\n")[0])
            if device is None:
                continue
            source = f"{one.source}: {device['slot']} {device['kind']}"
            slot = device["slot"] if device["slot"].count(":") == 2 else f"0000:{device['slot']}"
            is_chosen = slot in slots if slots else tested.is_draft
            if is_chosen and device["kind"] == _NVME and (slots or is_nvme):
                facts += facts_of("drive", f"{source}, LnkSta", {"drive_interface": _link(block)})
            elif is_chosen and device["kind"] in _CONTROLLERS and (slots or not is_nvme):
                facts += _controller_facts(block, device["name"], source)
    return facts


def _slots(links: dict[str, str], tested: Target) -> set[str]:
    """The PCI devices nearest to the tested disks. A disk of an NVMe drive that may have several
    controllers is below its subsystem, and so are links to them."""
    found: list[str] = []
    for link, path in links.items():
        folder, _, name = path.rpartition("/")
        if link.startswith("/sys/class/block/") and name in tested.devices:
            subsystem = f"/sys/class/nvme-subsystem/{folder.rpartition('/')[2]}/"
            found += [links[one] for one in links if one.startswith(subsystem)] or [path]
    return {slots[-1] for path in found if (slots := _SLOT.findall(path))}


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
