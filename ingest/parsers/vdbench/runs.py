"""The runs of a flat file or a page: their intervals and average, by the flat file's columns."""

import csv
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from statistics import fmean, median
from typing import NamedTuple

from ingest.common.errors import InputError
from ingest.parsers.values import prefix_factor

_FLAT, _EXPORTED = 1, 2  # the lower takes precedence
_PAGES = {"logfile": 3, "summary": 4, "totals": 5}
UNLIMITED = 999_977  # iorate=curve, and above it iorate=max
_HEADER = re.compile(r'^"?(?:tod|date)\b.*\bRun\b.*\bInterval\b.*\breqrate\b', re.MULTILINE)
_REPORT = re.compile(
    r"\bVdbench (?:(summary|totals) report\b|distribution: )|'flatfile\.html' contains Vdbench"
    r"|\A\s*<(?:title>Vdbench [^<\n]{0,300}</title><)?pre>\s{1,9}Run (totals)\b"
)
_START = re.compile(
    r"Starting RD=(?P<run>[^;<\n]{1,200})(?:; I/O rate: (?P<rate>[^;\n]{1,80}))?"
    r"(?P<rest>[^\n<]{0,500})"
)
_LINE = re.compile(
    r"^(\d\d:\d\d:\d\d\.\d{3})(?: +| *(?=avg_))"  # a long label touches the time
    r"(\d{1,9}|avg_\d{1,9}-\d{1,9})((?: +(?:NaN|-?[\d.]{1,20}))+)$"
)
_DATE = re.compile(r"^([A-Z][a-z]{2} \d\d, \d{4}) +\.?interval\b", re.IGNORECASE)
_COLUMNS = ("rate", "MB/sec", "bytes/io", "read%", "resp")
_CPU = ("cpu", "kernel")
_COLUMNS_OF_FILES = (
    "rate", "resp", *_CPU, "read%", "Read_rate", "Read_resp", "Write_rate",
    "Write_resp", "MB_read", "MB_write", "MB/sec", "Xfersize",
)  # fmt: skip
_INTERVAL = re.compile(r"[0-9]{1,9}")
_AVERAGE = re.compile(r"avg_(\d{1,9})-(\d{1,9})")
_SIZE = re.compile(r"(\d{1,12})([kmgt]?)", re.IGNORECASE)
_ROUNDING = 0.02
Row = dict[str, str]


class Run(NamedTuple):
    """A run definition at one rate; `average` covers the intervals `first` to `last`."""

    line: int
    average: Row
    intervals: list[Row]
    first: int
    last: int
    interval_seconds: float | None


class TornRun(NamedTuple):
    """A run without its average; `line` is the last one that is known to belong to it."""

    line: int
    name: str


def is_result(head: str) -> bool:
    if ("Vdbench " in head or "Run totals" in head) and _REPORT.search(head):
        return True
    return "reqrate" in head and _HEADER.match(head.lstrip()) is not None


def read(path: Path, data: bytes) -> tuple[int, list[Run | TornRun]]:
    """The precedence of the file, and its runs.

    Raises:
        InputError: a column is missing.
    """
    lines = data.decode(errors="replace").splitlines()
    header_at = next((at for at, line in enumerate(lines) if _HEADER.match(line.lstrip())), None)
    if header_at is None:
        return _PAGES[_page_kind(lines)], list(_page_runs(lines))
    precedence = _EXPORTED if "," in lines[header_at] else _FLAT
    return precedence, list(_flat_runs(path, lines, header_at))


def _run(line: int, intervals: list[Row], average: Row, span: re.Match[str]) -> Run:
    """vdbench 5.04.05 and 5.04.06 also average the last interval of the warm-up, without naming it:
    a slave's answer comes after the warm-up's end (Reporter.java, CollectSlaveStats.java)."""
    first, last = int(span[1]), int(span[2])
    rates = {_value(row, "Interval"): _value(row, "rate") for row in intervals}

    def error(start: int) -> float:
        counted = [rate for at, rate in rates.items() if start <= at <= last]
        return abs(fmean(counted or [0.0]) - _value(average, "rate"))

    if first - 1 in rates and error(first) > max(_ROUNDING, 10 * error(first - 1)):
        first -= 1
    counted = [row for row in intervals if first <= _value(row, "Interval") <= last]
    return Run(line, average, counted, first, last, _interval_seconds(intervals))


def _interval_seconds(intervals: list[Row]) -> float | None:
    """Whole seconds, as the parameter `interval` has them; times of day may pass midnight."""
    times = [_second_of_day(row.get("tod") or row.get("date") or "") for row in intervals]
    known = [time for time in times if time is not None]
    steps = [(after - before) % 86_400 for before, after in pairwise(known)]
    return float(round(median(steps))) or None if steps else None


