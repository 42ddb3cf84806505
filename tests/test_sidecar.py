"""Which files a `headroom.yml` describes, and how its definitions reach the catalog."""

import itertools
import json
import os
import re
import time
from pathlib import Path
from typing import Any

import pytest

from ingest.find.links import NOWHERE, AllowedLinks
from ingest.systems.resolve import Sidecars
from ingest.systems.sidecar.definitions import definition_row
from ingest.systems.sidecar.level import BadLevel, Level, read_level
from ingest.systems.sidecar.reading import parse_sidecar
from tests.conftest import ROOT
from tests.lab import Lab


def _sidecar(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "headroom.yml"
    path.write_text(text)
    return path


def resolve_sidecar(path: Path) -> dict[str, Any]:
    """The fields that sidecars set for a file; none of the sidecars may be bad."""
    sidecars = Sidecars()
    said = sidecars.resolve(path)
    assert sidecars.errors == {}
    return said


def _errors(sidecar: Path) -> list[str]:
    level = read_level(sidecar)
    assert isinstance(level, BadLevel)
    return [f"{error.line or ''}: {error.reason}" for error in level.errors]


def test_the_nearest_sidecar_wins_field_by_field(tmp_path: Path) -> None:
    run = tmp_path / "lab/array/run.json"
    run.parent.mkdir(parents=True)
    (tmp_path / "headroom.yml").write_text("server: never seen\n")
    (tmp_path / "lab/headroom.yml").write_text("root: true\nserver: A\ndrive_count: 8\n")
    (tmp_path / "lab/array/headroom.yml").write_text("drive_count: 4\nraid_level: RAID 5\n")
    assert resolve_sidecar(run) == {"drive_count": 4, "raid_level": "RAID 5", "server": "A"}


def test_results_are_examples_where_the_nearest_sidecar_says_so(tmp_path: Path) -> None:
    _sidecar(tmp_path, "root: true\nexample: true\n")
    _sidecar(tmp_path / "own", "example: false\nfiles:\n  - {glob: demo.json, example: true}\n")
    said = [resolve_sidecar(tmp_path / name) for name in ("a.json", "own/a.json", "own/demo.json")]
    assert [values["example"] for values in said] == [True, False, True]


def test_combine_host_applies_below_its_sidecar(tmp_path: Path) -> None:
    _sidecar(tmp_path, "root: true\ncombine: host\n")
    _sidecar(tmp_path / "own", "files:\n  - {glob: one.json, combine: host}\n")
    said = [resolve_sidecar(tmp_path / name) for name in ("n/a.json", "own/a.json", "own/one.json")]
    above, below = ({"combine_below": str(path)} for path in (tmp_path, tmp_path / "own"))
    assert said == [above, above, below]


def test_words_and_sizes_may_be_spelled_as_people_do(tmp_path: Path) -> None:
    text = "drive_media: ssd\nwrite_cache: WriteBack\nlink_state: Full\nmemory: 64GiB\n"
    _sidecar(tmp_path, f"root: true\n{text}")
    assert resolve_sidecar(tmp_path / "run.json") == {
        "drive_media": "SSD", "write_cache": "write-back", "link_state": "full",
        "memory_number": 64.0, "memory_unit": "GiB",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("drive: 8 x SAS-12G-SSD", {"drive": "SAS-12G-SSD", "drive_count": 8}),
        ("drive: 24x PM1643 960GB", {"drive": "PM1643 960GB", "drive_count": 24}),
        ("drive: 8 × A\ndrive_count: 8", {"drive": "A", "drive_count": 8}),
        ("drive: 5100 x8", {"drive": "5100 x8"}),
    ],
)
def test_drive_count_may_precede_the_drive_name(
    tmp_path: Path, text: str, said: dict[str, Any]
) -> None:
    _sidecar(tmp_path, f"root: true\n{text}\n")
    assert resolve_sidecar(tmp_path / "run.json") == said


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("raid: 5", "2: raid: unknown field (did you mean raid_level?); fields are server"),
        ("depth: 5", "2: depth: unknown field; fields are server, vendor"),
        ("raid_level: RAID 7", "2: raid_level: 'RAID 7' is unknown; known are RAID 0, RAID 1"),
        ("drive_count: eight", "2: drive_count: 'eight' is not a whole number from 1 to 100000"),
        ("drive: 8 x A\ndrive_count: 6", "has different counts in drive and drive_count: keep"),
        ("drive: 0 x SSD", "has drive '0 x SSD', which is no drives: write 1 or more"),
        ("drive_count: '8'", "2: drive_count: '8' is text: write the number without quotes"),
        ("drive_count: 0", "2: drive_count: 0 is not a whole number from 1 to 100000"),
        ("drive_count: true", "2: drive_count: True is not a whole number from 1 to 100000"),
        ("drive_media: NVMe", "2: drive_media: 'NVMe' is not one of HDD, SSD"),
        ("drive: 5100", "2: drive: 5100 is not text: write it in quotes"),
        ("note: [a]", "2: note: ['a'] is not text: write it in quotes"),
        ("access_pattern: zipf", "2: access_pattern: 'zipf' is neither random nor sequential"),
        ("direction: both", "2: direction: 'both' is not one of read, write"),
        ("read_percent: 101", "2: read_percent: 101 is not a number from 0 to 100"),
        ("block_size: 4", "2: block_size: "),
        ("direction: read\nread_percent: 100", "has direction and read_percent: keep one of them"),
        ("stripe: wide", "2: stripe: cannot read a value in 'wide'"),
        ("stripe: about 64 kB", "2: stripe: 'about 64 kB' is not one size"),
        ("example: sample", "2: example: 'sample' is neither true nor false"),
        ("combine: rack", "2: combine: 'rack' is not one of host"),
        ("example: 1", "2: example: 1 is neither true nor false"),
        ("memory: 64", "2: memory: '64' has no unit; size needs one of B"),
        ("write_cache: WB", "2: write_cache: 'WB' is not one of write-back, write-through"),
        ("array_state: fine", "2: array_state: 'fine' is not one of optimal, degraded, rebuil"),
        ("mute: [ramp]", "2: mute: ['ramp'] has no rules: write each rule with its reason, such"),
        ("mute: 5", "2: mute: 5 has no rules: write each rule with its reason"),
        ("mute:\n  rmap: warm", "3: mute rmap: unknown rule (did you mean ramp?); rules are valid"),
        ("mute:\n  1: warm", "3: mute 1: unknown rule; rules are valid result, runtime"),
        ("mute:\n  ramp:", "3: mute ramp: None is no reason: write each rule with its reason"),
        ("mute:\n  ramp: ' '", "3: mute ramp: ' ' is no reason: write each rule with its reason"),
        ("mute:\n  ramp: {a: b}", "3: mute ramp: {'a': 'b'} is no reason: write each rule with"),
        ("files:\n  - {glob: a, mute: x}", "3: files entry 1, mute: 'x' has no rules: write each"),
        ("files: [{regex: '(?P<mute>x)'}]", "files entry 1: group 'mute' of the regex is not a f"),
        ("files: a", "2: files: 'a' is not a list: begin each entry with `- `"),
        ("files: [a]", "2: files entry 1: 'a' has no fields such as `server: ...`"),
        ("server: A\nserver: B", "3: 'server' is given here and in line 2: keep one of them"),
        ("drive_count: 010", "2: '010' is octal or a time in YAML: drop the first 0, or"),
        ("drive_count: 1:00", "2: '1:00' is octal or a time in YAML"),
        ("raid_level: 1:0", "2: '1:0' is octal or a time in YAML"),
        ("note: 12:30:10.5", "2: '12:30:10.5' is octal or a time in YAML"),
        ("server: 'A", "is not YAML: found unexpected end of stream"),
        ("\tserver: A", "2: is not YAML: found a tab character"),
    ],
)
def test_a_wrong_sidecar_is_an_error(tmp_path: Path, text: str, reason: str) -> None:
    errors = _errors(_sidecar(tmp_path, f"root: true\n{text}\n"))
    assert reason in errors[0]


