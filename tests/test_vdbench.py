"""vdbench's files: compared with a second reading by columns, and their faults."""

import re
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from ingest.common.errors import InputError, NoResult
from ingest.find.other_formats import refuse, refuse_quotations
from ingest.parsers import vdbench
from tests.conftest import ROOT
from tests.reading import read_rows

SAMPLES = sorted((ROOT.parent / "shared/other_tools").glob("*dbench*"))
GOLDEN = ROOT / "tests/golden/vdbench"
FLAT = GOLDEN / "flatfile.html"
TWO_DEVICES = GOLDEN / "two-devices-flatfile.html"


def _read(path: Path, content: str | bytes | None = None) -> list[dict[str, Any]]:
    return read_rows(vdbench, path, content)["generic_results"]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name[-40:])
def test_averages_match_a_second_reading(path: Path) -> None:
    """Rate, MB/s and response time are the first, second and last of five columns of a page, and
    the fifth, sixth and ninth of a flat file."""
    lines = path.read_text(errors="replace").replace('"', "").replace(",", " ").splitlines()
    averages = [line.split() for line in lines if " avg_" in line]
    places = (4, 5, 8) if "flatfile" in path.name else (2, 3, 6)
    found = _read(path)
    assert len(found) == len(averages)
    for row, cells in zip(found, averages, strict=True):
        rate, mebibytes, milliseconds = (float(cells[place]) for place in places)
        assert row["iops"] == rate
        assert row["bytes_per_second"] == pytest.approx(mebibytes * 1024 * 1024)
        assert row["latency_mean_us"] == pytest.approx(milliseconds * 1000)
        if row["block_bytes"]:
            rounding = 0.0051 if places[0] == 2 else 0.0002
            assert rate * row["block_bytes"] / 2**20 == pytest.approx(
                mebibytes, abs=rounding + 0.005 * row["block_bytes"] / 2**20
            )


@pytest.mark.parametrize("folder", sorted({path.name.rpartition("-")[0] for path in SAMPLES}))
def test_files_of_one_run_have_one_key(folder: str) -> None:
    keys = [
        {row["run_key"] for row in _read(path)}
        for path in SAMPLES
        if path.name.startswith(folder + "-")
    ]
    assert all(one == keys[0] for one in keys)


def test_rounded_rate_keeps_the_run_key() -> None:
    """A page prints 12.6466 as 12.65: in three digits 12.7, where the flat file gives 12.6."""
    flat = FLAT.read_text().replace(
        " 1100.0000     8.5938       8192", "   12.6466     8.5938       8192"
    )
    page = (GOLDEN / "logfile.html").read_text().replace("  1100.00", "    12.65")
    keys = [_read(FLAT, text)[0]["run_key"] for text in (flat, page)]
    assert keys[0] == keys[1]


def test_html_result_is_not_refused_as_a_quotation() -> None:
    refuse_quotations("flatfile.html", FLAT.read_bytes())


def test_a_run_without_its_average_is_an_error() -> None:
    text = FLAT.read_text()
    torn = text[: text.index("23:59:59.103")]
    with pytest.raises(
        InputError, match=r"flatfile\.html:9: has no line avg_N-M: vdbench ended early"
    ):
        _read(FLAT, torn)


def test_torn_end_loses_only_its_run() -> None:
    text = FLAT.read_text()
    torn = text[: text.index("00:00:02.110") + 40]
    whole, rest = _read(FLAT, torn)
    assert (whole["position"], whole["fault"]) == ("line 12 rd=oltp", None)
    assert (rest["position"], rest["iops"]) == ("line 14 rd=oltp_(50%)", None)
    assert rest["fault"].startswith("line 14: rd=oltp_(50%) has no line avg_N-M: vdbench ended")


@pytest.mark.parametrize("name", ["flatfile", "logfile", "two-devices-flatfile", "totals"])
def test_each_run_that_began_before_a_cut_is_reported(name: str) -> None:
    lines = (GOLDEN / f"{name}.html").read_text().splitlines(keepends=True)
    first = next(at for at, line in enumerate(lines) if "avg_" in line)
    for end in range(first + 1, len(lines) + 1):
        text = "".join(lines[:end])
        begun = set(re.findall(r"(?m)<b>.*Starting RD=.*|^[\d:.]+ (?: *\S+){1,2} +1 .*", text))
        assert len(_read(FLAT, text + lines[first][:40])) == len(begun)


def test_an_average_glued_to_the_next_line_is_missed() -> None:
    header, *lines = (GOLDEN / "exported.csv").read_text().splitlines(keepends=True)
    text = "".join([header, *lines[:-1], lines[-1].strip(), *lines])
    assert [row["fault"] is None for row in _read(GOLDEN / "exported.csv", text)] == [True, False]
    assert "line 3: rd=seq has no line avg_N-M" in str(_read(GOLDEN / "exported.csv", text))


@pytest.mark.parametrize("name", ["file-system-summary", "logfile", "summary", "totals"])
def test_a_long_label_touches_the_time(name: str) -> None:
    """vdbench 5.04.06 prints `17:46:35.163avg_31-150`: ten characters have the label's width."""
    text = (GOLDEN / f"{name}.html").read_text()
    touching = re.sub(r" +avg_", "avg_", text)
    assert touching != text
    assert _read(FLAT, touching.encode()) == _read(FLAT, text.encode())


def test_a_missing_column_is_named() -> None:
    data = FLAT.read_bytes().replace(b"MB/sec", b"mb_tot")
    with pytest.raises(InputError, match="7: has no column MB/sec"):
        _read(FLAT, data)


