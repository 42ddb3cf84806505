"""What strangers, full disks and copies leave among results: one function per kind of entry."""

import json
import os
import random
import re
import socket
from collections.abc import Callable
from pathlib import Path

from tests.fuzz import damage
from tests.fuzz_trees.tree import FIO_RUN, GOLDEN, Tree, shown
from tests.packing import pack

NUMBERS = (
    "0", "-1", "-0.0", "1e308", "-1e308", "1e-320", "9223372036854775807", "-9223372036854775808",
    "9223372036854775808", "1" + "0" * 38, "9" * 400, "1e999", "nan", "inf", "-inf", "0x10", "1e18",
    "4611686018427387904", "0.1", "100.000001", "", "null", "1,5", "\u0663",
)  # fmt: skip
SPECIAL = ("headroom.yml", ".headroomignore", "document.yml", "run.json", "a.csv", "r.zip", "r.tgz")
TEXTS = (
    b"", b"\0" * 100, b"\xff\xfe", b"[" * 100_000, b"{" * 50_000, b"- " * 50_000, b"'" * 999,
    b"document_id: " + b"[" * 50_000, b"files:\n" + b"- {glob: a}\n" * 70_000,
    b"*a" * 400 + b"b\n", b"a" * 200_000, b"(a+)+x\n[z-a]\n!\n\\\n" * 300, b"a: &a [*a]\n",
    b"a: &a [b, b]\nb: *a\n" * 9, b"? [a]\n: b\n", b"<<: 1\n", b"!!python/object:os.system x\n",
    b"a: 1\na: 2\n", b"%YAML 9\n---\n", b"=1+1\n", b"2001-99-99\n", b"x: 2001-99-99\n",
    b"files: [{regex: '^(a+)+x$', controller: A}]\n",
    b"files: [{regex: '(?P<outstanding>.*)'}]\n", b"files: [{regex: '((('}]\n", b"root: .nan\n",
)  # fmt: skip
FIELDS = (
    "server", "controller", "raid_level", "drive", "drive_count", "drive_media", "stripe", "note",
    "drive_interface", "outstanding_io_count", "worker_count", "vendor", "root", "filesystem",
    "combine", "access_pattern", "direction", "read_percent", "block_size", "memory",
    "mute",
)  # fmt: skip
OF_CONTROLLERS = (
    "vendor", "cache", "disk_port_count", "host_interface", "host_lane_count", "max_drive_count",
    "raid_levels", "default_stripe", "disk_interfaces",
)  # fmt: skip
OF_DRIVES = (
    "drive_media", "drive_interface", "capacity", "rotation_rpm", "rated_random_read_iops",
    "rated_write", "rated_by", "vendor",
)  # fmt: skip
WORDS = (
    "A", "RAID 5", "5", "8", "SSD", "256 kB", "PCIe 3.0 x8", "SAS 12G", "1 TB", "[]", "{}", "true",
    "~", "'x y'", "\U0001f600", "1.5", "100000 kB", "'; drop table'", "\"\\0\"", "2020-02-29",
    "{ramp: x}", "{ramp: }",
)  # fmt: skip
OPTIONS = (
    "percentage_random", "rwmixread", "rwmixwrite", "iodepth", "bs", "numjobs", "runtime", "size",
    "bssplit", "ramp_time", "nrfiles", "rw", "rate_iops", "kb_base", "filename", "direct", "name",
    "write_lat_log", "random_distribution", "time_based", "startdelay", "blockalign", "percentile",
)  # fmt: skip
_NUMBER = re.compile(r"(?<![\w.\"-])-?\d+(?:\.\d+)?(?![\w.])")
_RESULTS = {
    parser: [
        path.read_bytes()
        for path in sorted((GOLDEN / parser).iterdir())
        if not path.name.endswith(".golden.json")
    ]
    for parser in ("fio", "iometer", "fio_log")
}
_OUTPUTS = [
    path.read_bytes() for path in sorted((GOLDEN.parent / "describe").iterdir()) if path.is_file()
]


def odd_numbers(source: random.Random, text: str, count: int = 3) -> str:
    """A text with some of its numbers replaced by odd ones."""
    for _ in range(count):
        found = list(_NUMBER.finditer(text))
        if found:
            one = source.choice(found)
            text = text[: one.start()] + source.choice(NUMBERS) + text[one.end() :]
    return text


