"""Keeps every content that was read: `archive/ab/abcdef….zst`, named by its sha256.

A paper's content is a tar of its files, any other is the file itself; `zstd -d` restores both.
"""

import hashlib
import io
import os
import tarfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import zstandard

from ingest.errors import InputError

_REMEDY = "delete it, touch the result file and ingest that again"
_LEVEL = 1  # result files shrink to a tenth at once; higher levels cost more than they save


def file_id_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def pack(folder: Path, members: list[Path]) -> bytes:
    """The files as a tar that depends on their names and bytes only."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for member in members:
            data = member.read_bytes()
            entry = tarfile.TarInfo(member.relative_to(folder).as_posix())
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    return buffer.getvalue()


def unpack(content: bytes, folder: Path) -> None:
    with tarfile.open(fileobj=io.BytesIO(content)) as tar:
        tar.extractall(folder, filter="data")


@cache
def _compressor() -> zstandard.ZstdCompressor:
    """One for all contents: making one costs as much as compressing a small file."""
    return zstandard.ZstdCompressor(level=_LEVEL)


def _write(path: str, data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)


@dataclass(frozen=True)
class Archive:
    folder: Path

    def store(self, file_id: str, content: bytes) -> None:
        """Keep a content; of one that is there already nothing is written."""
        path = str(self._path(file_id))
        if os.path.exists(path):
            return
        packed = _compressor().compress(content)
        partial = f"{path}.{os.getpid()}.partial"
        try:
            _write(partial, packed)
        except FileNotFoundError:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            _write(partial, packed)
        os.rename(partial, path)

    def read(self, file_id: str) -> bytes:
        """The content as it was read.

        Raises:
            InputError: it is missing or damaged.
        """
        path = self._path(file_id)
        try:
            content = zstandard.ZstdDecompressor().decompress(path.read_bytes())
        except (OSError, zstandard.ZstdError) as error:
            reason = f"the archived content cannot be read ({error}): {_REMEDY}"
            raise InputError(path, reason) from error
        if file_id_of(content) != file_id:
            raise InputError(path, f"the archived content is damaged: {_REMEDY}")
        return content

    def _path(self, file_id: str) -> Path:
        return self.folder / file_id[:2] / f"{file_id}.zst"
