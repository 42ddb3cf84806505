"""Own controllers and drives in a sidecar, which papers do not describe or only in part."""

from typing import Any, ClassVar

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
    raw_columns,
    raw_values,
    split_lanes,
)


class ControllerDefinition(msgspec.Struct, frozen=True, omit_defaults=True):
    """A controller; `cache` and `default_stripe` are sizes that count in powers of 1024."""

    TABLE: ClassVar = "sidecar_controllers"
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

    Its maker's ratings are not measurements: multiplied by the drive count, they limit an array.
    """

    TABLE: ClassVar = "sidecar_drives"
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
DEFINITIONS: dict[str, type[Definition]] = {
    "controller": ControllerDefinition,
    "drive": DriveDefinition,
}
"""By the field with the name."""
RATINGS = (
    "rated_random_read_iops",
    "rated_random_write_iops",
    "rated_read",
    "rated_write",
    "power_watt",
)
CATALOG_TABLES: dict[str, dict[str, pl.DataType]] = {
    definition.TABLE: {
        "absolute_path": pl.String(),
        "sidecar_path": pl.String(),
        **raw_columns(definition),
    }
    for definition in DEFINITIONS.values()
}


def definition_row(definition: Definition) -> dict[str, Any]:
    """A definition as a row of its table, without the paths of its sidecar."""
    row: dict[str, Any] = dict.fromkeys(raw_columns(type(definition)))
    row |= raw_values(type(definition), msgspec.structs.asdict(definition))
    row |= {name: ", ".join(value) for name, value in row.items() if isinstance(value, list)}
    if row.get("host_interface"):
        row["host_interface"], lanes = split_lanes(row["host_interface"])
        row["host_lane_count"] = lanes or row["host_lane_count"]
    return row
