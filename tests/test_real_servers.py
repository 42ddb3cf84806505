"""Captured systems in the marts, some of real servers (tests/describe/README.md)."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.conftest import Ask, asking, built_of
from tests.test_capture import INPUTS, VM, VM_RUN, ServerLab

M5015, MR9660 = "m5015", "mr9660"


def _add_captured(lab: ServerLab) -> None:
    """Results beside captured systems: a server, software RAID, a virtual machine."""
    lab.server("captured")
    lab.result("captured/raid.json", {"filename": "/dev/sdb"}, "sdb")
    lab.result("captured/nvme.json", {"filename": "/dev/nvme0n1"}, "nvme0n1")
    lab.result("captured/lvm.json", {"filename": "/dev/mapper/vg1-striped"})
    software = {"mdadm-mdstat.txt": "mdstat.txt", "storcli-call.json": None}
    lab.server("captured/software", **software)
    lab.result("captured/software/md.json", {"filename": "/dev/md0"}, "md0", "sdc", "sdd")
    shutil.copytree(VM, lab.results / "captured/vm/system")
    shutil.copy(VM_RUN, lab.results / "captured/vm/run.json")


@pytest.fixture(scope="module")
def ask(empty: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """A warehouse of runs with captured systems, without a line of YAML."""
    folder = tmp_path_factory.mktemp("servers")
    lab = ServerLab(folder)
    for server, device in ((M5015, "sda"), (MR9660, "sdb")):
        shutil.copytree(INPUTS / server, lab.results / server)
        lab.result(f"{server}/run.json", {"filename": f"/dev/{device}"}, device)
    _add_captured(lab)
    built = built_of([lab.results], empty, folder / "warehouse")
    with duckdb.connect(built, read_only=True) as connection:
        yield asking(connection)


def _of(ask: Ask, server: str, columns: str) -> list[Any]:
    query = f"select distinct {columns} from marts.measurements where source_path like ?"
    return ask(query, f"%/{server}/run.json")


@pytest.mark.parametrize(
    ("server", "array"),
    [
        (
            M5015,
            ("ServeRAID M5015 SAS/SATA Controller", "SAS 6G", "12.15.0-0239", "RAID 6", None,
             "ST16000NM001G-2KK103", "HDD", 6, "SATA 6G", None),
        ),
        (
            MR9660,
            ("MegaRAID 9660-16i Tri-Mode Storage Adapter", "SAS 22.5G", "8.12.1.0-00000-00003",
             "RAID 0", 262144, "ST10000NM018B", "HDD", 1, "SAS 12G", "E001"),
        ),
    ],
)  # fmt: skip
def test_real_server_has_its_array_fields(ask: Ask, server: str, array: tuple[Any, ...]) -> None:
    columns = (
        "controller, controller_generation, controller_firmware, raid_level, stripe_bytes, drive, "
        "drive_media, drive_count, drive_interface, drive_firmware"
    )
    assert _of(ask, server, columns) == [array]


@pytest.mark.parametrize(
    ("server", "ceiling"),
    [
        # 6 drives at 6.0 Gb/s; 8b/10b leaves 0.8 of it, practice 0.9
        (M5015, 6 * 6.0e9 * 0.8 / 8 * 0.9),
        (MR9660, 1 * 12.0e9 * 0.8 / 8 * 0.9),
    ],
)
def test_a_real_server_has_a_ceiling(ask: Ask, server: str, ceiling: float) -> None:
    """For reads, which no RAID level multiplies; the lowest limit is the drives' link."""
    columns = "binding_ceiling, ceiling_bytes_per_second, read_ratio = 1"
    found = _of(ask, server, columns)
    assert {binding for binding, *_ in found} == {"disk interface"}
    assert [round(limit) for _, limit, is_read in found if is_read] == [round(ceiling)]


def test_conflicting_drive_firmware_is_null(ask: Ask) -> None:
    """The six drives of one array have three firmwares."""
    ((value, said_by),) = ask(
        "select system_value, said_by from marts.fct_system_facts "
        "where source_path like ? and system_fact = 'drive_firmware'",
        f"%/{M5015}/run.json",
    )
    assert value is None
    for firmware, slot in (("SN03", "252:3"), ("SN04", "252:5"), ("SB30", "252:7")):
        assert f"{firmware} (storcli-drives.json: drive {slot})" in said_by


def test_captured_systems_need_no_yaml(ask: Ask) -> None:
    """From captured files to marts.measurements with a binding ceiling."""

    def of(name: str, columns: str) -> list[tuple[Any, ...]]:
        query = f"select distinct {columns} from marts.measurements where source_path like ?"
        return ask(query, f"%/captured/{name}.json")

    array = "controller, raid_level, drive, drive_count, drive_interface, drive_firmware"
    assert of("raid", array) == [("MegaRAID SAS 9361-8i", "RAID 5", "EXS600", 4, "SAS 12G", "A0F0")]
    binding = {one for (one,) in of("raid", "binding_ceiling")}
    assert binding <= {"disk interface", "host interface"}
    assert of("nvme", array) == [(None, None, "EXAMPLE NVME 1T6", 1, "PCIe 3.0 x4", "EX2010")]
    assert of("nvme", "binding_ceiling") == [("disk interface",)]
    md_array = "no-controller-raid-5-4x-example-ssd-480-stripe-512kib"
    assert of("software/md", "array_id") == [(md_array,)]
    assert of("lvm", "raid_level, drive_count, stripe_bytes") == [("RAID 0", 2, 65536)]
    assert ask(
        "select distinct link from marts.fct_ceilings inner join marts.measurements "
        "using (array_id, profile_id) where source_path like '%/captured/nvme.json' "
        "and ceiling_kind = 'disk interface' and read_ratio = 1 and basis = 'theoretical'"
    ) == [("PCIe 3.0 x4",)]
    software = "server, os_kernel, os_name, bios_version, filesystem, controller"
    debian = "Debian GNU/Linux 12 (bookworm)"
    assert of("vm/run", software) == [(None, "6.18.44-fc-v669", debian, None, None, None)]
    assert of("vm/run", "binding_ceiling, drive, drive_count") == [(None, None, None)]
    told = "select system_value, said_by from marts.fct_system_facts where source_path like ? "
    told += "and system_fact = ?"
    assert ask(told, "%/captured/raid.json", "stripe_bytes") == [
        ("262144", "storcli-call.json, storcli-volumes.json: volume 1")
    ]
    ((value, reason),) = ask(told, "%/captured/vm/run.json", "drive")
    assert value is None
    assert "a virtual machine (kvm)" in reason


def test_storcli2_volumes_are_distinguished(tmp_path: Path) -> None:
    lab = ServerLab(tmp_path)
    shutil.copytree(INPUTS / MR9660, lab.results, dirs_exist_ok=True)
    lab.result("other.json", {"filename": "/dev/sdc"}, "sdc")
    lab.result("none.json", {"filename": "/dev/sdx"}, "sdx")
    lab.ingest()
    assert lab.refused() == {}
    assert lab.why("other.json", "raid_level") == [
        ("RAID 0", "storcli-call.json, storcli-volumes.json: volume 2")
    ]
    assert lab.why("other.json", "drive_firmware") == [("E001", "storcli-drives.json: drive 306:1")]
    assert lab.why("other.json", "disk_port_count") == [("16", "storcli-call.json")]
    assert "raid_level" not in lab.said("none.json")
