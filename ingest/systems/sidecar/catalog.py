"""Own controllers and drives in a sidecar: what no paper describes, or leaves open."""

import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
import polars as pl

from ingest.systems.sidecar.sizes import read_size
from ingest.vocabulary import RAID_LEVELS, slug

_Count = Annotated[int, msgspec.Meta(ge=1, le=100_000)]
_Name = Annotated[str, msgspec.Meta(pattern="[A-Za-z0-9]")]
_HOST_INTERFACE = re.compile(r"(PCIe|DMI) \d\.\d")


class ControllerDefinition(
    msgspec.Struct, forbid_unknown_fields=True, frozen=True, omit_defaults=True
):
    """A controller; `cache` and `default_stripe` are sizes that count in powers of 1024."""

    controller: _Name
    vendor: str | None = None
    full_name: str | None = None
    controller_generation: str | None = None
    form_factor: str | None = None
    cache: str | None = None
    disk_interfaces: str | list[str] | None = None
    disk_port_count: _Count | None = None
    host_interface: str | None = None
    host_lane_count: _Count | None = None
    max_drive_count: _Count | None = None
    raid_levels: str | list[str] | None = None
    default_stripe: str | None = None

    def __post_init__(self) -> None:
        read_size("cache", self.cache)
        read_size("default_stripe", self.default_stripe)
        if self.host_interface and not _HOST_INTERFACE.fullmatch(self.host_interface):
            example = "write it as PCIe 3.0 or DMI 2.0, the lanes in host_lane_count"
            raise ValueError(f"host_interface {self.host_interface!r} is unknown; {example}")
        for level in self.raid_levels if isinstance(self.raid_levels, list) else []:
            if level not in RAID_LEVELS:
                known = ", ".join(RAID_LEVELS)
                raise ValueError(f"raid_levels {level!r} is unknown; known are {known}")


class DriveDefinition(msgspec.Struct, forbid_unknown_fields=True, frozen=True, omit_defaults=True):
    """A drive; `capacity` counts in powers of 1000, as drives do: 480 GB are 480e9 bytes."""

    drive: _Name
    vendor: str | None = None
    model: str | None = None
    drive_media: Literal["HDD", "SSD"] | None = None
    drive_interface: str | None = None
    capacity: str | None = None
    rotation_rpm: Annotated[float, msgspec.Meta(gt=0)] | None = None
    drive_form_factor: str | None = None

    def __post_init__(self) -> None:
        read_size("capacity", self.capacity)


Definition = ControllerDefinition | DriveDefinition
_SIZES = ("cache", "default_stripe", "capacity")
_NUMBERS = {"rotation_rpm": pl.Float64()}


def _schema(definition: type[Definition]) -> dict[str, pl.DataType]:
    schema: dict[str, pl.DataType] = {"absolute_path": pl.String(), "sidecar_path": pl.String()}
    for name in definition.__struct_fields__:
        if name in _SIZES:
            schema |= {f"{name}_number": pl.Float64(), f"{name}_unit": pl.String()}
        elif name.endswith("_count"):
            schema[name] = pl.Int64()
        else:
            schema[name] = _NUMBERS.get(name, pl.String())
    return schema


CATALOG_TABLES: dict[str, dict[str, pl.DataType]] = {
    "sidecar_controllers": _schema(ControllerDefinition),
    "sidecar_drives": _schema(DriveDefinition),
}


def definition_row(definition: Definition) -> dict[str, Any]:
    """A definition as a row of its table, without the paths of its sidecar."""
    row: dict[str, Any] = {}
    for name in definition.__struct_fields__:
        value = getattr(definition, name)
        if name in _SIZES:
            row[f"{name}_number"], row[f"{name}_unit"] = read_size(name, value)
        elif isinstance(value, list):  # in the papers' words: "JBOD, 0, 1, 10"
            row[name] = ", ".join(member.removeprefix("RAID ") for member in value)
        else:
            row[name] = value
    return row


def refuse_repeated(definitions: Sequence[Definition]) -> None:
    """Raises ValueError where one name, in whatever spelling, is defined twice."""
    seen: set[str] = set()
    for definition in definitions:
        name = str(getattr(definition, definition.__struct_fields__[0]))
        if slug(name) in seen:
            raise ValueError(f"{name!r} is defined twice; keep one of the definitions")
        seen.add(slug(name))
