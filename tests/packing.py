"""Packed files in memory."""

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from functools import partial

import zstandard

COMPRESSORS = {
    "gz": gzip.compress,
    "zst": zstandard.ZstdCompressor().compress,
    "xz": lzma.compress,
    "bz2": partial(bz2.compress, compresslevel=1),  # small blocks: a torn file keeps the first
}


def pack(name: str, files: dict[str, bytes]) -> bytes:
    """A zip or tar of these files, compressed as its name says: r.zip, r.tar, r.tar.gz, r.tgz."""
    buffer = io.BytesIO()
    ending = name.lower().rpartition(".")[2]
    if ending == "zip":
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
            for member, data in files.items():
                file.writestr(member, data)
        return buffer.getvalue()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for member, data in files.items():
            entry = tarfile.TarInfo(member)
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    compress = COMPRESSORS.get(ending.removeprefix("t"))
    return compress(buffer.getvalue()) if compress else buffer.getvalue()
