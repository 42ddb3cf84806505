"""The files that `headroom capture`'s script writes beside results, and how ingest uses them."""

import itertools
import json
import os
import re
import shutil
import stat
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from ingest.common.errors import InputError
from ingest.systems.describe.draft import describe
from ingest.systems.describe.facts import Input
from ingest.systems.describe.ranking import READER_OF, read_facts
from ingest.systems.describe.system import SCRIPT
from ingest.systems.describe.target import Target
from tests.conftest import ROOT, Headroom
from tests.lab import Lab, status_by_name, statuses

INPUTS = ROOT / "tests/describe"
VM_RUN = ROOT / "data/samples/fio-virtual-disk/2026-11-21-libaio.json"
VM = INPUTS / "vm/system"
SERVER = {
    "storcli-call.json": "c0.json",
    "storcli-volumes.json": "volumes.json",
    "storcli-drives.json": "drives.json",
    "lspci.txt": "lspci.txt",
    "lspci-paths.txt": "paths.txt",
    "lsblk.json": "server-lsblk.json",
    "nvme-list.json": "nvme-list.json",
    "smartctl-nvme0n1.json": "nvme.json",
    "multipath.txt": "multipath.txt",
    "lvm-lvs.json": "lvs.json",
    "findmnt.json": "findmnt.json",
    "machine-uname.txt": "uname.txt",
    "machine-dmi.txt": "dmi.txt",
    "machine-memory.txt": "memory.txt",
}
SOFTWARE = {
    "os_kernel": "6.1.0-18-amd64",
    "bios_version": "V5.0.0.11 R1.42.0 for D3289-A1x",
    "server": "Example Computers EX2540 M1",
    "memory_number": 131816048.0,
    "memory_unit": "kB",
}
RAID_5 = {
    "controller": "MegaRAID SAS 9361-8i",
    "controller_generation": "SAS 12G",
    "raid_level": "RAID 5",
    "drive": "EXS600",
    "drive_count": 4,
    "drive_media": "SSD",
    "drive_interface": "SAS 12G",
    "stripe_number": 256.0,
    "stripe_unit": "kB",
    "controller_firmware": "24.21.0-0126",
    "array_state": "optimal",
    "drive_firmware": "A0F0",
}
NVME = {
    "drive": "EXAMPLE NVME 1T6",
    "drive_count": 1,
    "drive_media": "SSD",
    "drive_interface": "PCIe 3.0 x4",
    "drive_firmware": "EX2010",
}


class ServerLab(Lab):
    """Results beside the captured systems of their servers."""

    def server(self, below: str = ".", **files: str | None) -> Path:
        """The captured system of a server in a folder, with some files replaced or left out."""
        system = self.results / below / "system"
        system.mkdir(parents=True)
        (system / "capture.txt").write_text("headroom capture 1\n")
        for name, source in (SERVER | files).items():
            if source:
                shutil.copy(INPUTS / source, system / name)
        return system

    def result(self, name: str, options: dict[str, str], *disks: str) -> Path:
        """A fio result with these options, and these disks in its disk_util."""
        run = json.loads(VM_RUN.read_text())
        run["global options"] = options
        run["disk_util"] = [{"name": disk, "util": 99.0} for disk in disks]
        run["timestamp"] += len(list(self.results.rglob("*.json")))  # makes each content unique
        for job in run["jobs"]:
            job["job options"] = {
                key: value for key, value in job["job options"].items() if key != "filename"
            }
        return self.write(name, json.dumps(run).encode())

    def said(self, name: str) -> dict[str, Any]:
        """The values of raw.sidecars for a result."""
        query = (
            "select sidecars.* exclude (source_key) from raw.sidecars inner join raw.sources "
            "using (source_key) where is_current and absolute_path = ?"
        )
        rows = self.connection.execute(query, [str(self.results / name)]).pl()
        return {
            column: value
            for row in rows.iter_rows(named=True)
            for column, value in row.items()
            if value is not None
        }

    def why(self, name: str, field: str) -> list[tuple[str | None, str]]:
        """The values of raw.system_facts for a result's field, each with its source."""
        query = (
            "select value, said_by from raw.system_facts inner join raw.sources "
            "using (source_key) where is_current and sources.absolute_path = ? and field = ?"
        )
        return self.connection.execute(query, [str(self.results / name), field]).fetchall()


