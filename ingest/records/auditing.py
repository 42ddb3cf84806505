"""Reads an archive against its checksums; writes anew what is damaged and can be had elsewhere."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from ingest.errors import InputError
from ingest.names import real_path
from ingest.packed import Unpacker, is_packed, list_members
from ingest.parsers import white_paper
from ingest.records.archive import Archive, file_id_of, read_spot, sha256_of, tar_of
from ingest.records.pack_index import Spot
from ingest.records.packs import SUFFIX, UNREADABLE, PackWriter, entries_of
from ingest.sources import PAPER_FILE

_DAMAGED = "damaged"


@dataclass(frozen=True)
class Audit:
    """What a pack, or a single content of an older archive, turned out to be."""

    path: Path
    fault: str | None = None
    sound: dict[str, Spot] = field(default_factory=dict)
    damaged: set[str] = field(default_factory=set)

    @property
    def is_whole(self) -> bool:
        return self.fault is None and not self.damaged


def files_in(archive: Archive) -> list[Path]:
    """Packs, and the single contents of an older archive."""
    loose = archive.folder.glob("[0-9a-f][0-9a-f]/*.zst")
    return [*sorted(archive.packs.glob(f"*{SUFFIX}")), *sorted(loose)]


def audit(archive: Archive, path: Path) -> Audit:
    """Read one of `files_in` to its end."""
    if path.suffix != SUFFIX:
        return _audited(Audit(path), {path.stem: Spot(path)})
    try:
        fault = None if sha256_of(path) == path.stem else "its sha256 is not its name"
        members = entries_of(path)
        spots = {one.file_id: Spot(path, one.offset, one.size) for one in members}
    except UNREADABLE as error:
        fault = f"it cannot be read ({error})"
        spots = archive.index.contents_of(path.name)
    return _audited(Audit(path, fault), spots)


def _audited(found: Audit, spots: dict[str, Spot]) -> Audit:
    for file_id, spot in spots.items():
        try:
            read_spot(spot, file_id)
        except InputError:
            found.damaged.add(file_id)
        else:
            found.sound[file_id] = spot
    return found


def mend(
    archive: Archive, broken: Iterable[Audit], whole: set[str], paths: dict[str, list[str]]
) -> set[str]:
    """Write anew what broken packs have and `whole` has not, and what is in `paths`, from there.

    `paths` are the printable places of the sources of contents that are damaged or missing. The
    broken packs go to `archive/damaged/`. Returns the contents that were mended from their sources.
    """
    broken = list(broken)
    kept: set[str] = set(whole)
    mended: set[str] = set()
    with _NewPack(archive) as pack:
        for one in broken:
            for file_id, spot in one.sound.items():
                if file_id not in kept:
                    pack.add(file_id, read_spot(spot, file_id))
                    kept.add(file_id)
        for file_id in paths.keys() - kept:
            content = _from_sources(file_id, paths[file_id])
            if content is not None:
                pack.add(file_id, content)
                mended.add(file_id)
    for one in broken:
        if one.path.name == pack.name:  # it is whole again
            continue
        aside = archive.folder / _DAMAGED
        aside.mkdir(exist_ok=True)
        one.path.rename(aside / one.path.name)
    archive.index.remove()
    return mended


class _NewPack:
    """A pack that is sealed at the end; without contents nothing is written."""

    def __init__(self, archive: Archive) -> None:
        self._packs = archive.packs
        self._writer: PackWriter | None = None
        self.name: str | None = None

    def add(self, file_id: str, content: bytes) -> None:
        self._writer = self._writer or PackWriter(self._packs)
        self._writer.add(file_id, content)

    def __enter__(self) -> "_NewPack":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._writer and kind:
            self._writer.discard()
        elif self._writer:
            self.name, _entries = self._writer.seal()


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
