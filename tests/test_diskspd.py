"""DiskSpd: units, options and damage on small inputs; the real files read a second way."""

import re
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ingest.common.errors import InputError
from ingest.find.identify import identify
from ingest.parsers import diskspd
from tests.conftest import ROOT
from tests.reading import read_content, read_rows

OTHER_TOOLS = ROOT.parent / "shared/other_tools"
GOLDEN = ROOT / "tests/golden/diskspd"
REAL = sorted(OTHER_TOOLS.glob("*DiskSpd*.txt"))
TEXTS = ["text-2.0.11.txt", "text-2.0.17.txt", "text-2.0.21.txt", "text-2.2.txt"]
MIB = 1 << 20


_read = partial(read_content, diskspd)


def _golden(name: str) -> str:
    return (GOLDEN / name).read_bytes().decode("utf-8-sig")


def _changed(name: str, *changes: tuple[str, str]) -> str:
    text = _golden(name)
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize("name", [*TEXTS, "xml-2.1.xml"])
def test_encodings_and_line_ends_change_nothing(name: str) -> None:
    text = _golden(name).replace("\r\n", "\n")
    expected = _read(text)
    for content in (
        text.encode("utf-16-le"),
        text.encode("utf-16-be"),
        text.replace("\n", "\r\n").encode(),
        text.replace("\n", "\r\r\n").encode(),
    ):
        assert diskspd.matches(content[:4096].decode("utf-8", errors="replace"))
        assert _read(content) == expected


def test_a_target_in_the_code_page_of_its_host() -> None:
    text = _changed("text-2.0.11.txt", ("E:\\test.dat", "E:\\prüf.dat"))
    assert _read(text.encode("cp1252"))[0]["target"] == "E:\\prüf.dat"


def test_xml_appended_without_a_newline_is_read_whole() -> None:
    text = _golden("xml-2.1.xml").strip()
    lines = {row["position"].partition(" timespan")[0] for row in _read(text * 3)}
    assert lines == {f"line {1 + run * text.count(chr(10))}" for run in range(3)}
    assert len(_read(text * 3)) == 3 * len(_read(text))


@pytest.mark.parametrize("path", [*map(GOLDEN.joinpath, TEXTS), *REAL], ids=lambda path: path.name)
def test_rates_match_the_printed_ones(path: Path) -> None:
    text = path.read_bytes().decode("utf-8-sig")
    printed = re.findall(r"^total: +\d+ \| +\d+ \| +([\d.]+) \| +([\d.]+)", text, re.M)
    sound = [row for row in _read(text) if row["fault"] is None]
    found = [(row, way) for row in sound for way in ("", "read_", "write_")]
    assert len(found) == len(printed) > 0
    for (row, way), (mib, iops) in zip(found, printed, strict=True):
        assert row[f"{way}bytes_per_second"] / MIB == pytest.approx(float(mib), abs=0.006)
        assert row[f"{way}iops"] == float(iops)


@pytest.mark.parametrize(
    ("printed", "ratio"),
    [
        ("performing read test", 1.0),
        ("performing write test", 0.0),
        ("performing mix test (read/write ratio: 70/30)", 0.7),
        ("performing mix test (write/read ratio: 70/100)", 0.3),
    ],
)
def test_read_share(printed: str, ratio: float) -> None:
    old = "performing mix test (write/read ratio: 33/100)"
    assert _read(_changed("text-2.0.11.txt", (old, printed)))[0]["read_ratio"] == ratio


@pytest.mark.parametrize(
    ("printed", "is_direct", "condition"),
    [
        ("software cache disabled", True, None),
        ("software and hardware write cache disabled", True, "write-through"),
        ("using software and hardware write cache", False, None),
        ("using software cache", False, None),
        ("local software cache disabled, remote caches enabled", False, "remote cache"),
        ("something new", None, None),
    ],
)
def test_caching(printed: str, is_direct: bool | None, condition: str | None) -> None:
    text = _changed("text-2.0.11.txt", ("software and hardware cache disabled", printed))
    assert (_read(text)[0]["is_direct"], _read(text)[0]["condition"]) == (is_direct, condition)


