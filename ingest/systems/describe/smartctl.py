"""`smartctl -j -a /dev/...` of one drive: ATA, SCSI (SAS) or NVMe, smartmontools 7.0 and later."""

import re
from collections.abc import Iterator
from typing import Any

from ingest.systems.describe.facts import (
    Fact,
    Input,
    drive_facts,
    interface_with_speed,
    is_volume,
    member,
    objects,
)
from ingest.systems.describe.target import Target

COMMAND = "smartctl -j -a DEVICE"


def read(inputs: list[Input], tested: Target) -> Iterator[Fact]:
    """A draft takes every drive: behind a RAID controller their names are not those of devices."""
    for one in inputs:
        for drive in one.json_objects(COMMAND):
            argv = member(drive, "smartctl", "argv")  # the only name where it cannot open a device
            tried = argv[-1] if isinstance(argv, list) and argv else "?"
            name = str(member(drive, "device", "name") or tried)
            if tested.may_have(name):
                yield from _drive_facts(drive, f"{one.source}: {name}", tested)


def _drive_facts(drive: dict[str, Any], source: str, tested: Target) -> list[Fact]:
    model = drive.get("model_name") or drive.get("scsi_model_name") or drive.get("scsi_product")
    protocol = member(drive, "device", "protocol")
    is_one = tested.is_draft or protocol in ("ATA", "NVMe") or drive.get("scsi_transport_protocol")
    if is_volume(drive.get("scsi_vendor"), model) or (model and not is_one):
        return [Fact("drive", "drive", None, f"{source} is {model!r}, a volume, not a drive")]
    if not model:
        messages = objects(member(drive, "smartctl", "messages"))
        reasons = "; ".join(str(one.get("string")) for one in messages)
        return [Fact("drive", "drive", None, reasons or f"{source} names no model")]
    capacity = member(drive, "user_capacity", "bytes") or drive.get("nvme_total_capacity")
    rotation = drive.get("rotation_rate")
    return drive_facts(
        source,
        model,
        drive.get("firmware_version") or drive.get("scsi_revision"),
        vendor=drive.get("scsi_vendor"),
        drive_media="HDD" if rotation else "SSD" if protocol == "NVMe" or rotation == 0 else None,
        drive_interface=_interface(drive),
        capacity=f"{capacity} B" if capacity else None,
        rotation_rpm=rotation or None,
        drive_form_factor=member(drive, "form_factor", "name"),
    )


def _interface(drive: dict[str, Any]) -> str | None:
    """The fastest SATA that the drive can, or SAS as it runs: smartctl prints no more, and no link
    of NVMe."""
    speed = member(drive, "interface_speed", "max", "string")
    if member(drive, "device", "protocol") == "ATA" and speed:
        return interface_with_speed("SATA", speed)
    if str(member(drive, "scsi_transport_protocol", "name")).startswith("SAS"):
        rates = re.findall(r"enabled; ([\d.]+) Gbps", str(drive.get("scsi_sas_port_0", "")))
        return interface_with_speed("SAS", rates[0] if rates else None)
    return None
