"""`smartctl -j -a /dev/...` of one drive: ATA, SCSI (SAS) or NVMe, smartmontools 7.0 and later.

A file named `.before.json` is of an earlier capture: an NVMe drive counts the minutes above its
warning temperature, so the two captures show whether a run in between overheated it.
"""

import re
from collections.abc import Iterator
from typing import Any

from ingest.systems.describe.facts import (
    Fact,
    Input,
    drive_facts,
    facts_of,
    interface_with_speed,
    is_volume,
    member,
    objects,
)
from ingest.systems.describe.target import Target

COMMAND = "smartctl -j -a DEVICE"


def read(inputs: list[Input], tested: Target) -> Iterator[Fact]:
    """A draft takes every drive: behind a RAID controller their names are not those of devices."""
    before: dict[str, int] = {}
    after: dict[str, int] = {}
    for one in sorted(inputs, key=lambda one: ".before." not in one.source):
        is_before = ".before." in one.source
        for drive in one.json_objects(COMMAND):
            argv = member(drive, "smartctl", "argv")  # the only name if it cannot open a device
            tried = argv[-1] if isinstance(argv, list) and argv else "?"
            name = str(member(drive, "device", "name") or tried)
            if not tested.may_have(name):
                continue
            if (minutes := _hot_minutes(drive)) is not None:
                (before if is_before else after)[name] = minutes
            if not is_before:
                yield from _drive_facts(drive, f"{one.source}: {name}", tested)
    both = before.keys() & after.keys()
    if both:
        hot = sorted(name for name in both if after[name] > before[name])
        source = f"smartctl before and after: {', '.join(hot or sorted(both))}"
        state = "overheated" if hot else "normal"
        yield from facts_of("array", source, {"thermal_state": state})


def _hot_minutes(drive: dict[str, Any]) -> int | None:
    """Minutes above the warning temperature in the life of an NVMe drive."""
    log = drive.get("nvme_smart_health_information_log")
    counters = [member(log, name) for name in ("warning_temp_time", "critical_comp_time")]
    return sum(counters) if all(type(one) is int for one in counters) else None


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
    fastest, interface = _interface(drive, "max"), _interface(drive, "current", "max")
    is_reduced = fastest != interface
    link = facts_of("array", source, {"link_state": "reduced" if is_reduced else None})
    return link + drive_facts(
        source,
        model,
        drive.get("firmware_version") or drive.get("scsi_revision"),
        vendor=drive.get("scsi_vendor"),
        drive_media="HDD" if rotation else "SSD" if protocol == "NVMe" or rotation == 0 else None,
        drive_interface=interface,
        capacity=f"{capacity} B" if capacity else None,
        rotation_rpm=rotation or None,
        drive_form_factor=member(drive, "form_factor", "name"),
    )


def _interface(drive: dict[str, Any], *speeds: str) -> str | None:
    """SATA at the slowest of the speeds, or SAS at its current one; smartctl has no NVMe link."""
    printed = [member(drive, "interface_speed", speed, "string") for speed in speeds]
    if member(drive, "device", "protocol") == "ATA" and any(printed):
        return interface_with_speed("SATA", *printed)
    if str(member(drive, "scsi_transport_protocol", "name")).startswith("SAS"):
        rates = re.findall(r"enabled; ([\d.]+) Gbps", str(drive.get("scsi_sas_port_0", "")))
        return interface_with_speed("SAS", rates[0] if rates else None)
    return None
