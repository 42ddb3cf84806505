"""Checks before a step that the disk has enough space."""

import shutil
from pathlib import Path
from typing import Literal

import click

from headroom.release.releases import prune
from headroom.warehouse import Warehouse, WarehouseError

_MIB = 1 << 20
_ALWAYS_BYTES = 64 * _MIB
# Bytes that a step writes, as a share of building.duckdb.
_SHARES = {"ingest": 0.1, "build": 0.25, "publish": 1.0}


def require_space(warehouse: Warehouse, step: Literal["ingest", "build", "publish"]) -> None:
    """Delete old releases if space is short; raises WarehouseError if that is not enough."""
    needed = _ALWAYS_BYTES + int(_SHARES[step] * _size_of(warehouse.building))
    if _free(warehouse) >= needed:
        return
    for keep in (2, 1):
        prune(warehouse, keep)
        if _free(warehouse) >= needed:
            click.echo(
                f"headroom: disk space is short: old releases removed, {keep} kept", err=True
            )
            return
    names = ("releases", "archive", "building.duckdb", "dbt", "data_docs")
    sizes = {name: _size_of(warehouse.folder / name) for name in names}
    largest = sorted(sizes.items(), key=lambda one: -one[1])[:3]
    what = ", ".join(f"{name} {_shown(size)}" for name, size in largest)
    raise WarehouseError(
        f"{warehouse.folder}: {step} needs {_shown(needed)} of disk space, "
        f"{_shown(_free(warehouse))} are free, and old releases are already removed; "
        f"free some space. Largest: {what}"
    )


def _free(warehouse: Warehouse) -> int:
    return shutil.disk_usage(warehouse.folder).free


def _size_of(path: Path) -> int:
    if path.is_dir():
        return sum(one.stat().st_size for one in path.rglob("*") if one.is_file())
    return path.stat().st_size if path.exists() else 0


def _shown(size_bytes: int) -> str:
    return f"{size_bytes / _MIB:,.0f} MiB"
