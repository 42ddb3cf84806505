"""elbencho's files: versions, units and faults; a second reader checks the samples."""

import re
from functools import partial
from typing import Any

import pytest

from ingest.common.errors import InputError
from ingest.parsers import elbencho
from tests.conftest import ROOT
from tests.fuzz import fuzz
from tests.reading import read_content, read_rows

SAMPLES = ROOT.parent / "shared/other_tools"
GOLDEN = [
    path
    for path in sorted((ROOT / "tests/golden/elbencho").iterdir())
    if not path.name.endswith(".golden.json")
]
BY_NAME = {path.name: path for path in GOLDEN}
MIX = BY_NAME["csv-3.1-mix.csv"].read_text()
APPENDED = BY_NAME["csv-2.1-appended.csv"].read_text()
TEXT = BY_NAME["text-3.1.txt"].read_text()
LIVE = BY_NAME["live-2.1.csv"].read_text()
MIB = 1 << 20
Row = dict[str, Any]


_read = partial(read_content, elbencho)


def _of(name: str) -> list[Row]:
    return read_rows(elbencho, BY_NAME[name])["generic_results"]


@pytest.mark.parametrize(
    "head", ["", "Label,Phase\n", "ISO date,host,path type\n", "the OPERATION RESULT TYPE\n"]
)
def test_other_files_are_not_claimed(head: str) -> None:
    assert not elbencho.matches(head)


def test_main_columns_are_writes_from_2_0_7_on() -> None:
    row = _of("csv-3.1-mix.csv")[0]
    assert (row["iops"], row["read_iops"], row["write_iops"]) == (100_000, 30_000, 70_000)
    assert row["bytes_per_second"] == (273 + 117) * MIB
    assert row["latency_mean_us"] == round((1500 * 69990 + 700 * 29996) / (69990 + 29996))
    assert (row["latency_min_us"], row["latency_max_us"]) == (40, 30_000)


@pytest.mark.parametrize("name", ["csv-2.0-mix.csv", "text-1.8-mix.txt"])
def test_main_columns_are_totals_before_2_0_7(name: str) -> None:
    (row,) = _of(name)
    assert row["iops"] == row["read_iops"] + row["write_iops"]
    assert row["read_iops"] == row["read_ratio"] * row["iops"]


def test_read_only_mix_has_no_main_columns() -> None:
    mix = MIX.splitlines()
    header, cells = mix[0].split(","), mix[1].split(",")
    for at, name in enumerate(header):
        if name.startswith(("IOPS [", "MiB/s [", "MiB [", "IO lat us [")):
            cells[at] = ""
    alone = ",".join(cells).replace("RWMIX30", "RWMIX100")
    (row,) = _read(f"{mix[0]}\n{alone}\n")
    assert (row["iops"], row["write_iops"], row["read_ratio"]) == (30_000, 0, 1.0)
    assert row["latency_mean_us"] == 700
    assert row["bytes_per_second"] == 117 * MIB


def test_text_and_csv_of_a_run_share_its_key() -> None:
    csv, text = _of("csv-3.1-mix.csv")[0], _of("text-3.1.txt")[0]
    assert csv["run_key"] == text["run_key"]
    assert (csv["precedence"], text["precedence"]) == (1, 2)
    same = ("iops", "bytes_per_second", "latency_mean_us", "block_bytes", "outstanding_io_count",
            "random_ratio", "is_direct", "worker_count", "io_engine", "target")  # fmt: skip
    assert [csv[name] for name in same] == [text[name] for name in same]
    assert len({row["run_key"] for row in _of("csv-2.1-appended.csv")}) == 3


def test_text_and_csv_times_give_the_same_key() -> None:
    for printed, key in (("1m0.001s", "60001 ms"), ("345ms", "345 ms"), ("5.001s", "5001 ms")):
        rows = _read(TEXT.replace("1m0.001s", printed))
        assert rows[0]["run_key"].startswith(f"RWMIX30 {key} 60012 ms ")
    long = MIX.replace("60001,60012", "3605123,3660999")
    assert _read(long)[0]["run_key"].startswith("RWMIX30 3605 s 3660 s ")


