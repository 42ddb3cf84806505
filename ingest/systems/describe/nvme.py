"""`nvme list -o json` and `nvme id-ctrl -o json DEVICE`: the drives on PCIe.

The list is flat or, in later versions, a tree of subsystems, controllers and namespaces.
"""

import re
from collections.abc import Iterator
from typing import Any

from ingest.systems.describe.facts import Fact, Input, drive_facts
from ingest.systems.describe.target import Target

COMMAND = "nvme list -o json"


def read(inputs: list[Input], tested: Target) -> Iterator[Fact]:
    for one in inputs:
        for document in one.json_objects(COMMAND):
            for drive in _drives(document):
                name = drive.get("DevicePath") or drive.get("Controller") or _controller(one.source)
                if not _has(tested, str(name).removeprefix("/dev/")):
                    continue
                size = drive.get("PhysicalSize")
                yield from drive_facts(
                    f"{one.source}: {name}",
                    str(drive.get("ModelNumber") or drive.get("mn")).strip(),
                    str(drive.get("Firmware") or drive.get("fr") or "").strip(),
                    drive_media="SSD",
                    capacity=f"{size} B" if size else None,
                )


def _drives(value: Any) -> Iterator[dict[str, Any]]:
    """Every object with a model, under the name of `list` or of `id-ctrl`."""
    if isinstance(value, dict):
        if value.get("ModelNumber") or value.get("mn"):
            yield value
        value = [*value.values()]
    for one in value if isinstance(value, list) else ():
        yield from _drives(one)


def _controller(source: str) -> str:
    """nvme0 of nvme-id-ctrl-nvme0.json, whose text does not name it."""
    found = re.search(r"nvme\d+(?=\.json)", source)
    return found[0] if found else ""


def _has(tested: Target, name: str) -> bool:
    """Whether the device, or a namespace of the controller, is under test."""
    return tested.may_have(name) or any(
        name.startswith("nvme") and re.match("n[0-9]", device.removeprefix(name))
        for device in tested.devices
    )
