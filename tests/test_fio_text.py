"""fio's normal output: units of each version, broken lines, and the JSON of the same runs."""

import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ingest.common.errors import InputError
from ingest.find.identify import identify
from ingest.parsers import PARSERS, fio, fio_text
from tests.conftest import ROOT
from tests.fio_normal import CAPTURES
from tests.fio_normal.printed import Interval, short
from tests.reading import read_content

GOLDEN = ROOT / "tests/golden"
DOCUMENT = re.compile(r"^\{\n.*?^\}\n", re.DOTALL | re.MULTILINE)
HEADER = (
    "a: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, "
    "ioengine=libaio, iodepth=4\nfio-3.33\nStarting 1 process\n\n"
)
JOB = "a: (groupid=0, jobs=1): err= 0: pid=7: Mon Nov 23 06:13:37 2026\n"
READ = "  read: IOPS=1000, BW=4000KiB/s (4096kB/s)(40.0MiB/10000msec)\n"
LATENCY = "     lat (usec): min=10, max=90, avg=50.25, stdev= 1.00\n"
ISSUED = "     issued rwts: total=10000,0,0,0 short=0,0,0,0 dropped=0,0,0,0\n"
END = "\nRun status group 0 (all jobs):\n   READ: bw=1KiB/s (1kB/s), io=1KiB (1kB), run=1-1msec\n"
WHOLE = HEADER + JOB + READ + LATENCY + ISSUED + END
_read = partial(read_content, fio_text)


def _one(text: str) -> dict[str, Any]:
    (result,) = _read(text)
    return result


def _old(rates: str, header: str = "bs=4K-4K/4K-4K") -> str:
    return (
        f"a: (g=0): rw=randread, {header}, ioengine=sync, iodepth=1\nfio-2.2.8\n{JOB}"
        f"  read : io=4096KB, {rates}, runt=  1000msec\n"
        "     issued    : total=r=1024/w=0/d=0, short=r=0/w=0/d=0\n"
    )


# The same runs by another reader of the text and by fio's JSON


def _printed(text: str) -> tuple[Interval, Interval]:
    """The printed IOPS and bytes per second, added over all directions."""
    found = re.findall(r"^  (read|write|trim|mixed): IOPS=(\S+), BW=(\S+) \(", text, re.MULTILINE)
    pure = [one for one in found if one[0] != "mixed"] or found
    low = [short(one[1]) for one in pure], [short(one[2]) for one in pure]
    iops, bandwidth = (Interval(*map(sum, zip(*each, strict=True))) for each in low)
    return iops, bandwidth


def _json_jobs(text: str) -> Iterator[list[dict[str, Any]]]:
    found = DOCUMENT.search(text)
    assert found
    jobs = json.loads(found[0])["jobs"]
    yield from [jobs] if len({job["jobname"] for job in jobs}) == 1 else [[job] for job in jobs]


