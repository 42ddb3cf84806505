"""Finds what a person means by a path: the sources below it, and which parser reads each."""

import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ingest.errors import InputError
from ingest.parsers import PARSERS, Parser, white_paper

PAPER_FILE = "document.yml"
SIDECAR_FILE = "headroom.yml"
_HEAD_BYTES = 4096


@dataclass(frozen=True)
class Source:
    """A file, or a paper's folder, that one parser reads as a whole; `path` is its leading file."""

    path: Path
    parser: Parser

    def file_id(self) -> str:
        """sha256 of the content: of the file, or of the names and hashes of a paper's files."""
        members = self.parser.members(self.path)
        digests = [hashlib.sha256(member.read_bytes()).hexdigest() for member in members]
        if len(members) == 1:
            return digests[0]
        names = [str(member.relative_to(self.path.parent)) for member in members]
        listing = "\n".join(f"{name} {digest}" for name, digest in zip(names, digests, strict=True))
        return hashlib.sha256(listing.encode()).hexdigest()


def shown_path(path: Path) -> str:
    """The path as provenance: from the working folder where it lies below it, else in full."""
    relative = os.path.relpath(path)
    return str(path.resolve()) if relative.startswith("..") else relative


def find_files(paths: Iterable[Path]) -> list[Path]:
    """Every leading file under the paths, each once: a paper's folder counts as its document.yml.

    Sidecars and hidden files are not sources.

    Raises:
        InputError: a path does not exist.
    """
    found: dict[Path, None] = {}
    for path in paths:
        if not path.exists():
            raise InputError(path, "no such file or folder")
        for file in _walk(path) if path.is_dir() else [path]:
            found[_leading_file(file)] = None
    return list(found)


def _walk(folder: Path) -> Iterator[Path]:
    """Links to folders are followed, each folder once."""
    seen: set[str] = set()
    for directory, folders, files in os.walk(folder, followlinks=True):
        seen.add(os.path.realpath(directory))
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".")
            and os.path.realpath(os.path.join(directory, name)) not in seen
        )
        for name in sorted(files):
            if not name.startswith(".") and name != SIDECAR_FILE:
                yield Path(directory, name)


def _leading_file(file: Path) -> Path:
    for folder in (file.parent, file.parent.parent):
        if (folder / PAPER_FILE).exists():
            return folder / PAPER_FILE
    return file


def identify(path: Path) -> Source:
    """The source at `path` with the one parser that knows its content.

    Raises:
        InputError: the file is empty, or none or several parsers know it.
    """
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES).decode(errors="replace")
    if not head.strip():
        raise InputError(path, "is empty")
    if path.name == PAPER_FILE:
        return Source(path, white_paper)
    matching = [parser for parser in PARSERS if parser.matches(head.lstrip("\ufeff"))]
    if len(matching) != 1:
        known = ", ".join(parser.NAME for parser in matching or PARSERS)
        reason = (
            "several parsers claim it" if matching else "no parser knows its content; known are"
        )
        raise InputError(path, f"{reason}: {known}")
    return Source(path, matching[0])
