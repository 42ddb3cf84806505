"""Which documents of a fio file are separate results; damaged documents and logs."""

import json
import time
import tracemalloc
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ingest.common.errors import InputError
from ingest.parsers import fio, fio_log
from ingest.parsers.fio import snapshots
from ingest.parsers.fio.schema import Run
from ingest.parsers.fio_log import is_log_name
from tests.conftest import ROOT
from tests.reading import Rows, read_rows

RUN: dict[str, Any] = json.loads((ROOT / "tests/golden/fio/fio-3.33-randrw.json").read_text())


def _read(*texts: str) -> Rows:
    """The rows of a fio file with these documents."""
    return read_rows(fio, Path("a.json"), "\n".join(texts))


def _snapshots(*runs: dict[str, Any]) -> list[bool]:
    """Whether each of these documents of a file is a snapshot of a later one."""
    rows = _read(*(json.dumps(run, indent=1) for run in runs))
    return [job["is_snapshot"] for job in rows["fio_jobs"]]


def _printed(*prints: tuple[int, int | None]) -> list[dict[str, Any]]:
    """RUN as printed at each (timestamp, elapsed)."""
    runs = []
    for timestamp, elapsed in prints:
        job = {key: value for key, value in RUN["jobs"][0].items() if key != "elapsed"}
        job |= {} if elapsed is None else {"elapsed": elapsed}
        run = {key: value for key, value in RUN.items() if key != "timestamp_ms"}
        job["read"] = job["read"] | {"runtime": job["read"]["runtime"] + (elapsed or 0) * 1000}
        runs.append(run | {"timestamp": timestamp, "jobs": [job]})
    return runs


def test_only_the_last_print_is_a_result() -> None:
    # as fio 3.33 --status-interval=1 printed them: the last start is a second off
    prints = _printed((995, 1), (996, 2), (998, 4), (998, 5))
    assert _snapshots(*prints) == [True, True, True, False]


def test_prints_of_a_ramp_are_not_results() -> None:
    """As fio 3.33 --ramp_time=5 --runtime=2 --status-interval=1: the counters begin again."""
    *ramp, first, last = _printed((995, 1), (999, 5), (1001, 7), (1002, 8))
    for run in ramp:
        (job,) = run["jobs"]
        for direction in ("read", "write"):
            untimed = {name: {"mean": 0.0} for name in ("slat_ns", "clat_ns", "lat_ns")}
            counted = {"total_ios": 10 * job[direction]["total_ios"], "runtime": 9_000_000}
            job[direction] = job[direction] | untimed | counted
    assert _snapshots(*ramp, first, last) == [True, True, True, False]


def test_two_runs_in_one_file_are_two_results() -> None:
    assert _snapshots(*_printed((1001, 4), (1005, 4))) == [False, False]


def test_interleaved_runs_each_keep_their_last_print() -> None:
    prints = _printed((995, 1), (500, 1), (996, 2), (501, 2))
    assert _snapshots(*prints) == [True, True, False, False]


