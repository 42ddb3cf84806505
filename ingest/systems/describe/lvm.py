"""`lvs --reportformat json --units b -o lv_name,vg_name,segtype,stripes,stripe_size,devices`.

A linear volume has no level of its own. lsblk has the parts of a volume group.
"""

from collections.abc import Iterator

from ingest.common.vocabulary import read_raid_level
from ingest.systems.describe.facts import Fact, Input, facts_of, member, objects
from ingest.systems.describe.target import Target

COMMAND = "lvm lvs --reportformat json --units b"


def read(inputs: list[Input], tested: Target) -> Iterator[Fact]:
    for one in inputs:
        for document in one.json_objects(COMMAND):
            for report in objects(document.get("report")):
                for volume in objects(member(report, "lv")):
                    yield from _volume_facts(volume, one.source, tested)


def _volume_facts(volume: dict[str, str], source: str, tested: Target) -> list[Fact]:
    group, name = str(volume.get("vg_name")), str(volume.get("lv_name"))
    kind = str(volume.get("segtype")).partition("_")[0]
    level = read_raid_level({"striped": "raid0", "mirror": "raid1"}.get(kind, kind))
    device = f"{group.replace('-', '--')}-{name.replace('-', '--')}"
    if level is None or not tested.may_have(device):
        return []
    size = str(volume.get("stripe_size") or "").removesuffix("B")
    values = {
        "raid_level": level,
        "drive_count": len(str(volume.get("devices") or "").split(",")),
        "stripe": f"{size} B" if size.isdigit() and int(size) else None,
    }
    return facts_of("array", f"{source}: {group}/{name}, {volume.get('segtype')}", values)
