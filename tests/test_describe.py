"""`headroom describe` drafts a sidecar from results and tool outputs, and invents nothing."""

import functools
import itertools
import json
import lzma
import operator
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from ingest.common.errors import InputError
from ingest.systems.describe.draft import describe, render
from ingest.systems.describe.facts import Fact, Input, interface_with_speed
from ingest.systems.describe.ranking import READER_OF, read_facts
from ingest.systems.describe.target import Target
from ingest.systems.sidecar.level import Level, read_level
from tests.conftest import ROOT, Headroom, refusal
from tests.packing import COMPRESSORS, pack

INPUTS = ROOT / "tests/describe"


def _results(folder: Path, *devices: str) -> Path:
    """A folder with one fio result that ran on these devices."""
    results = folder / "results"
    results.mkdir(parents=True)
    filename = {"filename": ":".join(f"/dev/{name}" for name in devices)} if devices else {}
    run = {"fio version": "fio-3.36", "global options": filename, "jobs": [{"jobname": "a"}]}
    (results / "run.json").write_text(json.dumps(run, indent=1))
    return results


def _describe(results: Path, **files: str) -> str:
    """The sidecar's text, which must be valid."""
    given = {kind: [INPUTS / name for name in names.split()] for kind, names in files.items()}
    text = describe(results, given, is_here=False)
    written = results.parent / "headroom.yml"
    written.write_text(text)
    assert isinstance(read_level(written), Level)
    return text


def _values(text: str) -> dict[str, Any]:
    return yaml.safe_load(text) or {}


def test_without_inputs_everything_is_left_open(tmp_path: Path) -> None:
    text = _describe(_results(tmp_path, "sdb"))
    assert "# 1 fio results; devices: sdb" in text
    assert "# controller: ?   not in any input" in text
    assert _values(text) == {}


