"""Reads results in packed files: each member of a .tar or .zip is a source, and so is the content
of a .gz, .zst, .xz or .bz2.

Their places are `results.tar.gz/run1/a.json` and `run1/a.json.gz/a.json`. Members are streamed from
the first to the last and never unpacked onto a disk.
"""

import bz2
import gzip
import lzma
import os
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import zstandard

from ingest.common.errors import InputError
from ingest.find.sources import SIDECAR_FILE

_SINGLE = (".gz", ".zst", ".xz", ".bz2")
_TARS = (".tar", ".tgz", ".txz", ".tbz2", ".tbz", *(f".tar{end}" for end in _SINGLE))
ENDINGS = (*_TARS, *_SINGLE, ".zip")
_LARGEST_MEMBER_BYTES = 512 << 20
_LARGEST_BYTES = 16 << 30
_LARGEST_HEADER_BYTES = 1 << 20
_CHUNK_BYTES = 1 << 16
_PACKED_CHUNK_BYTES = 1 << 10  # may unpack to 32 MiB
_LARGEST_WINDOW_BYTES = 128 << 20  # for xz, whose highest preset needs 65 MiB
_USUAL_RATIO = 10
_MOST_MEMBERS = 200_000
_MOST_LEVELS = 100
_LONGEST_NAME = 4000


class _Stream(Protocol):
    def read(self, size: int, /) -> bytes: ...


@dataclass(frozen=True)
class Member:
    """A file in a packed file, with its position there."""

    packed: Path
    name: str
    number: int
    size_bytes: int

    @property
    def path(self) -> Path:
        return self.packed / self.name


@dataclass(frozen=True)
class _Entry:
    """An entry of a packed file; the size of a file packed alone (.gz) is a guess."""

    name: str
    size_bytes: int
    open: Callable[[], _Stream]


def is_packed(name: str) -> bool:
    return name.lower().endswith(ENDINGS)


def list_members(packed: Path) -> tuple[list[Member], InputError | None]:
    """The files in a packed file, up to the first damage, and its fault.

    Hidden files and sidecars are left out; the last of several equal names counts, as in tar.
    """
    found: dict[str, Member] = {}
    fault = None
    try:
        for number, entry in enumerate(_entries(packed)):
            if number == _MOST_MEMBERS:
                raise ValueError(f"it has more than {_MOST_MEMBERS} members: divide it")
            name = _normal(entry.name)
            parts = name.split("/")
            if len(name) > _LONGEST_NAME or len(parts) > _MOST_LEVELS:
                fault = InputError(packed, f"has a name that is too long: {name[:80]!r}")
            elif name and parts[-1] != SIDECAR_FILE and not any(p.startswith(".") for p in parts):
                found.pop(name, None)
                found[name] = Member(packed, name, number, entry.size_bytes)
    except Exception as error:  # hostile bytes may raise anything in three modules
        fault = InputError(packed, f"cannot be unpacked any further: {_message(error)}")
    return list(found.values()), fault


def only_member(packed: Path) -> Member:
    """The only file in a packed file.

    Raises:
        InputError: it has several files, or none.
    """
    members, fault = list_members(packed)
    if fault:
        raise fault
    if len(members) != 1:
        raise InputError(packed, f"has {len(members)} files, not one: unpack it")
    return members[0]


def _message(error: Exception) -> str:
    return str(error) or type(error).__name__


class Unpacker:
    """Reads members; if they are read in order, it reads the packed file only once."""

    def __init__(self) -> None:
        self._open: tuple[Path, int, int, int] | None = None
        self._entries: Iterator[tuple[int, _Entry]] = iter(())
        self._next = 0

    def read(self, member: Member) -> bytes:
        """The content of a member.

        Raises:
            InputError: it is damaged, too large, or not there any more.
        """
        try:
            look = os.stat(member.packed)
            packed = (member.packed, look.st_ino, look.st_size, look.st_mtime_ns)
            if packed != self._open or member.number < self._next:
                self._open, self._next = packed, 0
                self._entries = enumerate(_entries(member.packed))
            for number, entry in self._entries:
                self._next = number + 1
                if number == member.number and _normal(entry.name) == member.name:
                    return _read_all(entry)
        except Exception as error:
            self._open = None
            raise InputError(member.path, f"cannot be unpacked: {_message(error)}") from error
        self._open = None
        raise InputError(member.path, "no longer exists: ingest it again")


