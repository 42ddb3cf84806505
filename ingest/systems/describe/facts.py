"""Facts about the system under test, with the tool that prints each."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from ingest.common.errors import InputError
from ingest.common.text_files import as_utf8
from ingest.find.packed import Unpacker, is_packed, only_member
from ingest.systems.sidecar.definitions import DEFINITIONS
from ingest.systems.sidecar.fields import ArrayFields
from ingest.systems.sidecar.kinds import kinds_of, read_value, shown

# Volumes of a RAID controller or a hypervisor: their model and ROTA are not a drive's.
_VOLUME = re.compile(r"PERC|LOGICAL VOLUME|\bMR\d|RAID|virtual|QEMU|VBOX|VMware", re.IGNORECASE)
_DEEPEST = 60
_LONGEST = 1000
_LONE_SURROGATE = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")  # not valid in UTF-8
Subject = Literal["array", "controller", "drive"]
_STRUCTS: dict[str, type[msgspec.Struct]] = {"array": ArrayFields, **DEFINITIONS}


@dataclass(frozen=True)
class Fact:
    """A value of a sidecar's field; without a value, the reason why the field stays open."""

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
        """A file, or the only one packed in it, under its own name.

        Raises:
            InputError: it cannot be unpacked, or has several files.
        """
        if is_packed(path.name):
            member = only_member(path)
            path, content = member.path, Unpacker().read(member)
        else:
            content = path.read_bytes()
        return cls(kind, path.name, as_utf8(content).decode(errors="replace"))

    def unexpected(self, reason: str, command: str, line: int | None = None) -> InputError:
        return InputError(self.source, f"{reason}; expected the output of `{command}`", line)

    def json_objects(self, command: str) -> list[dict[str, Any]]:
        """The JSON objects of the text, one or several in a row.

        Raises:
            InputError: not JSON objects; names the command that prints them.
        """
        objects, rest = [], _LONE_SURROGATE.sub("?", self.text).strip()
        while rest:
            try:
                value, end = json.JSONDecoder(strict=False).raw_decode(rest)
            except json.JSONDecodeError as error:
                raise self.unexpected(error.msg, command, error.lineno) from error
            except (RecursionError, ValueError) as error:  # nested too deep, or a number too long
                raise self.unexpected("is out of bounds", command) from error
            if _is_deep(value):
                raise self.unexpected(f"is nested more than {_DEEPEST} deep", command)
            if not isinstance(value, dict):
                raise self.unexpected("not a JSON object", command)
            objects.append(value)
            rest = rest[end:].strip()
        return objects


def _is_deep(value: Any, left: int = _DEEPEST) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return not left or any(_is_deep(one, left - 1) for one in inner)


def not_under_test(source: str, devices: Iterable[str]) -> list[Fact]:
    """Remarks for a tool that lists volumes, but none on a tested device."""
    reason = f"{source}: no volume is {' or '.join(sorted(devices)) or 'known to be tested'}"
    return [
        Fact("controller", "controller", None, reason),
        Fact("array", "raid_level", None, reason),
    ]


def facts_of(subject: Subject, source: str, values: dict[str, Any]) -> list[Fact]:
    """Facts for the given values; remarks for values that a sidecar cannot have."""
    kinds = kinds_of(_STRUCTS[subject])
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


def drive_facts(source: str, model: Any, firmware: Any = None, **values: Any) -> list[Fact]:
    """A drive by its model; its firmware is one of the array's fields in a sidecar."""
    facts = facts_of("drive", source, {"drive": model, "model": model, **values})
    return facts + facts_of("array", source, {"drive_firmware": firmware})


def controller_facts(source: str, name: Any, firmware: Any = None, **values: Any) -> list[Fact]:
    """A controller by its full name; its firmware is one of the array's fields in a sidecar."""
    facts = facts_of("controller", source, {"controller": name, "full_name": name, **values})
    return facts + facts_of("array", source, {"controller_firmware": firmware})


def interface_with_speed(family: str, *speeds: Any) -> str:
    """'SAS' and '12.0Gbps' make 'SAS 12G', as papers write it. The slowest number counts; a word
    such as Unknown is no speed."""
    found = [re.match(r"[0-9]{1,3}(?:\.[0-9]{1,3})?", str(speed).strip()) for speed in speeds]
    gigabits = min((float(one[0]) for one in found if one), default=None)
    return f"{family} {gigabits:g}G" if gigabits else family


def as_count(text: Any) -> int | None:
    """A count above 0; None for any other text."""
    digits = str(text).strip()
    return int(digits) or None if re.fullmatch("[0-9]{1,6}", digits) else None


def is_volume(*names: Any) -> bool:
    """Whether a disk's names are those of a volume: a RAID controller's or a hypervisor's."""
    return any(_VOLUME.search(str(name)) for name in names if name)


def pairs(text: str) -> list[dict[str, str]]:
    """Lines of NAME="value", by lower-case names: the form of tools without JSON."""
    found = (re.findall(r'([A-Z]{1,20})="([^"]*)"', line) for line in text.split("\n"))
    return [{name.lower(): value for name, value in line} for line in found if line]


def objects(values: Any) -> list[dict[str, Any]]:
    """The objects of a list; empty for anything else."""
    members = values if isinstance(values, list) else []
    return [member for member in members if isinstance(member, dict)]


def member(values: Any, *keys: str) -> Any:
    """The value below nested objects, None where one is missing."""
    for key in keys:
        values = values.get(key) if isinstance(values, dict) else None
    return values
