"""`storcli /c0 show all J`, `/call/vall show all J` and `/call/eall/sall show all J`; also perccli.

The volume under test is the one whose "OS Drive Name" is a device of the results; where none is
named all volumes are read, and where they differ the field is left open. Sizes of drives are
rounded and in powers of 1024: no capacity is taken from them.
"""

import math
import re
from collections.abc import Iterator
from typing import Any

from ingest.systems.describe.facts import (
    Fact,
    Input,
    facts_of,
    interface_with_speed,
    member,
    not_under_test,
    objects,
)
from ingest.systems.describe.target import Target
from ingest.vocabulary import read_raid_level

KIND = "storcli"
COMMAND = ("storcli", "/call", "show", "all", "J")
_DRIVE = re.compile(r"Drive /c\d+(?:/e(\d+))?/s(\d+) - Detailed Information")
Volume = dict[str, Any]


def read(inputs: list[Input], tested: Target) -> list[Fact]:
    controllers: list[tuple[str, list[Fact]]] = []
    volumes: dict[tuple[str, str], Volume] = {}
    details: dict[tuple[str, str], dict[str, Any]] = {}
    for source, number, data in _responses(inputs):
        controllers.append((number, _controller_facts(data, source)))
        details |= {(number, slot): said for slot, said in _drive_details(data)}
        for key, said in _volumes(data, number):
            volume = volumes.setdefault(key, {"sources": {}})
            volume.update(said)
            volume["sources"][source] = None
    is_named = tested.devices and any(volume.get("device") for volume in volumes.values())
    if is_named or not tested.is_draft:
        volumes = {key: one for key, one in volumes.items() if tested.has(one.get("device", ""))}
        if not volumes:
            return not_under_test(inputs[0].source, tested) if controllers else []
    numbers = {number for number, _ in volumes} or {number for number, _ in controllers}
    facts = [fact for number, said in controllers if number in numbers for fact in said]
    for (controller, number), volume in volumes.items():
        for drive in volume.get("drives") or []:
            drive["details"] = details.get((controller, str(drive.get("EID:Slt")).strip()), {})
        facts += _volume_facts(volume, number)
    return facts


def _responses(inputs: list[Input]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for one in inputs:
        for document in one.json_objects(" ".join(COMMAND)):
            for controller in objects(document.get("Controllers")):
                data = controller.get("Response Data")
                if isinstance(data, dict):
                    number = member(controller, "Command Status", "Controller")
                    yield one.source, str(number or 0), data


def _controller_facts(data: dict[str, Any], source: str) -> list[Fact]:
    name = data.get("Product Name") or member(data, "Basics", "Model")
    bus = data.get("Device Interface") or member(data, "Bus", "Device Interface")
    interface = str(bus).replace("-", " ") if bus else None
    memory = re.fullmatch(r"(\d+) ?([MG]B)", str(member(data, "HwCfg", "On Board Memory Size")))
    ports = member(data, "HwCfg", "Backend Port Count")
    values = {
        "controller": name,
        "full_name": name,
        "controller_generation": interface,
        "disk_interfaces": interface,
        "cache": f"{memory[1]} {memory[2]}" if memory and int(memory[1]) else None,
        "disk_port_count": int(ports) if str(ports).isdigit() and int(ports) else None,
    }
    firmware = data.get("FW Package Build") or member(data, "Version", "Firmware Package Build")
    facts = facts_of("array", source, {"controller_firmware": firmware})
    return facts_of("controller", source, values) + facts


def _volumes(data: dict[str, Any], number: str) -> Iterator[tuple[tuple[str, str], Volume]]:
    """Volumes by controller and number, of each of the places that say something of them."""
    for name, value in data.items():
        listed = re.fullmatch(r"/c(\d+)/v(\d+)", name)
        drives = re.fullmatch(r"PDs for VD (\d+)", name)
        properties = re.fullmatch(r"VD(\d+) Properties", name)
        if listed or name in ("VD LIST", "Virtual Drives"):
            for row in objects(value):
                group, _, volume = str(row.get("DG/VD")).partition("/")
                yield (number, volume), {"level": row.get("TYPE")}
                if drives_of_group := _group(data, group):
                    yield (number, volume), {"drives": drives_of_group}
        elif drives:
            yield (number, drives[1]), {"drives": objects(value)}
        elif properties and isinstance(value, dict):
            strip, device = value.get("Strip Size"), value.get("OS Drive Name")
            yield (number, properties[1]), {"strip": strip, "device": str(device or "")}


def _drive_details(data: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """What is said of single drives, by enclosure and slot as `EID:Slt` has them."""
    for name, value in data.items():
        if found := _DRIVE.fullmatch(name):
            attributes = member(
                value, name.replace(" - Detailed Information", " Device attributes")
            )
            if isinstance(attributes, dict):
                yield f"{found[1] or ''}:{found[2]}", attributes


def _group(data: dict[str, Any], group: str) -> list[dict[str, Any]]:
    return [row for row in objects(data.get("PD LIST")) if str(row.get("DG")) == group]


def _volume_facts(volume: Volume, number: str) -> list[Fact]:
    source = f"{', '.join(volume['sources'])}: volume {number}"
    drives = volume.get("drives") or []
    array = {
        "raid_level": read_raid_level(str(volume.get("level"))),
        "drive_count": len(drives) or None,
        "stripe": volume.get("strip"),
    }
    facts = facts_of("array", source, array)
    for drive in drives:
        model = " ".join(str(drive.get("Model") or "").split())
        media, interface, details = drive.get("Med"), drive.get("Intf"), drive["details"]
        speeds = [details.get("Device Speed"), details.get("Link Speed")]
        slower = min((str(speed) for speed in speeds if speed), key=_gigabits, default=None)
        values = {
            "drive": model,
            "model": model,
            "drive_media": media if media in ("HDD", "SSD") else None,
            "drive_interface": interface_with_speed(interface, slower)
            if interface in ("SAS", "SATA")
            else None,
        }
        facts += facts_of("drive", source, values)
        firmware = str(details.get("Firmware Revision") or "").strip()
        facts += facts_of("array", source, {"drive_firmware": firmware})
        if drive.get("Size"):
            reason = f"{source} says {drive['Size']}, rounded and in powers of 1024"
            facts.append(Fact("drive", "capacity", None, reason))
    return facts


def _gigabits(speed: str) -> float:
    """'12.0Gb/s' is 12; what is no number, such as Unknown, is no slower one."""
    found = re.match(r"[0-9]{1,3}(\.[0-9]{1,3})?", speed)
    return float(found[0]) if found else math.inf
