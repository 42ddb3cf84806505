"""Finds values in the JSON of storcli and perccli.

storcli2 and perccli2, from MegaRAID 9600 and PERC 12 on, have them in other places.
"""

import re
from collections.abc import Iterator
from typing import Any

from ingest.systems.describe.facts import member, objects

_DRIVE = re.compile(r"Drive /c\d+(?:/e(\d+))?/s(\d+) - Detailed Information")
Values = dict[str, Any]


def volumes(data: Values) -> Iterator[tuple[str, Values]]:
    """Each part of a volume's description, by its number."""
    for name, value in data.items():
        drives = re.fullmatch(r"PDs for VD (\d+)", name)
        properties = re.fullmatch(r"VD(\d+) Properties", name)
        if drives:
            yield drives[1], {"drives": objects(value)}
        elif properties:
            yield properties[1], _properties(value)
        elif name in ("VD LIST", "Virtual Drives") or re.fullmatch(r"/c\d+/v\d+", name):
            for row in objects(value):
                yield _listed(row, data)


def _listed(row: Values, data: Values) -> tuple[str, Values]:
    listed = row.get("VD Info", row)
    listed = listed if isinstance(listed, dict) else {}
    group, _, number = str(member(listed, "DG/VD")).partition("/")
    drives = objects(row.get("PDs")) or [
        drive for drive in objects(data.get("PD LIST")) if str(drive.get("DG")) == group
    ]
    columns = {"level": "TYPE", "state": "State", "cache": "Cache"}
    found = {name: listed[column] for name, column in columns.items() if column in listed}
    found |= _properties(row.get("VD Properties"))
    return number, found | ({"drives": drives} if drives else {})


def _properties(value: Any) -> Values:
    if not isinstance(value, dict):
        return {}
    strip = str(value.get("Strip Size") or "").replace("KiB", "KB").replace("MiB", "MB")
    return {"strip": strip, "device": str(value.get("OS Drive Name") or "")}


def drives(data: Values) -> Iterator[tuple[str, Values]]:
    """The firmware of single drives, and the speeds of drives and links, by enclosure and slot as
    in `EID:Slt`."""
    for name, value in data.items():
        if place := _DRIVE.fullmatch(name):
            details = member(value, name.replace("- Detailed Information", "Device attributes"))
            speeds = [member(details, "Device Speed"), member(details, "Link Speed")]
            yield (
                f"{place[1] or ''}:{place[2]}",
                {"firmware": member(details, "Firmware Revision"), "speeds": speeds},
            )
    for row in objects(data.get("Drives List")):
        details = row.get("Drive Detailed Information")
        paths = objects(member(details, "Path Information"))
        speeds = [
            member(details, "Capable Speed"),
            *(path.get("Negotiated Speed") for path in paths),
        ]
        yield (
            str(member(row, "Drive Information", "EID:Slt")),
            {"firmware": member(details, "Firmware Revision Level"), "speeds": speeds},
        )
