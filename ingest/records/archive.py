"""Keeps every content that was read, by its sha256: compressed in packs, located by an index.

A paper's content is a tar of its files, any other content is the file itself. `unzip` and
`zstd -d` restore both.
"""

import hashlib
import io
import os
import tarfile
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import zstandard

from ingest.common.errors import InputError
from ingest.records.pack_index import PackIndex
from ingest.records.packs import Spot, compress, write_pack

_PACKS = "packs"
# A damaged index has absurd offsets and sizes.
_FAULTS = (OSError, zstandard.ZstdError, MemoryError, OverflowError, ValueError)
_REMEDY = "touch the result file and ingest it again, or restore the packs from a backup"


def file_id_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def tar_of(folder: Path, members: list[Path]) -> bytes:
    """The files as a tar that depends on their names and bytes only."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for member in members:
            data = member.read_bytes()
            entry = tarfile.TarInfo(member.relative_to(folder).as_posix())
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    return buffer.getvalue()


def untar(content: bytes, folder: Path) -> None:
    with tarfile.open(fileobj=io.BytesIO(content)) as tar:
        tar.extractall(folder, filter="data")


@dataclass(frozen=True)
class Archive:
    folder: Path

    @property
    def packs(self) -> Path:
        return self.folder / _PACKS

    @property
    def ledger(self) -> Path:
        """The folder of `ingest.records.archived_tables`."""
        return self.folder / "ledger"

    @property
    def index(self) -> PackIndex:
        return _index(os.path.abspath(self.folder))

    def has(self, file_id: str, content: bytes) -> bool:
        """Whether it has the content undamaged."""
        return any(_is_at(spot, content) for spot in self.index.find(file_id))

    def read(self, file_id: str) -> bytes:
        """The content as it was read.

        Raises:
            InputError: it is missing or damaged.
        """
        try:
            return self._read(file_id)
        except InputError:
            if not self.index.renew():
                raise
        return self._read(file_id)

    def _read(self, file_id: str) -> bytes:
        error = InputError(self.packs, f"no pack has the content {file_id}: {_REMEDY}")
        for spot in self.index.find(file_id):
            try:
                return read_spot(spot, file_id)
            except InputError as fault:
                error = fault
        raise error


@cache
def _index(folder: str) -> PackIndex:
    """One per process."""
    return PackIndex(Path(folder, _PACKS), Path(folder, "index.sqlite"))


@cache
def _decompressor() -> zstandard.ZstdDecompressor:
    return zstandard.ZstdDecompressor()


def _compressed(spot: Spot) -> bytes:
    with spot.path.open("rb") as file:
        file.seek(spot.offset)
        return file.read(spot.size)


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_spot(spot: Spot, file_id: str) -> bytes:
    """The content that should be at a spot.

    Raises:
        InputError: it is damaged.
    """
    try:
        content = _decompressor().decompress(_compressed(spot))
    except _FAULTS as error:
        reason = f"the archived content {file_id} cannot be read ({error}): {_REMEDY}"
        raise InputError(spot.path, reason) from error
    if file_id_of(content) != file_id:
        raise InputError(spot.path, f"the archived content {file_id} is damaged: {_REMEDY}")
    return content


def _is_at(spot: Spot, content: bytes) -> bool:
    try:
        return _decompressor().decompress(_compressed(spot)) == content
    except _FAULTS:
        return False


class NewPack:
    """New contents of a batch, kept for good once sealed."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._contents: dict[str, bytes] = {}

    def store(self, file_id: str, content: bytes) -> None:
        """Add a content, unless the archive has it undamaged."""
        if file_id not in self._contents and not self._archive.has(file_id, content):
            self._contents[file_id] = compress(content)

    @property
    def file_ids(self) -> Collection[str]:
        return self._contents.keys()

    def seal(self) -> None:
        """Write it to the disk; without new contents nothing is written.

        Raises:
            OSError: none of `file_ids` is kept.
        """
        if not self._contents:
            return
        if path := write_pack(self._archive.packs, self._contents.items()):
            self._archive.index.add(path)
