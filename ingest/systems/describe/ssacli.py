"""`ssacli ctrl all show config detail` (also hpssacli): indented text, or that tree as JSON.

The tested volume is the one whose "Disk Name" is a device of the results. If no volume has a
disk name, or no device is known, a draft reads all volumes; fields on which they differ stay open.
"""

import re
from collections.abc import Iterator

from ingest.common.vocabulary import read_raid_level
from ingest.systems.describe.facts import (
    Fact,
    Input,
    controller_facts,
    drive_facts,
    facts_of,
    interface_with_speed,
    not_under_test,
)
from ingest.systems.describe.ssacli_tree import Block, indented, read_blocks
from ingest.systems.describe.target import Target

COMMAND = "ssacli ctrl all show config detail"
_STATES = {"OK": "optimal", "Interim Recovery Mode": "degraded", "Recovering": "rebuilding"}


def read(inputs: list[Input], tested: Target) -> Iterator[Fact]:
    for one in inputs:
        is_json = one.text.lstrip().startswith("{")
        texts = [indented(tree) for tree in one.json_objects(COMMAND)] if is_json else [one.text]
        controllers = [block for text in texts for block in read_blocks(text)]
        if not controllers:
            raise one.unexpected("names no controller", COMMAND)
        found = _tested_facts(controllers, tested, one.source)
        yield from found or not_under_test(one.source, tested.devices)


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
    return facts


def _disk(volume: Block) -> str:
    """The volume's device; some versions print "Mount Points" on the same line."""
    return volume.settings.get("Disk Name", "").partition(" ")[0]


def _volumes(array: Block, tested: Target) -> list[Block]:
    return [block for block in array.below if tested.has(_disk(block))]


def _controller_facts(controller: Block, source: str) -> list[Fact]:
    settings = controller.settings
    link = re.match(r"(PCIe \d\.\d) x(\d+)", settings.get("Negotiated PCIe Data Rate", ""))
    # Later versions print the gigabytes without their unit.
    cache = re.fullmatch(r"(\d+(?:\.\d+)?) ?([MG]B)?", settings.get("Total Cache Size", ""))
    return controller_facts(
        source,
        controller.name,
        settings.get("Firmware Version"),
        cache=f"{float(cache[1]):g} {cache[2] or 'GB'}" if cache else None,
        host_interface=link[1] if link else None,
        host_lane_count=int(link[2]) if link else None,
    )


def _array_facts(array: Block, tested: Target, source: str) -> Iterator[Fact]:
    volumes = [block for block in array.below if block.kind == "logical drive"]
    for volume in _volumes(array, tested) or volumes:
        level = read_raid_level(volume.settings.get("Fault Tolerance", ""))
        values = {
            "raid_level": level,
            "stripe": volume.settings.get("Strip Size"),
            "array_state": _STATES.get(volume.settings.get("Status", "")),
        }
        yield from facts_of("array", f"{source}: logical drive {volume.name}", values)
    drives = [one for one in array.below if one.settings.get("Drive Type") == "Data Drive"]
    count = {"drive_count": len(drives) or None}
    yield from facts_of("array", f"{source}: data drives of array {array.name}", count)
    for drive in drives:
        yield from _drive_facts(drive.settings, f"{source}: drive {drive.name}")


def _drive_facts(settings: dict[str, str], source: str) -> list[Fact]:
    interface, rotation = settings.get("Interface Type", ""), settings.get("Rotational Speed", "")
    family = interface.removeprefix("Solid State ")
    is_known, is_ssd = family in ("SAS", "SATA"), interface.startswith("Solid State")
    speed = settings.get("PHY Transfer Rate", "").split(",")[0]
    return drive_facts(
        source,
        settings.get("Model"),
        settings.get("Firmware Revision"),
        drive_media="SSD" if is_ssd else "HDD" if rotation.isdigit() else None,
        drive_interface=interface_with_speed(family, speed) if is_known else None,
        capacity=settings.get("Size"),
        rotation_rpm=int(rotation) if rotation.isdigit() else None,
    )