def test_all_errors_are_reported_at_once(tmp_path: Path) -> None:
    text = """\
server: A
controler: B
drive_count: many
files:
  - glob: a
    raid_levl: 5
  - regex: '('
    outstanding_io_count: 0
    stripe: 1 parsec
controllers:
  - {vendor: V, cach: 1 GB}
"""
    assert [error.partition("; ")[0] for error in _errors(_sidecar(tmp_path, text))] == [
        "2: controler: unknown field (did you mean controller?)",
        "3: drive_count: 'many' is not a whole number from 1 to 100000",
        "6: files entry 1, raid_levl: unknown field (did you mean raid_level?)",
        "7: files entry 2, regex: '(' is not valid: missing ): (",
        "8: files entry 2, outstanding_io_count: 0 is not a whole number from 1 to 1000000",
        "9: files entry 2, stripe: unknown unit 'parsec' in '1 parsec'",
        "11: controllers entry 1, cach: unknown field (did you mean cache?)",
        "11: controllers entry 1: controller is missing",
    ]


def test_only_the_first_fifty_errors_are_listed(tmp_path: Path) -> None:
    errors = _errors(_sidecar(tmp_path, "".join(f"field_{number}: 1\n" for number in range(60))))
    assert len(errors) == 51
    assert errors[-1] == ": and 10 more errors"


def test_muted_rules_are_those_of_the_nearest_sidecar(tmp_path: Path) -> None:
    _sidecar(tmp_path, "root: true\nmemory: 64 GB\nmute: {ramp: warm, clock: 'µs: \"old\"'}\n")
    _sidecar(tmp_path / "a", "mute: {runtime: short}\nfiles: [{glob: b.json, mute: {}}]\n")
    said = [resolve_sidecar(tmp_path / name) for name in ("a.json", "a/a.json", "a/b.json")]
    muted = [json.loads(values["mute"]) for values in said]
    assert muted == [{"ramp": "warm", "clock": 'µs: "old"'}, {"runtime": "short"}, {}]
    assert {(values["memory_number"], values["memory_unit"]) for values in said} == {(64, "GB")}


