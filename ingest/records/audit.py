"""Checks an archive against its checksums, and repairs it from packs and sources."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ingest.common.errors import InputError
from ingest.common.paths import real_path
from ingest.find.packed import Unpacker, is_packed, list_members
from ingest.find.sources import PAPER_FILE
from ingest.parsers import white_paper
from ingest.records.archive import Archive, file_id_of, read_spot, sha256_of, tar_of
from ingest.records.packs import SUFFIX, UNREADABLE, Spot, compress, spots_in, write_pack

_DAMAGED = "damaged"


@dataclass(frozen=True)
class Audit:
    """The state of a pack."""

    path: Path
    fault: str | None = None
    sound: dict[str, Spot] = field(default_factory=dict)
    damaged: set[str] = field(default_factory=set)

    @property
    def is_whole(self) -> bool:
        return self.fault is None and not self.damaged


def files_in(archive: Archive) -> list[Path]:
    """The packs."""
    return sorted(archive.packs.glob(f"*{SUFFIX}"))


def audit(archive: Archive, path: Path) -> Audit:
    """Read a pack to its end."""
    try:
        fault = None if sha256_of(path) == path.stem else "its sha256 is not its name"
        spots = spots_in(path)
    except UNREADABLE as error:
        fault = f"it cannot be read ({error})"
        spots = archive.index.contents_of(path.name)
    found = Audit(path, fault)
    for file_id, spot in spots.items():
        try:
            read_spot(spot, file_id)
        except InputError:
            found.damaged.add(file_id)
        else:
            found.sound[file_id] = spot
    return found


def mend(
    archive: Archive, broken: Sequence[Audit], whole: set[str], paths: dict[str, list[str]]
) -> set[str]:
    """Rewrite the sound contents of broken packs, and damaged contents from their sources.

    The broken packs go to `archive/damaged/`.

    Args:
        archive: all packs.
        broken: the packs to replace.
        whole: contents of the other packs.
        paths: printable places of the sources of damaged or missing contents.

    Returns:
        The contents recovered from their sources.
    """
    kept = set(whole)
    mended: set[str] = set()

    def contents() -> Iterator[tuple[str, bytes]]:
        for one in broken:
            for file_id, spot in one.sound.items():
                if file_id not in kept:
                    kept.add(file_id)
                    yield file_id, compress(read_spot(spot, file_id))
        for file_id in paths.keys() - kept:
            content = _from_sources(file_id, paths[file_id])
            if content is not None:
                mended.add(file_id)
                yield file_id, compress(content)

    pack = write_pack(archive.packs, contents())
    for one in broken:
        if one.path == pack:  # it is whole again
            continue
        aside = archive.folder / _DAMAGED
        aside.mkdir(exist_ok=True)
        one.path.rename(aside / one.path.name)
    archive.index.remove()
    return mended


def _from_sources(file_id: str, paths: Iterable[str]) -> bytes | None:
    for path in paths:
        try:
            content = _content_at(Path(real_path(path)))
        except (OSError, InputError, ExceptionGroup):
            continue
        if content is not None and file_id_of(content) == file_id:
            return content
    return None


def _content_at(path: Path) -> bytes | None:
    if path.name == PAPER_FILE:
        return tar_of(path.parent, white_paper.members(path))
    if path.is_file():
        return path.read_bytes()
    for packed in path.parents:
        if packed.is_file() and is_packed(packed.name):
            members, _ = list_members(packed)
            return next((Unpacker().read(one) for one in members if one.path == path), None)
    return None
