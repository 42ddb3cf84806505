"""`storcli /c0 show all J`, `/call/vall show all J` and `/call/eall/sall show all J`; also perccli.

The tested volume is the one whose "OS Drive Name" is a device of the results. If no volume has a
drive name, or no device is known, a draft reads all volumes; fields on which they differ stay open.
No capacity is taken: drive sizes are rounded and in powers of 1024. storcli2 prints the fastest
host link that a card can have, not its current link; lspci prints that.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from ingest.common.vocabulary import read_raid_level
from ingest.systems.describe import storcli_forms
from ingest.systems.describe.facts import (
    Fact,
    Input,
    as_count,
    controller_facts,
    drive_facts,
    facts_of,
    interface_with_speed,
    member,
    not_under_test,
    objects,
)
from ingest.systems.describe.target import Target

COMMAND = "storcli /call show all J"
Volume = dict[str, Any]
# From the legend that `storcli /call show all` prints below its table of virtual drives.
_STATES = {"Optl": "optimal", "Dgrd": "degraded", "Pdgd": "degraded", "Rec": "rebuilding"}
_WRITE_CACHE = {"WB": "write-back", "WT": "write-through"}


def read(inputs: list[Input], tested: Target) -> list[Fact]:
    controllers: list[tuple[str, list[Fact]]] = []
    volumes: dict[tuple[str, str], Volume] = {}
    details: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    uncharged: set[str] = set()
    for source, number, data in _responses(inputs):
        controllers.append((number, _controller_facts(data, source)))
        for slot, found in storcli_forms.drives(data):
            details[number][slot] = {**found, "source": f"{source}: drive {slot}"}
        batteries = objects(data.get("BBU_Info")) + objects(data.get("Cachevault_Info"))
        if any(not str(one.get("State", "")).startswith("Opt") for one in batteries):
            uncharged.add(number)
        for volume_number, found in storcli_forms.volumes(data):
            volume = volumes.setdefault((number, volume_number), {"sources": {}})
            volume.update(found)
            volume["sources"][source] = None
    is_named = tested.devices and any(volume.get("device") for volume in volumes.values())
    if is_named or not tested.is_draft:
        volumes = {key: one for key, one in volumes.items() if tested.has(one.get("device", ""))}
        if not volumes:
            return not_under_test(inputs[0].source, tested.devices) if controllers else []
    numbers = {number for number, _ in volumes} or {number for number, _ in controllers}
    facts = [fact for number, found in controllers if number in numbers for fact in found]
    for (controller, number), volume in volumes.items():
        volume["write_cache"] = _write_cache(str(volume.get("cache")), controller not in uncharged)
        facts += _volume_facts(volume, number, details[controller])
    return facts


def _responses(inputs: list[Input]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for one in inputs:
        for document in one.json_objects(COMMAND):
            for controller in objects(document.get("Controllers")):
                data = controller.get("Response Data")
                if isinstance(data, dict):
                    number = member(controller, "Command Status", "Controller")
                    yield one.source, str(number or 0), data


def _controller_facts(data: dict[str, Any], source: str) -> list[Fact]:
    mebibytes = member(data, "HwCfg", "DDR Memory Size(MiB)")
    memory = f"{mebibytes} MB" if mebibytes else _first(data, ["HwCfg", "On Board Memory Size"])
    size = re.fullmatch(r"(\d+) ?([MG]B)", str(memory))
    buses = _first(
        data,
        ["Device Interface"],
        ["Bus", "Device Interface"],
        ["DeviceInterface", "SAS/SATA"],
        ["SAS/SATA"],
    )
    fastest = str(buses or "").split(", ")[-1].replace("-", " ")
    return controller_facts(
        source,
        _first(data, ["Product Name"], ["Basics", "Model"], ["Basics", "Product Name"]),
        _first(
            data,
            ["FW Package Build"],
            ["Package Version"],
            ["Version", "Firmware Package Build"],
            ["Version", "Package Version"],
        ),
        controller_generation=fastest,
        disk_interfaces=fastest,
        cache=f"{size[1]} {size[2]}" if size and int(size[1]) else None,
        disk_port_count=as_count(
            _first(data, ["HwCfg", "Backend Port Count"], ["Max. Supported Config", "Max Phys"])
        ),
    )


def _first(data: dict[str, Any], *places: list[str]) -> Any:
    """The first value found: storcli2 has some in other places."""
    return next((value for keys in places if (value := member(data, *keys))), None)


def _write_cache(policy: str, is_charged: bool) -> str | None:
    """Write-back is suspended until the battery is charged, unless it is forced (AWB)."""
    mode = _WRITE_CACHE.get("".join(re.findall("WB|WT", policy)))
    is_suspended = mode == "write-back" and not is_charged and "AWB" not in policy
    return "write-through" if is_suspended else mode


def _volume_facts(
    volume: Volume, number: str, details: dict[str, dict[str, Any]]
) -> Iterator[Fact]:
    source = f"{', '.join(volume['sources'])}: volume {number}"
    drives = volume.get("drives") or []
    array = {
        "raid_level": read_raid_level(str(volume.get("level"))),
        "drive_count": len(drives) or None,
        "stripe": volume.get("strip"),
        "array_state": _STATES.get(str(volume.get("state"))),
        "write_cache": volume["write_cache"],
    }
    yield from facts_of("array", source, array)
    for drive in drives:
        media, interface = drive.get("Med"), drive.get("Intf")
        detail = details.get(str(drive.get("EID:Slt")).strip(), {})
        model = " ".join(str(drive.get("Model") or "").split())
        media = media if media in ("HDD", "SSD") else None
        yield from drive_facts(source, model, drive_media=media)
        where = detail.get("source", source)
        if interface in ("SAS", "SATA"):
            link = interface_with_speed(interface, *detail.get("speeds", []))
            yield from facts_of("drive", where, {"drive_interface": link})
        firmware = str(detail.get("firmware") or "").strip()
        yield from facts_of("array", where, {"drive_firmware": firmware})
        if drive.get("Size"):
            reason = f"{source} says {drive['Size']}, rounded and in powers of 1024"
            yield Fact("drive", "capacity", None, reason)
