"""DiskSpd's text. The load is under `Input parameters`, a timespan's results are under `Results for
timespan`; `Totals`, of several timespans, are of no load."""

import dataclasses
import re
from collections.abc import Iterator
from typing import Any

from ingest.parsers.diskspd import measured
from ingest.parsers.diskspd.measured import Measured, Profile, Target

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
_SHIFTS = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}
_LIMIT = re.compile(r"[ \t][-/]g(\d{1,12})(i?)(?!\S)")
_NO_PROFILE = Profile(
    duration_seconds=None, warmup_seconds=None, has_pool=False, pool_depth=None, targets=[]
)


class _Damage(ValueError):
    def __init__(self, reason: object, offset: int) -> None:
        self.offset = offset
        super().__init__(reason)


def read(run: str, line: int) -> Iterator[Measured]:
    """The timespans of a run, which begins in this line of its file."""
    first = _RESULTS.search(run)
    head = run[: first.start() if first else len(run)]
    profiles = _profiles(head)
    common = {"measured_at_ms": measured.started_ms(_word(r"start time: ([^\n]*)", head) or "")}
    line += head.count("\n")
    for match, end in _pieces(_RESULTS, run):
        number = int(match[1])
        body = run[match.start() : end]
        own = _END.split(body, maxsplit=1)[0]
        yield _timespan(number, profiles.pop(number, _NO_PROFILE), own, line, common)
        line += body.count("\n")
    for number, profile in profiles.items():
        yield _timespan(number, profile, "", line, common)


def _pieces(pattern: re.Pattern[str], text: str) -> Iterator[tuple[re.Match[str], int]]:
    """Each match, and the start of the next."""
    found = [*pattern.finditer(text)]
    return zip(found, [*(match.start() for match in found[1:]), len(text)], strict=False)


def _timespan(
    number: int, profile: Profile, body: str, line: int, common: dict[str, Any]
) -> Measured:
    position = {"position": f"timespan {number}"} | common
    try:
        fields = position | _fields(profile, body)
        measured.refuse_huge(fields)
    except ValueError as error:
        line += body.count("\n", 0, getattr(error, "offset", 0))
        return Measured(position | {"fault": f"timespan {number}: {error}"}, line, is_unread=True)
    return Measured(fields, line)


def _fields(profile: Profile, body: str) -> dict[str, Any]:
    thread_count = _number(r"thread count:\s+(\d{1,9})\b", body)
    if thread_count is None and "Results for job " in body:  # DiskSpd for Linux
        thread_count = measured.asked_threads(profile)
    if depth := _number(r"request count:\s+(\d{1,9})\b", body):  # 2.0 prints -O here
        profile = dataclasses.replace(profile, pool_depth=depth)
    if "interrupted before the measurements began" in body:
        asked = measured.profile_fields(profile, thread_count, 0)
        return asked | {"fault": measured.INTERRUPTED}
    sections = _sections(body)
    if "total" not in sections:
        raise ValueError("has no results: the file is cut off, or the test failed")
    rows = _ROW.findall(body, *sections["total"][1:])
    asked = measured.profile_fields(profile, thread_count, len(rows))
    return asked | _results(body, sections, rows, asked, len(profile.targets) == 1)


def _results(
    body: str, sections: dict[str, Any], rows: list[str], asked: dict[str, Any], has_one: bool
) -> dict[str, Any]:
    printed = _word(r"test time:\s+(\S+?)s?\s", body) or "N/A"
    runtime = float(printed) if printed.isdecimal() else measured.decimal(printed)
    tables = {name: _table(body, runtime, *place) for name, place in sections.items()}
    total = tables["total"]
    fields = measured.rates({name: one["rates"] for name, one in tables.items()})
    fields |= {
        "runtime_seconds": runtime,
        "file_size_bytes": _common_size(rows),
        "cpu_ratio": measured.percent_ratio(_word(r"avg(?:\.\||:)\s*([\d.]+)%", body) or ""),
        "latency_mean_us": measured.micros(total["latency"]),
        **measured.latencies(_distribution(body)),
    }
    byte_count, io_count, _ = total["rates"]
    if asked["block_bytes"] is None and has_one and io_count and not byte_count % io_count:
        fields["block_bytes"] = byte_count // io_count  # 1500 bytes are printed as 1.46KiB
    missing = " and ".join(f"{name} IO" for name in ("read", "write") if name not in sections)
    notes = [asked["note"], missing and f"the file has no {missing}"]
    if total["latency"] is not None and fields["latency_max_us"] is None:
        notes.append("the latency distribution is cut off")
    fields["note"] = "; ".join(note for note in notes if note) or None
    return fields | {"fault": measured.fault_of(asked | fields)}