@pytest.fixture
def lab(tmp_path: Path) -> ServerLab:
    return ServerLab(tmp_path)


@pytest.mark.parametrize("shell", ["sh", "dash", "bash", "busybox"])
def test_script_runs_on_this_machine(tmp_path: Path, shell: str) -> None:
    """On the real machine: each command has its exit code or the reason why it did not run."""
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"no {shell} here")
    folder, tools = tmp_path / "results", tmp_path / "bin"
    folder.mkdir()
    tools.mkdir()
    _stand_in(tools / "smartctl", "echo '{}'")
    command = [program, *(["sh"] if shell == "busybox" else []), str(SCRIPT), str(folder)]
    path = f"{tools}:{os.environ['PATH']}"
    for _ in range(3):  # a later capture replaces all but the drives before the run
        run = subprocess.run(
            command, capture_output=True, text=True, env=os.environ | {"PATH": path}
        )
        assert run.returncode == 0, run.stderr
    system = folder / "system"
    drives = {file.name.split(".")[0] for file in system.glob("smartctl-*.json")}
    assert {file.name for file in system.glob("smartctl-*.json")} == {
        f"{drive}.{end}" for drive in drives for end in ("json", "before.json")
    }
    first, *lines = (system / "capture.txt").read_text().splitlines()
    assert first.startswith("headroom capture 1, 2")
    assert "exit 0: machine-uname.txt: uname -a" in lines
    assert "exit 0: machine-memory.txt: grep MemTotal /proc/meminfo" in lines
    kept = {line.split(": ")[1] for line in lines if line.startswith("exit 0: ")}
    assert kept - {"nothing printed"} <= {path.name for path in system.iterdir()}
    assert [file.name for file in folder.iterdir()] == ["system"]
    text = describe(folder, {}, is_here=False)
    assert f"os_kernel: {os.uname().release}" in text
    assert re.search(r"^memory: \d+ kB   # machine-memory.txt$", text, re.MULTILINE)
    assert f"# the machine as captured in {system}" in text


def test_script_replaces_only_its_own_folder(tmp_path: Path) -> None:
    (tmp_path / "system").mkdir()
    (tmp_path / "system/run.json").write_text("a result")
    for arguments in ([], [str(tmp_path / "nowhere")], [str(tmp_path)]):
        run = subprocess.run(["sh", str(SCRIPT), *arguments], capture_output=True, text=True)
        assert run.returncode == 2
    assert "was not written by capture.sh" in run.stderr
    assert (tmp_path / "system/run.json").read_text() == "a result"


def test_script_reports_missing_and_failing_tools(tmp_path: Path) -> None:
    """Stand-ins print the output of tools that this machine may not have."""
    tools = tmp_path / "bin"
    tools.mkdir()
    needed = ("cat", "date", "find", "grep", "head", "id", "mkdir", "mv", "readlink", "rm", "uname")
    for name in (*needed, "wc"):
        (tools / name).symlink_to(shutil.which(name) or "")
    _stand_in(tools / "perccli64", f"cat '{INPUTS / 'c0.json'}'")
    _stand_in(tools / "lsblk", 'case $1 in -P) echo NAME=\\"sda\\" ;; *) exit 1 ;; esac')
    _stand_in(tools / "systemd-detect-virt", "echo none; exit 1")
    _stand_in(tools / "findmnt", "echo 'no such option' >&2; exit 3")
    script = tmp_path / "capture.sh"
    script.write_text(SCRIPT.read_text().replace("PATH=$PATH:", "x="))
    run = subprocess.run(
        ["/bin/sh", script, tmp_path], capture_output=True, text=True, env={"PATH": str(tools)}
    )
    assert run.returncode == 0, run.stderr
    manifest = (tmp_path / "system/capture.txt").read_text()
    assert "exit 0: storcli-call.json: perccli64 /call show all J" in manifest
    assert "exit 0: storcli-drives.json: perccli64 /call/eall/sall show all J" in manifest
    assert "exit 0: lsblk.txt: lsblk -P -b -o NAME,KNAME" in manifest
    told = "exit 3: nothing printed: findmnt -P -o TARGET,SOURCE,FSTYPE: no such option"
    assert told in manifest
    assert told in run.stderr
    missing = "not installed: fio lspci( smartctl)?( mdadm)? nvme lvs pvs multipath ssacli "
    assert re.search(missing, manifest)
    assert "a virtual machine" not in manifest


