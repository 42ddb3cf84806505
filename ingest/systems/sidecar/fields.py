"""What may stand in a `headroom.yml`: fields of the array under test, file entries, definitions."""

import re
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import polars as pl

from ingest.errors import InputError
from ingest.systems.sidecar.catalog import ControllerDefinition, DriveDefinition, refuse_repeated
from ingest.systems.sidecar.patterns import compile_pattern
from ingest.systems.sidecar.sizes import read_size
from ingest.vocabulary import RAID_LEVELS

Count = Annotated[int, msgspec.Meta(ge=1, le=100_000)]
# Groups of a regex may have these shorter names.
GROUP_ALIASES = {"outstanding": "outstanding_io_count"}


class ArrayFields(msgspec.Struct, forbid_unknown_fields=True, frozen=True, omit_defaults=True):
    """The array under test; what is not given is not known. `stripe` is a size such as 256 kB."""

    server: str | None = None
    vendor: str | None = None
    controller: str | None = None
    controller_generation: str | None = None
    raid_level: str | None = None
    drive: str | None = None
    drive_count: Count | None = None
    drive_media: Literal["HDD", "SSD"] | None = None
    drive_interface: str | None = None
    stripe: str | None = None
    note: str | None = None

    def __post_init__(self) -> None:
        if self.raid_level not in (None, *RAID_LEVELS):
            known = ", ".join(RAID_LEVELS)
            raise ValueError(f"raid_level {self.raid_level!r} is unknown; known are {known}")
        read_size("stripe", self.stripe)


class LoadFields(ArrayFields, frozen=True):
    """Of single files also the load, where the result file says it wrongly or not at all."""

    outstanding_io_count: Annotated[int, msgspec.Meta(ge=1)] | None = None
    worker_count: Annotated[int, msgspec.Meta(ge=1)] | None = None


FIELDS = LoadFields.__struct_fields__


class FileEntry(LoadFields, frozen=True):
    """Fields of the files whose path below the sidecar's folder matches one pattern."""

    glob: str | None = None
    regex: str | None = None

    def __post_init__(self) -> None:
        ArrayFields.__post_init__(self)
        for group in compile_pattern(self.glob, self.regex).groupindex:
            if GROUP_ALIASES.get(group, group) not in FIELDS:
                known = ", ".join((*FIELDS, *GROUP_ALIASES))
                raise ValueError(f"group {group!r} of the regex is no field; groups are {known}")


class Sidecar(ArrayFields, frozen=True):
    root: bool = False
    files: list[FileEntry] = []
    controllers: list[ControllerDefinition] = []
    drives: list[DriveDefinition] = []


RAW_FIELDS: dict[str, pl.DataType] = {
    **{name: pl.String() for name in FIELDS if not name.endswith("_count") and name != "stripe"},
    **{name: pl.Int64() for name in FIELDS if name.endswith("_count")},
    "stripe_number": pl.Float64(),
    "stripe_unit": pl.String(),
}
_STRUCT_BY_LIST = {
    "files": FileEntry,
    "controllers": ControllerDefinition,
    "drives": DriveDefinition,
}


def read_sidecar(path: Path) -> Sidecar:
    """Read and check one `headroom.yml`.

    Raises:
        InputError: not YAML, an unknown field, or a value that cannot be.
    """
    return parse_sidecar(path.read_bytes(), path)


def parse_sidecar(text: bytes, path: Path) -> Sidecar:
    """The sidecar that `text` is; errors are said of `path`."""
    try:
        values = msgspec.yaml.decode(text)
        sidecar = msgspec.convert({} if values is None else values, type=Sidecar)
        refuse_repeated(sidecar.controllers)
        refuse_repeated(sidecar.drives)
    except (msgspec.DecodeError, ValueError) as error:
        raise InputError(path, _explain(str(error))) from error
    return sidecar


def _explain(reason: str) -> str:
    """The reason with its place as a person counts, and the fields that place has."""
    place = re.search(r" - at `\$\.(files|controllers|drives)\[(\d+)\]\.?(\w*).*`$", reason)
    if place is None:
        return f"{reason}; fields are {', '.join(Sidecar.__struct_fields__)}"
    name, index, field = place.groups()
    where = f"{name} entry {int(index) + 1}" + (f", {field}" if field else "")
    fields = ", ".join(_STRUCT_BY_LIST[name].__struct_fields__)
    return f"{where}: {reason[: place.start()]}; fields of the entry are {fields}"