def _sections(body: str) -> dict[str, tuple[str, int, int]]:
    """Column names, start and end of each section."""
    return {
        match[1].lower(): (match[2], match.end(), end) for match, end in _pieces(_SECTION, body)
    }


def _table(body: str, runtime: float | None, names: str, start: int, end: int) -> dict[str, Any]:
    row = _TOTAL.search(body, start, end)
    if row is None:
        raise _Damage("has no line of totals: the file is cut off", start)
    columns = [name.strip().removesuffix("(ms)") for name in names.split("|")[:-1]]
    cells = row[1].split("|")
    if len(cells) != len(columns):
        raise _Damage(f"'total:' has {len(cells)} of {len(columns)} columns: cut off", row.start())
    try:
        return _totals(dict(zip(columns, cells, strict=True)), runtime)
    except (KeyError, ValueError) as error:
        raise _Damage(error, row.start()) from error


def _totals(cells: dict[str, str], runtime: float | None) -> dict[str, Any]:
    byte_count, io_count = measured.whole(cells["bytes"]), measured.whole(cells["I/Os"])
    iops = measured.decimal(cells["I/O per s"])
    rate = measured.decimal(cells["MiB/s"] if "MiB/s" in cells else cells["MB/s"])
    measured.refuse_other_rate("I/O per s", iops, io_count, runtime)
    measured.refuse_other_rate("MiB/s", rate, byte_count / (1 << 20), runtime)
    latency = measured.decimal(cells["AvgLat"]) if "AvgLat" in cells and io_count else None
    return {"rates": (byte_count, io_count, iops), "latency": latency}


def _distribution(body: str) -> Iterator[tuple[float, float]]:
    """That of all targets, after those of each; 2.0.17 has no other and no title."""
    found = _DISTRIBUTION.search(body)
    for name, printed in _PERCENTILE.findall(body, found.end()) if found else ():
        yield _percentile_ratio(name), float(printed)


def _percentile_ratio(name: str) -> float:
    if name in ("min", "max"):
        return float(name == "max")
    return int(name[:2]) / 100 if name.endswith("th") else float("0." + "9" * int(name[0]))


def _profiles(head: str) -> dict[int, Profile]:
    limit = _limit_of_command(head)
    return {
        int(match[1]): _profile(head[match.end() : end], limit)
        for match, end in _pieces(_SPAN, head)
    }


def _limit_of_command(head: str) -> str | None:
    """2.0 prints a limit nowhere else."""
    command = _word(r"Command Line: ([^\n]*)", head) or ""
    found = _LIMIT.search(command)
    return measured.limit(found[1], "IOPS" if found[2] else "B/ms") if found else None


def _profile(text: str, limit: str | None) -> Profile:
    head = _PATH.split(text, maxsplit=1)[0]
    all_random = "generating random data for each write" in head
    targets = [
        _target(match[1], text[match.end() : end], limit, all_random)
        for match, end in _pieces(_PATH, text)
    ]
    depth = _number(r"number of outstanding I/O operations per thread: (\d{1,9})\b", head)
    return Profile(
        duration_seconds=_number(r"duration: (\d{1,9})s", head),
        warmup_seconds=_number(r"warm up time: (\d{1,9})s", head),
        has_pool=bool(targets) and all(one.thread_count is None for one in targets),
        pool_depth=depth,
        targets=targets,
    )


