"""Resolves the description of a file: the nearest up the tree wins, field by field.

As in .editorconfig, `root: true` ends the search. Within a sidecar an entry of `files:` wins over
the plain fields, and a later entry over an earlier one. An unreadable sidecar leaves the earlier
description of the file in force. A folder's sidecar overrides its captured system; only the
nearest captured system counts, since others may be of other machines.
"""

import os
from collections.abc import Callable
from pathlib import Path

from ingest.common.errors import InputError
from ingest.common.paths import printable
from ingest.find.links import ANYWHERE, AllowedLinks
from ingest.find.sources import SIDECAR_FILE, target_of
from ingest.systems.describe.system import System, read_system
from ingest.systems.sidecar.level import BadLevel, Level, Values, read_level

_Level = Level | BadLevel | System


class Sidecars:
    """The sidecars of one ingest run, each read once.

    `path_of` gives a full path as the warehouse stores it.
    """

    def __init__(
        self, links: AllowedLinks = ANYWHERE, path_of: Callable[[Path | str], str] = printable
    ) -> None:
        self._links = links
        self.path_of = path_of
        self._levels: list[_Level] = []
        self._above: dict[str, list[tuple[_Level, str]]] = {}
        self._on_names: dict[str, list[InputError]] = {}

    def resolve(
        self,
        path: Path | str,
        stored_values: Callable[[], Values] = dict,
        captured: Values | None = None,
    ) -> Values:
        """The description of `path` as a row of RAW_FIELDS; empty if it has none.

        `captured` has the facts of its captured system, in that form. `errors` has sidecars that
        cannot be read, or have an entry whose match in a name is not a value of its field. Fields
        that no nearer sidecar sets then come from `stored_values`.
        """
        folder, name = os.path.split(target_of(str(path)))
        resolved: Values = {}
        for level, prefix in self._levels_above(self._real(folder)):
            if isinstance(level, System):
                values: Values | None = captured or {}
            else:
                values = self._values_for(level, prefix + name)
            if values is None:
                return stored_values() | resolved
            resolved = values | resolved
        return resolved

    def system_of(self, path: Path | str) -> System | None:
        """The nearest captured system above a path."""
        levels = self._levels_above(self._real(os.path.dirname(target_of(str(path)))))
        return next((level for level, _ in levels if isinstance(level, System)), None)

    def look_in(self, folder: Path) -> None:
        """Read the sidecars of a folder and above it, for their `errors`."""
        self._levels_above(self._real(str(folder)))

    @property
    def errors(self) -> dict[str, list[InputError]]:
        """The faults of the sidecars read so far, by full path."""
        found = dict(self._on_names)
        for level in self._levels:
            if isinstance(level, BadLevel):
                found[str(level.path)] = level.errors
            elif isinstance(level, System):
                found |= level.errors
        return found

    @property
    def readable(self) -> list[Level]:
        """The readable sidecars among those read so far."""
        return [level for level in self._levels if isinstance(level, Level)]

    def _real(self, folder: str) -> str:
        return folder if folder in self._above else os.path.realpath(folder)

    def _values_for(self, level: Level | BadLevel, path: str) -> Values | None:
        """None if it is unreadable or an entry does not fit the name; each sidecar reports its
        first such error."""
        if isinstance(level, BadLevel):
            return None
        try:
            values = level.values_for(printable(path))
        except InputError as error:
            self._on_names.setdefault(error.path, [error])
            return None
        if values.get("combine_below"):
            values["combine_below"] = self.path_of(values["combine_below"])
        return values

    def _levels_above(self, folder: str) -> list[tuple[_Level, str]]:
        """The levels, nearest first, each with this folder's path below it: '' or 'a/b/'."""
        if folder in self._above:
            return self._above[folder]
        path = Path(folder)
        both = (read_level(path / SIDECAR_FILE, self._links), read_system(path, self._links))
        own = [level for level in both if level]
        self._levels += own
        has_system = any(isinstance(level, System) for level in own)
        parent, name = os.path.split(folder)
        is_top = parent == folder or any(level.is_root for level in own)
        levels: list[tuple[_Level, str]] = [(level, "") for level in own]
        for level, prefix in [] if is_top else self._levels_above(parent):
            if not (has_system and isinstance(level, System)):
                levels.append((level, f"{prefix}{name}/"))
        self._above[folder] = levels
        return levels