def _parts(jobs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    parts = [job[part] for job in jobs for part in ("read", "write", "trim") if part in job]
    return [part for part in parts if part["io_bytes"]] or [job["mixed"] for job in jobs]


def _texts(path: Path) -> list[str]:
    """The text of each result."""
    text = DOCUMENT.sub("", path.read_text())
    blocks = re.split(r"^(?=\S+: \(groupid=)", text, flags=re.MULTILINE)[1:]
    is_one = len({block.partition(":")[0] for block in blocks}) == 1
    return ["".join(blocks)] if is_one else blocks


@pytest.mark.parametrize("path", CAPTURES, ids=lambda path: path.stem)
def test_capture_matches_its_json(path: Path) -> None:
    results = _read(DOCUMENT.sub("", path.read_text()))
    jobs = list(_json_jobs(path.read_text()))
    for result, entries, text in zip(results, jobs, _texts(path), strict=True):
        parts = _parts(entries)
        iops, bandwidth = _printed(text)
        assert iops.holds(result["iops"])
        assert iops.holds(sum(part["iops"] for part in parts))
        assert bandwidth.holds(result["bytes_per_second"])
        assert bandwidth.holds(sum(part["bw_bytes"] for part in parts))
        counts = [part["total_ios"] for part in parts]
        assert result["io_count"] == sum(counts)
        assert result["runtime_seconds"] == max(part["runtime"] for part in parts) / 1000
        means = [part["lat_ns"]["mean"] / 1000 for part in parts]
        mean = sum(a * b for a, b in zip(means, counts, strict=True)) / sum(counts)
        assert result["latency_mean_us"] == pytest.approx(mean, rel=2e-4)
        most = max(part["lat_ns"]["max"] for part in parts) / 1000
        assert result["latency_max_us"] == pytest.approx(most, rel=1e-3, abs=1)
        assert (result["fault"] is None) == (entries[0]["error"] == 0 and "interrupt" not in text)
        _compare_percentiles(result, entries, parts)
        if result["block_bytes"]:
            expected = result["iops"] * result["block_bytes"]
            assert result["bytes_per_second"] == pytest.approx(expected, rel=0.006)


def _compare_percentiles(
    result: dict[str, Any], jobs: list[dict[str, Any]], parts: list[dict[str, Any]]
) -> None:
    (part, *others) = [jobs[0]["mixed"]] if "mixed" in jobs[0] else parts
    if others or result["percentile_ratios"] is None:
        assert others
        return
    kind = "lat_ns" if "percentile" in part["lat_ns"] else "clat_ns"
    known = {
        round(float(rank) / 100, 12): ns / 1000 for rank, ns in part[kind]["percentile"].items()
    }
    assert result["percentile_ratios"] == sorted(known)[: len(result["percentile_ratios"])]
    pairs = zip(result["percentile_ratios"], result["percentile_latencies_us"], strict=True)
    for rank, us in pairs:
        digit = 1000 if known[rank] > 100_000 or jobs[0]["jobname"] == "milliseconds" else 1
        assert known[rank] - 1e-6 <= us < known[rank] + digit


def test_throughput_is_iops_times_the_block() -> None:
    for path in sorted(GOLDEN.glob("fio_text/*.golden.json")):
        for result in json.loads(path.read_text())["generic_results"]:
            if result.keys() >= {"iops", "block_bytes"}:
                expected = result["iops"] * result["block_bytes"]
                assert result["bytes_per_second"] == pytest.approx(expected, rel=0.006)


# Which parser claims a file


def test_json_takes_precedence_over_the_text() -> None:
    for path in CAPTURES:
        assert identify(path, path.read_bytes()) is fio
        text = DOCUMENT.sub("", path.read_text()).encode()
        assert identify(Path("run.txt"), text) is fio_text
        assert identify(Path("run.txt"), text + b'{\n  "fio version" : "fio-3.33",\n') is fio


@pytest.mark.parametrize(
    "before",
    [
        "fio: this platform does not support process shared mutexes\n",
        "hostname=vm, be=0, 64-bit, os=Linux, arch=x86-64, fio=fio-3.33, flags=1\n",
        "a line of the log\n" * 1000,
        "Starting 3 services\nfio: a note\n",
    ],
)
def test_a_text_may_begin_with_other_lines(before: str) -> None:
    assert identify(Path("run.log"), (before + WHOLE).encode()) is fio_text
    assert _one(before + WHOLE)["iops"] == 1000


def test_other_formats_are_not_claimed() -> None:
    others = [
        path for path in GOLDEN.rglob("*") if path.is_file() and fio_text.NAME not in path.parts
    ]
    assert len(others) > 20
    for path in others:
        assert not fio_text.matches(path.read_bytes()[:4096].decode(errors="replace")), path
    assert fio_text in PARSERS


# Units


@pytest.mark.parametrize(
    ("rates", "iops", "bytes_per_second"),
    [
        ("bw=4096.0KB/s, iops=1024 ", 1024, 4096 * 1024),
        ("bw=512 B/s, iops=1", 1, 512),
        ("bw=4883.3MB/s, iops=1250.2K", 1_250_200, 4883.3 * 1024**2),
        ("bw=33554Kbit/s, iops=1024", 1024, 33554 * 1024 / 8),
    ],
)
def test_up_to_2_16_kb_is_1024_bytes(rates: str, iops: float, bytes_per_second: float) -> None:
    result = _one(_old(rates))
    assert (result["iops"], result["bytes_per_second"]) == (iops, bytes_per_second)
    decimal = _one("$ fio --kb_base=1000 job.fio\n" + _old("bw=4096.0KB/s, iops=1000"))
    assert decimal["bytes_per_second"] == 4_096_000


@pytest.mark.parametrize(
    ("rates", "iops", "bytes_per_second"),
    [
        ("IOPS=52.4k, BW=205MiB/s (215MB/s)", 52400, 205 * 1024**2),
        ("IOPS=1250k, BW=5120MB/s (4883MiB/s)", 1_250_000, 5_120_000_000),
        ("IOPS=10, BW=40.0KiB/s (40.1kB/s)", 10, 40960),
        ("IOPS=3, BW=12B/s (12B/s)", 3, 12),
        ("IOPS=2.5M, BW=1.5GiB/s (1.6GB/s)", 2_500_000, 1.5 * 1024**3),
        ("IOPS=1, BW=8Mbit/s (8Mibit/s)", 1, 1_000_000),
        ("IOPS=0, BW=3.5KiB/s (3.6kB/s)", None, 3584),
    ],
)
def test_units_are_literal_from_2_17_on(
    rates: str, iops: float | None, bytes_per_second: float
) -> None:
    result = _one(WHOLE.replace("IOPS=1000, BW=4000KiB/s (4096kB/s)", rates))
    assert (result["iops"], result["bytes_per_second"]) == (iops, bytes_per_second)
    assert result["fault"] is None


@pytest.mark.parametrize(
    ("line", "mean", "most"),
    [
        ("     lat (nsec): min=811, max=42766k, avg=112703.42, stdev=1.1", 112.70342, 42766),
        ("     lat (msec): min=1, max=1630, avg=179.45, stdev=459.04", 179450, 1630000),
        ("     lat (usec): min=1, max=1716.4K, avg= 9.25, stdev=1", 9.25, 1716400),
        ("    clat (usec): min=1, max=9, avg=4.00, stdev=1", 4, 9),
        ("    slat (usec): min=1, max=2, avg=1.00, stdev=1\n"
         "    clat (usec): min=1, max=9, avg=4.00, stdev=1", None, None),
        ("     lat (usec): min=1, max=9, avg= -nan, stdev= -nan", None, 9),
        ("    clat prio 0/4 (usec): min=1, max=2, avg=1.00, stdev=1", None, None),
    ],
)  # fmt: skip
def test_latency_is_of_the_whole_io(line: str, mean: float | None, most: float | None) -> None:
    result = _one(WHOLE.replace(LATENCY, line + "\n"))
    assert (result["latency_mean_us"], result["latency_max_us"]) == (mean, most)
    assert (result["fault"], result["note"]) == (None, "rounded to the printed digits")


def test_percentiles_are_of_total_or_completion_latency() -> None:
    clat = "    clat percentiles (usec):\n     | 50.00th=[   48], 99.00th=[   89]\n"
    total = "    lat percentiles (nsec):\n     | 50.00th=[50000], 99.00th=[90100],\n     | 99.9"
    both = WHOLE.replace(ISSUED, clat + total + "0th=[90112]\n" + ISSUED)
    assert _one(both)["percentile_latencies_us"] == [50, 90.1, 90.112]
    one = WHOLE.replace(ISSUED, clat + ISSUED)
    assert _one(one)["percentile_ratios"] == [0.5, 0.99]
    above = "    clat (usec): min=1, max=80, avg=4.00, stdev=1\n"
    assert _one(one.replace(LATENCY, above + LATENCY))["percentile_latencies_us"] == [48]
    others = clat.replace("clat", "clat prio 0/4 (1.00% of IOs)") + clat.replace("clat", "slat")
    assert _one(WHOLE.replace(ISSUED, others + ISSUED))["percentile_ratios"] is None
    wrong_clock = "    clat (usec): min=1, max=99, avg=60.00, stdev=1\n"
    assert not _one(one.replace(LATENCY, wrong_clock + LATENCY))["percentile_ratios"]
    last_bin = clat.replace("usec", "msec").replace("[   89]", "[17113]") + ISSUED
    slow = WHOLE.replace("max=90", "max=20000.0k").replace(ISSUED, last_bin)
    assert _one(slow)["percentile_latencies_us"] == [48000]


@pytest.mark.parametrize(
    ("rw", "sizes", "block"),
    [
        ("read", "bs=(R) 16.0KiB-16.0KiB, (W) 4096B-4096B, (T) 4096B-4096B", 16384),
        ("randrw", "bs=(R) 16.0KiB-16.0KiB, (W) 4096B-4096B, (T) 4096B-4096B", None),
        ("trim", "bs=(R) 16.0KiB-16.0KiB, (W) 4096B-4096B, (T) 64.0KiB-64.0KiB", 65536),
        ("read", "bs=(R) 4096B-64.0KiB, (W) 4096B-4096B, (T) 4096B-4096B", None),
        ("read", "bs=(R) 9.77KiB-9.77KiB, (W) 4096B-4096B, (T) 4096B-4096B", None),
        ("read", "bs=(R) 12.5KiB-12.5KiB, (W) 4096B-4096B, (T) 4096B-4096B", 12800),
        ("read", "bs=(R) 1000B-1000B, (W) 4096B-4096B, (T) 4096B-4096B", 1000),
        ("read", "bs=(R) 64.0kB-64.0kB, (W) 4096B-4096B, (T) 4096B-4096B", 64000),
        ("read", "bs=(R) 4096B-4096B, (W) 8192B-8192B, bs_is_seq_rand", None),
        ("write", "bs=4K-4K/1M-1M/4K-4K", 1 << 20),
        ("write", "bs=4096B-4096B,8192B-8192B,4096B-4096B", 8192),
        ("trim", "bs=4K-4K/1M-1M", None),
        ("cpu", "bs=4K-4K/1M-1M", None),
    ],
)
def test_block_size_is_of_the_directions_in_use(rw: str, sizes: str, block: int | None) -> None:
    text = re.sub(r"rw=.*, ioengine", f"rw={rw}, {sizes}, ioengine", WHOLE)
    assert _one(text)["block_bytes"] == block


def test_settings_of_several_jobs_are_the_common_ones() -> None:
    other = HEADER.partition("\n")[0].replace("a: ", "b: ").replace("rw=randread", "rw=randwrite")
    grouped = f"{other}\n{WHOLE}".replace("jobs=1", "jobs=2")
    result = _one(grouped)
    assert result["condition"] == "several jobs reported as one"
    assert (result["outstanding_io_count"], result["block_bytes"]) == (8, 4096)
    assert result["io_engine"] == "libaio"
    shallow = _one(grouped.replace("iodepth=4", "iodepth=1", 1))
    assert (shallow["outstanding_io_count"], shallow["worker_count"]) == (None, 2)


def test_profile_without_settings_comes_from_the_ios() -> None:
    result = _one("a line\n" + JOB + READ + LATENCY + ISSUED)
    assert result["read_ratio"] == 1
    unknown = ("random_ratio", "block_bytes", "io_engine", "outstanding_io_count", "tool_version")
    assert {result[name] for name in unknown} == {None}


def test_reads_that_verify_writes_are_left_out() -> None:
    write = READ.replace("read", "write").replace("IOPS=1000", "IOPS=500")
    text = WHOLE.replace(READ, READ + LATENCY + write).replace("rw=randread", "rw=randwrite")
    result = _one(text.replace("total=10000,0", "total=10000,5000"))
    assert (result["iops"], result["read_iops"], result["io_count"]) == (500, None, 5000)
    assert result["condition"] == "verify reads left out"


def test_status_prints_are_one_result_but_repeats_are_several() -> None:
    block = JOB + READ + LATENCY + ISSUED + END
    later = block.replace("10000", "20000")
    assert [one["io_count"] for one in _read(HEADER + block + later)] == [20000]
    assert [one["io_count"] for one in _read(HEADER + later + block)] == [20000, 10000]
    assert [one["io_count"] for one in _read(HEADER + block + HEADER + later)] == [10000, 20000]
    total = block.replace("a: (groupid", "All clients: (groupid").replace("pid=7", "pid=0")
    assert len(_read(HEADER + block + block.replace("pid=7", "pid=8") + total)) == 2


def test_blocks_without_settings_merge_if_they_end_together() -> None:
    block = JOB + READ + LATENCY + ISSUED
    assert [one["worker_count"] for one in _read(block + block)] == [2]
    assert [one["iops"] for one in _read(block + block.replace("06:13:37", "07:00:00"))] == [
        1000
    ] * 2


def test_prints_without_settings_are_separate_results() -> None:
    block = JOB + READ + LATENCY + ISSUED + END
    assert len(_read(block + block.replace("10000", "20000"))) == 2


def test_many_jobs_take_no_long_time() -> None:
    jobs = range(5_000)
    headers = "".join(HEADER.partition("\n")[0].replace("a: ", f"a{n}: ") + "\n" for n in jobs)
    blocks = "".join((JOB + READ + ISSUED).replace("a: ", f"b{n}: ") for n in jobs)
    assert len(_read(headers + blocks)) == 10_000
    assert len(_read(JOB + (READ + ISSUED) * 5_000)) == 5_000


def test_lines_may_be_prefixed_or_overwritten() -> None:
    stamped = "".join(f"2026-11-23T06:13:37.123456Z {line}\n" for line in WHOLE.splitlines())
    assert _one(stamped)["block_bytes"] == 4096
    progress = "Jobs: 1 (f=1): [r(1)][100.0%][r=4000KiB/s][r=1000 IOPS][eta 00m:00s]\r"
    assert _one(WHOLE.replace(JOB, progress + JOB).replace("\n", "\r\n"))["iops"] == 1000
    quoted = "".join(f"> {line}\n" for line in WHOLE.splitlines())
    assert _one(quoted)["position"] == "line 5 a group=0"
    prompt = WHOLE.replace("a: (g=0)", "[root@lab ~]# fio a.fio; cata: (g=0)")
    assert _one(prompt)["block_bytes"] == 4096
    squeezed = re.sub(" +", " ", WHOLE.replace(ISSUED, "  cpu          : usr=1.00%\n" + ISSUED))
    assert _one(squeezed)["latency_mean_us"] == 50.25
    client = WHOLE.replace("a: (g=0)", "<10.0.0.1> a: (g=0)").replace("fio-3", "<10.0.0.1> fio-3")
    assert _one(client)["tool_version"] == "3.33"
    hosts = "hostname=x, be=0, 64-bit, os=Linux, arch=x86-64, fio=fio-3.36, flags=1\n"
    served = hosts + WHOLE.replace("fio-3.33\n", "").replace("a: (g=", "<x> a: (g=")
    assert (_one(served)["tool_version"], _one(served)["block_bytes"]) == ("3.36", 4096)


# Faults


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("IOPS=1000", "IOPS=10x0", "line 6 cannot be read: 'read: IOPS=10x0"),
        ("IOPS=1000", f"IOPS={'9' * 400}", "line 6 cannot be read"),
        ("IOPS=1000", "IOPS=-1000", "line 6 cannot be read"),
        ("IOPS=1000", "IOPS=nan", "line 6 cannot be read"),
        ("IOPS=1000", "IOPS=1,5k", "line 6 cannot be read"),
        ("4000KiB/s (4096kB/s)(40.0MiB/10000msec)", "4000KiB", "line 6 cannot be read"),
        ("err= 0:", "err=", "line 5 cannot be read"),
        ("err= 0", "err= 5 (file:io_u.c:1, error=I/O error)", "fio ended the job with error 5"),
        (ISSUED + END, "", "ends before its line 'issued': cut off"),
        ("total=10000,0", "total=ten,0", "line 8 cannot be read"),
        (READ + LATENCY, "", "fio printed no rate of it"),
        ("\n\na: (gr", "\nfio: terminating on signal 15\n\na: (gr", "interrupted by signal 15"),
    ],
)
def test_a_broken_result_is_kept_with_its_fault(old: str, new: str, fault: str) -> None:
    assert old in WHOLE
    sound = WHOLE.replace("pid=7", "pid=8").replace("a: (g", "b: (g")
    broken, other = _read(WHOLE.replace(old, new, 1) + sound)
    assert fault in broken["fault"]
    assert (other["fault"], other["iops"]) == (None, 1000)