def _stand_in(path: Path, script: str) -> None:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def test_result_gets_the_facts_of_its_devices(lab: ServerLab) -> None:
    cases: list[tuple[dict[str, str], list[str], dict[str, object]]] = [
        ({"filename": "/dev/sdb"}, ["sdb"], RAID_5),
        ({"filename": "/dev/sdb1"}, [], RAID_5),
        ({"filename": "/dev/vg0/fast-data"}, [], RAID_5),
        ({"filename": "/dev/mapper/vg0-fast--data"}, ["dm-0", "sdb"], RAID_5),
        ({"directory": "/mnt/fast"}, ["dm-0", "sdb"], RAID_5 | {"filesystem": "xfs"}),
        ({"filename": "/mnt/fast/a/file"}, ["dm-0"], RAID_5 | {"filesystem": "xfs"}),
        ({"directory": "/mnt/gone"}, ["dm-0", "sdb"], RAID_5),  # `/` is on sda
        ({"filename": "/dev/nvme0n1"}, ["nvme0n1"], NVME),
        ({}, ["nvme0n1"], NVME),
        ({"filename": "a/b"}, ["nvme0n1"], NVME),
        ({"filename": "/dev/mapper/mpatha"}, ["dm-1", "sde", "sdf"], {}),
        ({"directory": "/mnt/share"}, [], {"filesystem": "nfs4"}),
        ({"directory": "/srv"}, [], {}),
        ({"filename": "/dev/sdx"}, ["sdx"], {}),
    ]
    lab.server()
    for number, (options, disks, _) in enumerate(cases):
        lab.result(f"{number}.json", options, *disks)
    assert set(statuses(lab.ingest())) == {"loaded"}
    for number, (options, disks, said) in enumerate(cases):
        assert lab.said(f"{number}.json") == SOFTWARE | said, (options, disks)
    assert lab.refused() == {}


def test_older_util_linux_output_gives_the_same_facts(lab: ServerLab) -> None:
    system = lab.server(**{"lsblk.json": None, "findmnt.json": None})
    columns = ("name", "kname", "vendor", "model", "rota", "size", "tran", "type", "pkname")
    tree = json.loads((INPUTS / "server-lsblk.json").read_text())["blockdevices"]
    (system / "lsblk.txt").write_text(
        "".join(_paired(columns, node, parent) for node, parent in _with_parents(tree, ""))
    )
    (mounts,) = json.loads((INPUTS / "findmnt.json").read_text())["filesystems"]
    named = ("target", "source", "fstype")
    (system / "findmnt.txt").write_text(
        "".join(_paired(named, mount, "") for mount in [mounts, *mounts["children"]])
    )
    lab.result("raid.json", {"directory": "/mnt/fast"}, "dm-0")
    lab.result("nvme.json", {"filename": "/dev/nvme0n1"})
    lab.result("san.json", {"filename": "/dev/mapper/mpatha"}, "dm-1", "sde", "sdf")
    lab.ingest()
    assert lab.said("raid.json") == SOFTWARE | RAID_5 | {"filesystem": "xfs"}
    assert lab.said("nvme.json") == SOFTWARE | NVME
    assert lab.said("san.json") == SOFTWARE


def _with_parents(nodes: list[dict[str, Any]], parent: str) -> Iterator[tuple[dict[str, Any], str]]:
    for node in nodes:
        yield node, parent
        yield from _with_parents(node.get("children", []), node["kname"])