def test_sidecar_limits_are_exact(tmp_path: Path) -> None:
    def refused(text: str) -> str:
        _, errors = parse_sidecar(text, tmp_path)
        return "; ".join(error.reason for error in errors)

    for count, is_refused in ((0, False), (1, True)):
        deep = f"note: {'[' * (19 + count)}{']' * (19 + count)}"
        assert ("nested more than 20 deep" in refused(deep)) == is_refused
        long = f"note: {'n' * (10_000 + count)}"
        assert ("has a value of more than 10000" in refused(long)) == is_refused
        entries = "files:\n" + "- {glob: a}\n" * (1000 + count)
        assert (f"has {1000 + count} entries" in refused(entries)) == is_refused
        faults = "".join(f"field_{number}: 1\n" for number in range(50 + count))
        assert ("and 1 more errors" in refused(faults)) == is_refused
        size = f"stripe: {'0' * (56 + count)}64 k"
        assert ("is not one size" in refused(size)) == is_refused


def test_crash_of_the_reader_is_a_sidecar_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(text: str, path: Path) -> None:
        raise RuntimeError(text)

    path = _sidecar(tmp_path, "server: A\n")
    monkeypatch.setattr("ingest.systems.sidecar.level.parse_sidecar", fail)
    assert _errors(path) == [": cannot be read, please report it: RuntimeError: server: A\n"]


_BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]\n"
    for before, name in itertools.pairwise("abcdefgh")
)

_MERGES = _BOMB.replace("[x,x,x,x,x,x,x,x,x]", "{k: 1}").replace("[", "{<<: [").replace("]", "]}")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"server: caf\xe9", "1: is not UTF-8: save it in that encoding"),
        (b"server: A\nnote: \xff\xfe", "2: is not UTF-8"),
        (b"server: \x00", "is not YAML: "),
        (b"[" * 100_000, "1: is nested more than 20 deep"),
        (b"files: " + b"{a: " * 100_000, "1: is nested more than 20 deep"),
        (b"- " * 100_000, "1: is nested more than 20 deep"),
        (b"files:\n" + b"- {glob: a}\n" * 300_000, "is larger than 1 MiB: split it"),
        (b"files:\n" + b"- {glob: a}\n" * 80_000, "has more than 50000 values: split it"),
        (b"files:\n" + b"- {glob: a}\n" * 8_000, "1: files: has 8000 entries, more than 1000"),
        (_BOMB.encode(), "5: its aliases (*name) expand to more than 50000 values"),
        (_MERGES.encode(), "6: its aliases (*name) expand to more than 50000 values"),
        (b"a: &a {server: [*a]}", "1: has an alias (*name) of its own parent"),
        (b"drive_count: " + b"9" * 9_999, "is not YAML: Exceeds the limit"),
        (b"drive_count: 0x" + b"f" * 9_000, "1: drive_count: this number is not a whole number fr"),
        (b"drive_count: 1" + b":1" * 400_000, "1: has a value of more than 10000 characters"),
        (b"note: !!python/object:os.system x", "1: is not YAML: could not determine a constructor"),
        (b"server: A\n--- \nserver: B", "2: is not YAML: but found another document"),
        (b"files: [{regex: '" + b"(" * 5_000 + b"'}]", "1: files entry 1, regex: is longer than"),
        (b"? [a]\n: b", "is not YAML: "),
        (b"mute:\n" + b"".join(b"  r%d: x\n" % n for n in range(10_000)), "2: mute r0: unknown"),
        (b"just text", "1: 'just text' has no fields such as `server: ...`"),
    ],
)
def test_invalid_or_oversized_sidecar_is_refused_quickly(
    tmp_path: Path, content: bytes, reason: str
) -> None:
    path = tmp_path / "headroom.yml"
    path.write_bytes(content)
    started = time.process_time()
    assert reason in _errors(path)[0]
    assert time.process_time() - started < 1


