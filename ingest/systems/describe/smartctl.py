"""`smartctl -j -a /dev/...` of one drive: ATA, SCSI (SAS) or NVMe, smartmontools 7.0 and later."""

import re
from typing import Any

from ingest.systems.describe.facts import Fact, Input, facts_of, interface_with_speed, member

KIND = "smartctl"
COMMAND = ("smartctl", "-j", "-a")


def read(inputs: list[Input], devices: frozenset[str]) -> list[Fact]:
    """All drives given count: behind a RAID controller they have other names than the devices."""
    return [
        fact
        for one in inputs
        for drive in one.json_objects(" ".join(COMMAND) + " DEVICE")
        for fact in _drive_facts(drive, f"{one.source}: {member(drive, 'device', 'name') or '?'}")
    ]


def _drive_facts(drive: dict[str, Any], source: str) -> list[Fact]:
    model = drive.get("model_name") or drive.get("scsi_model_name") or drive.get("scsi_product")
    capacity = member(drive, "user_capacity", "bytes") or drive.get("nvme_total_capacity")
    rotation = drive.get("rotation_rate")
    is_nvme = member(drive, "device", "protocol") == "NVMe"
    media = "HDD" if rotation else "SSD" if is_nvme or rotation == 0 else None
    values = {
        "drive": model,
        "model": model,
        "vendor": drive.get("scsi_vendor"),
        "drive_media": media,
        "drive_interface": _interface(drive),
        "capacity": f"{capacity} B" if capacity else None,
        "rotation_rpm": rotation or None,
        "drive_form_factor": member(drive, "form_factor", "name"),
    }
    return facts_of("drive", source, values)


def _interface(drive: dict[str, Any]) -> str | None:
    """SATA as the drive can, SAS as it runs: smartctl says no more. Of NVMe links it says none."""
    speed = member(drive, "interface_speed", "max", "string")
    if member(drive, "device", "protocol") == "ATA" and speed:
        return interface_with_speed("SATA", speed)
    if str(member(drive, "scsi_transport_protocol", "name")).startswith("SAS"):
        rates = re.findall(r"enabled; ([\d.]+) Gbps", str(drive.get("scsi_sas_port_0", "")))
        return interface_with_speed("SAS", rates[0] if rates else None)
    return None