@pytest.mark.parametrize(
    ("option", "limit"),
    [
        ("-g12000", "12000 B/ms per thread and target"),
        ("/g500i", "500 IOPS per thread and target"),
        ("-good", None),
        ("-G5", None),
    ],
)
def test_rate_limit_is_read_from_the_command_line(option: str, limit: str | None) -> None:
    assert _read(_changed("text-2.0.11.txt", ("-g12000", option)))[0]["rate_limit"] == limit


def test_queue_depth_is_per_thread_and_target() -> None:
    assert [row["outstanding_io_count"] for row in _read(_golden("text-2.0.21.txt"))] == [2 * 2 * 8]
    (differ,) = _read(_golden("text-2.0.17.txt"))
    assert differ["outstanding_io_count"] == 1 * 2 + 2 * 8
    # -F and -O: one queue of 16 for each of 2 threads; -F alone: one queue per thread and target.
    assert _read(_golden("text-2.2.txt"))[0]["outstanding_io_count"] == 2 * 16
    assert _read(_golden("xml-2.1.xml"))[1]["outstanding_io_count"] == 3 * (4 + 2)


def test_threads_without_all_targets_leave_depth_unknown() -> None:
    text = _golden("xml-2.1.xml")
    start = text.rindex("<Target>")
    text = text[:start] + text[text.index("</Target>", start) + len("</Target>") :]
    assert _read(text)[1]["outstanding_io_count"] is None


def test_more_threads_than_asked_for_are_noted() -> None:
    text = _changed("text-2.0.21.txt", ("thread count:        4", "thread count:        20"))
    (row,) = _read(text)
    assert (row["worker_count"], row["outstanding_io_count"]) == (20, 160)
    assert row["note"].startswith("20 threads ran, where the profile has 4")


def test_intervals_are_rates_and_add_up_to_the_count() -> None:
    result = _read(_golden("xml-2.1.xml"))[0]
    samples = read_rows(diskspd, GOLDEN / "xml-2.1.xml")["generic_samples"]
    assert {sample["result_index"] for sample in samples} == {0}
    assert [sample["elapsed_seconds"] for sample in samples] == [0.5, 1.0, 1.5, 2.0]
    assert sum(sample["iops"] * sample["interval_seconds"] for sample in samples) == 2000.0
    assert result["io_count"] == 2000


def test_no_io_is_a_fault() -> None:
    text = re.sub(r"^total: .*$", "total: 0 | 0 | 0.00 | 0.00 | -nan(ind) | 0.00 | N/A",
                  _golden("text-2.0.21.txt"), flags=re.M)  # fmt: skip
    (row,) = _read(text)
    assert (row["fault"], row["latency_mean_us"], row["iops"]) == ("no I/O was done", None, 0.0)


def test_missing_timespan_is_a_fault() -> None:
    for name in ("text-2.2.txt", "xml-2.1.xml"):
        text = _golden(name)
        end = text.index("Results for timespan 2") if name[0] == "t" else text.rindex("<TimeSpan>")
        rows = _read(text[:end])
        assert rows[0]["fault"] is None
        assert all("has no results" in row["fault"] for row in rows[1:])
        assert len(rows) == len(_read(text))


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("2897.10", "2897,10", 47, "'2897,10' is no number"),
        ("|    2897.10", "|    2997.10", 47, "I/O per s 2997.1 is not 58000 over 20.02 s: changed"),
        ("|      22.63 |    2897", "|      23.63 |    2897", 47, "MiB/s 23.63 is not 453.125 over"),
        ("|        58000 |", "|        -5800 |", 47, "'-5800' is no whole number"),
        ("|        58000 |", f"| {'9' * 400} |", 47, "is no whole number"),
        ("|        58000 |", "|", 47, "has 3 of 4 columns: cut off"),
        ("actual test time", "time", 47, "the actual test time is not a number"),
    ],
)
def test_damage_is_named_with_its_line_and_value(
    old: str, new: str, line: int, reason: str
) -> None:
    with pytest.raises(InputError, match=re.escape(reason)) as error:
        _read(_changed("text-2.0.11.txt", (old, new)))
    assert error.value.line == line
    assert str(error.value).endswith("restore the whole file, or run the test again")