@pytest.mark.parametrize("kind", ["folder", "pipe", "device", "nothing"])
def test_sidecar_that_is_not_a_file_is_refused(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "headroom.yml"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero" if kind == "device" else tmp_path / "nowhere")
    reasons = {
        "folder": ": is a folder, not a regular file",
        "pipe": ": is a pipe, socket or device, not a regular file",
        "device": ": is a pipe, socket or device, not a regular file",
        "nothing": ": cannot be read: No such file or directory",
    }
    assert _errors(path) == [reasons[kind]]


def test_common_encodings_and_aliases_are_read(tmp_path: Path) -> None:
    path = tmp_path / "headroom.yml"
    for encoding in ("utf-8-sig", "utf-16"):
        path.write_bytes("root: true\r\nserver: Café\r\n".encode(encoding))
        assert resolve_sidecar(tmp_path / "run.json") == {"server": "Café"}
    path.write_text("root: true\nfiles:\n- &a {glob: a, server: S}\n- {<<: *a, glob: b}\n")
    assert resolve_sidecar(tmp_path / "b") == {"server": "S"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("drive_count: -1", "-1 is not a whole number from 1 to 100000"),
        ("drive_count: 8.0", "8.0 is not a whole number from 1 to 100000"),
        ("drive_count: .inf", "inf is not a whole number from 1 to 100000"),
        (f"files: [{{glob: a, outstanding_io_count: {10**20}}}]", f"{10**20} is not a whole numbe"),
        (f"files: [{{glob: a, worker_count: {10**19}}}]", "is not a whole number from 1 to 100000"),
        (f"stripe: {10**38} kB", "is too large: at most 1e+15"),
        ("stripe: 0 kB", "'0 kB' is not a size from 1 byte to 1000 TB"),
        ("stripe: .nan", "nan is not text: write it in quotes"),
        ("stripe: true", "True is not text: write it in quotes"),
        (f"stripe: {'9' * 400} kB", "is not one size such as 256 kB"),
        ("controllers: [{controller: A, cache: 1001 TB}]", "is not a size from 1 byte to 1000 TB"),
        ("controllers: [{controller: A, host_lane_count: 0}]", "0 is not a whole number from 1 to"),
        ("controllers: [{controller: A, max_drive_count: 1e9}]", "'1e9' is not a whole number fro"),
        ("drives: [{drive: A, capacity: 10000 TB}]", "is not a size from 1 byte to 1000 TB"),
        ("drives: [{drive: A, rotation_rpm: .nan}]", "nan is not a number from 1 to 1000000"),
        ("drives: [{drive: A, rotation_rpm: .inf}]", "inf is not a number from 1 to 1000000"),
        ("drives: [{drive: A, rotation_rpm: false}]", "False is not a number from 1 to 1000000"),
        ("drives: [{drive: A, rated_by: S, rated_random_read_iops: 0}]", "0 is not a number from"),
        ("drives: [{drive: A, rated_by: S, rated_random_write_iops: 2e9}]", "'2e9' is not a numbe"),
        ("drives: [{drive: A, rated_by: S, rated_random_write_iops: .nan}]", "nan is not a number"),
        ("drives: [{drive: A, rated_by: S, rated_read: 0 MB/s}]", "is not a rate from 1 B/s to 10"),
        ("drives: [{drive: A, rated_by: S, rated_read: 10001 GB/s}]", "'10001 GB/s' is not a rate"),
        ("drives: [{drive: A, price_currency: EUR, price_by: S, price: -1}]", "price: -1 is not a"),
        ("drives: [{drive: A, price_currency: EUR, price_by: S, price: 0}]", "price: 0 is not a n"),
        ("drives: [{drive: A, price_currency: EUR, price_by: S, price: .nan}]", "price: nan is no"),
        (
            "drives: [{drive: A, price_currency: EUR, price_by: S, price: 1.0e+40}]",
            "price: 1e+40 is not a number from",
        ),
        (
            f"drives: [{{drive: A, price_currency: EUR, price_by: S, price: 1{'0' * 40}}}]",
            "is not a number from 0.01",
        ),
        (
            "drives: [{drive: A, price_currency: EUR, price_by: S, price: 549.90 EUR}]",
            "'549.90 EUR' is not a number from",
        ),
        ("controllers: [{controller: A, rated_by: S, power_watt: -1}]", "-1 is not a number from"),
        ("controllers: [{controller: A, rated_by: S, power_watt: .inf}]", "inf is not a number fr"),
        ("drives: [{drive: A, rated_by: S, rated_write: 7000}]", "'7000' has no unit"),
        ("drives: [{drive: A, rated_by: S, rated_write: 7 GB}]", "unknown unit 'GB'"),
        ("drives: [{drive: A, rated_by: S, rated_read: up to 7 GB/s}]", "is not one rate such as"),
        (
            "drives: [{drive: A, price_currency: Euro}]",
            "'Euro' is not a code of ISO 4217 such as EUR or USD",
        ),
        ("drives: [{drive: A, price_currency: 978}]", "'978' is not a code of ISO 4217"),
        ("drives: [{drive: A, price_date: 2026-11-31}]", "day is out of range for month"),
        (
            "drives: [{drive: A, price_date: '2026-11'}]",
            "'2026-11' is not a date such as 2026-11-23",
        ),
        ("drives: [{drive: A, price_date: yesterday}]", "'yesterday' is not a date such as"),
        (
            "drives: [{drive: A, price_date: 2026-11-02 08:00:00}]",
            "'2026-11-02T08:00:00' is not a date such as",
        ),
        (
            "drives: [{drive: A, rated_write: 3.8 GB/s}]",
            "1: drives entry 1: has rated_write without rated_by: name the data sheet",
        ),
        (
            "drives: [{drive: A, rated_write: 3.8 GB/s, rated_by: null}]",
            "1: drives entry 1: has rated_write without rated_by: name the data sheet",
        ),
        (
            "controllers: [{controller: A, power_watt: 5}]",
            "has power_watt without rated_by: name the data sheet",
        ),
        (
            "drives: [{drive: A, price: 5, price_by: S}]",
            "1: drives entry 1: has price without price_currency: add it, such as EUR",
        ),
        (
            "drives: [{drive: A, price: 5, price_currency: EUR}]",
            "1: drives entry 1: has price without price_by: name the price list or quote",
        ),
        ("files: [{regex: '(?!a)b'}]", "invalid perl operator: (?!; correct it, or write a glob"),
        ("files: [{regex: '(a)\\1'}]", "invalid escape sequence: \\1; correct it, or write a glob"),
        ("files: [{regex: '((a{1000}){1000}){1000}'}]", "invalid repetition size"),
        ("files: [{regex: '\\pL{1000}'}]", "pattern too large - compile failed"),
        ("controllers: [{vendor: V}]", "1: controllers entry 1: controller is missing"),
        ("controllers: [{controller: '?'}]", "entry 1, controller: '?' is not a name: it needs a"),
        ("drives: [{drive: A 1}, {drive: a-1}]", "drives entry 2: 'a-1' is defined twice"),
        ("drives: [{drive: A, capacity: big}]", "entry 1, capacity: cannot read a value in 'big'"),
        ("controllers: [{controller: A, cache: about 1 GB}]", "'about 1 GB' is not one size"),
        ("controllers: [{controller: A, host_interface: fast}]", "'fast' is unknown; write it as"),
        ("controllers: [{controller: A, host_interface: PCIe 3.0 x0}]", "'PCIe 3.0 x0' is unknown"),
        ("controllers: [{controller: A, host_interface: SAS 12G x1001}]", "'SAS 12G x1001' is unk"),
        (
            "controllers: [{controller: A, host_interface: PCIe 3.0 x8, host_lane_count: 8}]",
            "controllers entry 1: has lanes in host_interface and in host_lane_count: keep one",
        ),
        ("controllers: [{controller: A, raid_levels: ['7']}]", "entry 1, raid_levels: '7' is unk"),
        ("controllers: [{controller: A, raid_levels: 1.5}]", "1.5 is not text"),
        ("drives: [{drive: A, size: 1 TB}]", "drives entry 1, size: unknown field; fields are dri"),
    ],
)
def test_a_wrong_value_is_one_error(tmp_path: Path, text: str, reason: str) -> None:
    (error,) = _errors(_sidecar(tmp_path, text))
    assert reason in error