@pytest.mark.parametrize("old", ["avg=50.25", "max=90, avg=50.25, stdev= 1.00\n"])
def test_broken_latency_keeps_the_rates(old: str) -> None:
    result = _one(WHOLE.replace(old, "m~\n"))
    assert (result["iops"], result["latency_mean_us"], result["fault"]) == (1000, None, None)
    assert "line 7 cannot be read: 'lat (usec): min=10" in result["note"]


def test_rates_without_a_job_line_are_separate_faults() -> None:
    first, lost = _read(WHOLE + READ + LATENCY + ISSUED)
    assert (first["fault"], first["iops"]) == (None, 1000)
    assert lost["fault"] == "line 12 is without the line that names its job"
    first, lost = _read(WHOLE.replace(LATENCY, LATENCY + READ))
    assert "line 8 is without the line that names its job" in lost["fault"]
    assert "cut off" in first["fault"]


def test_job_without_a_result_is_a_fault() -> None:
    silent = HEADER.replace("a: (g=0)", "b: (g=1)")
    sound, told = _read(WHOLE + silent + "fio: pid=9, err=13/file:x, error=Permission denied\n")
    assert sound["fault"] is None
    assert "fio printed no result of it" in told["fault"]
    assert "Permission denied" in told["fault"]


def test_no_result_at_all_is_an_error() -> None:
    text = HEADER + "fio: pid=9, err=2/file:x, error=No such file or directory\n"
    with pytest.raises(InputError, match=r"run\.txt:1: has settings of fio jobs and no result"):
        _read(text)
    with pytest.raises(InputError, match="it says 'fio: pid=9, err=2"):
        _read(text)