def _paired(columns: tuple[str, ...], node: dict[str, Any], parent: str) -> str:
    said = {"pkname": parent} | {key: value for key, value in node.items() if value is not None}
    texts = {
        name: {True: "1", False: "0"}.get(said.get(name, ""), said.get(name, ""))
        for name in columns
    }
    return " ".join(f'{name.upper()}="{text}"' for name, text in texts.items()) + "\n"


def test_multi_controller_nvme_drive_has_its_link(lab: ServerLab) -> None:
    """Its disk is below a subsystem in sysfs, whose number may differ from the controller's."""
    system = lab.server(**{"nvme-list.json": "nvme-tree.json"})
    (system / "lspci-paths.txt").write_text(
        "/sys/class/block/nvme0n1 /sys/devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1\n"
        "/sys/class/nvme/nvme3 /sys/devices/pci0000:5d/0000:5d:00.0/0000:5e:00.0/nvme/nvme3\n"
        "/sys/class/nvme-subsystem/nvme-subsys0/nvme3 "
        "/sys/devices/pci0000:5d/0000:5d:00.0/0000:5e:00.0/nvme/nvme3\n"
    )
    lab.result("run.json", {"filename": "/dev/nvme0n1"})
    lab.ingest()
    assert lab.said("run.json") == SOFTWARE | NVME


def test_placeholder_is_no_server_name(lab: ServerLab) -> None:
    servers = {
        ("Example Inc.", "EX 1"): "Example Inc. EX 1",
        ("HPE", "HPE EX 1"): "HPE EX 1",
        ("To Be Filled By O.E.M.", "To Be Filled By O.E.M."): None,
        ("System manufacturer", "System Product Name"): None,
        ("Default string", "X11"): "X11",
        ("Example", "Default string"): None,
        ("Example", "Not Specified"): None,
    }
    for number, (vendor, product) in enumerate(servers):
        (lab.server(f"{number}") / "machine-dmi.txt").write_text(
            f"/sys/class/dmi/id/sys_vendor:{vendor}\n/sys/class/dmi/id/product_name:{product}\n"
        )
        lab.result(f"{number}/run.json", {})
    lab.ingest()
    found = [lab.said(f"{number}/run.json").get("server") for number in range(len(servers))]
    assert dict(zip(servers, found, strict=True)) == servers


def test_software_raid_is_an_array(lab: ServerLab) -> None:
    system = lab.server(**{"mdadm-mdstat.txt": "mdstat.txt", "storcli-call.json": None})
    lab.result("run.json", {"filename": "/dev/md0"}, "md0", "sdc", "sdd")
    lab.ingest()
    said = lab.said("run.json")
    assert (said["raid_level"], said["drive_count"]) == ("RAID 5", 4)
    assert (said["stripe_number"], said["stripe_unit"]) == (512, "kB")
    assert (said["drive"], said["drive_interface"]) == ("EXAMPLE SSD 480", "SATA")
    (system / "mdadm-md0.txt").write_text((INPUTS / "mdadm.txt").read_text().replace("512K", "1M"))
    lab.ingest()
    assert lab.why("run.json", "stripe") == [
        (None, "several are named: 1 MB (mdadm-md0.txt: md0); 512 kB (mdadm-mdstat.txt: md0)")
    ]
    assert "stripe_number" not in lab.said("run.json")


def test_lvm_is_an_array(lab: ServerLab) -> None:
    lab.server()
    arrays = {"vg1-striped": ("RAID 0", 2, 65536), "vg1-safe": ("RAID 5", 3, 131072)}
    for device in arrays:
        lab.result(f"{device}.json", {"filename": f"/dev/mapper/{device}"})
    lab.ingest()
    for device, array in arrays.items():
        said = lab.said(f"{device}.json")
        assert (said["raid_level"], said["drive_count"], said["stripe_number"]) == array


