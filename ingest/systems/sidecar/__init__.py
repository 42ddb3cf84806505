"""`headroom.yml`: what result files do not say, the system under test, and own catalog entries."""

from ingest.systems.sidecar.fields import RAW_FIELDS, FileEntry, Sidecar
from ingest.systems.sidecar.reading import parse_sidecar

__all__ = ["RAW_FIELDS", "FileEntry", "Sidecar", "parse_sidecar"]
