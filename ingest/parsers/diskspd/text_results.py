"""DiskSpd's text. The load is under `Input parameters`, a timespan's results are under `Results for
timespan`; `Totals` add up several timespans and belong to no load."""

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, TypeVar

from ingest.parsers.diskspd import measured
from ingest.parsers.diskspd.measured import Damage, Fields, Measured, Profile, Target
from ingest.parsers.texts import pieces
from ingest.parsers.values import common, prefix_factor

START = (
    r"^[ \t]*(?:Command Line: [^\n]*\n\s*(?:Experiment Flags: [^\n]*\n\s*)?)?"
    r"Input parameters:\s+(?:using verbose mode\s+)?(?:timespan|job):[ \t]+\d+\s+[-_]{5}"
)
_SPAN = re.compile(r"^[ \t]*(?:timespan|job):[ \t]+(\d{1,9})\s+[-_]{5}", re.MULTILINE)
_RESULTS = re.compile(r"^[ \t]*Results for (?:timespan|job) (\d{1,9}):", re.MULTILINE)
_END = re.compile(r"^[ \t]*Totals:[ \t\r]*$", re.MULTILINE)
_PATH = re.compile(r"^[ \t]*path: (?:template target )?'([^\n]*)'[ \t\r]*$", re.MULTILINE)
_SECTION = re.compile(
    r"^[ \t]*(Total|Read|Write) IO[ \t\r]*\n[ \t]*thread \|([^\n]*)\n", re.MULTILINE
)
_TOTAL = re.compile(r"^[ \t]*total:([^\n|]*\|[^\n]*)", re.MULTILINE)
_ROW = re.compile(r"^[ \t]*\d+ \|[^\n]*\(([0-9.]{1,16}[KMGT]?)i?B?\)[ \t\r]*$", re.MULTILINE)
_DISTRIBUTION = re.compile(
    r"^[ \t]*(?:total:|Total latency distribution:)[^\n]*\n\s*%-ile", re.MULTILINE
)
_PERCENTILE = re.compile(
    r"^[ \t]*(min|max|\d\dth|\d-nines)[ \t]*\|[^|\n]*\|[^|\n]*\|[ \t]*(\d{1,12}\.\d{3})[ \t\r]*$",
    re.MULTILINE,
)
_SIZE = re.compile(r"([0-9]{1,12}(?:\.[0-9]{2})?)([KMGT]?)(?:i?B)?")
_LIMIT = re.compile(r"[ \t][-/]g(\d{1,12})(i?)(?!\S)")
# `local software cache disabled` leaves the cache of the file server.
_IS_DIRECT = r"^[ \t]*(?:software (?:and hardware (?:write )?)?cache disabled|using O_DIRECT)"
_IS_CACHED = r"^[ \t]*(?:using software|local software cache|block device: )"
_IS_WRITE_THROUGH = "writethrough on|software and hardware (?:write )?cache disabled|using O_SYNC"
_ENGINES = {
    "memory mapped I/O enabled": measured.MAPPED,
    "using completion routines": measured.ROUTINES,
    "using I/O Completion Ports": measured.PORTS,
}
_T = TypeVar("_T")


def read(run: str, line: int) -> Iterator[Measured]:
    """The timespans of a run, which begins in this line of its file."""
    first = _RESULTS.search(run)
    head = run[: first.start() if first else len(run)]
    profiles = _profiles(head)
    started = {"measured_at_ms": _find(r"start time: ([^\n]*)", head, measured.started_ms)}
    for at, match, piece in pieces(_RESULTS, run):
        number = int(match[1])
        body = match[0] + _END.split(piece, maxsplit=1)[0]
        read_body = partial(_fields, profiles.pop(number, Profile()), body)
        yield measured.timespan(number, line + at - 1, started, read_body)
    end = line + run.count("\n")
    for number, profile in profiles.items():
        yield measured.timespan(number, end, started, partial(_fields, profile, ""))


def _find(pattern: str, text: str, read: Callable[[str], _T]) -> _T | None:
    found = re.search(pattern, text, re.MULTILINE)
    return read(found[1]) if found else None


