"""`headroom.yml`: what result files do not say, the system under test, and own catalog entries."""

from ingest.systems.sidecar.fields import RAW_FIELDS, FileEntry, Sidecar, read_sidecar
from ingest.systems.sidecar.resolve import Sidecars, resolve_sidecar

__all__ = ["RAW_FIELDS", "FileEntry", "Sidecar", "Sidecars", "read_sidecar", "resolve_sidecar"]
