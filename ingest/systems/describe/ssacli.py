"""`ssacli ctrl all show config detail` (also hpssacli): indented text, or that tree as JSON.

The volume under test is the one whose "Disk Name" is a device of the results; where none is named
all volumes are read, and where they differ the field is left open.
"""

import re

from ingest.errors import InputError
from ingest.systems.describe.facts import (
    Fact,
    Input,
    facts_of,
    interface_with_speed,
    not_under_test,
)
from ingest.systems.describe.ssacli_tree import Block, indented, read_blocks
from ingest.systems.describe.target import Target
from ingest.vocabulary import read_raid_level

KIND = "ssacli"
COMMAND = ("ssacli", "ctrl", "all", "show", "config", "detail")


def read(inputs: list[Input], tested: Target) -> list[Fact]:
    facts: list[Fact] = []
    for one in inputs:
        command = " ".join(COMMAND)
        is_json = one.text.lstrip().startswith("{")
        texts = [indented(tree) for tree in one.json_objects(command)] if is_json else [one.text]
        controllers = [block for text in texts for block in read_blocks(text)]
        if not controllers:
            reason = f"names no controller; expected the output of `{command}`"
            raise InputError(one.source, reason)
        facts += _tested_facts(controllers, tested, one.source)
    return facts


def _tested_facts(controllers: list[Block], tested: Target, source: str) -> list[Fact]:
    is_named = any(
        _disk(volume) for one in controllers for array in one.below for volume in array.below
    )
    facts: list[Fact] = []
    for controller in controllers:
        arrays = controller.below
        if not tested.is_draft or (tested.devices and is_named):
            arrays = [array for array in arrays if _volumes(array, tested)]
        if arrays or (tested.is_draft and not is_named):
            facts += _controller_facts(controller, source)
        for array in arrays:
            facts += _array_facts(array, tested, source)
    return facts or not_under_test(source, tested)


def _disk(volume: Block) -> str:
    """Its device; some versions print "Mount Points" on the same line."""
    return volume.settings.get("Disk Name", "").partition(" ")[0]


def _volumes(array: Block, tested: Target) -> list[Block]:
    return [block for block in array.below if tested.has(_disk(block))]


def _controller_facts(controller: Block, source: str) -> list[Fact]:
    settings = controller.settings
    link = re.match(r"(PCIe \d\.\d) x(\d+)", settings.get("Negotiated PCIe Data Rate", ""))
    # Later versions print the gigabytes without their unit.
    cache = re.fullmatch(r"(\d+(?:\.\d+)?) ?([MG]B)?", settings.get("Total Cache Size", ""))
    values = {
        "controller": controller.name,
        "full_name": controller.name,
        "cache": f"{float(cache[1]):g} {cache[2] or 'GB'}" if cache else None,
        "host_interface": link[1] if link else None,
        "host_lane_count": int(link[2]) if link else None,
    }
    firmware = {"controller_firmware": settings.get("Firmware Version")}
    return facts_of("controller", source, values) + facts_of("array", source, firmware)


def _array_facts(array: Block, tested: Target, source: str) -> list[Fact]:
    volumes = [block for block in array.below if block.kind == "logical drive"]
    facts: list[Fact] = []
    for volume in _volumes(array, tested) or volumes:
        level = volume.settings.get("Fault Tolerance", "")
        values = {
            "raid_level": read_raid_level(level),
            "stripe": volume.settings.get("Strip Size"),
        }
        facts += facts_of("array", f"{source}: logical drive {volume.name}", values)
    drives = [
        block
        for block in array.below
        if block.kind == "physicaldrive" and block.settings.get("Drive Type") == "Data Drive"
    ]
    count = {"drive_count": len(drives) or None}
    facts += facts_of("array", f"{source}: data drives of array {array.name}", count)
    for drive in drives:
        facts += _drive_facts(drive, f"{source}: drive {drive.name}")
    return facts


def _drive_facts(drive: Block, source: str) -> list[Fact]:
    settings = drive.settings
    interface = settings.get("Interface Type", "")
    rotation = settings.get("Rotational Speed", "")
    family = interface.removeprefix("Solid State ")
    is_known = family in ("SAS", "SATA")
    speed = settings.get("PHY Transfer Rate", "").split(",")[0]
    media = "SSD" if interface.startswith("Solid State") else "HDD" if rotation.isdigit() else None
    values = {
        "drive": settings.get("Model"),
        "model": settings.get("Model"),
        "drive_media": media,
        "drive_interface": interface_with_speed(family, speed) if is_known else None,
        "capacity": settings.get("Size"),
        "rotation_rpm": int(rotation) if rotation.isdigit() else None,
    }
    firmware = {"drive_firmware": settings.get("Firmware Revision")}
    return facts_of("drive", source, values) + facts_of("array", source, firmware)