def test_a_document_is_compared_with_few_others(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []
    is_of_same_run = snapshots._Print.is_of_same_run
    monkeypatch.setattr(
        snapshots._Print,
        "is_of_same_run",
        lambda one, other: compared.append(one) or is_of_same_run(one, other),
    )
    starts = range(0, 300_000, 1000)
    texts = [json.dumps(RUN | {"timestamp": start}) for start in starts]
    runs = [msgspec.json.decode(text, type=Run) for text in texts]
    assert not any(snapshots.find_snapshots(runs))
    assert len(compared) <= len(runs) * snapshots._MOST_AT_ONCE


def test_runs_that_started_two_seconds_apart_are_two_results() -> None:
    assert _snapshots(*_printed((995, 1), (998, 2))) == [False, False]
    assert _snapshots(*_printed((995, 1), (997, 2))) == [True, False]


def test_equal_runtimes_without_elapsed_are_two_results() -> None:
    assert _snapshots(*_printed((1001, None), (1005, None))) == [False, False]


def test_text_after_a_closing_brace_is_a_note() -> None:
    rows = _read(json.dumps(RUN, indent=1) + "Disk stats (read/write):")
    assert [job["is_snapshot"] for job in rows["fio_jobs"]] == [False]
    assert [note["text"] for note in rows["fio_notes"]] == ["Disk stats (read/write):"]


def _printed_ms(*prints: tuple[int, int]) -> list[dict[str, Any]]:
    """RUN as printed at each (milliseconds, runtime in ms), with one second elapsed."""
    runs = []
    for milliseconds, runtime in prints:
        (job,) = RUN["jobs"]
        job = job | {"elapsed": 1, "read": job["read"] | {"runtime": runtime}}
        run = RUN | {"timestamp": 1000 + milliseconds // 1000, "timestamp_ms": milliseconds}
        runs.append(run | {"jobs": [job]})
    return runs


def test_short_runs_are_separate_results() -> None:
    # as three runs of fio 3.33, of 1 s and of 40 ms: the clock advances, the runtime restarts
    assert _snapshots(*_printed_ms((0, 1000), (1310, 1001), (2620, 1000))) == [False] * 3
    assert _snapshots(*_printed_ms((0, 40), (350, 41))) == [False, False]


def test_last_print_may_follow_within_milliseconds() -> None:
    assert _snapshots(*_printed_ms((0, 1001), (12, 1013))) == [True, False]


def test_runtime_may_lag_the_clock_by_a_quarter() -> None:
    for clock, least in ((1000, 600), (600, 300), (1900, 1275)):
        assert _snapshots(*_printed_ms((0, 5000), (clock, 5000 + least))) == [True, False]
        assert _snapshots(*_printed_ms((0, 5000), (clock, 5000 + least - 1))) == [False, False]


def test_documents_with_other_jobs_are_two_results() -> None:
    (job,) = RUN["jobs"]
    for name, value in (("jobname", "b"), ("groupid", 1)):
        assert _snapshots(RUN, RUN | {"jobs": [job | {name: value}]}) == [False, False]


def test_lower_counter_starts_another_run() -> None:
    (job,) = RUN["jobs"]
    for fell, expected in ((0, [True, False]), (1, [False, False])):
        read = job["read"] | {"total_ios": job["read"]["total_ios"] - fell, "runtime": 2001}
        later = RUN | {"timestamp_ms": RUN["timestamp_ms"] + 1000, "jobs": [job | {"read": read}]}
        assert _snapshots(RUN, later) == expected


def test_the_last_document_may_be_torn() -> None:
    rows = _read(json.dumps(RUN, indent=1) + '\n{\n "fio version": "fio-3.33",\n')
    assert len(rows["fio_jobs"]) == 1
    assert rows["fio_notes"][0]["text"] == "torn document of 3 lines"


@pytest.mark.parametrize(("indent", "joint"), [(None, ""), (None, " "), (1, ""), (1, "done. ")])
def test_documents_joined_without_a_newline_are_all_read(indent: int | None, joint: str) -> None:
    rows = _read(joint.join([json.dumps(RUN, indent=indent)] * 3))
    assert len(rows["fio_jobs"]) == 3
    assert [row["text"] for row in rows["fio_notes"]] == ["done."] * 2 * (joint == "done. ")


def test_a_torn_document_before_others_is_refused() -> None:
    text = json.dumps(RUN, indent=1)
    with pytest.raises(InputError, match=f"starts at line {text.count(chr(10)) + 2} does not end"):
        _read(text, text[:-2], text)


def test_nan_inside_a_job_name_is_kept() -> None:
    text = json.dumps(RUN, indent=1).replace('"golden"', '"x: nan, inf y"')
    (job,) = _read(text.replace('"usr_cpu": 3.7', '"usr_cpu": nan'))["fio_jobs"]
    assert (job["job_name"], job["usr_cpu_percent"]) == ("x: nan, inf y", None)
    other = text.replace("x: nan", "Gr\u00f6\u00dfe").encode("cp1252")
    (job,) = read_rows(fio, Path("a.json"), other)["fio_jobs"]
    assert job["job_name"] == "Gr\u00f6\u00dfe, inf y"


def test_later_print_may_add_a_direction() -> None:
    (job,) = RUN["jobs"]
    first = RUN | {"jobs": [{name: value for name, value in job.items() if name != "trim"}]}
    assert len(_snapshots(first, RUN)) == 2


STRAY = (">", "\ufeff", "user@host:~/fio$ fio --output-format=json job.fio; ", "\x1b[0m\0{}", "{ ")


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("stray", STRAY[:4])
def test_document_after_stray_text_is_read(stray: str, indent: int | None) -> None:
    text = json.dumps(RUN, indent=indent)
    note = "fio: a note\n"
    for content in (f"{note}{stray}{text}\n", f"{text}\nfio: a note\n{stray}{text}\n{stray}{text}"):
        rows = _read(content)
        count = content.count("fio version")
        assert len(rows["fio_jobs"]) == count
        notes = [(row["line"], row["text"]) for row in rows["fio_notes"]]
        notes.remove((content[: content.index(note)].count("\n") + 1, note.strip()))
        lines = [row["document_line"] for row in rows["fio_jobs"]]
        assert notes == [(line, stray.strip()) for line in lines[-2:]]


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("stray", STRAY)
def test_torn_document_after_stray_text_is_not_read(stray: str, indent: int | None) -> None:
    text = json.dumps(RUN, indent=indent)
    for size in range(20, len(text) - 1, 97):
        torn = text[:size]
        with pytest.raises(InputError):
            _read(f"fio: a note\n{stray}{torn}")
        if not stray.startswith("{"):
            assert len(_read(f"fio: a note\n{stray}{torn}\n{stray}{text}\n")["fio_jobs"]) == 1


@pytest.mark.parametrize("broken", ['"jobs": [}', '"jobs": 7', '"jobs": [{"read": 7}]'])
def test_invalid_document_after_stray_text_becomes_notes(broken: str) -> None:
    stray = f'> {{\n"fio version": "fio-3.33",\n{broken}\n}}\n'
    rows = _read(f"{stray}{json.dumps(RUN, indent=1)}\n")
    assert [row["document_line"] for row in rows["fio_jobs"]] == [5]
    assert [row["line"] for row in rows["fio_notes"]] == [1, 2, 3, 4][: len(rows["fio_notes"])]
    assert broken in [row["text"] for row in rows["fio_notes"]]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"jobs": []}, "the document at line 1 has no jobs"),
        ({"jobs": [1, None]}, "document at line 1: Expected `object`, got `int`"),
        ({"jobs": [{"jobname": "j", "read": 7}]}, "document at line 1: Expected `object"),
        ({"jobs": [{"jobname": "j", "read": [7]}]}, "document at line 1: Expected `object"),
        ({"jobs": None, "client_stats": [1.5]}, "line 1: Expected `object`, got `float`"),
        ({"jobs": [{"jobname": "j", "latency_us": {"2": -1}}]}, "a histogram is not of percents"),
        ({"jobs": [{"jobname": "j", "iodepth_level": {"1": "x"}}]}, "histogram is not of percents"),
    ],
)
def test_invalid_document_is_refused(change: dict[str, Any], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        _read(json.dumps(RUN | change))


@pytest.mark.parametrize("text", ["7", "-1.5", '"x"', "null", "true"])
def test_document_must_be_an_object(text: str) -> None:
    with pytest.raises(InputError, match="contains no fio JSON document"):
        _read(text)


@pytest.mark.parametrize("indent", [None, 2])
def test_array_of_documents_is_refused_with_a_remedy(indent: int | None) -> None:
    with pytest.raises(InputError, match=r"write them one after another \(jq '.\[\]'\)"):
        _read(json.dumps([RUN, RUN], indent=indent))


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("run.log", "0, 7, 1, 4096\n", "its name does not end in _bw.log, _iops.log, _lat.log"),
        ("run_bw.x.log", "0, 7, 1, 4096\n", "its name does not end in"),
        ("run_bw.1.log", "0, 7, 1, 4096\n1, 7, 1\n", "log:2: '1, 7, 1' is not a line of a fio log"),
        ("run_bw.1.log", "0, 7, 1, 4096\n1, 7", "log:2: ends inside a line"),
        (
            "run_bw.1.log",
            "0, 7, 1, 4096\n1, 7, 1, 40961, 7, 1, 4096\n",
            "log:2: '1, 7, 1, 40961, 7, 1, 4096' has 7 columns, line 1 has 4; truncated file?",
        ),
    ],
)
def test_bad_log_file_is_refused(name: str, text: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        read_rows(fio_log, Path(name), text)


def test_many_torn_documents_take_no_long_time() -> None:
    started_at = time.process_time()
    for torn in ('>{\n"fio version" : "fio-3.33",\n', '>{"fio version" : "fio-3.33", '):
        assert len(_read(torn * 50_000 + json.dumps(RUN, indent=1))["fio_jobs"]) == 1
    assert time.process_time() - started_at < 5


def test_a_large_log_is_read_in_blocks_of_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path("run_lat.1.log")
    lines = [f"{number}, 7, {number % 3}, 4096\n" for number in range(9)]
    whole = read_rows(fio_log, path, "".join(lines))
    assert [row["elapsed_ms"] for row in whole["fio_log_samples"]] == [*range(9)]
    monkeypatch.setattr(fio_log, "_SMALL_BYTES", 0)
    monkeypatch.setattr(fio_log, "_BLOCK_BYTES", 40)
    assert read_rows(fio_log, path, "".join(lines)) == whole
    lines[7] = "7, 7, 3, 4096\n"
    with pytest.raises(InputError, match=r"1\.log:8: '7, 7, 3, 4096' is not a line of a fio log"):
        read_rows(fio_log, path, "".join(lines))


@pytest.mark.parametrize(
    ("bins", "found"),
    [
        # the last of 1856 bins, in nanoseconds; of bins merged by 16 and by 64; in microseconds
        (1856, ("ns", [127 << 27], [1 << 34], [7])),
        (116, ("ns", [112 << 27], [1 << 34], [7])),
        (29, ("ns", [1 << 33], [1 << 34], [7])),
        (1216, ("us", [127 << 17], [1 << 24], [7])),
        (19 + 19, ("us", [96 << 17], [1 << 24], [7])),
    ],
)
def test_histogram_bin_count_gives_the_bin_width(
    bins: int, found: tuple[str, list[int], list[int], list[int]]
) -> None:
    line = "200, 1, 4096, " + "0, " * (bins - 1) + "7\n"
    (row,) = read_rows(fio_log, Path("a_clat_hist.log"), line)["fio_histogram_samples"]
    assert tuple(row.values()) == (200, "write", 4096, *found)


def test_a_large_histogram_log_is_read_line_by_line(monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path("run_clat_hist.1.log")
    text = "".join(f"{number}, 1, 4096, {'0, ' * 28}7\n" for number in range(5))
    whole = read_rows(fio_log, path, text)
    assert len(whole["fio_histogram_samples"]) == 5
    monkeypatch.setattr(fio_log, "_SMALL_BYTES", 0)
    assert read_rows(fio_log, path, text) == whole


def test_empty_log_is_recognised_by_its_name() -> None:
    assert is_log_name("run_clat_hist.1.log")
    assert not is_log_name("run_bandwidth.log")


def test_log_is_recognised_by_its_first_line() -> None:
    assert fio_log.matches("0, 7, 1, 4096\n1, 7, 1, 40")  # the first 4 KiB may end inside a line
    assert not fio_log.matches("0, 7, 1\n1, 7, 1, 4096")
    assert fio_log.matches("0, 1, 4096" + ", 0" * 16)
    assert not fio_log.matches("0, 1, 4096" + ", 0" * 15)


def _latency(latency: dict[str, Any]) -> dict[str, Any]:
    """The row of RUN's completion latency of reads, with this latency in its place."""
    (job,) = RUN["jobs"]
    read = job["read"] | {"clat_ns": latency}
    found = _read(json.dumps(RUN | {"jobs": [job | {"read": read}]}))["fio_latencies"]
    kind = ("clat", "read")
    return next(row for row in found if (row["latency_kind"], row["direction"]) == kind)


@pytest.mark.parametrize(
    ("index", "latency"),
    [
        (0, 0),
        (127, 127),
        (128, 129),  # 128 and 129 share a bin; its middle is 129
        (191, 255),
        (192, 258),
        (1215, (127 << 17) + (1 << 16)),
        (3711, (127 << 56) + (1 << 55)),
    ],
)
def test_indexed_bin_has_the_middle_latency(index: int, latency: int) -> None:
    row = _latency({"bins": {"FIO_IO_U_PLAT_BITS": 6, f"{index}": 3}})
    assert (row["bin_latencies"], row["bin_counts"]) == ([latency], [3])


@pytest.mark.parametrize(
    ("latency", "reason"),
    [
        ({"bins": {"FIO_IO_U_PLAT_BITS": 6, "3712": 3}}, "neither latencies nor indices"),
        ({"bins": {"FIO_IO_U_PLAT_BITS": 6, "00001": 3}}, "neither latencies nor indices"),
        ({"bins": {"FIO_IO_U_PLAT_BITS": 6, "7.5": 3}}, "neither latencies nor indices"),
        ({"percentile": {"-0.5": 7}}, "Expected `float` >= 0.0 - at `key`"),
        ({"percentile": {"100.5": 7}}, "Expected `float` <= 100.0 - at `key`"),
        ({"percentile": {"nan": 7}}, "Expected `float` >= 0.0 - at `key`"),
    ],
)
def test_impossible_bins_and_percentiles_are_refused(latency: dict[str, Any], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        _latency(latency)


@pytest.mark.parametrize(
    "histograms",
    [
        {"latency_us": '{"2": 0.5, "4": 0, "2": 0.1}'},
        {"latency_us": '{"2": 0.5, "02": 0.1}'},
        {"latency_ns": '{"2000": 0.5}', "latency_us": '{"2": 0.1}'},
        {"latency_us": '{">=1000": 0.5}', "latency_ms": '{">=2000": 0.1}'},
        {"latency_us": '{"2": 0.5, "x": 0.1}'},
    ],
)
def test_duplicate_histogram_edge_is_refused(histograms: dict[str, str]) -> None:
    job = {name: value for name, value in RUN["jobs"][0].items() if not name.startswith("latency_")}
    text = json.dumps(RUN | {"jobs": [job | dict.fromkeys(histograms, "HERE")]})
    for histogram in histograms.values():
        text = text.replace('"HERE"', histogram, 1)
    with pytest.raises(InputError, match="a latency histogram has the same edge twice"):
        _read(text)


@pytest.mark.parametrize(
    ("key", "least", "most"), [("timestamp", 0, 250 * 10**9), ("timestamp_ms", 0, 250 * 10**12)]
)
def test_implausible_timestamp_is_refused(key: str, least: int, most: int) -> None:
    for time_, is_read in ((least, True), (most, True), (least - 1, False), (most + 1, False)):
        if is_read:
            assert _read(json.dumps(RUN | {key: time_}))["fio_jobs"]
        else:
            with pytest.raises(InputError, match=key):
                _read(json.dumps(RUN | {key: time_}))


def test_unknown_keys_are_kept_by_job() -> None:
    (job,) = RUN["jobs"]
    latency = job["read"]["clat_ns"] | {"p": 4}
    odd = job | {"j": 2, "read": job["read"] | {"d": [3], "clat_ns": latency}}
    rows = _read(json.dumps(RUN | {"r": "1", "jobs": [job, odd, job]}))["fio_jobs"]
    unknown = [row["unknown_keys"] for row in rows]
    assert unknown[0] == '{"document.r":"1"}'
    assert json.loads(unknown[1]) == {"j": 2, "read.d": [3], "read.clat_ns.p": 4}
    assert unknown[2] is None


def test_a_document_with_unknown_keys_may_be_indented() -> None:
    run = json.loads((ROOT / "tests/golden/fio/fio-3.33-randrw.json").read_bytes())
    run["jobs"][0]["ZNS Reset"] = {"total_ios": 812}
    rows = _read(json.dumps(run, indent=2).replace("\n", "\n  ") + "\n")
    assert rows["fio_jobs"][0]["unknown_keys"] == '{"ZNS Reset":{"total_ios":812}}'
    assert rows["fio_notes"] == []


def test_unmeasured_percentiles_are_left_out() -> None:
    taken = {"0.000000": 9, "1.000000": 5, "50.000000": 0, "99.000000": None, "100.000000": 8}
    row = _latency({"percentile": taken})
    assert (row["percentiles"], row["percentile_latencies"]) == ([1, 100], [5, 8])
    row = _latency({"percentile": {"99.000000": 0}})
    assert (row["percentiles"], row["percentile_latencies"]) == (None, None)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("200, 1, 4096, " + "0, " * 99 + "7\n", "log:1: .* has 100 bins; fio writes 1856, 928, "),
        ("200, 1, 4096, 7\n", "log:1: .* is not a line of a histogram log"),
        ("200, 1, 4096, " + "0, " * 28 + "7", "log:1: ends inside a line"),
        ("200, 1, 4096, " + "0, " * 28 + f"{1 << 64}\n", "is not a line of a histogram log"),
    ],
)
def test_bad_histogram_line_is_refused(text: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        read_rows(fio_log, Path("a_clat_hist.1.log"), text)


def _with_histograms(size: int) -> str:
    """A json+ document of about this many bytes: jobs with all bins that fio can fill."""
    (job,) = RUN["jobs"]
    bins = {f"{lower}": lower % 7919 + 1 for lower in range(1_000_000, 1_001_800)}
    job = job | {"read": job["read"] | {"clat_ns": {"min": 1, "bins": bins}}}
    count = size // len(json.dumps(job, indent=1))
    return json.dumps(RUN | {"jobs": [job] * count}, indent=1)


@pytest.mark.parametrize(
    ("change", "most"),
    [
        (("", ""), 2.5),
        (("{", "fio: a note before\n{"), 2.5),
        (('"jobname"', '"a key of tomorrow": 7, "jobname"'), 4.5),
        (('"usr_cpu": 3.7', '"usr_cpu": nan'), 4.5),
    ],
)
def test_memory_is_a_few_times_the_file_size(change: tuple[str, str], most: float) -> None:
    data = _with_histograms(1_000_000).replace(*change, 1).encode()
    tracemalloc.start()
    rows = fio.parse(Path("a.json"), data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(rows["fio_latencies"]) > 25
    assert peak < most * len(data)


@pytest.mark.parametrize("indent", [None, 1])
def test_holes_of_a_sparse_file_are_ignored(indent: int | None) -> None:
    text, hole = json.dumps(RUN, indent=indent), "\0" * 100_000
    for content, count in (
        (f"{text}{hole}", 1), (f"{text}\n{hole}", 1), (f"{hole}{text}", 1),
        (f"{text}{hole}\n{text}\n{hole}", 2), (f"fio: a note\n{text}\n{hole}{text}{hole}", 2),
    ):  # fmt: skip
        rows = _read(content)
        assert len(rows["fio_jobs"]) == count
        assert [row["text"] for row in rows["fio_notes"]] == ["fio: a note"] * ("note" in content)
