"""Makes a result of what fio printed of a job."""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import TypeVar

from ingest.parsers.fio_text.lines import Entry, Header, Part, Run
from ingest.parsers.generic import Result

_ONE_IO = (
    "sync", "psync", "vsync", "pvsync", "pvsync2", "mmap", "splice", "falloc", "ftruncate",
    "e4defrag", "filecreate", "filestat", "filedelete", "libpmem", "dev-dax", "mtd",
)  # fmt: skip
"""Engines with one I/O in flight, whatever iodepth says."""
_ALL_CLIENTS = "All clients"
_LAST_BIN_US = 16_600_000
_BIN_WIDTH = 1 + 1 / 64
_USED = {"read": (0,), "write": (1,), "trim": (2,), "rw": (0, 1), "trimwrite": (1, 2)}
_SIZE = re.compile(r"(\d{1,15})(\.\d{1,9})?([kKMGTPE]?)(i?)(B?)")
_MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec"
_TIME = re.compile(r"\w{3} ([A-Z][a-z]{2}) +(\d{1,2}) (\d\d):(\d\d):(\d\d) (\d{4})")
_ROUNDED = "rounded to the printed digits"
_COUNTED = "rates of the I/Os issued: fio 2.17 to 2.19 prints remainders instead of decimals"
_WITH_REMAINDERS = ("2.17", "2.18", "2.19")  # a printed rate may be off by 9 %
_T = TypeVar("_T")
_N = TypeVar("_N", int, float)


class _Known:
    """A run's settings, by what its results are called."""

    def __init__(self, run: Run) -> None:
        self.named: dict[tuple[str, int], list[Header]] = {}
        self.of_group: dict[int, list[Header]] = {}
        for header in run.headers:
            self.named.setdefault((header.name, header.group), []).append(header)
            self.of_group.setdefault(header.group, []).append(header)
        self.first = run.headers[:1]
        self.names: dict[int, set[str]] = {}
        for entry in (entry for printed in run.prints for entry in printed):
            self.names.setdefault(entry.group, set()).add(entry.name)

    def of_name(self, entry: Entry) -> list[Header]:
        """A prompt, or a line without its end, may stand before the first."""
        found = self.named.get((entry.name, entry.group))
        return found or [
            one for one in self.first if one.group == entry.group and one.name.endswith(entry.name)
        ]

    def of(self, entry: Entry) -> list[Header]:
        """Of all jobs of its group if it is the group's only name, with group_reporting."""
        of_group = self.of_group.get(entry.group, [])
        is_alone = len(self.names[entry.group]) == 1
        is_merged = is_alone and (entry.member_count or 1) >= len(of_group) > 1
        return of_group if is_merged else self.of_name(entry)


def results(run: Run) -> Iterator[Result]:
    """A result for each job, its processes together, and for each job that printed none. Of the
    prints of one run the last counts: its settings stand before all of them, and no process has
    done fewer I/Os than before."""
    known = _Known(run)
    found: dict[tuple[str, int, str], list[list[Entry]]] = {}
    for printed in run.prints:
        earlier = set(found)
        for members in _jobs(known, printed):
            key = (members[0].name, members[0].group, members[0].pid)
            is_again = key in earlier and known.of_name(members[0])
            if key in found and not (is_again and _goes_on(found[key][-1], members)):
                key = (*key[:2], f"{key[2]} line {members[0].line}")
            found.setdefault(key, []).append(members)
    is_alone = all(name == _ALL_CLIENTS for name, _, _ in found)
    for (name, _, _), prints in found.items():
        if is_alone or name != _ALL_CLIENTS:
            yield _result(run, prints[-1], known.of(prints[-1][0]), len(prints))
    told = {id(one) for prints in found.values() for one in known.of(prints[-1][0])}
    yield from (_without_result(run, header) for header in run.headers if id(header) not in told)


