"""CrystalDiskMark's and KDiskMark's text."""

from functools import partial
from pathlib import Path

import pytest

from ingest.common.errors import InputError
from ingest.parsers import disk_mark
from tests.conftest import ROOT
from tests.reading import read_content

SAMPLES = sorted((ROOT / "tests/golden/disk_mark").glob("*.txt"))
_read = partial(read_content, disk_mark)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_throughput_is_iops_times_the_block(path: Path) -> None:
    text = path.read_text()
    found = _read(text)
    assert len(found) == text.count(" MB/s") - text.count("* MB/s")
    for row in found:
        if row["iops"]:
            assert row["iops"] * row["block_bytes"] == pytest.approx(row["bytes_per_second"])
            if row["latency_mean_us"]:  # Little's law
                in_flight = row["iops"] * row["latency_mean_us"] / 1e6
                assert in_flight == pytest.approx(row["outstanding_io_count"], rel=0.001)


def test_several_reports_of_a_file_keep_their_own_settings() -> None:
    text = SAMPLES[1].read_text()
    again = text.replace("(x5)", "(x1)").replace("1 GiB", "4 GiB").replace("21:03", "22:04")
    found = _read(text + again)
    assert [row["file_size_bytes"] >> 30 for row in found] == [1] * 5 + [4] * 5
    assert found[5]["measured_at_ms"] - found[0]["measured_at_ms"] == 61 * 60 * 1000


def test_unprinted_values_are_null() -> None:
    title = "CrystalDiskMark 8.0.4 x64 (C) 2007-2021 hiyohiyo\n"
    (row,) = _read(title + "Date : 2026/13/40 25:00:00\n  RND 4KiB (Q= 1, T= 1): 9.000 MB/s\n")
    names = ("read_ratio", "iops", "latency_mean_us", "measured_at_ms", "target", "runtime_seconds")
    assert [row[name] for name in names] == [None] * 6


def test_kdiskmark_without_target_line_has_no_target() -> None:
    text = (ROOT / "tests/golden/disk_mark/kdiskmark-3.txt").read_text()
    found = _read("".join(line for line in text.splitlines(True) if "Target:" not in line))
    assert {row["target"] for row in found} == {None}


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_report_without_its_results_is_claimed_and_a_sentence_is_not(path: Path) -> None:
    report = path.read_text().partition("(Q=")[0]
    assert disk_mark.matches(report)
    for sentence in ("CrystalDiskMark 8 results of my drives\n", "KDiskMark 3.1 is slow\n"):
        assert not disk_mark.matches(sentence)
        assert disk_mark.matches(sentence + "SEQ 1MiB (Q=  8, T= 1):  3145.728 MB/s\n")


_VERSION_3 = (
    "CrystalDiskMark 3.0.1 x64\n Random Read 4KB (QD=32) :   271.859 MB/s [ 66371.9 IOPS]\n"
)


@pytest.mark.parametrize(
    "text", [_VERSION_3, "CrystalDiskMark 8.0.4 x64\n[Read]\n", "[Read]\n", ""]
)
def test_report_without_results_is_an_error(text: str) -> None:
    with pytest.raises(InputError, match=r"no line with threads and MB/s: .* before version 5"):
        _read(text)
