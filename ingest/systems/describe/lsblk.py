"""`lsblk -J -b -o NAME,VENDOR,MODEL,ROTA,SIZE,TRAN,TYPE`, or `lsblk -J -O`; before util-linux 2.27
`lsblk -P -b` with PKNAME.

util-linux prints booleans and numbers as strings before 2.37, and sizes as 447.1G without -b: such
a size is rounded and not used.
"""

from ingest.systems.describe.facts import Fact, Input, facts_of, is_volume, objects, pairs
from ingest.systems.describe.target import Node, Target, aliases, nodes
from ingest.vocabulary import read_raid_level

KIND = "lsblk"
COMMAND = ("lsblk", "-J", "-b", "-o", "NAME,VENDOR,MODEL,ROTA,SIZE,TRAN,TYPE")
_INTERFACES = {"sas": "SAS", "sata": "SATA"}
_TRANSPORTS = (*_INTERFACES, "nvme")


def trees(one: Input) -> list[Node]:
    """The disks, each with what is made of it.

    Raises:
        InputError: it is not what lsblk prints.
    """
    if one.text.startswith('NAME="'):
        devices = _grown(pairs(one.text))
    else:
        said = one.json_objects(" ".join(COMMAND))
        devices = [device for tree in said for device in objects(tree.get("blockdevices"))]
    return [device for device in devices if device.get("type") == "disk"]


def read(inputs: list[Input], tested: Target) -> list[Fact]:
    facts: list[Fact] = []
    for one in inputs:
        disks = trees(one)
        found = [disk for disk in disks if aliases(disk) & tested.devices]
        if tested.is_draft and not found and len(disks) == 1 and not tested.devices:
            found = disks
        for disk in found:
            facts += _drive_facts(disk, f"{one.source}: {disk.get('name')}", tested)
        facts += _array_facts(found, tested, one.source)
    return facts


def _grown(rows: list[dict[str, str]]) -> list[Node]:
    """Rows that name what they are made of (PKNAME) as trees."""
    top: list[Node] = []
    by_name: dict[str, Node] = {}
    for row in rows:
        node: Node = {**row, "children": []}
        parent = by_name.get(row.get("pkname", ""))
        (parent["children"] if parent else top).append(node)
        by_name.setdefault(row.get("kname", row.get("name", "")), node)
    return top


def _is_drive(disk: Node, tested: Target) -> bool:
    """A RAID controller's or a hypervisor's disk has no transport; for a draft its name will do."""
    is_named_so = is_volume(disk.get("vendor"), disk.get("model"))
    return not is_named_so and (tested.is_draft or disk.get("tran") in _TRANSPORTS)


def _drive_facts(disk: Node, source: str, tested: Target) -> list[Fact]:
    model = " ".join(str(disk.get("model") or "").split())
    if not _is_drive(disk, tested):
        of = (
            "a volume, not a drive" if is_volume(disk.get("vendor"), model) else "not a known drive"
        )
        return [Fact("drive", "drive", None, f"{source} is {model!r}, {of}")]
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


def _array_facts(disks: list[Node], tested: Target, source: str) -> list[Fact]:
    """Linux software RAID is a node of type raid5 below each of its drives. One drive without it is
    an array of one."""
    arrays = {
        str(node.get("name")): str(node.get("type"))
        for disk in disks
        for node in nodes(disk)
        if str(node.get("type")).startswith("raid") and aliases(node) & tested.devices
    }
    facts: list[Fact] = []
    for name, level in arrays.items():
        count = sum(any(name in aliases(node) for node in nodes(disk)) for disk in disks)
        values = {"raid_level": read_raid_level(level), "drive_count": count}
        facts += facts_of("array", f"{source}: {name}, type {level}", values)
    if not arrays and len(disks) == 1 and tested.devices and _is_drive(disks[0], tested):
        where = f"{source}: {disks[0].get('name')} is one drive"
        facts += facts_of("array", where, {"drive_count": 1})
    return facts