def test_damaged_timespan_does_not_affect_others() -> None:
    damaged = _changed("text-2.2.txt", ("1000.00 |    1.500", "1000,00 |    1.500"))
    sound, fault, interrupted = _read(damaged)
    assert sound == _read(_golden("text-2.2.txt"))[0]
    assert "'1000,00' is no number" in fault["fault"]
    assert "interrupted" in interrupted["fault"]


@pytest.mark.parametrize("name", [*TEXTS, "xml-2.1.xml", "xml-2.0.17.xml"])
def test_truncated_file_gives_no_wrong_numbers(name: str) -> None:
    text = _golden(name).replace("\r\n", "\n")
    whole = _read(text)
    for end in range(0, len(text), 37):
        try:
            rows = _read(text[:end])
        except InputError:
            continue
        for row, true in zip(rows, whole, strict=False):
            if row["fault"] is None:
                said = [row[key] for key in ("iops", "bytes_per_second", "latency_mean_us")]
                assert said == [true["iops"], true["bytes_per_second"], true["latency_mean_us"]]
                assert row["latency_max_us"] in (None, true["latency_max_us"])


def test_truncated_or_garbage_xml_is_an_error() -> None:
    text = _golden("xml-2.1.xml")
    cut = text[: text.index("<TestTimeSeconds>")]
    with pytest.raises(InputError, match="cut off or damaged") as error:
        _read(cut)
    assert error.value.line == cut.count("\n") + 1
    with pytest.raises(InputError, match="'many' is no whole number"):
        _read(re.sub(r"<IOCount>\d+", "<IOCount>many", text))


def test_only_results_are_claimed() -> None:
    profile = '<?xml version="1.0"?>\n<Profile>\n<TimeSpans><TimeSpan/></TimeSpans></Profile>\n'
    asked = _golden("text-2.2.txt").replace("-Rtext", "-Rptext")
    sentence = "Run diskspd; its Input parameters: and <Results> follow.\n"
    for text in (profile, asked[: asked.index("System information")], sentence, ""):
        assert not diskspd.matches(text)
    noisy = "WARNING: Could not set privileges (error code: 1300)\n\n" + _golden("xml-2.1.xml")
    assert diskspd.matches(noisy[:4096])
    assert _read(noisy) == _read(_golden("xml-2.1.xml"))


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)
def test_real_texts_read_a_second_way(path: Path) -> None:
    assert identify(path, path.read_bytes()) is diskspd
    (row,) = _read(path.read_bytes())
    table = {
        line.split("|")[0].strip(): line.split("|")[1:]
        for line in path.read_text().splitlines()
        if "|" in line
    }
    assert row["iops"] * row["block_bytes"] == pytest.approx(row["bytes_per_second"])
    by_ratio = dict(zip(row["percentile_ratios"], row["percentile_latencies_us"], strict=True))
    for name, ratio in (("50th", 0.5), ("3-nines", 0.999), ("9-nines", 1 - 1e-9)):
        assert by_ratio[ratio] == pytest.approx(float(table[name][-1]) * 1e3)
    assert row["latency_max_us"] == pytest.approx(float(table["max"][-1]) * 1e3)
    assert row["cpu_ratio"] == pytest.approx(float(table["avg."][0].strip(" %")) / 100)


@pytest.mark.skipif(not OTHER_TOOLS.exists(), reason=f"there are no samples: {OTHER_TOOLS}")
def test_real_xml_read_a_second_way() -> None:
    (path,) = OTHER_TOOLS.glob("*DiskSpd_Xml.xml")
    assert identify(path, path.read_bytes()) is diskspd
    (row,) = _read(path.read_bytes())
    root = ElementTree.parse(path).getroot()
    seconds = float(root.findtext("TimeSpan/TestTimeSeconds") or 0)
    count = sum(int(one.text or 0) for one in root.findall("TimeSpan/Thread/Target/IOCount"))
    assert row["iops"] == pytest.approx(count / seconds)
    assert row["bytes_per_second"] == pytest.approx(count * 4096 / seconds)
    assert (row["latency_mean_us"], row["latency_max_us"]) == (2266.0, 33846.0)
    samples = read_rows(diskspd, path)["generic_samples"]
    assert len(samples) == 120
    assert sum(one["iops"] for one in samples) == pytest.approx(count, rel=1e-4)