def test_the_largest_values_fit_the_columns(lab: Lab) -> None:
    text = (
        "root: true\ndrive_count: 100000\nstripe: 1000 TB\ncontrollers: [{controller: A, "
        "cache: 1000 TB, default_stripe: 1 B, disk_port_count: 100000, host_lane_count: 100000}]\n"
        "drives: [{drive: A, capacity: 1000 TB, rotation_rpm: 1000000, rated_read: 10000 GB/s, "
        "rated_random_read_iops: 1000000000, rated_by: S}]\n"
        "files: [{glob: '*', outstanding_io_count: 1000000, worker_count: 100000}]\n"
    )
    _sidecar(lab.results, text)
    lab.ingest(lab.add())
    for column, table in (
        ("stripe", "sidecars"),
        ("cache", "sidecar_controllers"),
        ("default_stripe", "sidecar_controllers"),
        ("capacity", "sidecar_drives"),
    ):
        bytes_of = f"cast(round({column}_number * 1024.0 ** 4) as bigint)"
        assert lab.rows(f"select {bytes_of} from raw.{table}")
    rated = "rated_random_read_iops, rated_read_number, rated_read_unit, rated_write_unit, rated_by"
    assert lab.rows(f"select {rated} from raw.sidecar_drives") == [(1e9, 10_000, "GB/s", None, "S")]


@pytest.mark.parametrize(
    ("field", "unit", "least", "most"),
    [
        ("capacity", "B", 1, 10**15),
        *(("capacity", unit, 1024**-power, 1000 * 1024 ** (4 - power))
          for power, unit in enumerate(("kB", "MB", "GB", "TB"), start=1)),
        ("rated_read", "B/s", 1, 10**13),
        ("rated_read", "KiB/s", 1 / 1024, 10**13 / 1024),
        ("rated_write", "MB/s", 1e-6, 10**7),
        ("rated_write", "GB/s", 1e-9, 10**4),
    ],
)  # fmt: skip
def test_a_size_and_a_rate_are_bounded_in_any_unit(
    tmp_path: Path, field: str, unit: str, least: float, most: float
) -> None:
    bounds = ((least, True), (most, True), (least * 0.999, False), (most * 1.0001, False))
    for number, is_read in bounds:
        text = f"drives: [{{drive: A, rated_by: S, {field}: {number:.30f} {unit}}}]\n"
        _, errors = parse_sidecar(text, tmp_path)
        assert bool(errors) != is_read, text


def test_a_price_is_read_as_people_write_it(tmp_path: Path) -> None:
    for day in ("2026-11-02", "'2026-11-02'"):
        said = f"price: 549.90, price_currency: eur, price_date: {day}, price_by: offer 7"
        text = f"drives: [{{drive: A, {said}}}]\n"
        sidecar, errors = parse_sidecar(text, tmp_path)
        assert errors == []
        (drive,) = sidecar.drives
        assert (drive.price, drive.price_currency) == (549.9, "EUR")
        assert (drive.price_date, drive.price_by) == ("2026-11-02", "offer 7")


def test_a_regex_takes_time_linear_in_the_name(tmp_path: Path) -> None:
    _sidecar(tmp_path, "root: true\nfiles:\n  - {regex: '^(a+)+x$', server: S}\n")
    started = time.process_time()
    assert resolve_sidecar(tmp_path / ("a" * 250)) == {}
    assert resolve_sidecar(tmp_path / ("a" * 250 + "x")) == {"server": "S"}
    assert time.process_time() - started < 1


