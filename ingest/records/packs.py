"""Packs: ZIPs of `<sha256>.zst` files, one pack per batch of new contents, each written once.

A pack's name is the sha256 of its bytes: `sha256sum` shows whether one has changed.
"""

import contextlib
import fcntl
import hashlib
import os
import struct
import uuid
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import zstandard

from ingest.common.disk import flush, make_folder

SUFFIX = ".zip"
UNREADABLE = (OSError, zipfile.BadZipFile, struct.error, NotImplementedError, ValueError)
_PARTIAL = ".partial"
_MEMBER = ".zst"
_LEVEL = 1  # shrinks result files to a tenth; higher levels cost more than they save
_LARGE_BYTES = 8 << 20
_LOCAL_HEADER = struct.Struct("<26xHH")
"""A ZIP's header before a member's bytes: the lengths of its name and of its extra fields."""


@dataclass(frozen=True)
class Spot:
    """The compressed bytes of a content in a pack."""

    path: Path
    offset: int
    size: int


@cache
def _compressor() -> zstandard.ZstdCompressor:
    """One for all contents: creating one costs as much as compressing a small file."""
    return zstandard.ZstdCompressor(level=_LEVEL)


def _compressed(content: bytes) -> Iterable[bytes]:
    """Compresses a large content piece by piece, which bounds the memory."""
    if len(content) > _LARGE_BYTES:
        return _compressor().read_to_iter(content, size=len(content))
    return (_compressor().compress(content),)


class PackWriter:
    """A pack being written: a partial file, locked by its writer."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._partial = folder / f"{uuid.uuid4().hex}{_PARTIAL}"
        self._spots: dict[str, tuple[int, int]] = {}
        make_folder(folder)
        self._file = self._partial.open("xb")
        fcntl.flock(self._file, fcntl.LOCK_EX)
        self._zip = zipfile.ZipFile(self._file, "w")

    def add(self, file_id: str, content: bytes) -> None:
        info = zipfile.ZipInfo(file_id + _MEMBER)
        info.file_size = len(content)  # a guess: from 4 GiB on it needs another format
        with self._zip.open(info, "w") as member:
            offset = self._file.tell()
            for piece in _compressed(content):
                member.write(piece)
        self._spots[file_id] = (offset, info.compress_size)

    def seal(self) -> tuple[str, dict[str, Spot]]:
        """Put the pack on the disk for good; returns its name and contents."""
        self._zip.close()
        self._file.flush()
        os.fsync(self._file.fileno())
        with self._partial.open("rb") as file:
            path = self._folder / (hashlib.file_digest(file, "sha256").hexdigest() + SUFFIX)
        os.rename(self._partial, path)
        flush(self._folder)
        self._file.close()
        return path.name, {file_id: Spot(path, *spot) for file_id, spot in self._spots.items()}

    def discard(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            self._zip.close()
        with contextlib.suppress(OSError):
            self._file.close()
        self._partial.unlink(missing_ok=True)


def remove_partials(folder: Path) -> None:
    """Remove partial files of killed writers."""
    for partial in folder.glob(f"*{_PARTIAL}"):
        with contextlib.suppress(OSError), partial.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            partial.unlink()


def spots_in(pack: Path) -> dict[str, Spot]:
    """The contents in a pack's own directory.

    Raises:
        One of UNREADABLE: it is damaged, or no pack.
    """
    spots = {}
    with pack.open("rb") as file, zipfile.ZipFile(file) as directory:
        for info in directory.infolist():
            file.seek(info.header_offset)
            lengths = _LOCAL_HEADER.unpack(file.read(_LOCAL_HEADER.size))
            file_id = info.filename.removesuffix(_MEMBER)
            spots[file_id] = Spot(pack, file.tell() + sum(lengths), info.compress_size)
    return spots
