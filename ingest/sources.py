"""Finds what a person means by a path: the sources below it."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from ingest.errors import InputError
from ingest.ignores import Ignores
from ingest.names import printable

PAPER_FILE = "document.yml"
SIDECAR_FILE = "headroom.yml"
SYSTEM_FOLDER = "system"
MANIFEST_FILE = "capture.txt"
"""What makes a folder of that name one that `headroom capture`'s script wrote."""


def shown_path(path: Path | str) -> str:
    """A path as provenance: from the working folder where it lies below it, else in full."""
    return printable(os.path.realpath(path).removeprefix(os.path.join(os.getcwd(), "")))


@dataclass
class Found:
    """What lies under some paths."""

    files: list[Path] = field(default_factory=list)
    ignored: list[Path] = field(default_factory=list)
    """By a `.headroomignore`, where `files` would have them."""
    ignores: Ignores = field(default_factory=Ignores)
    faults: list[InputError] = field(default_factory=list)
    """Of folders that cannot be looked into, and of `.headroomignore` files."""


def target_of(path: str) -> str:
    """Where a link leads; any other path as it is, which takes a tenth of the time."""
    return os.path.realpath(path) if os.path.islink(path) else path


def is_system(folder: Path | str) -> bool:
    """Whether a folder is a captured system."""
    name = os.path.basename(folder).removesuffix(".partial")  # of one that was interrupted
    return name == SYSTEM_FOLDER and os.path.lexists(os.path.join(folder, MANIFEST_FILE))


def is_description(path: Path) -> bool:
    """Whether a file describes results: a sidecar, or the manifest of a captured system."""
    return path.name == SIDECAR_FILE or (path.name == MANIFEST_FILE and is_system(path.parent))


def find_files(paths: Iterable[Path]) -> list[Path]:
    """The files of `find_sources`."""
    return find_sources(paths).files


def find_sources(paths: Iterable[Path]) -> Found:
    """Every leading file under the paths, each once: a paper's folder counts as its document.yml.

    Sidecars, captured systems and hidden files are not sources. A path of a captured system stands
    for its manifest.

    Raises:
        InputError: a path does not exist.
    """
    find_paper.cache_clear()
    found = Found()
    files: dict[Path, bool] = {}
    for path in paths:
        if not os.path.exists(path):
            raise InputError(path, "no such file or folder")
        above = Path(os.path.realpath(path))
        captured = next((one for one in (above, above.parent) if is_system(one)), None)
        if captured:
            files.setdefault(captured / MANIFEST_FILE, False)
            continue
        for folder, real, is_hidden, names in _walk(path, found):
            paper = find_paper(folder)
            for one in [paper] if paper else [folder / name for name in names]:
                is_ignored = is_hidden or (
                    one.parent == folder and found.ignores.hides(real, one.name)
                )
                files.setdefault(one, is_ignored)
    found.files = [path for path, is_ignored in files.items() if not is_ignored]
    found.ignored = [path for path, is_ignored in files.items() if is_ignored]
    found.faults += found.ignores.faults
    return found


def _walk(top: Path, found: Found) -> Iterator[tuple[Path, str, bool, list[str]]]:
    """Folders, what they resolve to, whether they are ignored, and their files that may be sources.

    Links to folders are followed, each once. A file is its folder with this file alone.
    """
    folder = top if top.is_dir() else top.parent
    seen: set[str] = set()
    real = {str(folder): os.path.realpath(folder)}  # a link's target; looked up for links only
    hidden = {str(folder): found.ignores.hides_above(real[str(folder)])}
    if folder != top:
        yield folder, real[str(folder)], hidden[str(folder)], [top.name]
        return

    def refuse(error: OSError) -> None:
        reason = f"cannot be listed: {error.strerror}; what is in it is not seen"
        found.faults.append(InputError(error.filename, reason))

    for directory, folders, files in os.walk(folder, followlinks=True, onerror=refuse):
        seen.add(real[directory])
        for name in folders:
            path = os.path.join(directory, name)
            is_link = os.path.islink(path)
            real[path] = os.path.realpath(path) if is_link else f"{real[directory]}/{name}"
            hidden[path] = hidden[directory] or found.ignores.hides(real[directory], f"{name}/")
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".")
            and real[os.path.join(directory, name)] not in seen
            and not is_system(os.path.join(directory, name))
        )
        names = [name for name in files if not name.startswith(".") and name != SIDECAR_FILE]
        if names:
            yield Path(directory), real[directory], hidden[directory], sorted(names)


@cache
def find_paper(folder: Path) -> Path | None:
    """The leading file of the paper to which the files of a folder belong."""
    for candidate in (folder / PAPER_FILE, folder.parent / PAPER_FILE):
        if os.path.exists(candidate):
            return candidate
    return None
