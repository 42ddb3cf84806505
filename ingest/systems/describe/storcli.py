"""`storcli /c0 show all J`, `/call/vall show all J` and `/call/eall/sall show all J`; also perccli.

The volume under test is the one whose "OS Drive Name" is a device of the results; where none is
named all volumes are read, and where they differ the field is left open. Sizes of drives are
rounded and in powers of 1024: no capacity is taken from them. storcli2 names the fastest link that
a card can have to the host, not the one that it has: that is lspci's.
"""

import re
from collections.abc import Iterator
from typing import Any

from ingest.systems.describe import storcli_forms
from ingest.systems.describe.facts import (
    Fact,
    Input,
    facts_of,
    interface_with_speed,
    member,
    not_under_test,
    objects,
    whole,
)
from ingest.systems.describe.target import Target
from ingest.vocabulary import read_raid_level

KIND = "storcli"
COMMAND = ("storcli", "/call", "show", "all", "J")
Volume = dict[str, Any]


def read(inputs: list[Input], tested: Target) -> list[Fact]:
    controllers: list[tuple[str, list[Fact]]] = []
    volumes: dict[tuple[str, str], Volume] = {}
    details: dict[tuple[str, str], dict[str, Any]] = {}
    for source, number, data in _responses(inputs):
        controllers.append((number, _controller_facts(data, source)))
        for slot, said in storcli_forms.drives(data):
            details[number, slot] = {**said, "source": f"{source}: drive {slot}"}
        for volume_number, said in storcli_forms.volumes(data):
            volume = volumes.setdefault((number, volume_number), {"sources": {}})
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
    said = storcli_forms.controller(data)
    memory = re.fullmatch(r"(\d+) ?([MG]B)", said["memory"])
    values = {
        "controller": said["name"],
        "full_name": said["name"],
        "controller_generation": said["interface"],
        "disk_interfaces": said["interface"],
        "cache": f"{memory[1]} {memory[2]}" if memory and int(memory[1]) else None,
        "disk_port_count": whole(said["ports"]),
    }
    facts = facts_of("array", source, {"controller_firmware": said["firmware"]})
    return facts_of("controller", source, values) + facts


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
        values = {
            "drive": model,
            "model": model,
            "drive_media": media if media in ("HDD", "SSD") else None,
        }
        facts += facts_of("drive", source, values)
        where = details.get("source", source)
        if interface in ("SAS", "SATA"):
            link = interface_with_speed(interface, *details.get("speeds", []))
            facts += facts_of("drive", where, {"drive_interface": link})
        firmware = str(details.get("firmware") or "").strip()
        facts += facts_of("array", where, {"drive_firmware": firmware})
        if drive.get("Size"):
            reason = f"{source} says {drive['Size']}, rounded and in powers of 1024"
            facts.append(Fact("drive", "capacity", None, reason))
    return facts
