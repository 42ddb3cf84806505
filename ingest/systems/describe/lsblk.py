"""`lsblk -J -b -o NAME,VENDOR,MODEL,ROTA,SIZE,TRAN,TYPE` or `lsblk -J -O`; before util-linux 2.27
`lsblk -P -b` with PKNAME.

Before 2.37 util-linux prints booleans and numbers as strings. Without -b it prints rounded sizes
such as 447.1G, which are not used.
"""

from collections.abc import Iterator

from ingest.common.vocabulary import read_raid_level
from ingest.systems.describe.facts import (
    Fact,
    Input,
    drive_facts,
    facts_of,
    is_volume,
    objects,
    pairs,
)
from ingest.systems.describe.target import Node, Target, aliases, nodes

COMMAND = "lsblk -J -b -o NAME,VENDOR,MODEL,ROTA,SIZE,TRAN,TYPE"
_INTERFACES = {"sas": "SAS", "sata": "SATA"}
_TRANSPORTS = (*_INTERFACES, "nvme")
_MEDIA = {"True": "HDD", "1": "HDD", "False": "SSD", "0": "SSD"}


def trees(one: Input) -> list[Node]:
    """The disks, each with the devices made of it.

    Raises:
        InputError: not lsblk's output.
    """
    if one.text.startswith('NAME="'):
        devices = _trees_of(pairs(one.text))
    else:
        found = one.json_objects(COMMAND)
        devices = [device for tree in found for device in objects(tree.get("blockdevices"))]
    return [device for device in devices if device.get("type") == "disk"]


def read(inputs: list[Input], tested: Target) -> Iterator[Fact]:
    for one in inputs:
        disks = trees(one)
        found = [disk for disk in disks if aliases(disk) & tested.devices]
        if tested.is_draft and not found and len(disks) == 1 and not tested.devices:
            found = disks
        for disk in found:
            yield from _drive_facts(disk, f"{one.source}: {disk.get('name')}", tested)
        yield from _array_facts(found, tested, one.source)


def _trees_of(rows: list[dict[str, str]]) -> list[Node]:
    """Trees of rows that name their parent (PKNAME)."""
    top: list[Node] = []
    by_name: dict[str, Node] = {}
    for row in rows:
        node: Node = {**row, "children": []}
        parent = by_name.get(row.get("pkname", ""))
        (parent["children"] if parent else top).append(node)
        by_name.setdefault(row.get("kname", row.get("name", "")), node)
    return top


def _is_drive(disk: Node, tested: Target) -> bool:
    """A disk of a RAID controller or hypervisor has no transport; for a draft its name suffices."""
    is_named_so = is_volume(disk.get("vendor"), disk.get("model"))
    return not is_named_so and (tested.is_draft or disk.get("tran") in _TRANSPORTS)


def _drive_facts(disk: Node, source: str, tested: Target) -> list[Fact]:
    model = " ".join(str(disk.get("model") or "").split())
    if not _is_drive(disk, tested):
        is_known = is_volume(disk.get("vendor"), model)
        reason = "a volume, not a drive" if is_known else "not a known drive"
        return [Fact("drive", "drive", None, f"{source} is {model!r}, {reason}")]
    size = str(disk.get("size") or "")
    return drive_facts(
        source,
        model,
        drive_media=_MEDIA.get(str(disk.get("rota"))) if model else None,
        drive_interface=_INTERFACES.get(str(disk.get("tran"))),
        capacity=f"{size} B" if size.isdigit() and model else None,
    )


def _array_facts(disks: list[Node], tested: Target, source: str) -> Iterator[Fact]:
    """Linux software RAID is a node of type raid5 below each of its drives. One drive without it is
    an array of one."""
    arrays = {
        str(node.get("name")): str(node.get("type"))
        for disk in disks
        for node in nodes(disk)
        if str(node.get("type")).startswith("raid") and aliases(node) & tested.devices
    }
    for name, level in arrays.items():
        count = sum(any(name in aliases(node) for node in nodes(disk)) for disk in disks)
        values = {"raid_level": read_raid_level(level), "drive_count": count}
        yield from facts_of("array", f"{source}: {name}, type {level}", values)
    if not arrays and len(disks) == 1 and tested.devices and _is_drive(disks[0], tested):
        where = f"{source}: {disks[0].get('name')} is one drive"
        yield from facts_of("array", where, {"drive_count": 1})
