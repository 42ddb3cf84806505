"""Limits where links may lead: into the given folders and those of `--follow`.

Otherwise anyone who may write results could link to any file that this process can read.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ingest.common.errors import InputError
from ingest.common.paths import printable


@dataclass(frozen=True)
class AllowedLinks:
    """Resolved folders and files; with None, links may lead anywhere."""

    places: tuple[str, ...] | None = None

    @classmethod
    def of(cls, paths: Iterable[Path], follow: Iterable[Path] = ()) -> "AllowedLinks":
        """The given paths; for a file also its folder."""
        given = [*paths]
        beside = (path.parent for path in given if not os.path.isdir(path))
        places = map(os.path.realpath, (*given, *beside, *follow))
        return cls(tuple(dict.fromkeys(places)))

    def refuse(self, path: Path | str) -> InputError | None:
        """Why a link is not followed; None for an allowed link and for any other path."""
        if self.places is None or not os.path.islink(path):
            return None
        target = os.path.realpath(path)
        if any(_is_in(target, place) for place in self.places):
            return None
        folder = printable(target if os.path.isdir(target) else os.path.dirname(target))
        reason = f"is a link to {printable(target)}, out of the folders that were given, and is not"
        return InputError(path, f"{reason} followed: if it may be, add --follow {folder}")


def _is_in(target: str, place: str) -> bool:
    return target == place or target.startswith(os.path.join(place, ""))


ANYWHERE = AllowedLinks()
NOWHERE = AllowedLinks(())
