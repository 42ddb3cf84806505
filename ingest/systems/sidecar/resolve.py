"""Which sidecar says what of a file: the nearest up the tree wins, field by field.

So does .editorconfig; a sidecar with `root: true` ends the search. Within a sidecar an entry of
`files:` wins over the plain fields, and a later entry over an earlier one. A sidecar that cannot be
read takes nothing from the others: in its stead stands what was said of the file before.
"""

import os
from collections.abc import Callable
from pathlib import Path

from ingest.errors import InputError
from ingest.names import printable
from ingest.sources import SIDECAR_FILE, shown_path, target_of
from ingest.systems.sidecar.catalog import definition_row
from ingest.systems.sidecar.level import EVERYTHING, BadLevel, Level, Values, read_level


class Sidecars:
    """The sidecars of one ingest run, each read once."""

    def __init__(self) -> None:
        self._read: dict[Path, Level | BadLevel | None] = {}
        self._above: dict[str, list[tuple[Level | BadLevel, str]]] = {}
        self._on_names: dict[str, list[InputError]] = {}

    def resolve(self, path: Path | str, said_before: Callable[[], Values] = dict) -> Values:
        """What the sidecars above `path` say of it, as a row of RAW_FIELDS; empty where none does.

        Where one cannot be read, or an entry of it fits the name and not its field, `errors` says
        so. What the nearer ones leave open is then as `said_before`, and what that leaves open is
        said by farther ones, except of fields that the bad one speaks of.
        """
        folder, name = os.path.split(target_of(str(path)))
        resolved: Values = {}
        withheld: frozenset[str] = frozenset()
        for level, prefix in self._levels_above(self._real(folder)):
            said = None if isinstance(level, BadLevel) else self._say(level, prefix + name)
            resolved = {
                column: value
                for column, value in (said_before() if said is None else said).items()
                if column not in withheld
            } | resolved
            if said is None:
                withheld |= level.fields if isinstance(level, BadLevel) else EVERYTHING
        return resolved

    def look_in(self, folder: Path) -> None:
        """Read the sidecar of a folder, and those above it, for their `errors`."""
        self._levels_above(self._real(str(folder)))

    @property
    def errors(self) -> dict[str, list[InputError]]:
        """What is wrong with the sidecars met so far, by their full path."""
        found = {
            str(level.path): level.errors
            for level in self._read.values()
            if isinstance(level, BadLevel)
        }
        return found | self._on_names

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

    def _real(self, folder: str) -> str:
        return folder if folder in self._above else os.path.realpath(folder)

    def _say(self, level: Level, path: str) -> Values | None:
        """None where an entry does not fit the name: of each sidecar the first is told."""
        try:
            return level.say(printable(path))
        except InputError as error:
            self._on_names.setdefault(error.path, [error])
            return None

    def _levels_above(self, folder: str) -> list[tuple[Level | BadLevel, str]]:
        """Sidecars from the nearest on, each with the folder's path below its own: '' or 'a/b/'."""
        if folder in self._above:
            return self._above[folder]
        path = Path(folder)
        if path not in self._read:
            self._read[path] = read_level(path / SIDECAR_FILE)
        own = self._read[path]
        parent, name = os.path.split(folder)
        is_top = parent == folder or (own is not None and own.is_root)
        farther = [] if is_top else self._levels_above(parent)
        levels: list[tuple[Level | BadLevel, str]] = [] if own is None else [(own, "")]
        levels += [(level, f"{prefix}{name}/") for level, prefix in farther]
        self._above[folder] = levels
        return levels