def test_facts_name_their_source_or_why_they_are_missing(lab: ServerLab) -> None:
    lab.server()
    lab.result("run.json", {"filename": "/dev/sdb"})
    lab.result("san.json", {"filename": "/dev/mapper/mpatha"}, "dm-1", "sde", "sdf")
    lab.ingest()
    assert lab.why("run.json", "raid_level") == [
        ("RAID 5", "storcli-call.json, storcli-volumes.json: volume 1")
    ]
    assert lab.why("run.json", "drive_firmware") == [("A0F0", "storcli-drives.json: drive 252:5")]
    assert lab.why("run.json", "memory") == [("131816048 kB", "machine-memory.txt")]
    assert lab.why("run.json", "host_lane_count") == [
        ("8", "lspci.txt: 03:00.0 RAID bus controller, LnkSta")
    ]
    ((value, reason),) = lab.why("san.json", "drive_count")
    assert value is None
    assert reason == "multipath.txt: sde, sdf are paths to mpatha (EXAMPLE,LUN)"
    ((folder,),) = lab.rows("select distinct system_path from raw.system_facts")
    assert folder == str(lab.results / "system")


def test_controllers_and_drives_go_into_the_catalog(lab: ServerLab) -> None:
    system = lab.server()
    lab.result("a.json", {"filename": "/dev/sdb"})
    lab.result("b.json", {"filename": "/dev/nvme0n1"})
    lab.ingest()
    controllers = "select controller, host_interface, host_lane_count, cache_number, sidecar_path "
    controllers += "from raw.sidecar_controllers"
    assert lab.rows(controllers) == [("MegaRAID SAS 9361-8i", "PCIe 3.0", 8, 1024, str(system))]
    drives = "select drive, drive_interface from raw.sidecar_drives order by drive"
    assert lab.connection.execute(drives).fetchall() == [
        ("EXAMPLE NVME 1T6", "PCIe 3.0 x4"), ("EXS600", "SAS 12G")
    ]  # fmt: skip
    shutil.rmtree(system)
    lab.ingest()
    assert lab.rows(controllers) == []
    assert lab.rows("from raw.system_facts") == []
    assert lab.said("a.json") == {}


def test_the_nearest_description_wins_field_by_field(lab: ServerLab) -> None:
    lab.server()
    (lab.results / "headroom.yml").write_text("raid_level: RAID 6\nnote: by hand\n")
    lab.result("a.json", {"filename": "/dev/sdb"})
    lab.result("near/b.json", {"filename": "/dev/sdb"})
    (lab.results / "near/headroom.yml").write_text("drive: another\n")
    lab.result("own/c.json", {"filename": "/dev/sdb"})
    lab.server("own", **{"storcli-call.json": None})  # `volumes` alone names no controller
    lab.result("root/d.json", {"filename": "/dev/sdb"})
    (lab.results / "root/headroom.yml").write_text("root: true\n")
    lab.ingest()
    shared = SOFTWARE | RAID_5 | {"note": "by hand"}
    assert lab.said("a.json") == shared | {"raid_level": "RAID 6"}
    assert lab.said("near/b.json") == shared | {"raid_level": "RAID 6", "drive": "another"}
    assert lab.why("near/b.json", "drive") == []
    assert lab.said("own/c.json")["raid_level"] == "RAID 5"
    assert "controller_generation" not in lab.said("own/c.json")
    assert lab.said("root/d.json") == {}


def test_sidecar_controller_replaces_the_captured_one(lab: ServerLab) -> None:
    """A controller that a sidecar names does not get the link of the captured one."""
    lab.server()
    (lab.results / "headroom.yml").write_text("controller: Own 1\n")
    lab.result("run.json", {"filename": "/dev/sdb"})
    lab.ingest()
    assert lab.said("run.json")["controller"] == "Own 1"
    assert lab.why("run.json", "host_interface") == []
    assert lab.rows("from raw.sidecar_controllers") == []
    assert lab.rows("select drive from raw.sidecar_drives") == [("EXS600",)]


