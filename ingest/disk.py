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