def _goes_on(before: list[Entry], after: list[Entry]) -> bool:
    counts = [_issued([part for one in jobs for part in one.parts]) for jobs in (before, after)]
    earlier, later = counts
    return earlier is not None and later is not None and earlier <= later


def _jobs(known: _Known, printed: list[Entry]) -> Iterable[list[Entry]]:
    """The entries of each job; without group_reporting each of its processes has one. Without
    settings those that ended in the same second are one job."""
    jobs: dict[tuple[object, ...], list[Entry]] = {}
    for entry in printed:
        headers = known.of_name(entry)
        is_process = entry.member_count == 1 and len(set(map(_settings, headers))) <= 1
        place = entry.line if not is_process else entry.ended if not headers else None
        jobs.setdefault((entry.name, entry.group, place), []).append(entry)
    return jobs.values()


def _settings(header: Header) -> tuple[str, str, str, int]:
    return header.rw, header.sizes, header.engine, header.depth


def _without_result(run: Run, header: Header) -> Result:
    said = f"; fio says {run.trouble[:200]!r}" if run.trouble else ""
    return Result(
        position=_position(header),
        tool_name="fio",
        tool_version=run.version,
        job_name=header.name,
        random_ratio=_random_ratio(header),
        block_bytes=_block_bytes(header),
        io_engine=header.engine,
        fault=f"fio printed no result of it: it did no I/O, or the text is incomplete{said}",
    )


def _result(run: Run, members: list[Entry], headers: list[Header], print_count: int) -> Result:
    rw = _common(one.rw for one in headers)
    parts, is_verified = _load(members, rw)
    workers = _sum(_whole(entry.member_count for entry in members))
    engine = _common(one.engine for one in headers)
    depth = 1 if engine in _ONE_IO else _common(one.depth for one in headers)
    latencies = [_total_latency(part) for part in parts]
    percentiles = _percentiles(members, parts)
    block_bytes = _common(map(_block_bytes, headers))
    iops, bandwidth = _rates(parts, "iops"), _rates(parts, "bytes_per_second")
    if _has_remainders(run):
        iops = _counted_iops(parts)
        bandwidth = {name: _product(rate, block_bytes) for name, rate in iops.items()}
    conditions = [
        "several jobs reported as one" if len(set(map(_settings, headers))) > 1 else "",
        "trims" if any(part.direction == "trim" for part in parts) else "",
        "verify reads left out" if is_verified else "",
        *(entry.condition for entry in members),
    ]
    times = [part.runtime_ms for part in parts]
    return Result(
        position=_position(members[0]),
        tool_name="fio",
        tool_version=run.version,
        job_name=headers[0].name if headers else members[0].name,
        measured_at_ms=_time_ms(members[-1].ended),
        random_ratio=_common(map(_random_ratio, headers)),
        read_ratio=_read_ratio(parts),
        block_bytes=block_bytes,
        outstanding_io_count=depth * workers if depth and workers else None,
        worker_count=workers,
        io_engine=engine,
        condition="; ".join(filter(None, conditions)) or None,
        runtime_seconds=max(times) / 1000 if times else None,
        iops=_sum(filter(None, iops.values())),
        read_iops=iops.get("read"),
        write_iops=iops.get("write"),
        bytes_per_second=_sum(filter(None, bandwidth.values())),
        read_bytes_per_second=bandwidth.get("read"),
        write_bytes_per_second=bandwidth.get("write"),
        latency_mean_us=_mean([one[2] for one in latencies], parts),
        latency_min_us=min(_whole(one[0] for one in latencies), default=None),
        latency_max_us=max(_whole(one[1] for one in latencies), default=None),
        percentile_ratios=list(percentiles) or None,
        percentile_latencies_us=list(percentiles.values()) or None,
        io_count=_issued(parts),
        error_count=_sum(_whole(entry.error_count for entry in members)),
        cpu_ratio=_cpu_ratio(members),
        is_rounded=not _has_remainders(run),
        fault="; ".join(dict.fromkeys(_faults(members))) or None,
        note="; ".join(_notes(run, members, times, print_count)),
    )