def test_regex_matches_non_utf8_names(tmp_path: Path) -> None:
    _sidecar(tmp_path, "root: true\nfiles:\n  - regex: '_(?P<raid_level>raid5)'\n")
    assert resolve_sidecar(tmp_path / "a\udcff_raid5") == {"raid_level": "RAID 5"}


def test_bad_sidecar_leaves_what_is_stored_but_for_nearer_levels(tmp_path: Path) -> None:
    """No outer sidecar sets a field that it might have set."""
    _sidecar(tmp_path, "root: true\nserver: far\nraid_level: RAID 5\ndrive: D\n")
    bad = _sidecar(tmp_path / "bad", "raid_level: RAID 10x\n")
    _sidecar(tmp_path / "bad/near", "controller: C\n")
    sidecars = Sidecars()
    assert sidecars.resolve(tmp_path / "bad/near/8.json") == {"controller": "C"}
    assert [*sidecars.errors] == [str(bad)]
    assert sidecars.resolve(tmp_path / "8.json")["raid_level"] == "RAID 5"
    before = {"raid_level": "RAID 1", "controller": "old"}
    said = sidecars.resolve(tmp_path / "bad/near/8.json", lambda: before)
    assert said == {"raid_level": "RAID 1", "controller": "C"}


def test_direction_sets_the_read_percent(tmp_path: Path) -> None:
    """The nearer of direction and read_percent wins."""
    _sidecar(tmp_path, "root: true\nread_percent: 70\naccess_pattern: Rand\n")
    _sidecar(tmp_path / "near", "direction: read\n")
    far = {"access_pattern": "random"}
    assert resolve_sidecar(tmp_path / "a") == far | {"read_percent": 70}
    assert resolve_sidecar(tmp_path / "near/a") == far | {"read_percent": 100}


def test_sidecar_with_only_comments_sets_nothing(tmp_path: Path) -> None:
    (tmp_path / "headroom.yml").write_text("# nothing yet\n")
    assert "server" not in resolve_sidecar(tmp_path / "run.json")


@pytest.mark.parametrize(
    ("glob", "matching"),
    [
        ("*.json", {"a.json", "ssd/a.json", "ssd/x/b.json"}),
        ("b.*", {"ssd/x/b.json"}),
        ("ssd/*", {"ssd/a.json"}),
        ("ssd/**", {"ssd/a.json", "ssd/x/b.json"}),
        ("**/x/*.json", {"ssd/x/b.json"}),
        ("./a.json", {"a.json"}),
        ("[!b].json", {"a.json", "ssd/a.json"}),
        ("ssd[!b]a.json", set()),
        ("ssd?a.json", set()),
        ("/a.*", {"a.json"}),
        ("**", {"a.json", "ssd/a.json", "ssd/x/b.json"}),
        ("?.csv", set()),
    ],
)
def test_globs_match_the_path_below_the_sidecar(
    tmp_path: Path, glob: str, matching: set[str]
) -> None:
    _sidecar(tmp_path, f"root: true\nfiles:\n  - glob: '{glob}'\n    server: S\n")
    sidecars = Sidecars()
    files = ("a.json", "ssd/a.json", "ssd/x/b.json")
    assert {file for file in files if sidecars.resolve(tmp_path / file)} == matching


def test_globs_match_unusual_names_literally(tmp_path: Path) -> None:
    """A newline and an unclosed bracket match themselves; a leading dot hides nothing."""
    _sidecar(tmp_path, "root: true\nfiles:\n  - {glob: 'a/**/*[0.json', server: S}\n")
    matching = ("a/run[0.json", "a/new\nline/.run[0.json")
    other = ("a/run0.json", "a/run[0.json\n", "b/run[0.json", "a/run[0.json/x")
    sidecars = Sidecars()
    assert [name for name in (*matching, *other) if sidecars.resolve(tmp_path / name)] == [
        *matching
    ]


@pytest.mark.parametrize("glob", ["*a" * 30 + "*b", "**/a/" * 4 + "b"])
def test_costly_glob_finishes(tmp_path: Path, glob: str) -> None:
    _sidecar(tmp_path, f"root: true\nfiles:\n  - {{glob: '{glob}', server: S}}\n")
    name = "/".join(["a"] * 60 + ["a" * 200])
    assert resolve_sidecar(tmp_path / name) == {}


