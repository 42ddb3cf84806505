"""`multipath -ll`: disks that are paths to one LUN of a storage system, not drives of it."""

import re
from collections.abc import Iterator

from ingest.systems.describe.facts import Fact, Input
from ingest.systems.describe.target import Target

COMMAND = "multipath -ll"
_MAP = re.compile(r"(?P<name>\S+) (?:\(\S+\) )?(?P<device>dm-\d+)(?: (?P<product>.*))?")
_PATH = re.compile(r"^[|` ].* \d{1,5}:\d{1,5}:\d{1,5}:\d{1,9} +(\S+) ")


def read(inputs: list[Input], tested: Target) -> Iterator[Fact]:
    for one in inputs:
        maps: list[tuple[re.Match[str], list[str]]] = []
        for line in one.text.split("\n"):
            if found := _MAP.fullmatch(line):
                maps.append((found, []))
            elif maps and (path := _PATH.match(line)):
                maps[-1][1].append(path[1])
        if not maps:
            raise one.unexpected("names no map", COMMAND)
        for found, paths in maps:
            if any(map(tested.may_have, (found["name"], found["device"], *paths))):
                product = " ".join((found["product"] or "no name").split())
                lun = f"{found['name']} ({product})"
                reason = f"{one.source}: {', '.join(paths)} are paths to {lun}"
                yield Fact("drive", "drive", None, reason)
                yield Fact("array", "drive_count", None, reason)
