"""What survives a power failure."""

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PARTIAL = ".partial"
"""How the name of a file ends that is being written."""


def flush(path: Path) -> None:
    """Have the disk write a file, or the names of what is in a folder."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it, whose names the disk has."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        flush(folder.parent)


@contextmanager
def written_whole(target: Path) -> Iterator[Path]:
    """A file to be written, which takes the target's place once the disk has it."""
    make_folder(target.parent)
    partial = target.with_name(f"{uuid.uuid4().hex}{PARTIAL}")
    try:
        yield partial
        flush(partial)
        partial.replace(target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    flush(target.parent)
