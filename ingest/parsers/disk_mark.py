"""CrystalDiskMark's text from version 5 on, and KDiskMark's, which prints fio's results like it.

A line is a result: pattern, block size, queue depth (Q) and threads (T), MB/s of 10^6 bytes, IOPS
and mean latency. Before version 7 the direction is in the line, and a sequential one has neither
its block size nor IOPS. Each value stands for all runs of its line (x5); `Measure` is the time of
one run. Format: CrystalDiskMark's DiskMarkDlg.cpp, KDiskMark's mainwindow.cpp.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ingest.common.errors import InputError
from ingest.parsers import generic
from ingest.parsers.generic import Result
from ingest.parsers.texts import pieces
from ingest.parsers.values import prefix_factor, ratio, scaled, time_ms

NAME = "disk_mark"
VERSION = 4
TABLES = generic.TABLES

_TITLE = re.compile(r"^[> ]*(CrystalDiskMark|KDiskMark) \(?(\d[\w.]{0,20})", re.MULTILINE)
_WHOLE_TITLE = re.compile(
    r"^[> ]*(?:CrystalDiskMark \d+\.\d[^\n]{0,40} (?:x86|x64|ARM64|\(C\))|KDiskMark \(\d+\.\d)",
    re.MULTILINE,
)
_SECTION = re.compile(r"\[(?:(Read)|(Write)|Mix)\](?: Read (\d{1,3})%)?")
_LINE = re.compile(
    r"(?P<access>SEQ|Sequential|RND|Random)(?: +(?P<direction>Read|Write))?"
    r"(?: +(?P<size>\d{1,6}) ?(?P<prefix>[KM])iB)?"
    r" +\((?:Q= *(?P<queues>\d{1,6}), ?)?T= *(?P<threads>\d{1,6})\) *:"
    r" *(?P<mb>\d{1,12}\.\d{1,6}) MB/s"
    r"(?: \[ *(?P<iops>\d{1,12}\.\d{1,6}) IOPS\])?(?: < *(?P<us>\d{1,12}\.\d{1,6}) us>)?"
)
_TEST = re.compile(r"Test *: (\d{1,9}) ([MG])iB(?: \(x\d+\))?(?: \[(?!Measure:)([^\]:]{1,40}:?))?")
_MEASURE = re.compile(r"Measure:? (\d{1,6}) ?(sec|min)")
# When the text was saved, in local time.
_DATE = re.compile(r"Date *: (\d{4}[/-]\d\d[/-]\d\d +\d{1,2}:\d\d:\d\d)")
_TARGET = re.compile(r"Target *: (.{1,200})")
_NO_LINE = (
    "has the title of a benchmark and no line with threads and MB/s: save the text again;"
    " CrystalDiskMark before version 5 is not read"
)


def matches(head: str) -> bool:
    """A shortened title may also begin a sentence: it needs a result."""
    if "DiskMark " not in head or not _TITLE.search(head):
        return False
    return (_WHOLE_TITLE.search(head) or _LINE.search(head)) is not None


def parse(path: Path, data: bytes) -> dict[str, list[tuple[Any, ...]]]:
    """A result for each line.

    Raises:
        InputError: there is none.
    """
    results = [*_results(data.decode(errors="replace"))]
    if not results:
        raise InputError(path, _NO_LINE)
    return generic.rows(results)


def _results(text: str) -> Iterator[Result]:
    """A file may have several reports, each below its title."""
    for line, title, report in pieces(_TITLE, text):
        shared = _shared(title, report)
        read_ratio: float | None = None
        for number, row in enumerate(report.split("\n"), start=line):
            if found := _LINE.search(row):
                yield _result(number, found, read_ratio, shared)
            elif found := _SECTION.search(row):
                is_read, is_write, percent = found.groups()
                read_ratio = 1.0 if is_read else 0.0 if is_write else ratio(_number(percent))


def _shared(title: re.Match[str], report: str) -> dict[str, Any]:
    """The fields that all lines of a report share."""
    test, measure = _TEST.search(report), _MEASURE.search(report)
    target, date = _TARGET.search(report), _DATE.search(report)
    seconds = int(measure[1]) * (60.0 if measure[2] == "min" else 1.0) if measure else None
    return {
        "tool_name": title[1],
        "tool_version": title[2],
        "measured_at_ms": date and time_ms(date[1].replace("-", "/"), "%Y/%m/%d %H:%M:%S"),
        "target": target[1].strip() if target else test and test[3],
        "file_size_bytes": int(test[1]) * prefix_factor(test[2]) if test else None,
        "file_count": 1,
        "requested_runtime_seconds": seconds,
        "runtime_seconds": seconds,
    }


def _result(
    line: int, found: re.Match[str], read_ratio: float | None, shared: dict[str, Any]
) -> Result:
    if found["direction"]:
        read_ratio = float(found["direction"] == "Read")
    threads, queues = int(found["threads"]), int(found["queues"] or 1)
    name = " ".join(found[0].partition(":")[0].split())
    direction = "read" if read_ratio == 1 else "write" if read_ratio == 0 else "mixed"
    throughput = scaled(float(found["mb"]), 1e6)
    return Result(
        position=f"line {line} {name} {direction}",
        random_ratio=float(found["access"].startswith("R")),
        read_ratio=read_ratio,
        block_bytes=int(found["size"]) * prefix_factor(found["prefix"]) if found["size"] else None,
        outstanding_io_count=queues * threads,
        worker_count=threads,
        iops=_number(found["iops"]),
        bytes_per_second=throughput,
        read_bytes_per_second=throughput if read_ratio == 1 else None,
        write_bytes_per_second=throughput if read_ratio == 0 else None,
        latency_mean_us=_number(found["us"]) or None,
        **shared,
    )


def _number(text: str | None) -> float | None:
    return None if text is None else float(text)
