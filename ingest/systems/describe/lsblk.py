"""`lsblk -J -b -o NAME,VENDOR,MODEL,ROTA,SIZE,TRAN,TYPE`, or `lsblk -J -O`.

util-linux prints booleans and numbers as strings before 2.37, and sizes as 447.1G without -b: such
a size is rounded and not used.
"""

import re
from collections.abc import Iterator
from typing import Any

from ingest.systems.describe.facts import Fact, Input, facts_of, objects
from ingest.vocabulary import read_raid_level

KIND = "lsblk"
COMMAND = ("lsblk", "-J", "-b", "-o", "NAME,VENDOR,MODEL,ROTA,SIZE,TRAN,TYPE")
# Volumes of a RAID controller or a hypervisor: their model and ROTA are not a drive's.
_VOLUME = re.compile(r"PERC|LOGICAL VOLUME|\bMR\d|RAID|virtual|QEMU|VBOX|VMware", re.IGNORECASE)
_INTERFACES = {"sas": "SAS", "sata": "SATA"}
Device = dict[str, Any]


def read(inputs: list[Input], devices: frozenset[str]) -> list[Fact]:
    facts: list[Fact] = []
    for one in inputs:
        for tree in one.json_objects(" ".join(COMMAND)):
            disks = [
                disk for disk in objects(tree.get("blockdevices")) if disk.get("type") == "disk"
            ]
            tested = [disk for disk in disks if _names(disk) & devices]
            if not tested and len(disks) == 1 and not devices:
                tested = disks
            for disk in tested:
                facts += _drive_facts(disk, f"{one.source}: {disk.get('name')}")
            facts += _array_facts(tested, devices, one.source)
    return facts


def _nodes(device: Device) -> Iterator[Device]:
    yield device
    for child in objects(device.get("children")):
        yield from _nodes(child)


def _names(device: Device) -> set[str]:
    return {str(node.get("name")) for node in _nodes(device)}


def _drive_facts(disk: Device, source: str) -> list[Fact]:
    model = " ".join(str(disk.get("model") or "").split())
    if _VOLUME.search(f"{disk.get('vendor') or ''} {model}"):
        reason = f"{source} is {model!r}, a volume and not a drive"
        return [Fact("drive", "drive", None, reason)]
    rotates = {"True": True, "1": True, "False": False, "0": False}.get(str(disk.get("rota")))
    size = str(disk.get("size") or "")
    values = {
        "drive": model,
        "model": model,
        "drive_media": None if rotates is None or not model else ("SSD", "HDD")[rotates],
        "drive_interface": _INTERFACES.get(str(disk.get("tran"))),
        "capacity": f"{size} B" if size.isdigit() and model else None,
    }
    return facts_of("drive", source, values)


def _array_facts(tested: list[Device], devices: frozenset[str], source: str) -> list[Fact]:
    """Linux software RAID is a node of type raid5 below each of its drives."""
    arrays = {
        str(node.get("name")): str(node.get("type"))
        for disk in tested
        for node in _nodes(disk)
        if str(node.get("type")).startswith("raid") and str(node.get("name")) in devices
    }
    facts: list[Fact] = []
    for name, level in arrays.items():
        count = sum(name in _names(disk) for disk in tested)
        values = {"raid_level": read_raid_level(level), "drive_count": count}
        facts += facts_of("array", f"{source}: {name}, type {level}", values)
    return facts
