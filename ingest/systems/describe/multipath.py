"""`multipath -ll`: which disks are paths to one LUN of a storage system, and none of its drives."""

import re

from ingest.errors import InputError
from ingest.systems.describe.facts import Fact, Input
from ingest.systems.describe.target import Target

KIND = "multipath"
COMMAND = ("multipath", "-ll")
_MAP = re.compile(r"^(?P<name>\S+) (?:\(\S+\) )?(?P<device>dm-\d+)(?: (?P<product>.*))?$")
_PATH = re.compile(r"^[|` ].* \d{1,5}:\d{1,5}:\d{1,5}:\d{1,9} +(\S+) ")


def read(inputs: list[Input], tested: Target) -> list[Fact]:
    facts: list[Fact] = []
    for one in inputs:
        lines = one.text.split("\n")
        starts = [i for i, line in enumerate(lines) if _MAP.match(line)]
        if not starts:
            raise InputError(
                one.source, f"names no map; expected the output of `{' '.join(COMMAND)}`"
            )
        for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
            found = _MAP.match(lines[start])
            paths = [path[1] for line in lines[start:end] if (path := _PATH.match(line))]
            if found and any(map(tested.may_have, (found["name"], found["device"], *paths))):
                product = " ".join((found["product"] or "no name").split())
                reason = (
                    f"{one.source}: {', '.join(paths)} are paths to {found['name']} ({product})"
                )
                facts += [
                    Fact("drive", "drive", None, reason),
                    Fact("array", "drive_count", None, reason),
                ]
    return facts