@pytest.mark.parametrize(
    ("regex", "name", "said"),
    [
        (r"raid5_qd(?P<outstanding_io_count>\d+)", "raid5_qd64", {"outstanding_io_count": 64}),
        (r"qd(?P<outstanding>\d+)", "qd08", {"outstanding_io_count": 8}),
        (r"r(?P<raid_level>\d+)", "r5", {"raid_level": "RAID 5"}),
        (r"(?P<raid_level>raid\d+)", "raid50", {"raid_level": "RAID 50"}),
        (r"(?P<raid_level>[^_]+)_", "RAID-5_x", {"raid_level": "RAID 5"}),
        (r"(?P<raid_level>[^_]+)_", "r10_x", {"raid_level": "RAID 10"}),
        (r"(?P<raid_level>[^_]+)_", "1+0_x", {"raid_level": "RAID 10"}),
        (r"(?P<raid_level>[^_]+)_", "raid1e_x", {"raid_level": "RAID 1E"}),
        (r"(?P<raid_level>[^_]+)_", "jbod_x", {"raid_level": "JBOD"}),
        (r"(?P<drive_media>ssd|hdd)", "ssd", {"drive_media": "SSD"}),
        (r"s(?P<stripe>\d+k)", "s64k", {"stripe_number": 64, "stripe_unit": "kB"}),
        (
            "(?P<access_pattern>rand|seq)(?P<direction>read|write)_(?P<block_size>[0-9]+k)",
            "seqwrite_128k",
            {
                "access_pattern": "sequential",
                "read_percent": 0,
                "block_size_number": 128,
                "block_size_unit": "kB",
            },
        ),
        (r"rw(?P<read_percent>\d+)", "rw070", {"read_percent": 70}),
        (r"a(?:_(?P<drive_count>\d+))?", "a", {}),
    ],
)
def test_groups_of_a_regex_fill_fields(
    tmp_path: Path, regex: str, name: str, said: dict[str, object]
) -> None:
    _sidecar(tmp_path, f"root: true\nfiles:\n  - regex: '{regex}'\n")
    assert resolve_sidecar(tmp_path / name) == said


@pytest.mark.parametrize(
    ("spellings", "level"),
    [
        ("RAID 5|RAID-5|raid5|RAID5|r5|R5|raid_5|5| RAID 5 ", "RAID 5"),
        ("RAID 10|1+0|RAID 1+0|raid1+0|r10|10", "RAID 10"),
        ("RAID 1E|raid1e|1e", "RAID 1E"),
        ("5+0|raid-50|50", "RAID 50"),
        ("JBOD|jbod", "JBOD"),
        ("RAID 0|0|raid0", "RAID 0"),
    ],
)
def test_a_raid_level_is_one_in_any_spelling(tmp_path: Path, spellings: str, level: str) -> None:
    for spelling in spellings.split("|"):
        for said in (spelling, f"'{spelling}'"):  # 5 is a number, '5' a text
            _sidecar(tmp_path, f"root: true\nraid_level: {said}\n")
            assert resolve_sidecar(tmp_path / "a") == {"raid_level": level}
            _sidecar(tmp_path, f"root: true\nfiles: [{{glob: a, raid_level: {said}}}]\n")
            assert resolve_sidecar(tmp_path / "a") == {"raid_level": level}
            for levels in (f"[JBOD, {said}]", f"'JBOD, {spelling}'"):
                controller = f"{{controller: A, raid_levels: {levels}}}"
                path = _sidecar(tmp_path, f"root: true\ncontrollers: [{controller}]\n")
                sidecars = Sidecars()
                sidecars.look_in(path.parent)
                row = definition_row(sidecars.readable[0].sidecar.controllers[0])
                assert row["raid_levels"] == f"JBOD, {level.removeprefix('RAID ')}"


def test_worked_example_of_the_docs_is_correct(tmp_path: Path) -> None:
    text = (ROOT / "docs/headroom-yml.md").read_text().split("```yaml\n")[1].split("```")[0]
    _sidecar(tmp_path, f"root: true\n{text}")
    shared = {"server": "PRIMERGY RX2540 M1", "controller": "PRAID EP420i"}
    assert resolve_sidecar(tmp_path / "ssd/ep420i_raid5_8x_qd64.json") == shared | {
        "drive": "SAS-12G-SSD", "drive_count": 8, "raid_level": "RAID 5",
        "outstanding_io_count": 64, "stripe_number": 256, "stripe_unit": "kB",
    }  # fmt: skip
    assert resolve_sidecar(tmp_path / "hdd/ep420i_raid10_4x_qd1.json") == shared | {
        "drive": "SAS-12G-HDD", "drive_count": 4, "raid_level": "RAID 10",
        "outstanding_io_count": 1,
    }  # fmt: skip


def test_precedence_of_sidecars_and_entries(tmp_path: Path) -> None:
    far = (
        "root: true\nserver: far\nnote: far\nfiles:\n  - {glob: '*', server: far entry, drive: D}\n"
    )
    near = "server: near\nvendor: V\nfiles:\n  - {glob: '*', vendor: first}\n"
    _sidecar(tmp_path, far)
    _sidecar(tmp_path / "near", near + "  - {glob: '*', vendor: last}\n")
    said = resolve_sidecar(tmp_path / "near/run.json")
    assert said == {"server": "near", "vendor": "last", "drive": "D", "note": "far"}


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("{server: S}", "files entry 2: needs either a glob or a regex"),
        ("{glob: a, regex: a}", "files entry 2: needs either a glob or a regex"),
        ("{regex: '('}", r"4: files entry 2, regex: '\(' is not valid: missing \)"),
        (
            "{glob: 'ssd/**.json'}",
            r"entry 2, glob: 'ssd/\*\*.json' is not valid: .* write it between slashes",
        ),
        ("{glob: 'a/**/b/**/c/**/d/**/e/**'}", "files entry 2, glob: .* at most 4 times"),
        (
            "{regex: '(?P<depth>1)'}",
            "files entry 2: group 'depth' of the regex is not a field.*; groups are server",
        ),
        ("{glob: a, raid: 5}", "files entry 2, raid: unknown field .did you mean raid_level"),
        ("{glob: a, raid_level: RAID 7}", "files entry 2, raid_level: 'RAID 7' is unknown"),
        (
            "{glob: a, worker_count: 0}",
            "files entry 2, worker_count: 0 is not a whole number from 1 to 100000",
        ),
    ],
)
def test_a_wrong_entry_is_named_by_its_number(tmp_path: Path, entry: str, reason: str) -> None:
    path = _sidecar(tmp_path, f"root: true\nfiles:\n  - glob: a\n  - {entry}\n")
    assert re.search(reason, "\n".join(_errors(path)))


