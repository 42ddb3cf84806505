"""Extracts fio's lines from a text: runs, their jobs' settings, and the results of each job."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from ingest.parsers.values import prefix_factor, scaled

_PREFIX = re.compile(
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.,\d]*(?:Z|[+-]\d\d:?\d\d)? |<[^<>\s]{1,255}> |>[> ]*"
)  # before lines of logs, of clients and of quoted mail
_LONGEST_LINE = 2000
_SHORT = re.compile(r"(\d{1,18}(?:\.\d{1,9})?) ?([kKMGTPE]?)(i?)(B|bit)?(?:/s)?")
_PLAIN = re.compile(r"\d{1,18}(?:\.\d{1,9})?")
_HEADER = re.compile(
    r"^\s*(.*?): \(g=(\d{1,9})\): rw=(\w+), bs=(.*?),? ioengine=([^,]+), iodepth=(\d{1,9})"
)
_JOB = re.compile(
    r"^\s*(.*?): \(groupid=(\d{1,9}), jobs=(\d{1,9})\): "
    r"err= ?(\d{1,9})(?: \((.*)\))?: pid=(-?\d{1,18})(?:: (.*))?"
)
_UNREADABLE_JOB = re.compile(r"^(.*?): \(groupid=")
_PART = re.compile(r"(?:^|\s)(read|write|trim|mixed)\s*: (?:IOPS|io)=")
_RATES = re.compile(
    r": IOPS=(?P<iops>[^,]+), BW=(?P<bw>\S+) \([^()]*\)\([^()/]*/(?P<ms>\d{1,15})msec\)"
)
_OLD_RATES = re.compile(
    r": io=[^,=]+, bw=(?P<bw>[^,=]+), iops=(?P<iops>[^,=]+), runt= *(?P<ms>\d{1,15})msec"
)
_LATENCY = re.compile(
    r"(?:^|\s)([sc]?lat) \(([num])sec\): (?:min=([^,]+), max=([^,]+), avg=([^,]+),)?"
)
_RANKS = re.compile(r"(?:(?:^|\s)([sc]?lat) )?percentiles \((?:([num])sec\):)?")
_RANK = re.compile(r"(\d{1,3}(?:\.\d{1,20})?)th=\[ *(\d{1,18})\]")
_ISSUED = re.compile(
    r"issued[^:=]*: total=(?:r=)?(\d{1,18})[,/](?:w=)?(\d{1,18})(?:[,/](?:d=)?(\d{1,18}))?"
)
_CPU = re.compile(r"cpu +: usr=([^%,]+)%, sys=([^%,]+)%")
_VERSION = re.compile(r"(?:[Ff]io[- ])?(\d{1,3}\.\d\S{0,40})")
_PER_US = {"n": 1e-3, "u": 1.0, "m": 1e3}


class Header(NamedTuple):
    """A job's settings."""

    line: int
    name: str
    group: int
    rw: str
    sizes: str
    engine: str
    depth: int


@dataclass
class Part:
    """A direction of a job: rates, and by kind of latency the minimum, maximum, mean and
    percentiles in microseconds."""

    direction: str
    iops: float
    bytes_per_second: float
    runtime_ms: int
    io_count: int | None = None
    latencies: dict[str, list[float | None]] = field(default_factory=dict)
    percentiles: dict[str, dict[float, float]] = field(default_factory=dict)


@dataclass
class Entry:
    """A job, a process of it, or with group_reporting a group."""

    line: int
    name: str
    group: int = 0
    member_count: int | None = None
    pid: str = ""
    ended: str | None = None
    parts: list[Part] = field(default_factory=list)
    is_whole: bool = False
    cpu_ratio: float | None = None
    error_count: int | None = None
    condition: str = ""
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass
class Run:
    """fio's output from one list of settings to the next. A run has several `prints` with
    --status-interval or several clients."""

    line: int
    version: str | None = None
    headers: list[Header] = field(default_factory=list)
    prints: list[list[Entry]] = field(default_factory=list)
    signal: str | None = None
    trouble: str | None = None


