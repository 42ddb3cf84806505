"""Which sidecar says what of a file: the nearest up the tree wins, field by field.

So does .editorconfig; a sidecar with `root: true` ends the search. Within a sidecar an entry of
`files:` wins over the plain fields, and a later entry over an earlier one.
"""

import os
from pathlib import Path

from ingest.errors import InputError
from ingest.names import printable
from ingest.sources import SIDECAR_FILE, shown_path
from ingest.systems.sidecar.catalog import definition_row
from ingest.systems.sidecar.level import Level, Values, read_level
from ingest.systems.sidecar.sizes import read_size


class Sidecars:
    """The sidecars of one ingest run, each read once."""

    def __init__(self) -> None:
        self._read: dict[Path, Level | InputError | None] = {}
        self._above: dict[str, list[tuple[Level, str]]] = {}

    def resolve(self, path: Path | str) -> Values:
        """What the sidecars above `path` say of it, as a row of RAW_FIELDS; empty where none does.

        Raises:
            InputError: a sidecar above it cannot be read, or a group of its name is no value.
        """
        folder, name = os.path.split(os.path.realpath(path) if os.path.islink(path) else path)
        if folder not in self._above:
            folder = os.path.realpath(folder)
        resolved: Values = {}
        for level, prefix in self._levels_above(folder):
            resolved = level.say(printable(prefix + name)) | resolved
        if "stripe" in resolved:
            number, unit = read_size("stripe", resolved.pop("stripe"))
            resolved |= {"stripe_number": number, "stripe_unit": unit}
        return resolved

    def catalog_rows(self) -> dict[str, list[Values]]:
        """The definitions of the sidecars met so far: rows of CATALOG_TABLES."""
        rows: dict[str, list[Values]] = {"sidecar_controllers": [], "sidecar_drives": []}
        for level in self._met():
            paths = {"absolute_path": printable(level.path), "sidecar_path": shown_path(level.path)}
            for controller in level.sidecar.controllers:
                rows["sidecar_controllers"].append(paths | definition_row(controller))
            for drive in level.sidecar.drives:
                rows["sidecar_drives"].append(paths | definition_row(drive))
        return rows

    def met(self) -> list[Path]:
        """The sidecars that were read, in full path."""
        return [level.path for level in self._met()]

    def _met(self) -> list[Level]:
        return [level for level in self._read.values() if isinstance(level, Level)]

    def _levels_above(self, folder: str) -> list[tuple[Level, str]]:
        """Sidecars from the nearest on, each with the folder's path below its own: '' or 'a/b/'."""
        if folder in self._above:
            return self._above[folder]
        own = self._level(Path(folder))
        parent, name = os.path.split(folder)
        is_top = parent == folder or (own is not None and own.sidecar.root)
        farther = [] if is_top else self._levels_above(parent)
        levels = [] if own is None else [(own, "")]
        levels += [(level, f"{prefix}{name}/") for level, prefix in farther]
        self._above[folder] = levels
        return levels

    def _level(self, folder: Path) -> Level | None:
        if folder not in self._read:
            self._read[folder] = read_level(folder / SIDECAR_FILE)
        level = self._read[folder]
        if isinstance(level, InputError):
            raise InputError(level.path, level.reason)
        return level


def resolve_sidecar(path: Path) -> Values:
    """What the sidecars above one file say of it; for many files keep a `Sidecars`."""
    return Sidecars().resolve(path)
