"""Finds the sources below the paths that a person gives."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from ingest.common.errors import InputError
from ingest.common.paths import printable
from ingest.find.ignores import Ignores
from ingest.find.links import ANYWHERE, AllowedLinks
from ingest.parsers.white_paper.sheets import SHEETS

PAPER_FILE = "document.yml"
PAPER_FIGURES = "figures"
SIDECAR_FILE = "headroom.yml"
SYSTEM_FOLDER = "system"
MANIFEST_FILE = "capture.txt"
"""Marks a folder of that name as written by `headroom capture`'s script."""
_PAPER_NAMES = {PAPER_FILE, *(sheet.file for sheet in SHEETS)}
_DEEPEST = 100


def shown_path(path: Path | str) -> str:
    """A path as messages name it: relative if it is below the working folder, links resolved."""
    return below(os.getcwd(), os.path.realpath(path))


def below(folder: str, absolute: str) -> str:
    """A path relative to a folder, or absolute if it is not below; in printable form."""
    return printable(absolute.removeprefix(os.path.join(folder, "")))


@dataclass
class Found:
    """The sources under some paths."""

    files: list[Path] = field(default_factory=list)
    ignored: list[Path] = field(default_factory=list)
    """Files that a `.headroomignore` leaves out."""
    links: AllowedLinks = ANYWHERE
    ignores: Ignores = field(default_factory=Ignores)
    faults: list[InputError] = field(default_factory=list)
    """Faults of folders that cannot be listed, links that are not followed, `.headroomignore`."""


def target_of(path: str) -> str:
    """A link's target; any other path unchanged, in a tenth of the time of `realpath`."""
    return os.path.realpath(path) if os.path.islink(path) else path


def is_system(folder: Path | str) -> bool:
    """Whether a folder is a captured system."""
    name = os.path.basename(folder).removesuffix(".partial")  # an interrupted capture
    return name == SYSTEM_FOLDER and os.path.lexists(os.path.join(folder, MANIFEST_FILE))


def is_description(path: Path) -> bool:
    """Whether a file describes results: a sidecar, or the manifest of a captured system."""
    return path.name == SIDECAR_FILE or (path.name == MANIFEST_FILE and is_system(path.parent))


def find_sources(paths: Sequence[Path], follow: Iterable[Path] = ()) -> Found:
    """Every source file under the paths, each once; document.yml stands for a paper's folder.

    Sidecars, captured systems and hidden files are not sources. The path of a captured system gives
    its manifest. Links that leave the paths and the folders to `follow` are faults.

    Raises:
        InputError: a path does not exist.
    """
    links = AllowedLinks.of(paths, follow)
    found = Found(links=links, ignores=Ignores(links))
    files: dict[Path, bool] = {}
    for path in paths:
        if not os.path.exists(path):
            raise InputError(path, "no such file or folder")
        above = Path(os.path.realpath(path))
        captured = next((one for one in (above, above.parent) if is_system(one)), None)
        if captured:
            files.setdefault(captured / MANIFEST_FILE, False)
            continue
        for folder, names in _walk(path, found):
            own = Path(folder.path)
            for one in _leading(own, names, links):
                is_ignored = folder.is_hidden or (
                    one.parent == own and found.ignores.hides(folder.real, one.name)
                )
                files.setdefault(one, is_ignored)
    found.files = [path for path, is_ignored in files.items() if not is_ignored]
    found.ignored = [path for path, is_ignored in files.items() if is_ignored]
    found.faults += found.ignores.faults
    return found


class _Folder(NamedTuple):
    """`path` as found, `real` with links resolved; `depth` below the given path."""

    path: str
    real: str
    is_hidden: bool
    depth: int = 0


def _walk(top: Path, found: Found) -> Iterator[tuple[_Folder, list[str]]]:
    """Folders and their possible sources.

    Links to folders are followed, each once. A file yields its folder with only this file.
    """
    folder = str(top if os.path.isdir(top) else top.parent)
    real = os.path.realpath(folder)
    first = _Folder(folder, real, found.ignores.hides_above(real))
    if folder != str(top):
        yield first, [top.name]
        return
    seen: set[str] = set()
    pending = [first]
    while pending:
        one = pending.pop()
        if one.real in seen:
            continue
        seen.add(one.real)
        names, folders = _look_into(one, found)
        if names:
            yield one, sorted(names)
        pending += sorted(folders, reverse=True)


def _look_into(folder: _Folder, found: Found) -> tuple[list[str], list[_Folder]]:
    """The possible sources and the folders in a folder; links not followed become faults.

    The listing itself distinguishes links and folders: no entry needs a stat.
    """
    names: list[str] = []
    folders: list[_Folder] = []
    try:
        with os.scandir(folder.path) as entries:
            for entry in entries:
                if entry.name.startswith("."):
                    continue
                if entry.name == SIDECAR_FILE and not _is_folder(entry):
                    continue
                if entry.is_symlink() and (fault := found.links.refuse(entry.path)):
                    if not folder.is_hidden and not found.ignores.hides(folder.real, entry.name):
                        found.faults.append(fault)
                elif not _is_folder(entry):
                    names.append(entry.name)
                elif not is_system(entry.path):
                    folders.append(_below(folder, entry, found.ignores))
    except OSError as error:
        reason = f"cannot be listed: {error.strerror}; its files are skipped"
        found.faults.append(InputError(folder.path, reason))
    if folders and folder.depth == _DEEPEST:
        reason = f"has folders more than {_DEEPEST} deep; their files are skipped"
        found.faults.append(InputError(folder.path, reason))
        return names, []
    return names, folders


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _below(folder: _Folder, entry: os.DirEntry[str], ignores: Ignores) -> _Folder:
    real = os.path.realpath(entry.path) if entry.is_symlink() else f"{folder.real}/{entry.name}"
    is_hidden = folder.is_hidden or ignores.hides(folder.real, f"{entry.name}/")
    return _Folder(entry.path, real, is_hidden, folder.depth + 1)


def _leading(folder: Path, names: list[str], links: AllowedLinks) -> Iterator[Path]:
    """The files; a paper's document.yml in place of its files."""
    paper = _find_paper(folder, links)
    if paper and any(_is_of_paper(paper, folder, name) for name in names):
        yield paper
    for name in names:
        if not paper or not _is_of_paper(paper, folder, name):
            yield folder / name


def _is_of_paper(paper: Path, folder: Path, name: str) -> bool:
    """Whether a file has the name of a paper's file."""
    if folder == paper.parent:
        return name in _PAPER_NAMES
    return folder.name == PAPER_FIGURES and name.endswith(".csv")


def _find_paper(folder: Path, links: AllowedLinks) -> Path | None:
    """The document.yml of the paper that the files of a folder may belong to."""
    for candidate in (folder / PAPER_FILE, folder.parent / PAPER_FILE):
        if os.path.isfile(candidate):
            return None if links.refuse(candidate) else candidate
    return None