def _read_all(entry: _Entry) -> bytes:
    if is_packed(entry.name):
        raise ValueError("is a packed file inside a packed file; unpack the outer one")
    chunks, size = [], 0
    stream = entry.open()
    while chunk := stream.read(_CHUNK_BYTES):
        size += len(chunk)
        _refuse_more(size, _LARGEST_MEMBER_BYTES)
        chunks.append(chunk)
    return b"".join(chunks)


def _refuse_more(size: int, most: int) -> None:
    if size > most:
        raise ValueError(f"unpacks to more than {most >> 20} MiB, too much for results")


def _normal(name: str) -> str:
    """A name that stays below the packed file, even if the entry is hostile."""
    parts = name.replace("\0", "_").split("/")
    return "/".join(part for part in parts if part not in ("", ".", ".."))


def _entries(packed: Path) -> Iterator[_Entry]:
    """The entries of a packed file, in order; each can be opened until the next is requested."""
    name = packed.name.lower()
    if name.endswith(".zip"):
        found = _zip_entries(packed)
    elif name.endswith(_TARS):
        found = _tar_entries(packed)
    else:
        with packed.open("rb") as file:
            size = packed.stat().st_size * _USUAL_RATIO
            yield _Entry(packed.stem, size, partial(_unpacked, packed.name, file))
        return
    for entry in found:
        if entry.name.lower().endswith(_SINGLE) and not entry.name.lower().endswith(_TARS):
            name, size = f"{entry.name}/{Path(entry.name).stem}", entry.size_bytes * _USUAL_RATIO
            yield _Entry(name, size, lambda one=entry: _unpacked(one.name, one.open()))  # type: ignore[misc]
        else:
            yield entry


def _zip_entries(packed: Path) -> Iterator[_Entry]:
    with zipfile.ZipFile(packed) as file:
        _refuse_more(sum(info.file_size for info in file.infolist()), _LARGEST_BYTES)
        for info in file.infolist():
            if not info.is_dir():
                name = info.filename if "/" in info.filename else info.filename.replace("\\", "/")
                yield _Entry(name, info.file_size, partial(file.open, info))


def _tar_entries(packed: Path) -> Iterator[_Entry]:
    with packed.open("rb") as file:
        stream = _unpacked(packed.name, file)
        with tarfile.open(fileobj=stream, mode="r|", tarinfo=_TarInfo) as tar:
            for info in tar:
                _refuse_more(tar.offset, _LARGEST_BYTES)  # the end of this member
                if info.isreg():
                    yield _Entry(info.name, info.size, partial(tar.extractfile, info))  # type: ignore[arg-type]


def _unpacked(name: str, stream: Any) -> Any:
    name = name.lower()
    if name.endswith((".gz", ".tgz")):
        return gzip.GzipFile(mode="rb", fileobj=stream)
    if name.endswith((".bz2", ".tbz2", ".tbz")):
        return bz2.BZ2File(stream)
    if name.endswith((".xz", ".txz")):
        return _Frames(stream, partial(lzma.LZMADecompressor, memlimit=_LARGEST_WINDOW_BYTES))
    if name.endswith(".zst"):
        return _Frames(stream, lambda: zstandard.ZstdDecompressor().decompressobj())
    return stream


class _Frames:
    """Reads zstd frames or xz streams; unlike their own readers it refuses truncated ones and
    bounds the memory."""

    def __init__(self, packed: _Stream, new: Callable[[], Any]) -> None:
        self._packed = packed
        self._new = new
        self._frame = new()
        self._is_begun = False
        self._rest = b""
        self._data = memoryview(b"")

    def read(self, size: int, /) -> bytes:
        while not self._data:
            chunk = self._rest or self._packed.read(_PACKED_CHUNK_BYTES)
            self._rest = b""
            if not chunk:
                if self._is_begun:
                    raise EOFError("it ends inside a frame")
                return b""
            if not self._is_begun and not (chunk := chunk.lstrip(b"\0")):
                continue  # padding
            self._is_begun = True
            self._data = memoryview(self._frame.decompress(chunk))
            if self._frame.eof:
                self._rest = self._frame.unused_data
                self._frame = self._new()
                self._is_begun = False
        found, self._data = self._data[:size], self._data[size:]
        return bytes(found)


class _TarInfo(tarfile.TarInfo):
    """Bounds long names and attributes, which tarfile reads into memory."""

    def _proc_member(self, file: tarfile.TarFile) -> tarfile.TarInfo:
        if not self.isreg() and self.size > _LARGEST_HEADER_BYTES and self.type not in _BODILESS:
            raise tarfile.ReadError("a header is too large")
        return super()._proc_member(file)  # type: ignore[misc, no-any-return]


_BODILESS = (tarfile.LNKTYPE, tarfile.SYMTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.DIRTYPE)