def no_file(tree: Tree) -> None:
    """A pipe, a socket, a folder, or a link to no regular file, under a name that ingest reads."""
    path = tree.own() / tree.any.choice(SPECIAL)
    kind = tree.any.choice(("pipe", "socket", "folder", "zero", "loop", "nowhere", "tty"))
    _make(path, kind)
    is_folder = kind == "folder" or (kind == "nowhere" and path.name == ".headroomignore")
    if not is_folder and path.name != ".headroomignore":
        tree.bad.append(shown(path))


def _make(path: Path, kind: str) -> None:
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "socket":
            folder = os.getcwd()
            os.chdir(path.parent)  # a socket's path has at most 108 bytes
            try:
                with socket.socket(socket.AF_UNIX) as listener:
                    listener.bind(path.name)
            finally:
                os.chdir(folder)
        case "folder":
            path.mkdir()
        case "loop":
            path.symlink_to(path.name)
        case "nowhere":
            path.symlink_to("/nowhere/at/all")
        case _:
            path.symlink_to("/dev/zero" if kind == "zero" else "/dev/tty")


def link_out(tree: Tree) -> None:
    path = tree.own() / tree.any.choice((*SPECIAL, "x.json"))
    path.symlink_to(tree.any.choice(("/etc/passwd", "/proc/self/environ", "/etc", "/proc/self/fd")))
    tree.bad.append(shown(path))


def link_in(tree: Tree) -> None:
    """A link to its own folder, the parent or the top."""
    (tree.place() / f"link-{tree.number()}").symlink_to(tree.any.choice((".", "..", tree.folder)))


def text(tree: Tree) -> None:
    path = tree.own() / tree.any.choice(SPECIAL)
    path.write_bytes(tree.any.choice(TEXTS))
    if path.name in ("run.json", "a.csv", "r.zip"):
        tree.bad.append(shown(path))


def sidecar(tree: Tree) -> None:
    any_of = tree.any.choice
    values = (*NUMBERS, *WORDS)
    fields = [f"{any_of(FIELDS)}: {any_of(values)}" for _ in range(tree.any.randint(0, 4))]
    if tree.any.random() < 0.4:
        fields.append(f"files: [{{glob: '*', {any_of(FIELDS)}: {any_of(values)}}}]")
    if tree.any.random() < 0.3:
        fields.append(f"files: [{{regex: '(?P<{any_of(FIELDS)}>.)'}}]")
    for kind, names in (("controller", OF_CONTROLLERS), ("drive", OF_DRIVES)):
        if tree.any.random() < 0.4:
            said = {any_of(names): any_of(values) for _ in range(3)}
            inner = "".join(f", {name}: {value}" for name, value in said.items())
            fields += [f"{kind}s: [{{{kind}: A{inner}}}]", f"{kind}: A"]
    (tree.own() / "headroom.yml").write_text("\n".join(fields))


def captured(tree: Tree) -> None:
    folder = tree.own() / "system"
    folder.mkdir()
    (folder / "capture.txt").write_text("captured\n")
    for name in tree.any.sample(
        (
            "lsblk.json",
            "smartctl-sda.json",
            "dmi.txt",
            "findmnt.json",
            "storcli-c0.json",
            "nvme.json",
            "uname.txt",
            "mdadm.txt",
        ),
        3,
    ):
        if tree.any.random() < 0.3:
            _make(folder / name, tree.any.choice(("pipe", "folder", "zero", "loop", "nowhere")))
        else:
            outputs = (*_OUTPUTS, *TEXTS)
            (folder / name).write_bytes(damage(tree.any, [tree.any.choice(outputs)]))


def damaged(tree: Tree) -> None:
    parser = tree.any.choice([*_RESULTS])
    suffix = {"fio": ".json", "iometer": ".csv", "fio_log": "_bw.1.log"}[parser]
    data = damage(tree.any, _RESULTS[parser])
    (tree.place() / f"damaged-{tree.number()}{suffix}").write_bytes(data)


def numbers(tree: Tree) -> None:
    """Complete results with impossible numbers."""
    parser = tree.any.choice(("fio", "fio", "iometer"))
    data = tree.any.choice(_RESULTS[parser]).decode(errors="replace")
    path = tree.place() / f"numbers-{tree.number()}.{'csv' if parser == 'iometer' else 'json'}"
    path.write_text(odd_numbers(tree.any, data, tree.any.choice((1, 2, 5, 40))))


def options(tree: Tree) -> None:
    """Values that fio's options do not accept."""
    run = json.loads(FIO_RUN)
    for job in run["jobs"]:
        for name in tree.any.sample(OPTIONS, 3):
            job["job options"][name] = tree.any.choice((*NUMBERS, *WORDS, "4k/50:8k/nan", "1:nan"))
    (tree.place() / f"options-{tree.number()}.json").write_text(json.dumps(run))