def _fields(profile: Profile, body: str) -> Fields:
    thread_count = _find(r"thread count:\s+(\d{1,9})\b", body, int)
    if thread_count is None and "Results for job " in body:  # DiskSpd for Linux
        thread_count = profile.thread_count
    if depth := _find(r"request count:\s+(\d{1,9})\b", body, int):  # 2.0 prints -O here
        profile = dataclasses.replace(profile, pool_depth=depth)
    if "interrupted before the measurements began" in body:
        return measured.load(profile, thread_count, 0) | {"fault": measured.INTERRUPTED}
    sections = {match[1].lower(): (match, table) for _, match, table in pieces(_SECTION, body)}
    if "total" not in sections:
        raise ValueError("has no results: the file is cut off, or the test failed")
    runtime = _find(r"test time:\s+(\S+?)s?\s", body, _seconds)
    tables = {name: _table(body, runtime, *section) for name, section in sections.items()}
    sizes = _ROW.findall(sections["total"][1])
    asked = measured.load(profile, thread_count, len(sizes))
    if asked["block_bytes"] is None and len(profile.targets) == 1:
        asked["block_bytes"] = _mean_bytes(*tables["total"]["rates"])
    fields = asked | measured.rates({name: one["rates"] for name, one in tables.items()})
    fields |= measured.latencies(tables["total"]["latency"], _distribution(body))
    fields |= {
        "runtime_seconds": runtime,
        "file_size_bytes": common(map(_rounded_bytes, sizes)),
        "cpu_ratio": _find(r"avg(?:\.\||:)\s*([\d.]+)%", body, measured.cpu_ratio),
    }
    notes = [asked["note"], *_missing(fields, sections.keys())]
    fields["note"] = "; ".join(filter(None, notes)) or None
    return fields | {"fault": measured.fault_of(fields)}


def _mean_bytes(byte_count: int, io_count: int, _: float) -> int | None:
    """The block size by the totals: 1500 bytes are printed as 1.46KiB."""
    return byte_count // io_count if io_count and byte_count % io_count == 0 else None


def _missing(fields: Fields, sections: Iterable[str]) -> Iterator[str]:
    if missing := [f"{name} IO" for name in ("read", "write") if name not in sections]:
        yield f"the file has no {' and '.join(missing)}"
    if fields["latency_mean_us"] is not None and fields["latency_max_us"] is None:
        yield "the latency distribution is cut off"


def _seconds(printed: str) -> float | None:
    return float(printed) if printed.isdecimal() else measured.decimal(printed)


def _table(body: str, runtime: float | None, head: re.Match[str], table: str) -> dict[str, Any]:
    """Bytes, I/Os and IOPS of a section, and its mean latency."""
    line = body.count("\n", 0, head.end())
    row = _TOTAL.search(table)
    if row is None:
        raise Damage("has no line of totals: the file is cut off", line)
    line += table.count("\n", 0, row.start())
    columns = [name.strip().removesuffix("(ms)") for name in head[2].split("|")[:-1]]
    cells = row[1].split("|")
    if len(cells) != len(columns):
        raise Damage(f"'total:' has {len(cells)} of {len(columns)} columns: cut off", line)
    try:
        return _totals(dict(zip(columns, cells, strict=True)), runtime)
    except (KeyError, ValueError) as error:
        raise Damage(error, line) from error


def _totals(cells: dict[str, str], runtime: float | None) -> dict[str, Any]:
    byte_count, io_count = measured.whole(cells["bytes"]), measured.whole(cells["I/Os"])
    iops = measured.decimal(cells["I/O per s"])
    rate = measured.decimal(cells["MiB/s"] if "MiB/s" in cells else cells["MB/s"])
    measured.refuse_other_rate("I/O per s", iops, io_count, runtime)
    measured.refuse_other_rate("MiB/s", rate, byte_count / (1 << 20), runtime)
    latency = measured.decimal(cells["AvgLat"]) if "AvgLat" in cells and io_count else None
    return {"rates": (byte_count, io_count, iops), "latency": latency}


def _distribution(body: str) -> Iterator[tuple[float, float]]:
    """The distribution of all targets, after those of each; 2.0.17 prints only it, untitled."""
    found = _DISTRIBUTION.search(body)
    for name, printed in _PERCENTILE.findall(body, found.end()) if found else ():
        yield _percentile_ratio(name), float(printed)


def _percentile_ratio(name: str) -> float:
    if name in ("min", "max"):
        return float(name == "max")
    return int(name[:2]) / 100 if name.endswith("th") else float("0." + "9" * int(name[0]))


