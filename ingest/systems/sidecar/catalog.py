"""Own controllers and drives in a sidecar: what no paper describes, or leaves open."""

from typing import Any

import msgspec
import polars as pl

from ingest.systems.sidecar.kinds import (
    Count,
    Currency,
    DataRate,
    Day,
    HostInterface,
    Iops,
    Media,
    Name,
    Price,
    RaidLevels,
    Rpm,
    Size,
    Watts,
    split_lanes,
    split_rate,
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
    power_watt: Watts | None = None
    rated_by: Name | None = None
    price: Price | None = None
    price_currency: Currency | None = None
    price_date: Day | None = None
    price_by: Name | None = None


class DriveDefinition(msgspec.Struct, frozen=True, omit_defaults=True):
    """A drive; `capacity` counts in powers of 1000, as drives do: 480 GB are 480e9 bytes.

    What its maker says that it does at most is no measurement: N of them limit an array.
    """

    drive: Name
    vendor: str | None = None
    model: str | None = None
    drive_media: Media | None = None
    drive_interface: str | None = None
    capacity: Size | None = None
    rotation_rpm: Rpm | None = None
    drive_form_factor: str | None = None
    rated_random_read_iops: Iops | None = None
    rated_random_write_iops: Iops | None = None
    rated_read: DataRate | None = None
    rated_write: DataRate | None = None
    power_watt: Watts | None = None
    rated_by: Name | None = None
    price: Price | None = None
    price_currency: Currency | None = None
    price_date: Day | None = None
    price_by: Name | None = None


Definition = ControllerDefinition | DriveDefinition
RATINGS = (
    "rated_random_read_iops",
    "rated_random_write_iops",
    "rated_read",
    "rated_write",
    "power_watt",
)
_SPLIT = dict.fromkeys(("cache", "default_stripe", "capacity"), split_size) | dict.fromkeys(
    ("rated_read", "rated_write"), split_rate
)
_NUMBERS = (
    "rotation_rpm",
    "rated_random_read_iops",
    "rated_random_write_iops",
    "power_watt",
    "price",
)


def _schema(definition: type[Definition]) -> dict[str, pl.DataType]:
    schema: dict[str, pl.DataType] = {"absolute_path": pl.String(), "sidecar_path": pl.String()}
    for name in definition.__struct_fields__:
        if name in _SPLIT:
            schema |= {f"{name}_number": pl.Float64(), f"{name}_unit": pl.String()}
        elif name.endswith("_count"):
            schema[name] = pl.Int64()
        else:
            schema[name] = pl.Float64() if name in _NUMBERS else pl.String()
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
        if name in _SPLIT:
            row[f"{name}_number"], row[f"{name}_unit"] = (
                _SPLIT[name](value) if value else (None, None)
            )
        elif name == "host_interface" and value:
            row[name], lanes = split_lanes(value)
        else:
            row[name] = ", ".join(value) if isinstance(value, list) else value
    if lanes:
        row["host_lane_count"] = lanes
    return row
