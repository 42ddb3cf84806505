"""`nvme list -o json` and `nvme id-ctrl -o json DEVICE`: the drives on PCIe.

The list is flat or, in later versions, a tree of subsystems, controllers and namespaces.
"""

import re
from collections.abc import Iterator
from typing import Any

from ingest.systems.describe.facts import Fact, Input, facts_of
from ingest.systems.describe.target import Target

KIND = "nvme"
COMMAND = ("nvme", "list", "-o", "json")


def read(inputs: list[Input], tested: Target) -> list[Fact]:
    facts: list[Fact] = []
    for one in inputs:
        for document in one.json_objects(" ".join(COMMAND)):
            for drive in _drives(document):
                name = drive.get("DevicePath") or drive.get("Controller") or _controller(one.source)
                if _has(tested, str(name).removeprefix("/dev/")):
                    facts += _drive_facts(drive, f"{one.source}: {name}")
    return facts


def _drives(value: Any) -> Iterator[dict[str, Any]]:
    """Whatever has a model, as the list calls it or as id-ctrl does."""
    if isinstance(value, dict):
        if value.get("ModelNumber") or value.get("mn"):
            yield value
        value = [*value.values()]
    for one in value if isinstance(value, list) else ():
        yield from _drives(one)


def _controller(source: str) -> str:
    """nvme0 of nvme-id-ctrl-nvme0.json: its text does not say."""
    found = re.search(r"nvme\d+(?=\.json)", source)
    return found[0] if found else ""


def _has(tested: Target, name: str) -> bool:
    """Whether it, or a namespace of the controller, is under test."""
    return tested.may_have(name) or any(
        name.startswith("nvme") and re.match("n[0-9]", device.removeprefix(name))
        for device in tested.devices
    )


def _drive_facts(drive: dict[str, Any], source: str) -> list[Fact]:
    model = str(drive.get("ModelNumber") or drive.get("mn")).strip()
    size = drive.get("PhysicalSize")
    values = {
        "drive": model,
        "model": model,
        "drive_media": "SSD",
        "capacity": f"{size} B" if size else None,
    }
    firmware = str(drive.get("Firmware") or drive.get("fr") or "").strip()
    return facts_of("drive", source, values) + facts_of(
        "array", source, {"drive_firmware": firmware}
    )