class _Reader:
    def __init__(self) -> None:
        self.runs = [Run(1)]
        self.line = 0
        self.kb_base = 1024
        self.is_ended = True
        self.entry: Entry | None = None
        self.part: Part | None = None
        self.ranks: tuple[str, float] | None = None

    @property
    def run(self) -> Run:
        return self.runs[-1]

    def read(self, line: str) -> None:
        for key, pattern, handle in _HANDLERS:
            if key in line and (found := pattern.search(line)):
                handle(self, found)
                return
        version = _VERSION.fullmatch(line.strip())
        if version and self.run.headers and not self.run.version:
            self.run.version = version[1]

    def begin(self, _: re.Match[str]) -> None:
        """A line before a run's results; if results precede it, it begins another run."""
        if self.run.prints:
            self.runs.append(Run(self.line))
        self.is_ended, self.entry, self.part = True, None, None

    def base(self, _: re.Match[str]) -> None:
        self.kb_base = 1000

    def header(self, found: re.Match[str]) -> None:
        self.begin(found)
        name, group, rw, sizes, engine, depth = found.groups()
        header = Header(self.line, name, int(group), rw, sizes, engine, int(depth))
        self.run.headers.append(header)

    def host(self, found: re.Match[str]) -> None:
        """A client's line about a server; the server's own lines have no version."""
        self.begin(found)
        self.run.version = found[1] or None

    def signal(self, found: re.Match[str]) -> None:
        self.run.signal = found[1]

    def trouble(self, found: re.Match[str]) -> None:
        self.run.trouble = self.run.trouble or found.string

    def job(self, found: re.Match[str]) -> None:
        name, group, jobs, error, why, pid, ended = found.groups()
        entry = self.add(Entry(self.line, name, int(group), int(jobs), pid, ended))
        if int(error):
            entry.faults.append(f"fio ended the job with error {error}: {(why or '')[:200]}")
        if self.run.signal:
            entry.faults.append(f"interrupted by signal {self.run.signal}")

    def unreadable_job(self, found: re.Match[str]) -> None:
        self.add(Entry(self.line, found[1].strip())).faults.append(self.unread(found.string))

    def add(self, entry: Entry) -> Entry:
        if self.is_ended:
            self.run.prints.append([])
        self.run.prints[-1].append(entry)
        self.is_ended, self.entry, self.part, self.ranks = False, entry, None, None
        return entry

    def rates(self, found: re.Match[str]) -> None:
        direction, entry = found[1], self.entry
        is_known = entry and direction in {part.direction for part in entry.parts}
        if not entry or entry.is_whole or is_known:
            entry = self.add(Entry(self.line, "(unnamed)"))
            entry.faults.append(f"line {self.line} is without the line that names its job")
        self.part, self.ranks = None, None
        new, old = _RATES.search(found.string), _OLD_RATES.search(found.string)
        rates, base = (new, None) if new else (old, self.kb_base)
        if not rates:
            raise ValueError
        iops, bandwidth = short(rates["iops"]), short(rates["bw"], base)
        self.part = Part(direction, iops, bandwidth, int(rates["ms"]))
        entry.parts.append(self.part)

    def latency(self, found: re.Match[str]) -> None:
        if self.part:
            kind, unit, least, most, mean = found.groups("")
            numbers = (short(least), short(most), plain(mean))
            self.part.latencies[kind] = [scaled(number, _PER_US[unit]) for number in numbers]

    def rank_head(self, found: re.Match[str]) -> None:
        self.ranks = (found[1], _PER_US[found[2]]) if found[1] and found[2] else None

    def rank(self, found: re.Match[str]) -> None:
        if not self.part or not self.ranks:
            return
        kind, factor = self.ranks
        ranks = _RANK.findall(found.string)
        if len(ranks) != found.string.count("th="):
            raise ValueError
        for rank, latency in ranks:
            us = float(f"{int(latency) * factor:.15g}")
            self.part.percentiles.setdefault(kind, {})[round(float(rank) / 100, 12)] = us

    def end_part(self, _: re.Match[str]) -> None:
        """Sync latencies, which belong to no direction, may follow."""
        self.part, self.ranks = None, None

    def cpu(self, found: re.Match[str]) -> None:
        self.end_part(found)
        if self.entry:
            self.entry.cpu_ratio = scaled(plain(found[1]) + plain(found[2]), 0.01)

    def issued(self, found: re.Match[str]) -> None:
        if not self.entry:
            return
        counts = _ISSUED.search(found.string)
        if not counts:
            raise ValueError
        numbers = [int(count) for count in counts.groups("0")]
        by_direction = dict(zip(("read", "write", "trim"), numbers, strict=True))
        for part in self.entry.parts:  # mixed ones are counted as reads
            part.io_count = by_direction.get(part.direction, by_direction["read"])
        self.entry.is_whole = True

    def errors(self, found: re.Match[str]) -> None:
        if self.entry:
            self.entry.error_count = int(found[1])

    def end(self, _: re.Match[str]) -> None:
        self.is_ended, self.entry, self.part, self.kb_base = True, None, None, 1024

    def report(self, line: str) -> None:
        """An unreadable line of rates or counts is a fault of its job; any other line is a note."""
        if self.entry:
            is_needed = _PART.search(line) or "issued" in line
            (self.entry.faults if is_needed else self.entry.notes).append(self.unread(line))

    def unread(self, line: str) -> str:
        return f"line {self.line} cannot be read: {line[:80]!r}"


