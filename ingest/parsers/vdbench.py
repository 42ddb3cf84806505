"""vdbench: `flatfile.html`, as it is or exported as CSV, `summary.html`, `totals.html` and
`logfile.html` of raw devices and files (`sd=`, `wd=`, `rd=`).

A run definition at one I/O rate is a result: its `avg_N-M` line, the mean of the intervals N to M
without the warm-up, which vdbench leaves out itself. The intervals N to M are its samples. Columns
go by their names, which differ by version (Flat.java, Report.java). A flat file has the load but
no date before 5.04.07; the pages have the date, and of the load what their "For loops" name. All
of them print the same run: the flat file takes precedence. Megabytes are 2^20 bytes, times are in
milliseconds, `lunsize` is in units of 2^30 bytes. The `threads` of a flat file are those of all
devices; a page's are those of each, so they are not taken.
"""

import csv
import re
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

from ingest.common.errors import InputError
from ingest.parsers import generic
from ingest.parsers.generic import Result, Sample

NAME = "vdbench"
VERSION = 1
TABLES = generic.TABLES

_FLAT, _EXPORTED = 1, 2  # the lower takes precedence
_PAGES = {"logfile": 3, "summary": 4, "totals": 5}
_UNLIMITED = 999_977  # iorate=curve, and above it iorate=max
_HEADER = re.compile(r'^"?(?:tod|date)\b.*\bRun\b.*\bInterval\b.*\breqrate\b', re.MULTILINE)
_REPORT = re.compile(r"\bVdbench (?:(summary|totals) report\b|distribution: )")
_FLAT_INTRODUCTION = "'flatfile.html' contains Vdbench"
_START = re.compile(
    r"Starting RD=(?P<run>[^;\n]{1,200}); I/O rate: (?P<rate>[^;\n]{1,80}); (?P<rest>[^\n<]{0,500})"
)
_LINE = re.compile(
    r"^(\d\d:\d\d:\d\d\.\d{3}) +(\d{1,9}|avg_\d{1,9}-\d{1,9})((?: +-?[\d.]{1,20})+)$"
)
_DATE = re.compile(r"^([A-Z][a-z]{2} \d\d, \d{4}) +interval\b", re.IGNORECASE)
_AVERAGE = re.compile(r"avg_(\d{1,9})-(\d{1,9})")
_SIZE = re.compile(r"(\d{1,12})([kmgt]?)", re.IGNORECASE)
_NO_AVERAGE = "has no line avg_N-M: vdbench ended early, or the file is truncated"
_FILE_SYSTEM = "is of a file system workload (fwd=), which is not read: no column {}"
Row = dict[str, str]


def matches(head: str) -> bool:
    is_report = _REPORT.search(head) or _FLAT_INTRODUCTION in head
    return bool(is_report or _HEADER.match(head.lstrip()))


def parse(path: Path, data: bytes) -> dict[str, list[tuple[Any, ...]]]:
    """The averages of each run definition and rate, and their intervals.

    Raises:
        InputError: the file has no average, or is of a file system workload.
    """
    lines = data.decode(errors="replace").splitlines()
    header_at = next((at for at, line in enumerate(lines) if _HEADER.match(line.lstrip())), None)
    precedence = _PAGES[_page_kind(lines)]
    runs = _page_runs(lines)
    if header_at is not None:
        precedence = _EXPORTED if "," in lines[header_at] else _FLAT
        runs = _flat_runs(path, lines, header_at)
    results: list[Result] = []
    samples: list[Sample] = []
    for line, intervals, average in runs:
        seconds = _interval_seconds(intervals)
        results.append(_result(line, average, seconds, precedence))
        samples += _samples(len(results) - 1, intervals, average, seconds)
    if not results:
        raise InputError(path, _NO_AVERAGE)
    return generic.rows(results, samples)


def _flat_runs(
    path: Path, lines: list[str], header_at: int
) -> Iterator[tuple[int, list[Row], Row]]:
    """Line, intervals and average of each run."""
    is_csv = "," in lines[header_at]
    table = csv.reader(lines[header_at:]) if is_csv else map(str.split, lines[header_at:])
    names = next(iter(table))
    for needed in ("Run", "Interval", "rate", "MB/sec", "resp"):
        if needed not in names:
            raise InputError(path, _FILE_SYSTEM.format(needed), line=header_at + 1)
    intervals: list[Row] = []
    for number, cells in enumerate(table, start=header_at + 2):
        row = dict(zip(names, cells, strict=False))
        if len(cells) != len(names) or row == dict(zip(names, names, strict=True)):
            continue  # the end of the page, or the header of a file that was appended
        if _AVERAGE.fullmatch(row["Interval"]):
            yield number, intervals, row
            intervals = []
        else:
            intervals.append(row)


