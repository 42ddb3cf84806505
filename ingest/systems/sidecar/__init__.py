"""`headroom.yml`: the system under test, unknown to result files, and own catalog entries."""

from ingest.systems.sidecar.fields import RAW_FIELDS, FileEntry, Sidecar
from ingest.systems.sidecar.reading import parse_sidecar

__all__ = ["RAW_FIELDS", "FileEntry", "Sidecar", "parse_sidecar"]