_ANY = re.compile("")
_HANDLERS: tuple[tuple[str, re.Pattern[str], Callable[[_Reader, re.Match[str]], None]], ...] = (
    (": (groupid=", _JOB, _Reader.job),
    (": (groupid=", _UNREADABLE_JOB, _Reader.unreadable_job),
    (": (g=", _HEADER, _Reader.header),
    (": (g=", _ANY, _Reader.begin),
    (": IOPS=", _PART, _Reader.rates),
    (": io=", _PART, _Reader.rates),
    ("sec): min=", _LATENCY, _Reader.latency),
    ("percentiles (", _RANKS, _Reader.rank_head),
    ("th=[", _ANY, _Reader.rank),
    ("fsync/fdatasync", _ANY, _Reader.end_part),
    (": usr=", _CPU, _Reader.cpu),
    ("issued", re.compile("total="), _Reader.issued),
    ("errors ", re.compile(r"errors +: total=(\d{1,18}),"), _Reader.errors),
    ("Run status group ", _ANY, _Reader.end),
    ("fio: terminating ", re.compile(r"on signal (\d{1,3})"), _Reader.signal),
    ("Starting ", re.compile(r"Starting \d{1,9} (?:process|thread)"), _Reader.begin),
    (", fio=fio-", re.compile(r", fio=fio-([^,]{0,40})"), _Reader.host),
    ("kb_base=1000", _ANY, _Reader.base),
    ("fio: ", re.compile("err"), _Reader.trouble),
)
"""Text in a line, pattern and handler; the first entry that fits handles the line. A version is
known only by its place after the settings: before 2.0.9 it is a bare number."""


def read_runs(text: str) -> list[Run]:
    """The runs of a text; a line that cannot be read is a fault or a note of its job."""
    reader = _Reader()
    for reader.line, raw in enumerate(text.split("\n"), start=1):
        line = raw.rstrip().rpartition("\r")[2]  # fio overwrites its progress line
        prefix = _PREFIX.match(line)
        line = line[prefix.end() if prefix else 0 :][:_LONGEST_LINE]
        try:
            reader.read(line)
        except ValueError:
            reader.report(line.strip())
    return reader.runs


def short(text: str, old_base: int | None = None) -> float:
    """A number printed by num2str; up to 2.16 all byte prefixes have the same base."""
    found = _SHORT.fullmatch(text.strip())
    if not found:
        raise ValueError(text)
    digits, prefix, is_binary, unit = found.groups()
    base = old_base or (1024 if is_binary else 1000)
    return float(digits) * prefix_factor(prefix, base) / (8 if unit == "bit" else 1)


def plain(text: str) -> float:
    """A number printed as `%.2f`; NaN if fio divided by zero."""
    if text.strip().strip("-").lower() in ("nan", "inf"):
        return math.nan
    found = _PLAIN.fullmatch(text.strip())
    if not found:
        raise ValueError(text)
    return float(found[0])
