"""Own controllers and drives in a sidecar: what no paper describes, or leaves open."""

from typing import Any

import msgspec
import polars as pl

from ingest.systems.sidecar.kinds import (
    Count,
    HostInterface,
    Media,
    Name,
    RaidLevels,
    Rpm,
    Size,
    split_lanes,
    split_size,
)


class ControllerDefinition(msgspec.Struct, frozen=True, omit_defaults=True):
    """A controller; `cache` and `default_stripe` are sizes that count in powers of 1024."""

    controller: Name
    vendor: str | None = None
    full_name: str | None = None
    controller_generation: str | None = None
    form_factor: str | None = None
    cache: Size | None = None
    disk_interfaces: str | list[str] | None = None
    disk_port_count: Count | None = None
    host_interface: HostInterface | None = None
    host_lane_count: Count | None = None
    max_drive_count: Count | None = None
    raid_levels: RaidLevels | None = None
    default_stripe: Size | None = None


class DriveDefinition(msgspec.Struct, frozen=True, omit_defaults=True):
    """A drive; `capacity` counts in powers of 1000, as drives do: 480 GB are 480e9 bytes."""

    drive: Name
    vendor: str | None = None
    model: str | None = None
    drive_media: Media | None = None
    drive_interface: str | None = None
    capacity: Size | None = None
    rotation_rpm: Rpm | None = None
    drive_form_factor: str | None = None


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
    lanes = None
    for name in definition.__struct_fields__:
        value = getattr(definition, name)
        if name in _SIZES:
            row[f"{name}_number"], row[f"{name}_unit"] = (
                split_size(value) if value else (None, None)
            )
        elif name == "host_interface" and value:
            row[name], lanes = split_lanes(value)
        else:
            row[name] = ", ".join(value) if isinstance(value, list) else value
    if lanes:
        row["host_lane_count"] = lanes
    return row
