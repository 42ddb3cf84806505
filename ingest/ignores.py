"""`.headroomignore`: which files in and below its folder are left out, by the rules of .gitignore.

The nearest file up the tree that has a pattern for a name decides; in a folder that is left out
nothing comes back.
"""

import os
from pathlib import Path

from pathspec import GitIgnoreSpec, Pattern

from ingest.errors import InputError

IGNORE_FILE = ".headroomignore"


class Ignores:
    """The `.headroomignore` files of one ingest, each read once."""

    def __init__(self) -> None:
        self.faults: list[InputError] = []
        self._above: dict[str, list[tuple[GitIgnoreSpec, str]]] = {}

    def hides(self, folder: str, name: str) -> bool:
        """Whether a name in a folder (in full path) is left out; that of a folder ends with `/`."""
        for spec, prefix in self._specs_above(folder):
            verdict = spec.check_file(prefix + name).include
            if verdict is not None:
                return verdict
        return False

    def hides_above(self, path: str) -> bool:
        """Whether a folder, in full path, or one above it is left out."""
        folder, name = os.path.split(path)
        return bool(name) and (self.hides_above(folder) or self.hides(folder, f"{name}/"))

    def _specs_above(self, folder: str) -> list[tuple[GitIgnoreSpec, str]]:
        """From the nearest on, each with the folder's path below its own: '' or 'a/b/'."""
        if folder not in self._above:
            parent, name = os.path.split(folder)
            farther = self._specs_above(parent) if name else []
            own = self._read(Path(folder, IGNORE_FILE))
            specs = [] if own is None else [(own, "")]
            self._above[folder] = specs + [(spec, f"{prefix}{name}/") for spec, prefix in farther]
        return self._above[folder]

    def _read(self, path: Path) -> GitIgnoreSpec | None:
        try:
            lines = path.read_text(errors="surrogateescape").splitlines()
        except OSError as error:
            if os.path.lexists(path):
                self.faults.append(InputError(path, f"cannot be read: {error.strerror}"))
            return None
        patterns: list[Pattern] = []
        for number, line in enumerate(lines, start=1):
            try:
                patterns += GitIgnoreSpec.from_lines([line]).patterns
            except ValueError:
                reason = f"{line!r} is no pattern; the others hold. Mend it as in a .gitignore"
                self.faults.append(InputError(path, reason, line=number))
        return GitIgnoreSpec(patterns)