def test_virtual_machine_draft_matches_docs_start_md(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = tmp_path / "my-results"
    shutil.copytree(INPUTS / "vm/system", results / "system")
    shutil.copy(ROOT / "data/samples/fio-virtual-disk-runs/2026-11-21-database.json", results)
    monkeypatch.chdir(tmp_path)
    drafted = describe(Path("my-results"), {}, is_here=False)
    page = (ROOT / "docs/start.md").read_text()
    shown = page.partition("$ headroom describe my-results\n")[2].partition("```")[0]
    parts = shown.split("...\n")
    assert len(parts) > 2 and all(part in drafted for part in parts)
    assert _values(drafted) == _values("".join(parts))


def test_devices_default_to_disk_util(tmp_path: Path) -> None:
    results = _results(tmp_path)
    (results / "run.json").write_text(
        'fio: a note before\n{\n"fio version": "fio-3.36",\n'
        '"jobs": [{"jobname": "a", "hostname": "node7"}],\n'
        '"disk_util": [{"name": "vda", "util": 70.6}]\n}\nand a note behind'
    )
    (results / "notes.txt").write_text("no result")
    (results / "deep.json").write_text("[" * 200_000)
    text = _describe(results)
    assert "devices: vda" in text
    assert "# 2 other files were not read" in text
    assert "server: node7   # run.json: hostname" in text


def test_packed_files_are_read(tmp_path: Path) -> None:
    results = _results(tmp_path)
    for device, ending in (("sdb", "bz2"), ("sdc", "xz")):
        content = (_results(tmp_path / device, device) / "run.json").read_bytes()
        (results / f"{device}.json.{ending}").write_bytes(COMPRESSORS[ending](content))
    content = (_results(tmp_path / "sdd", "sdd") / "run.json").read_bytes()
    (results / "sdd.json.zip").write_bytes(pack("a.zip", {"0.json": content}))
    (results / "torn.json.gz").write_bytes(b"no such thing")
    lsblk = tmp_path / "lsblk.json.xz"
    lsblk.write_bytes(lzma.compress((INPUTS / "lsblk.json").read_bytes()))
    text = describe(results, {"lsblk": [lsblk]}, is_here=False)
    assert "# 4 fio results; devices: sdb, sdc, sdd\n" in text
    assert "# 1 other files were not read" in text
    assert Input.read("lsblk", lsblk) == Input.read("lsblk", INPUTS / "lsblk.json")
    several = tmp_path / "several.zip"
    several.write_bytes(pack("a.zip", {"0.json": b"a", "1.json": b"b"}))
    with pytest.raises(InputError, match=r"several\.zip: has 2 files, not one"):
        Input.read("lsblk", several)


def test_the_volume_behind_the_device_is_described(tmp_path: Path) -> None:
    text = _describe(_results(tmp_path, "sdb"), storcli="c0.json volumes.json", lspci="lspci.txt")
    assert _values(text) == {
        "controller": "MegaRAID SAS 9361-8i",
        "controller_generation": "SAS 12G",
        "raid_level": "RAID 5",
        "drive": "EXS600",
        "drive_count": 4,
        "drive_media": "SSD",
        "drive_interface": "SAS",
        "stripe": "256 KB",
        "controller_firmware": "24.21.0-0126",
        "array_state": "optimal",
        "controllers": [
            {
                "controller": "MegaRAID SAS 9361-8i",
                "full_name": "MegaRAID SAS 9361-8i",
                "controller_generation": "SAS 12G",
                "cache": "1024 MB",
                "disk_interfaces": "SAS 12G",
                "disk_port_count": 8,
                "host_interface": "PCIe 3.0",
                "host_lane_count": 8,
            }
        ],
        "drives": [
            {
                "drive": "EXS600",
                "model": "EXS600",
                "drive_media": "SSD",
                "drive_interface": "SAS",
            }
        ],
    }
    assert "raid_level: RAID 5   # c0.json, volumes.json: volume 1" in text
    assert "host_lane_count: 8   # lspci.txt: 03:00.0 RAID bus controller, LnkSta" in text
    assert "# capacity: ?   c0.json, volumes.json: volume 1 says 558.406 GB, rounded" in text


def test_ambiguous_volume_is_left_open(tmp_path: Path) -> None:
    text = _describe(_results(tmp_path), storcli="c0.json volumes.json")
    where = "c0.json, volumes.json: volume 0"
    assert f"# raid_level: ?   several are named: RAID 1 ({where}); RAID 5" in text
    assert "# drive: ?   several are named: EX600MM0006" in text
    assert "drives" not in _values(text)
    assert _values(text)["drive_interface"] == "SAS"


def test_storcli2_show_output_is_read(tmp_path: Path) -> None:
    """`/c0 show J` of a Cisco controller, figures from project-machine/disko's mpi3mr tests."""
    drive = {
        "EID:Slt": "322:2", "DG": 0, "Intf": "SATA", "Med": "SSD",
        "Model": "SAMSUNG MZ7L3960HCJR-00AK1",
    }  # fmt: skip
    said = {
        "Product Name": "Cisco Tri-Mode 24G SAS RAID Controller w/4GB Cache",
        "Package Version": "8.6.2.0-00065-00001",
        "SAS/SATA": "SAS/SATA-6G, SAS-12G, SAS-22.5G",
        "Virtual Drives": 1,
        "VD LIST": [{"DG/VD": "0/1", "TYPE": "RAID0"}],
        "PD LIST": [drive],
    }
    path = tmp_path / "show.json"
    path.write_text(
        json.dumps(
            {"Controllers": [{"Command Status": {"Controller": "0"}, "Response Data": said}]}
        )
    )
    values = _values(describe(_results(tmp_path), {"storcli": [path]}, is_here=False))
    del values["controllers"], values["drives"]
    assert values == {
        "controller": "Cisco Tri-Mode 24G SAS RAID Controller w/4GB Cache",
        "controller_generation": "SAS 22.5G",
        "raid_level": "RAID 0",
        "drive": "SAMSUNG MZ7L3960HCJR-00AK1",
        "drive_count": 1,
        "drive_media": "SSD",
        "drive_interface": "SATA",
        "controller_firmware": "8.6.2.0-00065-00001",
    }


@pytest.mark.parametrize("files", [{"storcli": "c0.json volumes.json"}, {"ssacli": "ssacli.txt"}])
def test_untested_volume_is_not_described(tmp_path: Path, files: dict[str, str]) -> None:
    text = _describe(_results(tmp_path, "sdx"), **files)
    assert "no volume is sdx" in text
    assert _values(text) == {}


def test_partition_has_the_facts_of_its_volume(tmp_path: Path) -> None:
    text = _describe(_results(tmp_path, "sda2"), storcli="c0.json volumes.json")
    assert _values(text)["raid_level"] == "RAID 1"


def test_smart_arrays_are_described(tmp_path: Path) -> None:
    text = _describe(_results(tmp_path, "sda"), ssacli="ssacli.txt")
    values = _values(text)
    assert {name: values[name] for name in values if name not in ("controllers", "drives")} == {
        "controller": "Smart Array EX440ar",
        "raid_level": "RAID 10",
        "drive": "EXAMPLE EG0600XXXXX",
        "drive_count": 2,
        "drive_media": "HDD",
        "drive_interface": "SAS 12G",
        "stripe": "128 KB",
        "controller_firmware": "3.00",
    }
    assert "# drive_firmware: ?   several are named: HPD1 (ssacli.txt: drive 1I:1:1); HPD2" in text
    assert values["controllers"][0]["cache"] == "2 GB"
    assert values["controllers"][0]["host_interface"] == "PCIe 3.0"
    assert values["drives"][0]["capacity"] == "600 GB"
    assert values["drives"][0]["rotation_rpm"] == 10500
    other = _values(_describe(_results(tmp_path / "b", "sdb"), ssacli="ssacli.txt"))
    assert (other["raid_level"], other["drive_interface"]) == ("RAID 5", "SATA 6G")


@pytest.mark.parametrize(
    ("kind", "file", "printed", "instead", "state"),
    [
        ("mdadm", "mdadm.txt", "State : clean", "State : active", "optimal"),
        ("mdadm", "mdadm.txt", "State : clean", "State : clean, degraded", "degraded"),
        ("mdadm", "mdadm.txt", "State : clean", "State : clean, FAILED", "failed"),
        ("mdadm", "mdadm.txt", "State : clean", "State : clean, recovering", "rebuilding"),
        ("mdadm", "mdadm.txt", "State : clean", "State : active, resyncing", "rebuilding"),
        ("mdadm", "mdstat.txt", "[UUUU]", "[UU_U]", "degraded"),
        ("mdadm", "mdstat.txt", "[UUUU]",
         "[UU_U]\n      [==>......]  recovery = 12.6% (1/8) finish=9.5min", "rebuilding"),
        ("mdadm", "mdstat.txt", "[UUUU]", "[UUUU]\n      \tresync=DELAYED", "rebuilding"),
        ("mdadm", "mdstat.txt", "[UUUU]",
         "[UUUU]\n      [==>......]  check = 12.6% (1/8) finish=9.5min", "optimal"),
        ("storcli", "c0.json", '"RAID5", "State": "Optl"', '"RAID5", "State": "Dgrd"', "degraded"),
        ("storcli", "c0.json", '"RAID5", "State": "Optl"', '"RAID5", "State": "Rec"', "rebuilding"),
        ("storcli", "c0.json", '"RAID5", "State": "Optl"', '"RAID5", "State": "OfLn"', None),
        ("ssacli", "ssacli.txt", "Fault Tolerance", "Status: OK\n      Fault Tolerance", "optimal"),
        ("ssacli", "ssacli.txt", "Fault Tolerance",
         "Status: Interim Recovery Mode\n      Fault Tolerance", "degraded"),
    ],
)  # fmt: skip
def test_the_state_of_an_array_is_read(
    kind: str, file: str, printed: str, instead: str, state: str | None
) -> None:
    text = (INPUTS / file).read_text()
    assert printed in text
    tested = Target(frozenset({{"mdadm": "md0", "storcli": "sdb", "ssacli": "sdb"}[kind]}))
    inputs = [Input(kind, file, text.replace(printed, instead))]
    if kind == "storcli":
        volumes = (INPUTS / "volumes.json").read_text()
        inputs.append(Input(kind, "volumes.json", volumes.replace(printed, instead)))
    facts = [fact for ranked in read_facts(inputs, tested) for fact in ranked]
    assert {fact.value for fact in facts if fact.field == "array_state"} == {state} - {None}


@pytest.mark.parametrize(
    ("printed", "mode"),
    [("RWBD", "write-back"), ("NRWTD", "write-through"), ("RAWBC", "write-back"), ("-", None)],
)
def test_the_write_cache_of_a_volume_is_read(printed: str, mode: str | None) -> None:
    text = (INPUTS / "c0.json").read_text()
    text = text.replace('"State": "Optl"', f'"State": "Optl", "Cache": "{printed}"')
    inputs = [Input("storcli", "c0.json", text)]
    inputs.append(Input("storcli", "volumes.json", (INPUTS / "volumes.json").read_text()))
    facts = [one for ranked in read_facts(inputs, Target(frozenset({"sdb"}))) for one in ranked]
    assert {fact.value for fact in facts if fact.field == "write_cache"} == {mode} - {None}


@pytest.mark.parametrize(
    ("policy", "battery", "mode"),
    [("RWBD", "Optimal", "write-back"), ("RWBD", "Charging", "write-through"),
     ("RAWBC", "Failed", "write-back")],
)  # fmt: skip
def test_write_back_waits_for_the_battery(policy: str, battery: str, mode: str) -> None:
    text = (INPUTS / "c0.json").read_text()
    text = text.replace('"State": "Optl"', f'"State": "Optl", "Cache": "{policy}"')
    document = json.loads(text)
    document["Controllers"][0]["Response Data"]["BBU_Info"] = [{"Model": "BBU", "State": battery}]
    volumes = Input("storcli", "volumes.json", (INPUTS / "volumes.json").read_text())
    inputs = [Input("storcli", "c0.json", json.dumps(document)), volumes]
    assert _found(inputs, "sdb", "write_cache") == {mode}


@pytest.mark.parametrize(
    ("before", "after", "state"),
    [(3, 3, {"normal"}), (3, 5, {"overheated"}), (None, 5, set()), (3, "5", set())],
)
def test_two_captures_show_whether_a_drive_overheated(
    before: Any, after: Any, state: set[str]
) -> None:
    drive = json.loads((INPUTS / "nvme.json").read_text())
    inputs = []
    for name, minutes in (("after", after), ("before", before)):
        log = {"warning_temp_time": minutes, "critical_comp_time": 0} if minutes else None
        text = json.dumps(drive | {"nvme_smart_health_information_log": log})
        inputs.append(Input("smartctl", f"smartctl-nvme0n1.{name}.json", text))
    assert _found(inputs, "nvme0n1", "thermal_state") == state
    assert _found(inputs, "nvme0n1", "drive") == {drive["model_name"]}


@pytest.mark.parametrize(
    ("printed", "state"),
    [("Speed 8GT/s, Width x4", set()), ("Speed 5GT/s (downgraded), Width x4", {"reduced"}),
     ("Speed 8GT/s (ok), Width x2 (downgraded)", {"reduced"})],
)  # fmt: skip
def test_a_link_below_its_full_rate_is_read(printed: str, state: set[str]) -> None:
    text = (
        "0000:01:00.0 Non-Volatile memory controller: Example NVMe\n"
        "\t\tLnkCap:\tPort #0, Speed 8GT/s, Width x4, ASPM L1\n"
        f"\t\tLnkSta:\t{printed}\n"
    )
    assert _found([Input("lspci", "lspci.txt", text)], "nvme0n1", "link_state", draft=True) == state


def test_a_sata_link_below_its_full_rate_is_read() -> None:
    sata = Input("smartctl", "smartctl-sdb.json", (INPUTS / "sata.json").read_text())
    assert _found([sata], "sdb", "link_state") == {"reduced"}


def _found(inputs: list[Input], device: str, field: str, *, draft: bool = False) -> set[Any]:
    tested = Target(frozenset({device}), is_draft=draft)
    facts = [fact for ranked in read_facts(inputs, tested) for fact in ranked]
    return {fact.value for fact in facts if fact.field == field}


def test_smart_arrays_as_json_are_read(tmp_path: Path) -> None:
    array = {"Logical Drive: 1": {"Fault Tolerance": "6", "Strip Size": "256 KB"}}
    tree = {"Smart Array EX440ar in Slot 0 (Embedded)": {"Slot": 0, "Array: A": array}}
    path = tmp_path / "ssacli.json"
    path.write_text(json.dumps(tree))
    text = describe(_results(tmp_path), {"ssacli": [path]}, is_here=False)
    assert _values(text)["raid_level"] == "RAID 6"
    assert _values(text)["stripe"] == "256 KB"


@pytest.mark.parametrize(
    ("file", "drive"),
    [
        (
            "sas.json",
            {
                "drive": "EXAMPLE EX600MM0006", "vendor": "EXAMPLE", "drive_media": "HDD",
                "model": "EXAMPLE EX600MM0006", "drive_interface": "SAS 12G",
                "capacity": "600127266816 B", "rotation_rpm": 10500,
                "drive_form_factor": "2.5 inches",
            },
        ),
        (
            "sata.json",
            {
                "drive": "EXAMPLE SSD 480", "model": "EXAMPLE SSD 480", "drive_media": "SSD",
                "drive_interface": "SATA 3G", "capacity": "480103981056 B",
                "drive_form_factor": "2.5 inches",
            },
        ),
        (
            "nvme.json",
            {
                "drive": "EXAMPLE NVME 1T6", "model": "EXAMPLE NVME 1T6", "drive_media": "SSD",
                "capacity": "1600321314816 B",
            },
        ),
    ],
)  # fmt: skip
def test_drives_are_described_by_smartctl(
    tmp_path: Path, file: str, drive: dict[str, object]
) -> None:
    text = _describe(_results(tmp_path), smartctl=file)
    assert _values(text)["drives"] == [drive]


def test_different_drives_are_left_open(tmp_path: Path) -> None:
    text = _describe(_results(tmp_path), smartctl="sas.json sata.json")
    assert "# drive: ?   several are named: EXAMPLE EX600MM0006 (sas.json: /dev/bus/0);" in text


def test_an_nvme_drive_has_the_link_of_lspci(tmp_path: Path) -> None:
    text = _describe(_results(tmp_path, "nvme0n1"), smartctl="nvme.json", lspci="lspci.txt")
    assert _values(text)["drive_interface"] == "PCIe 3.0 x4"
    assert "controller" not in _values(text)


def test_linux_software_raid_is_described_by_lsblk(tmp_path: Path) -> None:
    values = _values(_describe(_results(tmp_path, "md0"), lsblk="lsblk.json"))
    assert (values["raid_level"], values["drive_count"]) == ("RAID 1", 2)
    assert values["drive"] == "EXAMPLE SSD 480"
    assert (values["drive_media"], values["drive_interface"]) == ("SSD", "SATA")
    assert values["drives"][0]["capacity"] == "480103981056 B"


def test_controller_volume_is_not_a_drive(tmp_path: Path) -> None:
    text = _describe(_results(tmp_path, "sda1"), lsblk="lsblk.json", lspci="lspci.txt")
    assert "# drive: ?   lsblk.json: sda is 'MR9361-8i', a volume, not a drive" in text
    assert _values(text)["controller"] == "Example Computers RAID Ctrl SAS 12G 1GB (EX400)"
    assert "drive_media" not in _values(text)


def test_ambiguous_controller_is_left_open(tmp_path: Path) -> None:
    text = _describe(_results(tmp_path, "sda"), lspci="lspci-nn.txt")
    assert "# controller: ?   several are named: Example Corporation SATA Controller" in text
    assert "Broadcom / LSI MegaRAID SAS-3 3108 [Invader] (lspci-nn.txt: 03:00.0" in text


@pytest.mark.parametrize("kind", READER_OF)
def test_other_text_is_refused_as_tool_output(tmp_path: Path, kind: str) -> None:
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("command not found")
    with pytest.raises(
        InputError, match=f"wrong.txt.*expected the output of `{READER_OF[kind].COMMAND.split()[0]}"
    ):
        describe(_results(tmp_path), {kind: [wrong]}, is_here=False)


def _places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield place
    parts = enumerate(value) if isinstance(value, list) else []
    for key, inner in value.items() if isinstance(value, dict) else parts:
        yield from _places(inner, (*place, key))


def _with(document: Any, place: tuple[Any, ...], value: Any) -> Any:
    """The document with another value at a place; Ellipsis removes the place."""
    if not place:
        return value
    document = json.loads(json.dumps(document))
    *path, last = place
    inner = functools.reduce(operator.getitem, path, document)
    inner[last] = value
    if value is ...:
        del inner[last]
    return document


SSACLI_TREE = {
    "Smart Array EX440ar in Slot 0 (Embedded)": {
        "Slot": 0,
        "Total Cache Size": "2.0",
        "Array: A": {
            "Logical Drive: 1": {"Fault Tolerance": "6", "Disk Name": "/dev/sdb"},
            "physicaldrive 1I:1:1": {"Drive Type": "Data Drive", "Size": "600 GB", "Model": "M"},
        },
    }
}


@pytest.mark.parametrize(
    ("kind", "name", "device"),
    [
        ("lsblk", "lsblk.json", "sdb"),
        ("lsblk", "lsblk.json", "md0"),
        ("smartctl", "sas.json", "sda"),
        ("smartctl", "sata.json", "sda"),
        ("smartctl", "nvme.json", "nvme0n1"),
        ("storcli", "c0.json", "sdb"),
        ("storcli", "volumes.json", "sdb"),
        ("storcli", "mr9660/system/storcli-call.json", "sdb"),
        ("storcli", "mr9660/system/storcli-volumes.json", "sdb"),
        ("storcli", "mr9660/system/storcli-drives.json", "sdb"),
        ("lsblk", "server-lsblk.json", "dm-0"),
        ("nvme", "nvme-list.json", "nvme0n1"),
        ("nvme", "nvme-tree.json", "nvme0n1"),
        ("lvm", "lvs.json", "mapper/vg1-safe"),
        ("findmnt", "findmnt.json", "dm-0"),
        ("ssacli", "", "sdb"),
    ],
)
def test_incomplete_tool_output_gives_a_sidecar_or_error(
    tmp_path: Path, kind: str, name: str, device: str
) -> None:
    """Nulls, missing keys and wrong types anywhere give a sidecar or the file's error."""
    results = _results(tmp_path, device)
    tested = Target(frozenset({device}), frozenset({"/mnt/fast/file"}))
    document = json.loads((INPUTS / name).read_text()) if name else SSACLI_TREE
    path = tmp_path / "in.json"
    others = itertools.cycle((..., 5, [None], {"a": None}))
    for place in _places(document):
        for value in (None, next(others)):
            if place or value is not ...:
                path.write_text(json.dumps(_with(document, place, value)))
                try:
                    text = describe(results, {kind: [path]}, is_here=False)
                    read_facts([Input.read(kind, path)], tested)  # as ingest does
                except InputError as error:
                    assert error.path == "in.json"  # the rest is not the tool's output
                else:
                    assert value is not None or "None" not in str(_values(text))


@pytest.mark.parametrize(
    ("speeds", "interface"),
    [
        (["12.0Gb/s", "6.0Gb/s"], "SAS 6G"),
        (["22.5Gb/s"], "SAS 22.5G"),
        (["1.5 Gb/s"], "SAS 1.5G"),
        (["12.0Gb/s", "Unknown"], "SAS 12G"),
        (["Unknown", None], "SAS"),
    ],
)
def test_interface_takes_the_slowest_known_speed(speeds: list[str | None], interface: str) -> None:
    assert interface_with_speed("SAS", *speeds) == interface


def test_invalid_value_becomes_a_comment(tmp_path: Path) -> None:
    drive = json.loads((INPUTS / "sas.json").read_text()) | {"rotation_rate": -1}
    path = tmp_path / "sas.json"
    path.write_text(json.dumps(drive))
    text = describe(_results(tmp_path), {"smartctl": [path]}, is_here=False)
    assert "# rotation_rpm: ?   sas.json: /dev/bus/0 says -1" in text


def test_tools_run_here_only_when_asked_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    prints = {"lsblk": f"cat '{INPUTS / 'lsblk.json'}'", "systemd-detect-virt": "echo none"}
    for name, script in prints.items():
        (tools / name).write_text(f"#!/bin/sh\n{script}\n")
        (tools / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    results = _results(tmp_path, "sdb")
    assert _values(describe(results, {}, is_here=False)) == {}
    text = describe(results, {}, is_here=True)
    assert "drive: EXAMPLE SSD 480   # lsblk.json of this machine: sdb" in text
    assert f"os_kernel: {os.uname().release}" in text
    given = describe(results, {"lsblk": [INPUTS / "server-lsblk.json"]}, is_here=True)
    assert "server-lsblk.json: sdb is 'MR9361-8i', a volume" in given


@given(st.text(st.characters(exclude_categories=("Cc", "Cs"))))
@example("yes")
@example("0x1f")
@example("12:30:45")
@example("# a: b")
@example("a\nserver: b\u2028c\td")
@example("a " * 100)
def test_any_tool_text_becomes_one_yaml_value(said: str) -> None:
    facts = [Fact("drive", "drive", "D", "a tool"), Fact("drive", "model", said, f"as {said}")]
    text = render(Path("results"), [], [facts])
    assert _values(text) == {"drive": "D", "drives": [{"drive": "D", "model": said}]}


def test_existing_sidecar_is_not_overwritten(headroom: Headroom, tmp_path: Path) -> None:
    results = _results(tmp_path, "sda")
    ssacli = INPUTS / "ssacli.txt"
    shown = headroom("describe", results, "--ssacli", ssacli)
    assert shown.returncode == 0, shown.stderr
    assert not (results / "headroom.yml").exists()
    written = headroom("describe", results, "--ssacli", ssacli, "--write")
    assert written.stdout == f"wrote {results}/headroom.yml: check it\n"
    assert (results / "headroom.yml").read_text() == shown.stdout
    assert "already exists" in refusal(headroom("describe", results, "--write"))
    assert (results / "headroom.yml").read_text() == shown.stdout
