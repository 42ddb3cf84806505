"""The fields of a `headroom.yml`: the array under test, file entries, definitions."""

from typing import Literal

import msgspec
import polars as pl

from ingest.systems.sidecar.definitions import ControllerDefinition, DriveDefinition
from ingest.systems.sidecar.kinds import (
    AccessPattern,
    ArrayState,
    Count,
    Direction,
    Glob,
    LinkState,
    Media,
    OutstandingCount,
    Percent,
    RaidLevel,
    Regex,
    Size,
    ThermalState,
    WriteCache,
    raw_columns,
)

# Groups of a regex may have these shorter names.
GROUP_ALIASES = {"outstanding": "outstanding_io_count"}


class ArrayFields(msgspec.Struct, frozen=True, omit_defaults=True):
    """The array under test; fields that are not given are unknown."""

    server: str | None = None
    vendor: str | None = None
    controller: str | None = None
    controller_generation: str | None = None
    raid_level: RaidLevel | None = None
    drive: str | None = None
    drive_count: Count | None = None
    drive_media: Media | None = None
    drive_interface: str | None = None
    stripe: Size | None = None
    controller_firmware: str | None = None
    drive_firmware: str | None = None
    filesystem: str | None = None
    os_name: str | None = None
    os_kernel: str | None = None
    bios_version: str | None = None
    memory: Size | None = None
    write_cache: WriteCache | None = None
    array_state: ArrayState | None = None
    link_state: LinkState | None = None
    thermal_state: ThermalState | None = None
    note: str | None = None


class ResultFields(ArrayFields, frozen=True):
    """The array, and its results.

    Load fields override the load in fio results, which may be wrong or missing; `direction` is
    shorthand for `read_percent`: read is 100, write is 0. `example` marks demonstrations, which are
    nobody's own results. `combine` adds up the results of hosts that ran at once. `mute` has the
    verdict rules to ignore, with the reason for each, as JSON.
    """

    access_pattern: AccessPattern | None = None
    direction: Direction | None = None
    read_percent: Percent | None = None
    block_size: Size | None = None
    example: bool | None = None
    combine: Literal["host"] | None = None
    mute: str | None = None


class LoadFields(ResultFields, frozen=True):
    """The fields of single files, which also give the load's concurrency."""

    outstanding_io_count: OutstandingCount | None = None
    worker_count: Count | None = None


FIELDS = LoadFields.__struct_fields__


class FileEntry(LoadFields, frozen=True):
    """Fields for files whose path below the sidecar's folder matches a pattern."""

    glob: Glob | None = None
    regex: Regex | None = None


class Sidecar(ResultFields, frozen=True):
    root: bool = False
    files: list[FileEntry] = []
    controllers: list[ControllerDefinition] = []
    drives: list[DriveDefinition] = []


RAW_FIELDS: dict[str, pl.DataType] = {
    name: kind
    for name, kind in raw_columns(LoadFields).items()
    if name not in ("direction", "combine")
} | {"combine_below": pl.String()}