def processes(tree: Tree) -> None:
    """A job of many processes, each with its share of the I/Os and of their depths."""
    run = json.loads(FIO_RUN)
    job, count = run["jobs"][0], tree.any.randint(2, 64)
    job["job options"]["numjobs"] = f"{count}"
    run["jobs"] = [json.loads(json.dumps(job)) for _ in range(count)]
    for process in run["jobs"]:
        process["read"]["total_ios"] = tree.any.choice((0, 1, tree.any.randint(1, 10**9)))
        if tree.any.random() < 0.1:
            level = tree.any.choice((*process["iodepth_level"],))
            process["iodepth_level"][level] = tree.any.choice((-5.0, 200.0, 1e300, None, "nan"))
    (tree.place() / f"processes-{tree.number()}.json").write_text(json.dumps(run))


def many(tree: Tree) -> None:
    """Many documents, or many jobs, in one file."""
    path = tree.place() / f"many-{tree.number()}.json"
    if tree.any.random() < 0.5:
        path.write_text("\n".join([FIO_RUN] * 200))
        return
    run = json.loads(FIO_RUN)
    run["jobs"] *= 300
    path.write_text(json.dumps(run))


def implausible(tree: Tree) -> None:
    """A result of an unknown fio version, with many implausible jobs."""
    run = json.loads(FIO_RUN)
    run["fio version"] = f"fio-{tree.name}.{tree.number()}"
    for job in run["jobs"]:
        for direction in ("read", "write"):
            job[direction]["iops"] = 1e15
    run["jobs"] *= 20
    (tree.place() / f"implausible-{tree.number()}.json").write_text(json.dumps(run))


def bad_paper(tree: Tree) -> None:
    paper = tree.copy_paper(tree.place() / f"paper-{tree.number()}")
    sheets = sorted(path for path in paper.rglob("*.*") if path.is_file())
    match tree.any.randrange(4):
        case 0:
            sheet = tree.any.choice(sheets)
            sheet.write_text(odd_numbers(tree.any, sheet.read_text(), tree.any.choice((1, 3, 9))))
        case 1:
            sheet = tree.any.choice(sheets)
            sheet.write_bytes(damage(tree.any, [sheet.read_bytes()]))
        case 2:
            sheet = tree.any.choice(sheets)
            sheet.unlink()
            _make(sheet, tree.any.choice(("pipe", "socket", "zero", "loop", "nowhere")))
        case _:
            name = os.fsdecode(b"figures/\xff\xe9.csv")
            (paper / tree.any.choice((name, os.path.basename(name), "x.md"))).write_text("x")
            tree.bad.append(shown(paper / "document.yml"))


def bad_packed(tree: Tree) -> None:
    name = f"bad-{tree.number()}.{tree.any.choice(('zip', 'tar.gz', 'tar', 'json.gz'))}"
    long = "/".join(["a"] * 3000)
    names = (
        "../../etc/x.json",
        "/abs.json",
        "a\nb.json",
        long,
        "headroom.yml",
        "document.yml",
        "x",
    )
    files = {member: tree.any.choice(TEXTS) for member in tree.any.sample(names, 3)}
    data = pack(name, files)
    if tree.any.random() < 0.6:
        data = damage(tree.any, [data])
    (tree.place() / name).write_bytes(data)


def deep(tree: Tree) -> None:
    """Folders in folders, up to the longest path."""
    path = tree.own()
    for _ in range(tree.any.choice((30, 120, 400))):
        if len(os.fsencode(path)) > 4000:
            break
        path = path / "d"
    os.makedirs(path)
    (path / "x.json").write_text("x")


def crowd(tree: Tree) -> None:
    """A document.yml without a paper, in a folder of results."""
    folder = tree.own()
    (folder / "document.yml").write_bytes(tree.any.choice(TEXTS))
    (folder / "measurements.csv").write_bytes(tree.any.choice(TEXTS))
    tree.add_packed(folder)
    tree.add_iometer(folder)
    tree.bad.append(shown(folder / "document.yml"))


HOSTILE: tuple[Callable[[Tree], None], ...] = (
    no_file, no_file, link_out, link_in, text, text, sidecar, sidecar, captured, damaged, damaged,
    numbers, numbers, numbers, options, options, processes, many, implausible, bad_paper, bad_paper,
    bad_packed, deep, crowd,
)  # fmt: skip