def test_a_text_cut_anywhere_is_read_or_refused() -> None:
    text = (GOLDEN / "fio_text/v3-shell-transcript.log").read_text()
    whole = _read(text)[0]
    for end in range(0, len(text), 7):
        try:
            first = _read(text[:end])[0]
        except InputError:
            continue
        is_same = {**first, "note": ""} == {**whole, "note": ""}
        assert is_same or first["fault"] or end < text.index("latency   :")


@pytest.mark.parametrize(
    "part", ["a: (g", ": (groupid=0, jobs=1): err= 0 (", " (", "\r", "a, ", "th=[", "| 1.00th=[1],"]
)
def test_no_text_is_slow_to_read(part: str) -> None:
    for start in ("", JOB + READ, JOB + "  read: IOPS=", JOB + READ + "    lat (usec): min="):
        text = start + part * (200_000 // len(part))
        fio_text.matches(text)
        try:
            _read(text)
        except InputError:
            assert not start


TERSE = {version: (ROOT / f"tests/golden/fio_text/v3.33-terse-{version}.txt") for version in (3, 5)}


@pytest.mark.parametrize("version", TERSE)
def test_terse_fields_match_the_manual(version: int) -> None:
    """HOWTO, "Terse output": field 8 and 49 are the IOPS of reads and writes of version 3."""
    text = TERSE[version].read_text()
    fields, width = text.split(";"), {3: 41, 5: 47}[version]
    row = _one(text)
    assert row["read_iops"] == float(fields[7])
    assert row["write_iops"] == float(fields[7 + width])
    for direction, at in (("read", 6), ("write", 6 + width)):
        per_second = float(fields[at]) * 1024
        assert row[f"{direction}_bytes_per_second"] == pytest.approx(per_second, rel=1e-4)


def test_terse_lines_of_one_job_are_separate_results() -> None:
    text = TERSE[3].read_text()
    found = _read(text * 2)
    assert [row["iops"] for row in found] == [_one(text)["iops"]] * 2
    assert {row["condition"] for row in found} == {
        "one of 2 lines of this job: processes of a run, or repeats"
    }


@pytest.mark.parametrize("cut", range(5, 2000, 37))
def test_a_terse_line_cut_anywhere_is_a_fault_or_refused(cut: int) -> None:
    text = TERSE[3].read_text()
    try:
        (row,) = _read(text[:cut])
    except InputError:
        return
    assert row["fault"] or row["iops"] == _one(text)["iops"]


def test_terse_errors_and_clients_are_read() -> None:
    text = TERSE[3].read_text()
    assert _one(text.replace(";0;0;", ";0;5;", 1))["fault"] == "fio ended the job with error 5"
    assert _one("<host> " + text)["iops"] == _one(text)["iops"]