def test_drive_vendor_is_not_the_array_vendor(lab: ServerLab) -> None:
    system = lab.server()
    drive = json.loads((INPUTS / "sas.json").read_text()) | {"device": {"name": "/dev/sdc"}}
    (system / "smartctl-sdc.json").write_text(json.dumps(drive))
    lab.result("run.json", {"filename": "/dev/sdc"})
    lab.ingest()
    assert lab.said("run.json")["drive"] == "EXAMPLE EX600MM0006"
    assert "vendor" not in lab.said("run.json")
    assert lab.rows("select vendor from raw.sidecar_drives") == [("EXAMPLE",)]


def test_unusable_drive_name_is_ignored(lab: ServerLab) -> None:
    models = ("\\ud800", "a" * 100_000, "\\u0000", "  ")
    for number, model in enumerate(models):
        system = lab.server(f"{number}")
        text = (INPUTS / "nvme-list.json").read_text().replace("EXAMPLE NVME 1T6", model)
        (system / "nvme-list.json").write_text(text)
        (system / "smartctl-nvme0n1.json").unlink()
        lab.result(f"{number}/run.json", {"filename": "/dev/nvme0n1"})
    assert set(statuses(lab.ingest())) == {"loaded"}
    for number, model in enumerate(models):
        assert lab.said(f"{number}/run.json")["drive_count"] == 1, model[:9]


def test_changed_capture_is_loaded_again(lab: ServerLab) -> None:
    system = lab.server()
    run = lab.result("run.json", {"filename": "/dev/sdb"}, "sdb")
    other = lab.result("other.json", {"filename": "/dev/nvme0n1"})
    assert set(statuses(lab.ingest())) == {"loaded"}
    assert set(statuses(lab.ingest())) == {"unchanged"}
    (system / "machine-uname.txt").write_text("Linux node7 6.6.6 #1\n")
    assert statuses(lab.ingest(run)) == ["loaded"]
    assert lab.said("run.json")["os_kernel"] == "6.6.6"
    assert lab.said("other.json")["os_kernel"] == SOFTWARE["os_kernel"]
    (outcome,) = lab.ingest(system / "lsblk.json")  # any file of a capture stands for the whole
    assert (outcome.status, Path(outcome.path).name) == ("loaded", "capture.txt")
    assert lab.said("other.json")["os_kernel"] == "6.6.6"
    other.write_text(run.read_text().replace("/dev/sdb", "/dev/sda").replace('"sdb"', '"sda"'))
    assert statuses(lab.ingest(other)) == ["loaded"]
    assert lab.said("other.json")["raid_level"] == "RAID 1"


@pytest.mark.parametrize(
    ("drives", "line", "reason"),
    [
        ("{", 1, "expected the output of `storcli"),
        ("[" * 100_000, None, "is out of bounds; expected the output of `s"),
    ],
    ids=["torn", "nested"],
)
def test_only_broken_captured_files_are_quarantined(
    lab: ServerLab, drives: str, line: int | None, reason: str
) -> None:
    broken: dict[str, tuple[bytes | None, int | None, str]] = {
        "storcli-drives.json": (drives.encode(), line, reason),
        "ssacli.txt": (
            b"Error: no rights", None, "names no controller; expected the output of `ssacli",
        ),
        "machine-dmi.txt": (b"?", None, "describes no machine"),
        "machine-memory.txt": (b"MemTotal: ? kB", None, "describes no machine"),
        "multipath.txt": (b"?", None, "names no map; expected the output of `multipath -ll`"),
        "mdadm-md0.txt": (
            b"mdadm: must be super-user", None, "names no array; expected the output",
        ),
        "findmnt.json": (b"\xff", 1, "is not UTF-8"),
        "nvme-list.json": (None, None, "is a pipe, socket or device, not a regular file"),
        "lvm-lvs.json": (b" " * ((16 << 20) + 1), None, "is larger than 16 MiB: capture it again"),
    }  # fmt: skip
    system = lab.server()
    (system / "notes.txt").write_text("no tool's")
    for name, (content, *_) in broken.items():
        (system / name).unlink(missing_ok=True)
        if content is None:
            os.mkfifo(system / name)
        else:
            (system / name).write_bytes(content)
    lab.result("run.json", {"filename": "/dev/sdb"})
    outcomes = status_by_name(lab.ingest())
    assert outcomes == {"run.json": "loaded"} | dict.fromkeys(broken, "quarantined")
    assert lab.said("run.json")["raid_level"] == "RAID 5"
    places = "select file_path, line, reason from quality.quarantined_files order by all"
    found = lab.rows(places)
    assert {Path(path).name: place for path, place, _ in found} == {
        name: place for name, (_, place, _) in broken.items()
    }
    for path, _, told in found:
        assert broken[Path(path).name][2] in told
        assert "capture it again" in told or "save it" in told or ", not a regular file" in told
    lab.ingest(lab.result("elsewhere/run.json", {}))  # the captured system applies to it, too
    assert lab.rows(places) == found
    for name in broken:
        (system / name).unlink()
    lab.ingest()
    assert lab.refused() == {}


