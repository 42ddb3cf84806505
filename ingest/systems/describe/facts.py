"""What a tool says of the system under test, with where it says so."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from ingest.errors import InputError
from ingest.packed import Unpacker, is_packed, only_member
from ingest.systems.describe.target import Target
from ingest.systems.sidecar.catalog import ControllerDefinition, DriveDefinition
from ingest.systems.sidecar.fields import ArrayFields
from ingest.systems.sidecar.kinds import read_value, shown

# Volumes of a RAID controller or a hypervisor: their model and ROTA are not a drive's.
_VOLUME = re.compile(r"PERC|LOGICAL VOLUME|\bMR\d|RAID|virtual|QEMU|VBOX|VMware", re.IGNORECASE)
_DEEPEST = 60
_LONGEST = 1000
_LONE_SURROGATE = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")  # no UTF-8 has it
Subject = Literal["array", "controller", "drive"]
_STRUCTS: dict[Subject, type[msgspec.Struct]] = {
    "array": ArrayFields,
    "controller": ControllerDefinition,
    "drive": DriveDefinition,
}


@dataclass(frozen=True)
class Fact:
    """A value of a sidecar's field; without a value a remark on why the field is left open."""

    subject: Subject
    field: str
    value: str | int | None
    source: str


@dataclass(frozen=True)
class Input:
    """The output of one tool; `source` is the file, or the command that was run."""

    kind: str
    source: str
    text: str

    @classmethod
    def read(cls, kind: str, path: Path) -> "Input":
        """A file, or the one that is packed in it; its name is that without what it is packed by.

        Raises:
            InputError: it cannot be unpacked, or there are several in it.
        """
        if is_packed(path.name):
            member = only_member(path)
            path, content = member.path, Unpacker().read(member)
        else:
            content = path.read_bytes()
        return cls(kind, path.name, content.decode("utf-8-sig", errors="replace"))

    def json_objects(self, made_by: str) -> list[dict[str, Any]]:
        """The JSON objects of the text, one or several behind each other.

        Raises:
            InputError: it is none; says which command makes it.
        """
        objects, rest = [], _LONE_SURROGATE.sub("?", self.text).strip()
        while rest:
            try:
                value, end = json.JSONDecoder(strict=False).raw_decode(rest)
            except json.JSONDecodeError as error:
                reason = f"{error.msg}; expected the output of `{made_by}`"
                raise InputError(self.source, reason, line=error.lineno) from error
            except (RecursionError, ValueError) as error:  # nested too deep, or a number too long
                reason = f"is out of bounds; expected the output of `{made_by}`"
                raise InputError(self.source, reason) from error
            if _is_deep(value):
                raise InputError(self.source, f"is nested more than {_DEEPEST} deep")
            if not isinstance(value, dict):
                raise InputError(
                    self.source, f"not a JSON object; expected the output of `{made_by}`"
                )
            objects.append(value)
            rest = rest[end:].strip()
        return objects


def _is_deep(value: Any, left: int = _DEEPEST) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return not left or any(_is_deep(one, left - 1) for one in inner)


def not_under_test(source: str, tested: Target) -> list[Fact]:
    """Remarks on a tool that knows volumes, and none of the results' devices."""
    reason = f"{source}: no volume is {' or '.join(sorted(tested.devices)) or 'known to be tested'}"
    return [
        Fact("controller", "controller", None, reason),
        Fact("array", "raid_level", None, reason),
    ]


def facts_of(subject: Subject, source: str, values: dict[str, Any]) -> list[Fact]:
    """Facts for the values that there are; of those that no sidecar may have, remarks."""
    kinds = {field.name: field.type for field in msgspec.structs.fields(_STRUCTS[subject])}
    facts = []
    for field, value in values.items():
        if value not in (None, ""):
            try:
                found = read_value(kinds[field], value)
                if len(str(found)) > _LONGEST:
                    raise ValueError(f"longer than {_LONGEST} characters")
                facts.append(Fact(subject, field, found, source))
            except ValueError:
                facts.append(Fact(subject, field, None, f"{source} says {shown(value)}"))
    return facts


def interface_with_speed(family: str, *speeds: Any) -> str:
    """'SAS' and '12.0Gbps' make 'SAS 12G', as the papers write it. The slowest speed counts; what
    is no number, such as Unknown, is none."""
    found = [re.match(r"[0-9]{1,3}(?:\.[0-9]{1,3})?", str(speed).strip()) for speed in speeds]
    gigabits = min((float(one[0]) for one in found if one), default=None)
    return f"{family} {gigabits:g}G" if gigabits else family


def whole(text: Any) -> int | None:
    """A count above 0; None for any other text."""
    digits = str(text).strip()
    return int(digits) or None if re.fullmatch("[0-9]{1,6}", digits) else None


def is_volume(*names: Any) -> bool:
    """Whether what a disk calls itself is a RAID controller's or a hypervisor's: no drive's."""
    return any(_VOLUME.search(str(name)) for name in names if name)


def pairs(text: str) -> list[dict[str, str]]:
    """Lines of NAME="value", by the names in lower case: what tools print that have no JSON."""
    found = (re.findall(r'([A-Z]{1,20})="([^"]*)"', line) for line in text.split("\n"))
    return [{name.lower(): value for name, value in line} for line in found if line]


def objects(values: Any) -> list[dict[str, Any]]:
    """The objects of a list; none where it is null, missing or something else."""
    members = values if isinstance(values, list) else []
    return [member for member in members if isinstance(member, dict)]


def member(values: Any, *keys: str) -> Any:
    """The value below nested objects, None where one is missing."""
    for key in keys:
        values = values.get(key) if isinstance(values, dict) else None
    return values