def _flat_runs(path: Path, lines: list[str], header_at: int) -> Iterator[Run | TornRun]:
    is_csv = "," in lines[header_at]
    table = csv.reader(lines[header_at:]) if is_csv else map(str.split, lines[header_at:])
    names = next(table)
    for needed in ("Run", "Interval", "rate", "MB/sec", "resp"):
        if needed not in names:
            raise InputError(path, f"has no column {needed}", line=header_at + 1)
    intervals: list[Row] = []
    line = 0
    for number, cells in enumerate(table, start=header_at + 2):
        if len(cells) != len(names) or cells == names:
            continue  # the end of the page, or the header of a file that was appended
        row = dict(zip(names, cells, strict=True))
        if intervals and _begins_another(row, intervals[-1]):
            yield TornRun(line, intervals[-1]["Run"])
            intervals = []
        if span := _AVERAGE.fullmatch(row["Interval"]):
            yield _run(number, intervals, row | _constant_size(intervals, "Xfersize"), span)
            intervals = []
        elif _INTERVAL.fullmatch(row["Interval"]):
            intervals.append(row)
            line = number
    if intervals:
        yield TornRun(line, intervals[-1]["Run"])


def _begins_another(row: Row, last: Row) -> bool:
    """Whether a row is of another run than the last interval: each counts them from 1."""
    is_interval = _INTERVAL.fullmatch(row["Interval"]) is not None
    is_earlier = is_interval and int(row["Interval"]) <= int(last["Interval"])
    return is_earlier or row["Run"] != last["Run"]


def _page_kind(lines: list[str]) -> str:
    found = _REPORT.search("\n".join(lines[:10]))
    return (found and (found[1] or found[2])) or "logfile"


def _page_runs(lines: list[str]) -> Iterator[Run | TornRun]:
    """The runs of a page, whose lines begin with the same columns in all versions."""
    start: Row = {}
    intervals: list[Row] = []
    names: tuple[str, ...] = _COLUMNS
    torn: list[TornRun] = []
    begun = ""
    for number, line in enumerate(lines, start=1):
        if found := _START.search(line):
            if found[0] != begun or intervals:  # a log prints each start twice
                yield from torn
            begun, start, intervals = found[0], _started(found), []
            torn = [TornRun(number, start["Run"])]
        elif date := _DATE.match(line):
            start["date"] = date[1]
            names = _page_columns(line)
        elif found := _LINE.match(line.rstrip()):
            cells = dict(zip(names, found[3].split(), strict=False))
            row = start | {"tod": found[1], "Interval": found[2]} | cells
            if not (span := _AVERAGE.fullmatch(found[2])):
                intervals.append(row)
            elif "resp" in row and "Run" in row:
                size = _constant_size(intervals, "bytes/io", "Xfersize")
                yield _run(number, intervals, row | size | _next_day(intervals, row), span)
                intervals, torn = [], []
    yield from torn


def _page_columns(header: str) -> tuple[str, ...]:
    names = _COLUMNS_OF_FILES if "ReqstdOps" in header else _COLUMNS
    return names if "cpu%" in header else tuple(name for name in names if name not in _CPU)


def _started(found: re.Match[str]) -> Row:
    """The settings that a "Starting RD=" line names; sizes as vdbench writes them, 8k."""
    loops = dict(re.findall(r"\b(\w{1,40})=([\w%]+(?:\.\d+)?)", found["rest"]))
    rate = found["rate"] or loops.get("fwdrate", "max")
    is_number = re.fullmatch(r"[\d.]+", rate)
    row = {"Run": found["run"].strip(), "reqrate": rate if is_number else str(UNLIMITED)}
    if size := _SIZE.fullmatch(loops.pop("xfersize", "")):
        row["xfersize"] = str(int(size[1]) * prefix_factor(size[2]))
    return row | {name: loops[name] for name in ("rdpct", "seekpct") if name in loops}


def _next_day(intervals: list[Row], average: Row) -> Row:
    """Whether midnight passed since the date, which a page has at the start of a run."""
    return {"days": "1"} if intervals and average["tod"] < intervals[0]["tod"] else {}


def _constant_size(intervals: list[Row], *columns: str) -> Row:
    """The transfer size, if it is the mean of each interval."""
    sizes = {row[name] for row in intervals for name in columns if name in row}
    return {"xfersize": sizes.pop()} if len(sizes) == 1 and len(intervals) > 1 else {}


def _second_of_day(text: str) -> float | None:
    found = re.fullmatch(r"(\d\d):(\d\d):(\d\d\.\d{3})", text)
    return int(found[1]) * 3600 + int(found[2]) * 60 + float(found[3]) if found else None


def _value(row: Row, name: str) -> float:
    return number(row, name) or 0.0


def number(row: Row, name: str, factor: float = 1, digits: int = 6) -> float | None:
    """A number of a row in another unit; None for n/a and for a missing column."""
    text, sign = row.get(name, ""), "-?" if name == "seekpct" else ""
    if not re.fullmatch(sign + r"\d{1,15}(?:\.\d{1,9})?", text):
        return None
    return round(float(text) * factor, digits)