def test_system_folder_without_a_manifest_holds_results(lab: ServerLab) -> None:
    lab.result("system/run.json", {"filename": "/dev/sdb"})
    assert statuses(lab.ingest()) == ["loaded"]
    assert lab.said("system/run.json") == {}


def test_drives_of_several_devices_do_not_add_up_to_an_array(lab: ServerLab) -> None:
    cases: list[tuple[dict[str, str], list[str], str | None]] = [
        ({"filename": ":".join(f"/dev/sd{i}" for i in range(9999))}, [], "nothing"),
        ({"filename": "/dev/sdc:/dev/sdd"}, [], "sdc and sdd are tested"),
        ({"filename": "/dev/md0"}, ["md0", "sdc", "sdd"], None),
        ({"directory": "/mnt/fast"}, ["dm-0", "sdb"], None),
        ({"filename": "/dev/sda2"}, ["sda"], None),
        ({"filename": "/dev/sda:/dev/sdb"}, ["sda", "sdb"], "sda and sdb are tested"),
    ]
    lab.server(**{"mdadm-mdstat.txt": "mdstat.txt"})
    for number, (options, disks, _) in enumerate(cases):
        lab.result(f"{number}.json", options, *disks)
    lab.ingest()
    for number, (options, _, told) in enumerate(cases):
        name, case = f"{number}.json", str(options)[:50]
        assert ("drive_count" in lab.said(name)) == (told is None), case
        if told == "nothing":
            assert lab.said(name) == SOFTWARE
        elif told:
            ((_, reason),) = lab.why(name, "drive_count") or [(None, told)]
            assert told in reason, case


@pytest.mark.parametrize(
    ("device", "disk", "is_it"),
    [
        ("sda", "/dev/sda", True), ("sda1", "sda", True), ("sdaa", "sda", False),
        ("nvme0n1p2", "nvme0n1", True), ("nvme0n12", "nvme0n1", False),
        ("md12", "md1", False), ("md1p1", "md1", True), ("md1", "md12", False), ("sda", "", False),
    ],
)  # fmt: skip
def test_partition_belongs_to_its_disk(device: str, disk: str, is_it: bool) -> None:
    assert Target(frozenset({device})).has(disk) == is_it


