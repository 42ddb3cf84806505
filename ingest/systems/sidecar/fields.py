"""What may stand in a `headroom.yml`: fields of the array under test, file entries, definitions."""

from typing import Literal

import msgspec
import polars as pl

from ingest.systems.sidecar.catalog import ControllerDefinition, DriveDefinition
from ingest.systems.sidecar.kinds import (
    AccessPattern,
    Count,
    Direction,
    Glob,
    Media,
    OutstandingCount,
    Percent,
    RaidLevel,
    Regex,
    Size,
)

# Groups of a regex may have these shorter names.
GROUP_ALIASES = {"outstanding": "outstanding_io_count"}


class ArrayFields(msgspec.Struct, frozen=True, omit_defaults=True):
    """The array under test; what is not given is not known. `stripe` is a size such as 256 kB."""

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
    note: str | None = None


class ResultFields(ArrayFields, frozen=True):
    """With what holds for results of any array.

    The load is that of fio results, where these say it wrongly or not at all; `direction` is
    `read_percent` in a word: read is 100, write is 0. `example`: whether the results only show what
    there is to see, and are nobody's own. `combine`: whether those of several hosts at once are
    one.
    """

    access_pattern: AccessPattern | None = None
    direction: Direction | None = None
    read_percent: Percent | None = None
    block_size: Size | None = None
    example: bool | None = None
    combine: Literal["host"] | None = None


class LoadFields(ResultFields, frozen=True):
    """Of single files also how much of the load there was at once."""

    outstanding_io_count: OutstandingCount | None = None
    worker_count: Count | None = None


FIELDS = LoadFields.__struct_fields__


class FileEntry(LoadFields, frozen=True):
    """Fields of the files whose path below the sidecar's folder matches one pattern."""

    glob: Glob | None = None
    regex: Regex | None = None


class Sidecar(ResultFields, frozen=True):
    root: bool = False
    files: list[FileEntry] = []
    controllers: list[ControllerDefinition] = []
    drives: list[DriveDefinition] = []


RAW_FIELDS: dict[str, pl.DataType] = {
    **{
        name: pl.String()
        for name in FIELDS
        if name not in ("stripe", "example", "combine", "direction", "block_size")
    },
    **{name: pl.Int64() for name in FIELDS if name.endswith("_count")},
    "example": pl.Boolean(),
    "combine_below": pl.String(),
    "stripe_number": pl.Float64(),
    "stripe_unit": pl.String(),
    "read_percent": pl.Float64(),
    "block_size_number": pl.Float64(),
    "block_size_unit": pl.String(),
}