@pytest.mark.parametrize(
    ("given", "column", "value"),
    [
        ('"-t" "4" "--hosts" "a,b c,"', "worker_count", 12),
        ('"-t" "4" "--hosts" "a[1-3]"', "worker_count", None),
        ('"-t4" "--iodepth=8"', "outstanding_io_count", 32),
        ('"-w"', "outstanding_io_count", 1),
        ('"-w"', "block_bytes", 1 << 20),
        ('"-w" "-c" "a.conf"', "block_bytes", None),
        ('"-w" "-c" "a.conf"', "outstanding_io_count", None),
        ('"-w" "-c" "a.conf"', "is_direct", None),
        ('"-wb" "128K"', "block_bytes", 128 << 10),
        ('"-s" "64k"', "block_bytes", 64 << 10),
        ('"-b" "4KiB"', "block_bytes", None),
        ('"--direct=false"', "is_direct", False),
        ('"--gds"', "is_direct", True),
        ('"--mmap"', "io_engine", "mmap"),
        ('"--strided" "--verify" "1"', "condition", "strided, verify 1"),
        ('"--limitwrite" "10M"', "rate_limit", "limitwrite 10M bytes/s per thread"),
        ('"--timelimit" "0"', "requested_runtime_seconds", None),
        ('"-w" "/dev/sda"', "target", "/dev/sda"),
        ('"--csvfile" "/tmp/a.csv" "/dev/sda"', "target", "/dev/sda"),
        ('"/dev/sda" "--csvfile" "/tmp/a.csv"', "target", None),
        ('"-t" "4" "a" "b"', "target", "a b"),
        ('"-wt4" "a"', "target", "a"),
        ('"--some-option" "a" "b"', "target", None),
        ('"--label" "--rand"', "random_ratio", 0.0),
    ],
)
def test_settings_are_read_from_the_command_line(given: str, column: str, value: object) -> None:
    table = TEXT[TEXT.index("OPERATION") :]
    row = _read(f'ISO DATE: 2026-06-22\nCOMMAND LINE: "elbencho" {given} \n\n{table}')[0]
    assert row[column] == value


def test_operations_without_throughput_are_no_results() -> None:
    header, mkdirs = APPENDED.splitlines()[:2]
    for content in (header, f"{header}\n{mkdirs}\n", LIVE[: LIVE.index(",WRITE")]):
        with pytest.raises(InputError, match=r"entries per second are not IOPS; run elbencho"):
            _read(content)
    network = MIX.replace("RWMIX30", "NET").replace("MIX-T2", "NET").replace("READ", "NET")
    with pytest.raises(InputError):
        _read(network)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (",70000,", ",seven,", "line 2: iops [first] is 'seven', not a whole number: use the file"),
        (",70000,", ",-70000,", "is '-70000', not a whole number"),
        (",70000,", ",NaN,", "is 'NaN', not a whole number"),
        (",70000,", f",{'9' * 400},", "not a whole number"),
        (",107374182400,4096,", ",1.07374E+11,4096,", "file size is '1.07374E+11', not a whole"),
        (",70000,", ",,70000,", "line 2: has 56 cells, its header 55: a cut line"),
        ("2026-06-22T09:30:00.250+0100", "22.06.2026", "ISO date is '22.06.2026', not a date and"),
        ("blockdev,2,1,", f"blockdev,2,{'9' * 18},", "which no load has"),
    ],
)
def test_damaged_row_does_not_affect_others(old: str, new: str, reason: str) -> None:
    rows = _read(MIX.replace(old, new, 1))
    assert reason in rows[0]["fault"]
    assert rows[0]["iops"] is None
    assert [row["iops"] for row in rows[1:]] == [100_000, 0]


@pytest.mark.parametrize("length", [60, 200, 330])
def test_a_cut_row_is_a_fault(length: int) -> None:
    lines = MIX.splitlines()
    rows = _read("\n".join([*lines[:2], lines[2][:length]]))
    assert rows[0]["fault"] is None
    assert "line 3" in rows[1]["fault"]
    assert "a cut line" in rows[1]["fault"]


def test_a_header_without_a_needed_column_is_named() -> None:
    for row in _read(MIX.replace("IOPS [first]", "IO/s [first]", 1)):
        assert "its header has no column 'iops [first]'" in row["fault"]


def test_file_saved_by_a_spreadsheet_is_read() -> None:
    lines = [line.split(",") for line in MIX.splitlines()]
    quoted = [[f'"{cell.replace(chr(34), chr(34) * 2)}"' for cell in line] for line in lines]
    for separator in (",", ";", "\t"):
        text = "\r\n".join(separator.join(line) for line in quoted)
        assert elbencho.matches(text)
        assert _read(text) == _of("csv-3.1-mix.csv")


def test_truncated_text_is_a_fault() -> None:
    start = TEXT.index("READ    ")
    for end in (TEXT.index("1h1m0s") + 4, TEXT.index("51900") - 5, TEXT.index("6802") + 2):
        rows = _read(TEXT[:end])
        assert rows[0]["fault"] is None
        assert "a cut line" in rows[1]["fault"]
    rows = _read(TEXT[: TEXT.index("\n", start) + 1])
    assert "ends before its throughput: a cut file" in rows[1]["fault"]
    rows = _read(TEXT[: TEXT.index("Throughput MB/s")])
    assert "has IOPS and no throughput: cut" in rows[1]["fault"]