@pytest.mark.parametrize(
    ("regex", "reason"),
    [
        ("(?P<raid_level>run)", "files entry 1, on 'run.json': raid_level 'run' is unknown"),
        (
            "(?P<worker_count>run)",
            "entry 1, on 'run.json': worker_count 'run' is not a whole number",
        ),
    ],
)
def test_invalid_value_in_a_file_name_is_an_error(tmp_path: Path, regex: str, reason: str) -> None:
    path = _sidecar(tmp_path, f"root: true\nfiles:\n  - regex: '{regex}'\n    server: S\n")
    sidecars = Sidecars()
    for name in ("run.json", "run.json", "run-2.json"):
        assert sidecars.resolve(tmp_path / name) == {}
        ((where, (error,)),) = sidecars.errors.items()
        assert where == str(path)
        assert reason in error.reason


def test_null_in_a_name_is_not_a_number(tmp_path: Path) -> None:
    _sidecar(tmp_path, "root: true\nfiles:\n  - regex: '_(?P<drive_count>\\w+)'\n")
    sidecars = Sidecars()
    assert sidecars.resolve(tmp_path / "a_null") == {}
    ((error,),) = sidecars.errors.values()
    assert "drive_count 'null' is not a whole number" in error.reason


@pytest.mark.parametrize(
    ("said", "interface", "lanes"),
    [
        ("PCIe 3.0", "PCIe 3.0", None),
        ("pcie-6.0 x16", "PCIe 6.0", 16),
        ("DMI 1.0", "DMI 1.0", None),
        ("Ethernet 25G", "Ethernet 25G", None),
        ("FC 16G x2", "FC 16G", 2),
        ("infiniband edr x4", "InfiniBand EDR", 4),
        ("SAS 12G x8", "SAS 12G", 8),
        ("SAS 12G x1", "SAS 12G", 1),
        ("SAS 12G x1000", "SAS 12G", 1000),
    ],
)
def test_host_interface_is_normalised(
    tmp_path: Path, said: str, interface: str, lanes: int | None
) -> None:
    path = _sidecar(
        tmp_path, f"root: true\ncontrollers: [{{controller: A, host_interface: {said}}}]"
    )
    sidecars = Sidecars()
    sidecars.look_in(path.parent)
    row = definition_row(sidecars.readable[0].sidecar.controllers[0])
    assert (row["host_interface"], row["host_lane_count"]) == (interface, lanes)


def test_linked_file_uses_the_sidecar_of_its_target(tmp_path: Path) -> None:
    _sidecar(tmp_path / "real", "root: true\nserver: S\n")
    (tmp_path / "real/run.json").touch()
    (tmp_path / "link.json").symlink_to(tmp_path / "real/run.json")
    assert resolve_sidecar(tmp_path / "link.json") == {"server": "S"}


def test_sidecar_may_link_only_into_allowed_folders(tmp_path: Path) -> None:
    """A regular file is read anywhere, a link only into the given folders."""
    real = _sidecar(tmp_path / "real", "root: true\nserver: S\n")
    given = tmp_path / "given"
    given.mkdir()
    link = given / "headroom.yml"
    link.symlink_to(real)
    for level in (
        read_level(real, NOWHERE),
        read_level(link, AllowedLinks.of([given, real.parent])),
        read_level(link),
    ):
        assert isinstance(level, Level)
        assert level.values == {"server": "S"}
    for links in (NOWHERE, AllowedLinks.of([given])):
        refused = read_level(link, links)
        assert isinstance(refused, BadLevel)
        assert "out of the folders that were given" in refused.errors[0].reason


def test_rows_follow_changes_of_a_sidecar(lab: Lab) -> None:
    run, other = lab.add("lab/run.json"), lab.add("other/run.json", "fio-3.34")
    query = "select controller, cache_number, raid_levels from raw.sidecar_controllers"
    path = _sidecar(
        run.parent,
        "root: true\ncontrollers:\n  - {controller: A, cache: 1 GB, raid_levels: [JBOD, RAID 5]}\n",
    )
    lab.ingest(run)
    assert lab.rows(query) == [("A", 1, "JBOD, 5")]
    path.write_text("root: true\ncontrollers: [{controller: B}]\n")
    lab.ingest(run)
    lab.ingest(other)  # does not find it
    assert lab.rows(query) == [("B", None, None)]
    path.unlink()
    lab.ingest(other)
    assert lab.rows(query) == []