def _faults(members: list[Entry]) -> Iterator[str]:
    yield from (fault for entry in members for fault in entry.faults)
    if not all(entry.parts for entry in members):
        yield "fio printed no rate of it"
    if not all(entry.is_whole for entry in members):
        yield "ends before its line 'issued': cut off"


def _position(one: Entry | Header) -> str:
    return f"line {one.line} {one.name} group={one.group}"


def _notes(run: Run, members: list[Entry], times: list[int], print_count: int) -> Iterator[str]:
    yield _COUNTED if _has_remainders(run) else _ROUNDED
    if print_count > 1:
        yield f"the last of {print_count} prints of the run"
    if times and min(times) < 0.9 * max(times):
        yield f"its parts ran for {min(times) / 1000:g} to {max(times) / 1000:g} s"
    yield from (note for entry in members for note in entry.notes)


def _load(members: list[Entry], rw: str | None) -> tuple[list[Part], bool]:
    """The parts that are the load, and whether others verify it. With unified_rw_reporting=both
    'mixed' is once more what reads and writes are."""
    parts = [part for entry in members for part in entry.parts]
    pure = [part for part in parts if part.direction != "mixed"] or parts
    is_writer = rw in ("write", "randwrite")
    load = [part for part in pure if not (is_writer and part.direction == "read")]
    return (load, len(load) < len(pure)) if load else (pure, False)


def _rates(parts: list[Part], name: str) -> dict[str, float | None]:
    """By direction: what all processes did, over the longest time of one. fio cuts off what is
    below one I/O a second: 0 is none."""
    found: dict[str, float | None] = {}
    for direction in dict.fromkeys(part.direction for part in parts):
        own = [part for part in parts if part.direction == direction]
        longest = max(part.runtime_ms for part in own) or 1
        rates = [getattr(part, name) * (part.runtime_ms / longest) for part in own]
        found[direction] = _clean(sum(rates)) or None
    return found


def _has_remainders(run: Run) -> bool:
    return bool(run.headers) and (run.version or "").startswith(_WITH_REMAINDERS)


def _counted_iops(parts: list[Part]) -> dict[str, float | None]:
    found: dict[str, float | None] = {}
    for direction in dict.fromkeys(part.direction for part in parts):
        own = [part for part in parts if part.direction == direction]
        seconds = max(part.runtime_ms for part in own) / 1000
        counts = _whole(part.io_count for part in own)
        found[direction] = sum(counts) / seconds if counts and seconds else None
    return found


def _product(rate: float | None, block_bytes: int | None) -> float | None:
    return None if rate is None or block_bytes is None else rate * block_bytes


def _total_latency(part: Part) -> list[float | None]:
    """The least, greatest and mean; completion is the whole if there is no submission before."""
    clat = None if "slat" in part.latencies else part.latencies.get("clat")
    return part.latencies.get("lat") or clat or [None, None, None]


def _mean(means: list[float | None], parts: list[Part]) -> float | None:
    """Weighted by I/Os."""
    known, counts = _whole(means), _whole(part.io_count for part in parts)
    if len(parts) == 1 or not known or not sum(counts):
        return means[0] if len(parts) == 1 else None
    weighted = sum(mean * count for mean, count in zip(known, counts, strict=True))
    return _clean(weighted / sum(counts))


def _percentiles(members: list[Entry], parts: list[Part]) -> dict[float, float]:
    """Those of one part; of several none follow, unless fio printed those of their mix. Total
    latency goes before completion."""
    mixed = [part for part in members[0].parts if part.direction == "mixed"]
    whole = mixed if len(members) == 1 and mixed else parts
    if len(whole) != 1:
        return {}
    (part,) = whole
    kind = "lat" if "lat" in part.percentiles else "clat"
    limit = _limit_us([part.latencies[one] for one in (kind, "lat") if one in part.latencies])
    return {rank: us for rank, us in part.percentiles.get(kind, {}).items() if us <= limit}


