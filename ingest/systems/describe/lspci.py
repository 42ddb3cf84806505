"""`lspci -vv` (as root, else the links are missing), or `lspci -nn`: storage controllers.

`lspci-paths.txt` of `headroom capture` has the controller of each disk: its path in sysfs names the
PCI devices on the way.
"""

import re
from collections.abc import Iterator

from ingest.common.vocabulary import LINE_RATES
from ingest.systems.describe.facts import Fact, Input, controller_facts, facts_of
from ingest.systems.describe.target import Target

COMMAND = "lspci -vv"
_DEVICE = re.compile(r"^(?P<slot>[\da-f:.]+) (?P<kind>[^:\[]+?)(?: \[\d{4}\])?: (?P<name>.+)$")
_TAIL = re.compile(r"( \[[\da-f]{4}:[\da-f]{4}\])?( \(rev \w+\))?( \(prog-if [^()]*\))?$")
_LINK = re.compile(
    r"LnkSta:\s*Speed (?P<rate>\d+(?:\.\d+)?)GT/s[^,\n]{0,40}, Width x(?P<lanes>\d{1,3})"
)
_FULL_LINK = re.compile(
    r"LnkCap:[^\n]{0,40}\bSpeed (?P<rate>\d+(?:\.\d+)?)GT/s, Width x(?P<lanes>\d{1,3})"
)
_SUBSYSTEM = re.compile(r"^[ \t]{1,40}Subsystem: (?P<name>.+?)(?: \[[\da-f:]+\])?$", re.MULTILINE)
_PATH = re.compile(r"^(/sys/class/\S+) (/sys/\S+)$", re.MULTILINE)
_SLOT = re.compile(r"/([\da-f]{4,8}:[\da-f]{2}:[\da-f]{2}\.[\da-f])(?=/)")
_CONTROLLERS = ("RAID bus controller", "Serial Attached SCSI controller", "SATA controller")
_NVME = "Non-Volatile memory controller"
_PCIE = {rate / 1e9: name for name, rate in LINE_RATES.items() if name.startswith("PCIe")}


def read(inputs: list[Input], tested: Target) -> Iterator[Fact]:
    links = [dict(_PATH.findall(one.text)) for one in inputs if one.text.startswith("/sys/")]
    slots = {slot for one in links for slot in _slots(one, tested)}
    is_nvme = bool(tested.devices) and all(name.startswith("nvme") for name in tested.devices)
    for one in (one for one in inputs if not one.text.startswith("/sys/")):
        blocks = re.split(r"\n(?=\S)", one.text.strip())
        devices = [(_DEVICE.match(block.split("\n")[0]), block) for block in blocks]
        if not any(device for device, _ in devices):
            raise one.unexpected("names no device", COMMAND)
        for device, block in devices:
            if device is None:
                continue
            source = f"{one.source}: {device['slot']} {device['kind']}"
            slot = device["slot"] if device["slot"].count(":") == 2 else f"0000:{device['slot']}"
            is_chosen = slot in slots if slots else tested.is_draft
            if is_chosen and device["kind"] == _NVME and (slots or is_nvme):
                link = {"drive_interface": _link(block)}
                yield from facts_of("drive", f"{source}, LnkSta", link)
            elif is_chosen and device["kind"] in _CONTROLLERS and (slots or not is_nvme):
                yield from _controller_facts(block, device["name"], source)
            else:
                continue
            if _is_reduced(block):
                yield from facts_of("array", f"{source}, LnkSta", {"link_state": "reduced"})


def _slots(links: dict[str, str], tested: Target) -> set[str]:
    """The PCI devices nearest to the tested disks. An NVMe drive with several controllers has its
    disk, and links to the controllers, below its subsystem."""
    found: list[str] = []
    for link, path in links.items():
        folder, _, name = path.rpartition("/")
        if link.startswith("/sys/class/block/") and name in tested.devices:
            subsystem = f"/sys/class/nvme-subsystem/{folder.rpartition('/')[2]}/"
            found += [links[one] for one in links if one.startswith(subsystem)] or [path]
    return {slots[-1] for path in found if (slots := _SLOT.findall(path))}


def _controller_facts(block: str, chip: str, source: str) -> list[Fact]:
    """A card by its subsystem's name, if it has one: many cards have the same chip."""
    subsystem = _SUBSYSTEM.search(block)
    name = chip = _TAIL.sub("", chip)
    if subsystem and not re.search(r"\bDevice [\da-f]{4}$", subsystem["name"]):
        name = subsystem["name"]
    interface, _, lanes = (_link(block) or "").partition(" x")
    link = {"host_interface": interface, "host_lane_count": int(lanes) if lanes else None}
    facts = controller_facts(f"{source} {chip}", name)
    return facts + facts_of("controller", f"{source}, LnkSta", link)


def _is_reduced(block: str) -> bool:
    """Whether the link has fewer lanes or a lower rate than the device is capable of."""
    full, now = _FULL_LINK.search(block), _LINK.search(block)
    if full is None or now is None:
        return False
    return any(float(now[part]) < float(full[part]) for part in ("rate", "lanes"))


def _link(block: str) -> str | None:
    """The link as it is now: 'PCIe 3.0 x8'."""
    link = _LINK.search(block)
    generation = _PCIE.get(float(link["rate"])) if link else None
    return f"{generation} x{link['lanes']}" if link and generation else None