def test_text_inside_a_log_and_with_decimal_commas() -> None:
    table = TEXT[TEXT.index("OPERATION") : TEXT.index("---")]
    rows = _read(f"+ elbencho -w\nNOTE: x\n{table.replace('1.50ms', '1,50ms')}---\nbye\n")
    assert rows[0]["latency_mean_us"] == 1260
    assert (rows[0]["precedence"], rows[0]["block_bytes"]) == (3, None)


def test_live_intervals_by_phase_and_repeat() -> None:
    parsed = read_rows(elbencho, BY_NAME["live-3.1-mix.csv"])
    (result,), samples = parsed["generic_results"], parsed["generic_samples"]
    assert result["iops"] is result["bytes_per_second"] is result["run_key"] is None
    assert [sample["iops"] for sample in samples] == [100_000, 99_900]
    assert [sample["interval_seconds"] for sample in samples] == [1.0, 1.001]
    assert result["measured_at_ms"] == _of("csv-3.1-mix.csv")[0]["measured_at_ms"]
    damaged = LIVE.replace(",99,99,", ",99,xx,") + ",READ,60"
    rows = _read(damaged)
    assert "line 4 iops is 'xx', not a whole number" in rows[0]["note"]
    assert "line 8 has 3 cells, its header 15: a cut line" in rows[2]["note"]
    (fault,) = _read(LIVE.splitlines()[0] + "\n,WRITE,20")
    assert "line 2: has 3 cells" in fault["fault"]


def test_damaged_files_give_rows_or_a_reason() -> None:
    report = fuzz(elbencho, GOLDEN, seconds=1, seed=1)
    assert report.executions > 50
    assert report.crashes == []


def test_no_line_is_slow_to_read() -> None:
    table = TEXT[TEXT.index("OPERATION") : TEXT.index("IOPS")]
    for part in (" ", '"', ":", "-", "IO latency : [", "1%<=", "min=1", "9", "OPERATION "):
        long = part * (400_000 // len(part))
        for content in (f"{TEXT}{long}\n", f"{table}{long}\n---\n{TEXT}", f"{MIX}{long}\n"):
            _read(content)


@pytest.mark.skipif(not SAMPLES.exists(), reason=f"there are no samples: {SAMPLES}")
def test_samples_match_a_second_reader() -> None:
    """Regular expressions find the rates, latencies and times; blocks have 1 MiB."""
    files = [path for path in SAMPLES.iterdir() if "elbencho" in path.name]
    assert len(files) >= 5
    for path in files:
        rows = read_rows(elbencho, path)["generic_results"]
        text = path.read_text()
        if path.name.endswith(".live.csv"):
            assert len(rows) == 1
            samples = read_rows(elbencho, path)["generic_samples"]
            printed = re.findall(r"^,WRITE,(\d+),Total,,\d+,\d+,(\d+),(\d+),", text, re.MULTILINE)
            assert [
                (str(round(one["elapsed_seconds"] * 1000)), one["write_bytes_per_second"] / MIB,
                 one["iops"]) for one in samples
            ] == [(ms, int(rate), int(iops)) for ms, rate, iops in printed]  # fmt: skip
            continue
        if path.suffix == ".csv":
            found = re.findall(
                r",WRITE,(\d+),\d+,,,(\d+),\d+,(\d+),\d+,(\d+),\d+,,,\d+,\d+,,,,(\d+),(\d+),(\d+),",
                text,
            )
        else:
            found = re.findall(
                r"^WRITE +Elapsed ms +: +(\d+) .*\n +IOPS +: +(\d+) .*\n.*MiB/s : +(\d+) ()()()()",
                text, re.MULTILINE,
            )  # fmt: skip
        names = ("latency_min_us", "latency_mean_us", "latency_max_us")
        assert len(rows) == len(found) > 0
        for row, (ms, iops, rate, cpu, *latencies) in zip(rows, found, strict=True):
            assert row["runtime_seconds"] == int(ms) / 1000
            assert row["iops"] == row["write_iops"] == int(iops)
            assert row["bytes_per_second"] == int(rate) * MIB
            assert row["cpu_ratio"] == (int(cpu) / 100 if cpu else None)
            assert [row[name] for name in names] == [int(us) if us else None for us in latencies]
            assert abs(row["iops"] * row["block_bytes"] - row["bytes_per_second"]) <= MIB