def _limit_us(latencies: list[list[float | None]]) -> float:
    """A percentile above the greatest I/O, but for its bin's width, or in the last bin, which has
    no end, is none. Nor is any where completion took longer than the whole: its clock was wrong."""
    means = _whole(one[2] for one in latencies)
    if means and means[0] > 1.01 * means[-1]:
        return -1
    highs = [one[1] * _BIN_WIDTH + 1 for one in latencies if one[1] is not None]
    return min([*highs, _LAST_BIN_US])


def _issued(parts: list[Part]) -> int | None:
    return _sum(_whole(part.io_count for part in parts))


def _read_ratio(parts: list[Part]) -> float | None:
    """Of the I/Os issued: fio does not print rwmixread."""
    directions = {part.direction for part in parts}
    if len(directions) == 1:
        return {"read": 1.0, "write": 0.0}.get(parts[0].direction)
    reads = _issued([part for part in parts if part.direction == "read"])
    total = _issued(parts)
    if directions != {"read", "write"} or reads is None or not total:
        return None
    ratio = round(reads / total, 2)
    return ratio if 0 < ratio < 1 else None


def _cpu_ratio(members: list[Entry]) -> float | None:
    """Of a process's time; of several processes, which ran at once, the mean."""
    shares = _whole(entry.cpu_ratio for entry in members)
    return _clean(sum(shares) / len(shares)) if shares else None


def _random_ratio(header: Header) -> float | None:
    return float(header.rw.startswith("rand")) if _used(header) else None


def _used(header: Header) -> tuple[int, ...]:
    rw = header.rw.removeprefix("rand").replace("readwrite", "rw")
    return _USED.get(rw, ())


def _block_bytes(header: Header) -> int | None:
    """The one size of the directions in use. With bs_is_seq_rand sizes are of sequential and random
    I/Os."""
    pairs = re.findall(r"([\d.]+[A-Za-z]*)-([\d.]+[A-Za-z]*)", header.sizes)
    used = [pairs[place] for place in _used(header) if place < len(pairs)]
    sizes = {size for pair in used for size in pair}
    is_one = len(sizes) == 1 and len(used) == len(_used(header))
    return _size(sizes.pop()) if is_one and "bs_is_seq_rand" not in header.sizes else None


def _size(text: str) -> int | None:
    """Up to 2.16 `4K`, exactly; since then four digits: with decimals a size is rounded, unless it
    is whole sectors."""
    found = _SIZE.fullmatch(text)
    if not found:
        return None
    digits, decimals, prefix, is_binary, unit = found.groups("")
    base = 1024 if is_binary or not unit else 1000
    size = float(digits + decimals) * base ** " KMGTPE".index(prefix.upper() or " ")
    is_exact = size == int(size) and (not decimals or size % 512 == 0)
    return int(size) if is_exact and size < 1 << 60 else None


def _time_ms(text: str | None) -> int | None:
    """When fio printed it, at its end."""
    found = _TIME.fullmatch((text or "").strip())
    if not found or found[1] not in _MONTHS:
        return None
    day, hour, minute, second, year = map(int, found.groups()[1:])
    try:
        time = datetime(
            year, _MONTHS.index(found[1]) // 3 + 1, day, hour, minute, second, tzinfo=UTC
        )
    except ValueError:
        return None
    return int(time.timestamp()) * 1000


def _common(values: Iterable[_T]) -> _T | None:
    found = set(values)
    return found.pop() if len(found) == 1 else None


def _clean(number: float) -> float:
    """Without the last bits of sums and products."""
    return float(f"{number:.12g}")


def _whole(values: Iterable[_T | None]) -> list[_T]:
    """The values, or none if one is not reported."""
    every = list(values)
    known = [value for value in every if value is not None]
    return known if len(known) == len(every) else []


def _sum(values: Iterable[_N]) -> _N | None:
    known = list(values)
    return sum(known[1:], known[0]) if known else None