def _page_kind(lines: list[str]) -> str:
    found = next((found for line in lines[:10] if (found := _REPORT.search(line))), None)
    return (found and found[1]) or "logfile"


def _page_runs(lines: list[str]) -> Iterator[tuple[int, list[Row], Row]]:
    """The same of a page, whose lines have the first columns in one order in all versions."""
    start: Row = {}
    intervals: list[Row] = []
    for number, line in enumerate(lines, start=1):
        if found := _START.search(line):
            start, intervals = _started(found), []
        elif date := _DATE.match(line):
            start["date"] = date[1]
        elif found := _LINE.match(line.rstrip()):
            names = ("rate", "MB/sec", "bytes/io", "read%", "resp")
            cells = dict(zip(names, found[3].split(), strict=False))
            row = start | {"tod": found[1], "Interval": found[2]} | cells
            if not _AVERAGE.fullmatch(found[2]):
                intervals.append(row)
            elif "resp" in row and "Run" in row:
                yield number, intervals, row | _constant_size(intervals) | _next_day(intervals, row)
                intervals = []


def _started(found: re.Match[str]) -> Row:
    """The settings that a "Starting RD=" line names; sizes as vdbench writes them, 8k."""
    loops = dict(re.findall(r"(\w+)=([\w.%]+)", found["rest"]))
    is_number = re.fullmatch(r"[\d.]+", found["rate"])
    row = {"Run": found["run"], "reqrate": found["rate"] if is_number else str(_UNLIMITED)}
    if size := _SIZE.fullmatch(loops.pop("xfersize", "")):
        power = " kmgt".index(size[2].lower() or " ")
        row["xfersize"] = str(int(size[1]) * 1024**power)
    return row | {name: loops[name] for name in ("rdpct", "seekpct") if name in loops}


def _next_day(intervals: list[Row], average: Row) -> Row:
    """Whether midnight passed since the date, which a page has at the start of a run."""
    return {"days": "1"} if intervals and average["tod"] < intervals[0]["tod"] else {}


def _constant_size(intervals: list[Row]) -> Row:
    """The transfer size, if it is the mean of each interval."""
    sizes = {row.get("bytes/io", "") for row in intervals}
    return {"xfersize": sizes.pop()} if len(sizes) == 1 and len(intervals) > 1 else {}


def _result(line: int, row: Row, seconds: float | None, precedence: int) -> Result:
    number = _Numbers(row)
    rate, threads = number("reqrate"), number("threads")
    span = _AVERAGE.fullmatch(row["Interval"])
    first, last = (int(span[1]), int(span[2])) if span else (1, 0)
    iops, read_ratio = number("rate"), number("rdpct", 0.01)
    observed = number("read%", 0.01)
    throughput, read_throughput, write_throughput = _throughput(number)
    runtime = seconds and seconds * (last - first + 1)
    return Result(
        position=f"line {line} rd={row['Run']}",
        tool_name="vdbench",
        tool_version=row.get("version") if number.is_given("version") else None,
        measured_at_ms=_measured_at_ms(row),
        run_key=f"{row['Run']} {row['Interval']} {iops:.3g}" if iops else None,
        precedence=precedence,
        random_ratio=_share(number("seekpct", 0.01)),
        read_ratio=_share(read_ratio if read_ratio is not None else _rounded(observed, 2)),
        block_bytes=_whole(number("xfersize")),
        outstanding_io_count=_whole(threads),
        worker_count=_whole(threads),
        file_size_bytes=_whole(number("lunsize", 2**30)),
        file_count=1,  # lunsize is the sum of all
        ramp_seconds=seconds and seconds * (first - 1),
        rate_limit=f"{rate:g} IOPS" if rate is not None and rate < _UNLIMITED else None,
        condition=_condition(number),
        runtime_seconds=runtime,
        iops=iops,
        read_iops=_product(iops, observed),
        write_iops=_product(iops, _rest(observed)),
        bytes_per_second=throughput,
        read_bytes_per_second=read_throughput,
        write_bytes_per_second=write_throughput,
        latency_mean_us=number("resp", 1000) or None,
        latency_max_us=number("resp_max", 1000) or None,
        cpu_ratio=number("cpu_used", 0.01),
    )