def _profiles(head: str) -> dict[int, Profile]:
    limit = _LIMIT.search(_find(r"Command Line: ([^\n]*)", head, str) or "")
    # 2.0 prints a limit only in the command line.
    common_limit = (
        measured.LIMIT.format(limit[1], "IOPS" if limit[2] else "B/ms") if limit else None
    )
    return {int(match[1]): _profile(piece, common_limit) for _, match, piece in pieces(_SPAN, head)}


def _profile(text: str, limit: str | None) -> Profile:
    head = _PATH.split(text, maxsplit=1)[0]
    has_random_data = "generating random data for each write" in head
    targets = tuple(
        _target(match[1], piece, limit, has_random_data) for _, match, piece in pieces(_PATH, text)
    )
    return Profile(
        duration_seconds=_find(r"duration: (\d{1,9})s", head, int),
        warmup_seconds=_find(r"warm up time: (\d{1,9})s", head, int),
        has_pool=bool(targets) and all(one.thread_count is None for one in targets),
        pool_depth=_find(
            r"number of outstanding I/O operations per thread: (\d{1,9})\b", head, int
        ),
        targets=targets,
    )


def _target(path: str, text: str, limit: str | None, has_random_data: bool) -> Target:
    random, spacing = _random(text)
    limited = _find(r"throughput rate-limited to (\d{1,12} \S+)", text, str)
    is_zeroed = re.search("zeroing (?:write|I/O) buffers", text)
    is_random = has_random_data or "write buffer source: " in text
    is_cached = re.search(_IS_CACHED, text, re.MULTILINE)
    return Target(
        path=path,
        block_bytes=_find(r"block size: (\S+)", text, _bytes),
        write_percent=_write_percent(text),
        random_percent=random,
        depth=_find(
            r"number of outstanding I/O operations(?: per thread)?: (\d{1,9})\b", text, int
        ),
        thread_count=_find(r"threads per file: (\d{1,9})\b", text, int),
        is_direct=bool(re.search(_IS_DIRECT, text, re.MULTILINE)) or (False if is_cached else None),
        engine=next((engine for printed, engine in _ENGINES.items() if printed in text), None),
        rate_limit=measured.LIMIT.format(*limited.split()) if limited else limit,
        think_ms=_find(r"think time: (\d{1,9})ms", text, int),
        burst=_find(r"burst size: (\d{1,9})\b", text, int),
        has_remote_cache="local software cache disabled" in text,
        is_write_through=bool(re.search(_IS_WRITE_THROUGH, text)),
        written="of zeros" if is_zeroed else "of random data" if is_random else None,
        is_interlocked="interlocked sequential" in text,
        spacing_bytes=spacing,
        thread_stride=_find(r"thread stride size: (\S+)", text, _bytes),
        first_byte=_find(r"base file offset: (\S+)", text, _bytes),
        last_byte=_find(r"max file size: (\S+)", text, _bytes),
        has_distribution="IO Distribution:" in text,
        priority=_find(r"IO priority: (very low|low)", text, str),
    )


def _write_percent(text: str) -> int | None:
    kind = _find(r"performing (read|write|mix) test", text, str)
    if kind != "mix":
        return {"read": 0, "write": 100}.get(kind or "")
    read = _find(r"\(read/write ratio: (\d{1,3})/\d", text, int)
    old = _find(r"\(write/read ratio: (\d{1,3})/100\)", text, int)  # up to 2.0.15
    return old if read is None else 100 - read


def _random(text: str) -> tuple[int | None, int | None]:
    """The random share, and the bytes between offsets; 2.0.11 has a stride only if sequential."""
    spacing = _find(r"\((?:alignment|stride|alignment/stride): ([^\s)]+)\)", text, _bytes)
    if "using random I/O" in text:
        return 100, spacing
    if mixed := _find(r"using mixed random/sequential I/O \((\d{1,3})% random\)", text, int):
        return mixed, spacing
    old = _find(r"^[ \t]*stride size: (\S+)", text, _bytes)
    is_sequential = old is not None or "sequential I/O (stride" in text
    return (0 if is_sequential else None), spacing or old


def _bytes(printed: str) -> int | None:
    """The bytes of `8192` or `4KiB`; None for `1.46KiB`, which is rounded."""
    return None if "." in printed else _rounded_bytes(printed)


def _rounded_bytes(printed: str) -> int | None:
    found = _SIZE.fullmatch(printed)
    return round(float(found[1]) * prefix_factor(found[2])) if found else None
