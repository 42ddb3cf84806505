"""What survives a power failure."""

import os
from pathlib import Path


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
