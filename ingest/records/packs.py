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


def compress(content: bytes) -> bytes:
    return _compressor().compress(content)


def write_pack(folder: Path, contents: Iterable[tuple[str, bytes]]) -> Path | None:
    """Put a pack of compressed contents, by `file_id`, on the disk for good.

    None if there are no contents. A failure leaves nothing behind.
    """
    make_folder(folder)
    partial = folder / f"{uuid.uuid4().hex}{_PARTIAL}"
    try:
        with partial.open("x+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            with zipfile.ZipFile(file, "w") as pack:
                for file_id, frame in contents:
                    pack.writestr(zipfile.ZipInfo(file_id + _MEMBER), frame)
            if not pack.namelist():
                return None
            file.flush()
            os.fsync(file.fileno())
            file.seek(0)
            path = folder / (hashlib.file_digest(file, "sha256").hexdigest() + SUFFIX)
            os.rename(partial, path)
        flush(folder)
    finally:
        partial.unlink(missing_ok=True)
    return path


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