@pytest.mark.parametrize("kind", READER_OF)
def test_no_output_is_slow_to_read(kind: str) -> None:
    """Not even texts that make a careless regular expression backtrack."""
    size = 1 << 13
    begins = (
        "", "Personalities : \nmd0 : active ", 'NAME="', 'TARGET="', "/sys/class/", "/dev/md0:\n",
        "03:00.0 RAID bus controller: ", "Smart Array P in Slot 0\n", "mpatha (3) dm-1 A\n|- 6:",
    )  # fmt: skip
    units = (
        "A", " ", "\n", "1", "(", "[", "=", "1:", "\t\n", '="', "(prog-if ", "LnkSta: Speed 1GT/s",
        "/sys/class/", "/dev/md0:\n", "md0 : active ", '{"a":', " in Slot ", "| 1:1:",
    )  # fmt: skip
    for begin, unit in itertools.product(begins, units):
        text = begin + unit * (size // len(unit))
        started = time.process_time()
        for target in (Target(is_draft=True), Target(frozenset({"sda"}), frozenset({"/a"}))):
            with suppress(InputError):
                read_facts([Input(kind, "a.txt", text)], target)
        assert time.process_time() - started < 0.2, (begin, unit)


def test_capture_works_with_dry_run_reparse_and_forget(lab: ServerLab, headroom: Headroom) -> None:
    system = lab.server()
    run = lab.result("run.json", {"filename": "/dev/sdb"})
    assert headroom("ingest", lab.results).stdout.startswith("1 loaded")
    (system / "machine-uname.txt").write_text("Linux node7 6.6.6 #1\n")
    rehearsed = headroom("ingest", "--dry-run", lab.results).stdout
    assert rehearsed.startswith(f"loaded       {run}\n")
    assert headroom("reparse", "--all").stdout.startswith("1 loaded")
    assert headroom("ingest", lab.results).stdout.startswith("1 loaded")
    assert "1 sources and 0 quar" in headroom("forget", lab.results).stdout


def test_multi_host_result_gets_no_device_facts(lab: ServerLab) -> None:
    lab.server()
    path = lab.result("run.json", {"filename": "/dev/sdb"}, "sdb")
    run = json.loads(path.read_text())
    for name, job in zip("ab", run["jobs"], strict=False):
        job["hostname"] = name
    path.write_text(json.dumps(run))
    lab.ingest()
    assert len(run["jobs"]) > 1
    assert lab.said("run.json") == SOFTWARE


def test_virtual_machine_has_no_hardware_facts(lab: ServerLab, tmp_path: Path) -> None:
    """Its disk claims to rotate, and the hardware behind it is unknown."""
    shutil.copytree(VM, lab.results / "system")
    shutil.copy(VM_RUN, lab.results / "run.json")
    lab.ingest()
    assert lab.said("run.json") == {
        "os_name": "Debian GNU/Linux 12 (bookworm)", "os_kernel": "6.18.44-fc-v669"
    }  # fmt: skip
    ((value, reason),) = lab.why("run.json", "drive")
    assert value is None
    assert "/dev/vda: Unable to detect device type" in reason
    assert "a virtual machine (kvm) does not see its host's hardware" in reason
    text = describe(lab.results, {}, is_here=False)
    assert "# a virtual machine (kvm): its tools do not see the controller, RAID level" in text
    assert "a virtual machine (kvm): controller, RAID level" in (VM / "capture.txt").read_text()


def test_virtual_machine_drive_has_no_link(lab: ServerLab) -> None:
    """The tools print the same for a passed-through drive and for an emulated one."""
    system = lab.server()
    (system / "machine-virtual.txt").write_text("virtual machine: kvm\n")
    lab.result("run.json", {"filename": "/dev/nvme0n1"})
    lab.ingest()
    assert lab.said("run.json") == SOFTWARE
    assert lab.rows("from raw.sidecar_drives") == []
    ((value, reason),) = lab.why("run.json", "drive_interface")
    assert value is None
    assert "LnkSta says PCIe 3.0 x4; a virtual machine (kvm) does not" in reason


def test_the_command_prints_the_script(headroom: Headroom) -> None:
    assert headroom("capture").stdout == SCRIPT.read_text()


def test_describe_uses_the_captured_system(lab: ServerLab) -> None:
    lab.server()
    (lab.results / "deep").mkdir()
    lab.result("deep/run.json", {"filename": "/dev/sdb"})
    text = describe(lab.results / "deep", {}, is_here=False)
    assert "raid_level: RAID 5   # storcli-call.json, storcli-volumes.json: volume 1" in text
    assert "drive_firmware: A0F0" in text
    given = describe(lab.results / "deep", {"storcli": [INPUTS / "c0.json"]}, is_here=False)
    assert "c0.json" in given
    assert "storcli-volumes.json" not in given