def _target(path: str, text: str, limit: str | None, all_random: bool) -> Target:
    write, block = _write_percent(text), _bytes(_word(r"block size: (\S+)", text))
    random, spacing = _random(text)
    limited = _word(r"throughput rate-limited to (\d{1,12} \S+)", text)
    old_write_through = re.search(
        r"software and hardware (?:write )?cache disabled|using O_SYNC", text
    )
    buffers = "of random data" if all_random or "write buffer source: " in text else None
    return Target(
        path=path,
        block_bytes=block,
        write_percent=write,
        random_percent=random,
        depth=_number(r"number of outstanding I/O operations(?: per thread)?: (\d{1,9})\b", text),
        thread_count=_number(r"threads per file: (\d{1,9})\b", text),
        is_direct=_is_direct(text),
        engine=_engine(text),
        rate_limit=measured.limit(*limited.split()) if limited else limit,
        conditions=measured.conditions(
            write_percent=write,
            block_bytes=block,
            spacing_bytes=spacing,
            think_ms=_number(r"think time: (\d{1,9})ms", text),
            burst=_number(r"burst size: (\d{1,9})\b", text),
            has_remote_cache="local software cache disabled" in text,
            is_write_through="writethrough on" in text or bool(old_write_through),
            written="of zeros" if re.search("zeroing (?:write|I/O) buffers", text) else buffers,
            is_interlocked="interlocked sequential" in text,
            thread_stride=_bytes(_word(r"thread stride size: (\S+)", text)),
            first_byte=_bytes(_word(r"base file offset: (\S+)", text)),
            last_byte=_bytes(_word(r"max file size: (\S+)", text)),
            has_distribution="IO Distribution:" in text,
            priority=_word(r"IO priority: (very low|low)", text),
        ),
    )


def _write_percent(text: str) -> int | None:
    kind = _word(r"performing (read|write|mix) test", text)
    if kind != "mix":
        return {"read": 0, "write": 100}.get(kind or "")
    read = _number(r"\(read/write ratio: (\d{1,3})/\d", text)
    old = _number(r"\(write/read ratio: (\d{1,3})/100\)", text)  # to 2.0.15
    return old if read is None else 100 - read


def _random(text: str) -> tuple[int | None, int | None]:
    """The random share, and the bytes between offsets; 2.0.11 has a stride only, if not random."""
    spacing = _bytes(_word(r"\((?:alignment|stride|alignment/stride): ([^\s)]+)\)", text))
    if "using random I/O" in text:
        return 100, spacing
    if mixed := _number(r"using mixed random/sequential I/O \((\d{1,3})% random\)", text):
        return mixed, spacing
    old = _bytes(_word(r"^[ \t]*stride size: (\S+)", text))
    is_sequential = old is not None or "sequential I/O (stride" in text
    return (0 if is_sequential else None), spacing or old


def _is_direct(text: str) -> bool | None:
    """`local software cache disabled` leaves that of the file server."""
    if re.search(
        r"^[ \t]*(?:software (?:and hardware (?:write )?)?cache disabled|using O_DIRECT)",
        text,
        re.MULTILINE,
    ):
        return True
    cached = re.search(
        r"^[ \t]*(?:using software|local software cache|block device: )", text, re.MULTILINE
    )
    return False if cached else None


def _engine(text: str) -> str | None:
    words = {
        "memory mapped I/O enabled": measured.MAPPED,
        "using completion routines": measured.ROUTINES,
        "using I/O Completion Ports": measured.PORTS,
    }
    return next((engine for printed, engine in words.items() if printed in text), None)


def _common_size(rows: list[str]) -> int | None:
    sizes = {_bytes(row, is_exact=False) for row in rows}
    return sizes.pop() if len(sizes) == 1 else None


def _bytes(printed: str | None, is_exact: bool = True) -> int | None:
    """Of `8192` and `4KiB`; `1.46KiB` is rounded."""
    found = _SIZE.fullmatch(printed or "")
    if found is None or (is_exact and "." in found[1]):
        return None
    return round(float(found[1]) * (1 << _SHIFTS[found[2]]))


def _word(pattern: str, text: str) -> str | None:
    found = re.search(pattern, text, re.MULTILINE)
    return found[1] if found else None


def _number(pattern: str, text: str) -> int | None:
    found = _word(pattern, text)
    return None if found is None else int(found)
