"""Which sidecar says what of a file: the nearest up the tree wins, field by field.

So does .editorconfig; a sidecar with `root: true` ends the search. Within a sidecar an entry of
`files:` wins over the plain fields, and a later entry over an earlier one.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from ingest.errors import InputError
from ingest.sidecar.catalog import definition_row
from ingest.sidecar.fields import FIELDS, GROUP_ALIASES, LoadFields, Sidecar, read_sidecar
from ingest.sidecar.patterns import compile_pattern
from ingest.sidecar.sizes import read_size
from ingest.sources import SIDECAR_FILE, shown_path
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
class _Level:
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


class Sidecars:
    """The sidecars of one ingest run, each read once."""

    def __init__(self) -> None:
        self._read: dict[Path, _Level | InputError | None] = {}
        self._above: dict[Path, list[tuple[_Level, str]]] = {}

    def resolve(self, path: Path) -> Values:
        """What the sidecars above `path` say of it, as a row of RAW_FIELDS; empty where none does.

        Raises:
            InputError: a sidecar above it cannot be read, or a group of its name is no value.
        """
        place = path.resolve() if os.path.islink(path) else path
        resolved: Values = {}
        for level, prefix in self._levels_above(place.parent):
            resolved = level.say(prefix + place.name) | resolved
        if "stripe" in resolved:
            number, unit = read_size("stripe", resolved.pop("stripe"))
            resolved |= {"stripe_number": number, "stripe_unit": unit}
        return resolved

    def catalog_rows(self) -> dict[str, list[Values]]:
        """The definitions of the sidecars met so far: rows of CATALOG_TABLES."""
        rows: dict[str, list[Values]] = {"sidecar_controllers": [], "sidecar_drives": []}
        for level in self._met():
            paths = {"absolute_path": str(level.path), "sidecar_path": shown_path(level.path)}
            for controller in level.sidecar.controllers:
                rows["sidecar_controllers"].append(paths | definition_row(controller))
            for drive in level.sidecar.drives:
                rows["sidecar_drives"].append(paths | definition_row(drive))
        return rows

    def met(self) -> list[Path]:
        """The sidecars that were read, in full path."""
        return [level.path for level in self._met()]

    def _met(self) -> list[_Level]:
        return [level for level in self._read.values() if isinstance(level, _Level)]

    def _levels_above(self, folder: Path) -> list[tuple[_Level, str]]:
        """Sidecars from the nearest on, each with the folder's path below its own: '' or 'a/b/'."""
        if folder in self._above:
            return self._above[folder]
        levels: list[tuple[_Level, str]] = []
        start = folder.resolve()
        for parent in (start, *start.parents):
            level = self._level(parent)
            if level is None:
                continue
            prefix = "" if parent == start else f"{start.relative_to(parent).as_posix()}/"
            levels.append((level, prefix))
            if level.sidecar.root:
                break
        self._above[folder] = levels
        return levels

    def _level(self, folder: Path) -> _Level | None:
        if folder not in self._read:
            self._read[folder] = _read_level(folder / SIDECAR_FILE)
        level = self._read[folder]
        if isinstance(level, InputError):
            raise InputError(level.path, level.reason)
        return level


def resolve_sidecar(path: Path) -> Values:
    """What the sidecars above one file say of it; for many files keep a `Sidecars`."""
    return Sidecars().resolve(path)


def _read_level(path: Path) -> _Level | InputError | None:
    if not path.exists():
        return None
    try:
        sidecar = read_sidecar(path)
    except InputError as error:
        return error
    entries = (
        _Entry(number, compile_pattern(entry.glob, entry.regex), _values(entry))
        for number, entry in enumerate(sidecar.files, start=1)
    )
    return _Level(path, sidecar, _values(sidecar), tuple(entries))


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
