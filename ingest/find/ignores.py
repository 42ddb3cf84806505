"""`.headroomignore` leaves out files in and below its folder, by the rules of .gitignore.

The nearest file up the tree with a pattern for a name decides; nothing in an ignored folder can be
included again. RE2 matches in time linear in the name: a hostile `*a*a*a*b` cannot hang a night.
"""

import os
from pathlib import Path

import re2
from pathspec import GitIgnoreSpec, Pattern, RegexPattern
from pathspec.patterns.gitwildmatch import GitWildMatchPattern

from ingest.common.errors import InputError
from ingest.common.text_files import read_bytes
from ingest.find.links import ANYWHERE, AllowedLinks

IGNORE_FILE = ".headroomignore"
_MOST_PATTERNS = 1000
_LONGEST = 1000
_LARGEST_MIB = 1
_OPTIONS = re2.Options()
_OPTIONS.log_errors = False  # it would write them to stderr
_OPTIONS.dot_nl = True
_OPTIONS.max_mem = 8 << 20
_SURROGATES = {code: code + 0x1000 for code in range(0xDC80, 0xDD00)}
"""Maps undecodable bytes of a name to private-use characters: RE2 accepts no surrogates."""


class Ignores:
    """The `.headroomignore` files of one ingest, each read once."""

    def __init__(self, links: AllowedLinks = ANYWHERE) -> None:
        self.faults: list[InputError] = []
        self._links = links
        self._above: dict[str, list[tuple[GitIgnoreSpec, str]]] = {}

    def hides(self, folder: str, name: str) -> bool:
        """Whether a name in a folder (a full path) is left out; a folder's name ends with `/`."""
        for spec, prefix in self._specs_above(folder):
            verdict = spec.check_file(_as_text(prefix + name)).include
            if verdict is not None:
                return verdict
        return False

    def hides_above(self, path: str) -> bool:
        """Whether a folder (a full path) or a folder above it is left out."""
        folder, name = os.path.split(path)
        return bool(name) and (self.hides_above(folder) or self.hides(folder, f"{name}/"))

    def _specs_above(self, folder: str) -> list[tuple[GitIgnoreSpec, str]]:
        """The specs, nearest first, each with this folder's path below the spec's: '' or 'a/b/'."""
        if folder not in self._above:
            parent, name = os.path.split(folder)
            farther = self._specs_above(parent) if name else []
            own = self._read(Path(folder, IGNORE_FILE))
            specs = [] if own is None else [(own, "")]
            self._above[folder] = specs + [(spec, f"{prefix}{name}/") for spec, prefix in farther]
        return self._above[folder]

    def _read(self, path: Path) -> GitIgnoreSpec | None:
        """The patterns of a file; faulty lines, and a file that cannot be read, are ignored."""
        if not os.path.lexists(path):
            return None
        try:
            if fault := self._links.refuse(path):
                raise fault
            data = read_bytes(path, _LARGEST_MIB, "divide it by subfolders")
        except InputError as error:
            self.faults.append(error)
            return None
        patterns: list[Pattern] = []
        for number, line in enumerate(os.fsdecode(data).splitlines(), start=1):
            try:
                patterns += _compiled(line)
            except ValueError as error:
                why = str(error) if str(error).startswith(":") else ""
                reason = f"{line[:80]!r} is not a valid pattern{why} and is ignored"
                reason += "; write it as in a .gitignore"
                self.faults.append(InputError(path, reason, line=number))
            if len(patterns) >= _MOST_PATTERNS:
                reason = f"has more than {_MOST_PATTERNS} patterns, of which the first hold"
                self.faults.append(InputError(path, f"{reason}: divide it by subfolders"))
                break
        return GitIgnoreSpec(patterns)


def _compiled(line: str) -> list[Pattern]:
    """The pattern of a line, if it has one.

    Raises:
        ValueError: not valid, too long or too costly; gives the reason if git would accept it.
    """
    if len(line) > _LONGEST:
        raise ValueError(f": it is longer than {_LONGEST} characters")
    regex, include = GitWildMatchPattern.pattern_to_regex(_as_text(line))
    if include is None:
        return []
    try:
        return [RegexPattern(re2.compile(regex, _OPTIONS), include)]
    except re2.error as error:
        raise ValueError(f": {error.args[0].decode(errors='replace')}") from error


def _as_text(name: str) -> str:
    return name if name.isascii() else name.translate(_SURROGATES)
