"""One sidecar, compiled: its values for each file below its folder."""

import os
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

from ingest.common.errors import InputError
from ingest.common.text_files import read_text
from ingest.common.time_limit import time_limit
from ingest.find.links import ANYWHERE, AllowedLinks
from ingest.systems.sidecar.fields import FIELDS, GROUP_ALIASES, LoadFields, Sidecar
from ingest.systems.sidecar.kinds import SEVERAL_DRIVES, kinds_of, raw_values, read_value
from ingest.systems.sidecar.patterns import Pattern, compile_glob, compile_regex, readable
from ingest.systems.sidecar.reading import parse_sidecar

Values = dict[str, Any]
_MOST_SECONDS = 30.0


@dataclass(frozen=True)
class _Entry:
    pattern: Pattern
    values: Values

    def values_for(self, path: str) -> Values:
        """The entry's values for the file at this path below the sidecar's folder."""
        match = self.pattern.search(path)
        if match is None:
            return {}
        groups = {
            GROUP_ALIASES.get(name, name): text for name, text in match.groupdict().items() if text
        }
        if not groups:
            return self.values
        return self.values | columns_of(
            {name: _group_value(name, text) for name, text in groups.items()}
        )


@dataclass(frozen=True)
class Level:
    """A sidecar, compiled."""

    path: Path
    sidecar: Sidecar
    values: Values
    entries: tuple[_Entry, ...]

    @property
    def is_root(self) -> bool:
        return self.sidecar.root

    def values_for(self, path: str) -> Values:
        """The values for a file; raises InputError if a regex group in its name is not a value."""
        values = dict(self.values)
        for number, entry in enumerate(self.entries, start=1):
            try:
                values |= entry.values_for(readable(path))
            except ValueError as error:
                place = f"files entry {number}, on {path!r}: {error}"
                raise InputError(self.path, f"{place}; correct the regex or the name") from error
        if values.pop("combine", None):
            values["combine_below"] = str(self.path.parent)
        return values


@dataclass(frozen=True)
class BadLevel:
    """An unreadable sidecar: it may set any field, and be the root."""

    path: Path
    errors: list[InputError]
    is_root: ClassVar = False


def read_level(path: Path, links: AllowedLinks = ANYWHERE) -> Level | BadLevel | None:
    """The sidecar at `path`, if there is one. A link must lead into the `links`."""
    if not os.path.lexists(path):
        return None
    try:
        if fault := links.refuse(path):
            raise fault
        with time_limit(_MOST_SECONDS):
            return _read_level(path)
    except InputError as error:
        return BadLevel(path, [error])
    except Exception as error:  # hostile text may raise anything
        reason = f"cannot be read, please report it: {type(error).__name__}: {error}"
        return BadLevel(path, [InputError(path, reason)])


def _read_level(path: Path) -> Level | BadLevel:
    text = read_text(path, 1, "split it into sidecars in subfolders")
    sidecar, errors = parse_sidecar(text, path)
    if errors:
        return BadLevel(path, errors)
    entries = (
        _Entry(
            compile_glob(entry.glob) if entry.glob else compile_regex(entry.regex or ""),
            columns_of({name: getattr(entry, name) for name in FIELDS}),
        )
        for entry in sidecar.files
    )
    plain = {name: getattr(sidecar, name, None) for name in FIELDS}
    return Level(path, sidecar, columns_of(plain), tuple(entries))


def columns_of(fields: Values) -> Values:
    """Given fields as columns of RAW_FIELDS; "8 x SAS-12G-SSD" gives two."""
    values = {name: value for name, value in fields.items() if value is not None}
    if several := SEVERAL_DRIVES.fullmatch(values.get("drive", "")):
        values = {"drive_count": int(several[1])} | values | {"drive": several[2]}
    if "direction" in values:
        values["read_percent"] = 100.0 if values.pop("direction") == "read" else 0.0
    return raw_values(LoadFields, values)


@lru_cache(maxsize=4096)
def _group_value(name: str, text: str) -> Any:
    """A part of a file's name as a value: '5', 'raid5' and 'RAID-5' are RAID 5, numbers are read.

    Cached: many names share few values, and reading one takes as long as looking at a file.
    """
    if name.endswith(("_count", "_percent")):  # qd08 is 8; msgspec does not read 08
        text = re.sub("^0+(?=[0-9])", "", text)
    elif name == "drive_media":
        text = text.upper()
    try:
        return read_value(kinds_of(LoadFields)[name], text, is_text=True)
    except ValueError as error:
        raise ValueError(f"{name} {error}") from error
