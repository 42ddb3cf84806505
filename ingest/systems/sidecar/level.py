"""One sidecar, compiled: what it says of each file below its folder."""

import errno
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from ingest.errors import InputError
from ingest.systems.sidecar.fields import FIELDS, GROUP_ALIASES, LoadFields, Sidecar, read_sidecar
from ingest.systems.sidecar.patterns import compile_pattern
from ingest.vocabulary import read_raid_level

Values = dict[str, Any]


@dataclass(frozen=True)
class _Entry:
    number: int
    pattern: re.Pattern[str]
    values: Values

    def say(self, path: str) -> Values:
        """What the entry says of the file at this path below the sidecar's folder."""
        match = self.pattern.search(path)
        if match is None:
            return {}
        groups = {
            GROUP_ALIASES.get(name, name): text for name, text in match.groupdict().items() if text
        }
        return self.values | (_group_values(groups) if groups else {})


@dataclass(frozen=True)
class Level:
    """A sidecar, compiled."""

    path: Path
    sidecar: Sidecar
    values: Values
    entries: tuple[_Entry, ...]

    def say(self, path: str) -> Values:
        said = dict(self.values)
        for entry in self.entries:
            try:
                said |= entry.say(path)
            except ValueError as error:
                place = f"files entry {entry.number}, on {path!r}: {error}"
                raise InputError(self.path, f"{place}; mend the regex or the name") from error
        return said


def read_level(path: Path) -> Level | InputError | None:
    """The sidecar at `path`; None where none is, the error where it cannot be read."""
    try:
        sidecar = read_sidecar(path)
    except InputError as error:
        return error
    except OSError as error:
        is_none = error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ELOOP)
        return None if is_none else InputError(path, f"cannot be read: {error.strerror}")
    entries = (
        _Entry(number, compile_pattern(entry.glob, entry.regex), _values(entry))
        for number, entry in enumerate(sidecar.files, start=1)
    )
    return Level(path, sidecar, _values(sidecar), tuple(entries))


def _values(fields: object) -> Values:
    found = {name: getattr(fields, name, None) for name in FIELDS}
    return {name: value for name, value in found.items() if value is not None}


def _group_values(groups: dict[str, str]) -> Values:
    """Parts of a file's name as values: '5', 'raid5' and 'RAID-5' are RAID 5, numbers are read."""
    values = {  # qd08 is 8, which msgspec does not read with its zero
        name: text.lstrip("0") or "0" if name.endswith("_count") else text
        for name, text in groups.items()
    }
    if "raid_level" in groups:
        text = groups["raid_level"]
        values["raid_level"] = read_raid_level(text) or text
    if "drive_media" in groups:
        values["drive_media"] = groups["drive_media"].upper()
    return _values(msgspec.convert(values, type=LoadFields, strict=False))