@pytest.mark.parametrize("name", ["file-system-flatfile.html", "file-system-summary.html"])
def test_file_operations_are_not_iops(name: str) -> None:
    created, mix, getattr_only = _read(GOLDEN / name)
    assert all(row["iops"] is None for row in (created, mix, getattr_only))
    assert created["condition"] == "file system workload, files are created"
    assert created["write_bytes_per_second"] == 160 * 1024 * 1024
    assert mix["condition"] == "file system workload"
    assert mix["rate_limit"] == "200 operations per second"
    assert mix["bytes_per_second"] == pytest.approx(1.52 * 1024 * 1024, rel=0.005)
    assert mix["note"].startswith("194.7")
    assert getattr_only["fault"] == "only operations that transfer no data"
    assert getattr_only["latency_mean_us"] is None


def test_a_summary_of_a_file_system_repeats_the_flat_file() -> None:
    flat, summary = (_read(GOLDEN / f"file-system-{name}.html") for name in ("flatfile", "summary"))
    assert [row["run_key"] for row in flat] == [row["run_key"] for row in summary]


def test_average_covers_its_actual_intervals() -> None:
    """vdbench 5.04.05 prints avg_3-12 for the mean of 2 to 12; 5.04.07 does not."""
    runtimes = {row["position"].partition("=")[2]: row for row in _read(TWO_DEVICES)}
    assert (runtimes["max"]["runtime_seconds"], runtimes["max"]["ramp_seconds"]) == (11, 1)
    assert _read(FLAT)[0]["runtime_seconds"] == 3
    samples = read_rows(vdbench, TWO_DEVICES)["generic_samples"]
    of_max = [row["iops"] for row in samples if row["result_index"] == 1]
    assert sum(of_max) / len(of_max) == pytest.approx(runtimes["max"]["iops"], abs=0.0001)


@pytest.mark.parametrize("text", ["nan", "0x10", "-0.0", "1e999", "1.5", "9" * 5000, '2"', ":"])
def test_an_interval_without_a_number_is_left_out(text: str) -> None:
    """The average stays; it is not mistaken for one that includes the interval before."""
    damaged = FLAT.read_text().replace("oltp_(50%)          1 ", f"oltp_(50%) {text} ")
    rows = read_rows(vdbench, FLAT, damaged)
    assert [row["iops"] for row in rows["generic_results"]] == [1100, 550]
    assert {row["result_index"] for row in rows["generic_samples"]} == {0}


def test_threads_of_one_device_are_not_the_runs_depth() -> None:
    """For two devices vdbench prints -1 with 8 and 4 threads, 8 with 8 each; 15 I/Os wait."""
    threads = [row["outstanding_io_count"] for row in _read(TWO_DEVICES)]
    assert threads == [2, 8, None, 1, 4, 1, 4]
    each = TWO_DEVICES.read_text().replace("-0000000001", "         8")
    assert _read(TWO_DEVICES, each)[2]["outstanding_io_count"] is None


def test_rate_limit_leaves_device_count_unknown() -> None:
    limited = FLAT.read_text().replace("999977.0000", "   550.0000")
    assert _read(FLAT, limited)[0]["outstanding_io_count"] is None


def test_cpu_ratio_sums_user_and_system() -> None:
    """cpu_used of 5.04.05 is user time alone; its summary prints 69.1 %."""
    assert _read(TWO_DEVICES)[1]["cpu_ratio"] == pytest.approx(0.691, abs=0.0005)


def test_long_run_names_parse_quickly() -> None:
    starts = f"Starting RD={'x' * 500}\n" * 20_000
    began = process_time()
    assert len(_read(FLAT, (GOLDEN / "logfile.html").read_text() + starts)) == 2
    assert process_time() - began < 5


def test_run_shorter_than_warm_up_has_no_io() -> None:
    """Printed by 5.04.07. It has a key, so that it counts once."""
    text = (GOLDEN / "summary.html").read_text()
    empty = "11:59:57.060   avg_2-1       0.00     0.00       0   0.00    0.000   0.0   NaN   NaN\n"
    (row,) = _read(Path("summary.html"), text[: text.index("11:59:57.050")] + empty)
    assert (row["iops"], row["runtime_seconds"], row["run_key"]) == (0, None, "mix avg_2-1 0")


def test_file_creation_is_a_separate_load() -> None:
    assert [row["condition"] for row in _read(TWO_DEVICES)][:2] == ["files are created", None]


@pytest.mark.parametrize(
    ("name", "head"),
    [
        (
            "parmfile.html",
            "<title>Vdbench out/parmfile.html</title><pre>\n\n* Contents of parameter",
        ),
        ("sd1.html", "<title>Vdbench out/sd1.html</title><pre>\nSD report for sd=sd1\n"),
        ("localhost.html", "<pre>\nHost summary report(s) for host=localhost\n"),
        ("errorlog.html", "<pre>\nVdbench error log, created 18:04:57 Nov 26 2026 UTC\n"),
        ("sd1.histogram.html", "<pre>\nSD response time histogram.\n"),
        ("swat_mon.txt", ":date 11262026-18:04:28.000\n:\n:vdbench503_vdbench_data_for_swat303\n"),
    ],
)
def test_other_vdbench_pages_are_not_results(name: str, head: str) -> None:
    with pytest.raises(NoResult, match=r"^vdbench page$"):
        refuse_quotations(name, head.encode())
        refuse(Path(name), head.encode())


@pytest.mark.parametrize("text", ["n/a", "nan", "1e999", "9" * 400, "-", "-14.9", "1,5"])
def test_invalid_number_is_null(text: str) -> None:
    data = FLAT.read_text().replace(" 14.9000", f" {text}")
    assert _read(FLAT, data)[0]["latency_mean_us"] is None