class _Numbers:
    """Numbers of a row by column, in other units; None for n/a and for a column it lacks."""

    def __init__(self, row: Row) -> None:
        self._row = row

    def is_given(self, name: str) -> bool:
        return self._row.get(name, "n/a") != "n/a"

    def __call__(self, name: str, factor: float = 1) -> float | None:
        text = self._row.get(name, "")
        if not re.fullmatch(r"-?\d{1,15}(?:\.\d{1,9})?", text):
            return None
        return round(float(text) * factor, 6)


def _throughput(number: _Numbers) -> tuple[float | None, float | None, float | None]:
    """Of all I/Os, reads and writes; of these two if they have one size: `read%` counts I/Os."""
    whole, reads = number("MB/sec", 2**20), number("read%", 0.01)
    if number("xfersize") is None:
        reads = None
    return whole, _product(whole, reads), _product(whole, _rest(reads))


def _condition(number: _Numbers) -> str | None:
    """What else sets the load apart from reads and writes of the medium."""
    hits = ((name, number(column)) for name, column in (("read", "rhpct"), ("write", "whpct")))
    parts = [f"{share:g} % {name} hits" for name, share in hits if share]
    ratios = {"compression": number("compratio"), "dedup": number("dedupratio")}
    parts += [f"{name} ratio {ratio:g}" for name, ratio in ratios.items() if ratio and ratio != 1]
    return ", ".join(parts) or None


def _samples(
    index: int, intervals: list[Row], average: Row, seconds: float | None
) -> Iterator[Sample]:
    span = _AVERAGE.fullmatch(average["Interval"])
    for row in intervals if span and seconds else ():
        at, number = int(row["Interval"]) if row["Interval"].isdigit() else 0, _Numbers(row)
        if span and seconds and int(span[1]) <= at <= int(span[2]):
            throughput, read_throughput, write_throughput = _throughput(number)
            yield Sample(
                result_index=index,
                elapsed_seconds=(at - int(span[1]) + 1) * seconds,
                interval_seconds=seconds,
                iops=number("rate"),
                bytes_per_second=throughput,
                read_bytes_per_second=read_throughput,
                write_bytes_per_second=write_throughput,
            )


def _interval_seconds(intervals: list[Row]) -> float | None:
    """Whole seconds, as the parameter `interval` has them; times of day may pass midnight."""
    times = [_second_of_day(row.get("tod") or row.get("date") or "") for row in intervals]
    known = [time for time in times if time is not None]
    steps = [(after - before) % 86_400 for before, after in pairwise(known)]
    return float(round(median(steps))) or None if steps else None


def _second_of_day(text: str) -> float | None:
    found = re.fullmatch(r"(\d\d):(\d\d):(\d\d\.\d{3})", text)
    return int(found[1]) * 3600 + int(found[2]) * 60 + float(found[3]) if found else None


def _measured_at_ms(row: Row) -> int | None:
    """Of a time stamp (07/02/2018-15:27:40-MDT) or a page's date and time; local time."""
    stamp = re.match(r"(\d\d/\d\d/\d{4})-(\d\d:\d\d:\d\d)", row.get("timestamp", ""))
    text = f"{stamp[1]} {stamp[2]}" if stamp else f"{row.get('date')} {row.get('tod', '')[:8]}"
    for form in ("%m/%d/%Y %H:%M:%S", "%b %d, %Y %H:%M:%S"):
        try:
            second = datetime.strptime(f"{text} +0000", f"{form} %z").timestamp()
            return round(1000 * (second + 86_400 * int(row.get("days", 0))))
        except ValueError:
            continue
    return None


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)


def _share(value: float | None) -> float | None:
    """seekpct=-1 is sequential, too (seekpct=eof)."""
    if value is None or value > 1:
        return None
    return max(0.0, value)


def _rest(share: float | None) -> float | None:
    return None if share is None else 1 - share


def _whole(value: float | None) -> int | None:
    return None if value is None else round(value)


def _product(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one * other
