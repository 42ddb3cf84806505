"""DiskSpd's XML: the profile as XML, then a TimeSpan of results for each of its timespans.

It has no totals of bytes and I/Os: they are added up here, over all threads and targets.
"""

import re
from collections.abc import Iterator
from functools import partial
from itertools import zip_longest
from typing import Any
from xml.etree.ElementTree import Element, ParseError, XMLPullParser
from xml.parsers.expat import ErrorString

from ingest.parsers.diskspd import measured
from ingest.parsers.diskspd.measured import Damage, Fields, Measured, Profile, Target
from ingest.parsers.values import common

# Not only where a line begins: no newline follows `</Results>`, and results are appended.
START = r"<Results>\s*<System>\s*<ComputerName>"
_END = "</Results>"
# DiskSpd writes the names of targets and hosts without escaping.
_BARE_AMPERSAND = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});)")
_COUNTS = {
    "total": ("BytesCount", "IOCount"),
    "read": ("ReadBytes", "ReadCount"),
    "write": ("WriteBytes", "WriteCount"),
}
_NUMBERS = {
    "block_bytes": "BlockSize", "write_percent": "WriteRatio", "depth": "RequestCount",
    "thread_count": "ThreadsPerFile", "think_ms": "ThinkTime", "burst": "BurstSize",
    "thread_stride": "ThreadStride", "first_byte": "BaseFileOffset", "last_byte": "MaxFileSize",
}  # fmt: skip
_PATTERNS = {"zero": "of zeros", "random": "of random data"}
_PRIORITIES = {"1": "very low", "2": "low"}
_EMPTY = Element("TimeSpan")


def read(run: str, line: int) -> Iterator[Measured]:
    """The timespans of a document, which begins in this line of its file."""
    sections, damage = _sections(run.partition(_END)[0] + _END)
    profiles = [one for section in sections for one in section.findall("TimeSpans/TimeSpan")]
    results = [section for section in sections if section.tag == "TimeSpan"]
    system = next((section for section in sections if section.tag == "System"), _EMPTY)
    fields = {
        "tool_version": system.findtext("Tool/Version"),
        "measured_at_ms": measured.started_ms(system.findtext("RunTime") or ""),
    }
    pairs = zip_longest(profiles, results) if profiles or results else [(None, None)]
    for number, (profile, found) in enumerate(pairs, start=1):
        asked = _EMPTY if profile is None else profile
        yield measured.timespan(number, line, fields, partial(_fields, asked, found, damage))


def _sections(document: str) -> tuple[list[Element], ParseError | None]:
    """The whole sections of a document, and the error that ends it."""
    parser = XMLPullParser(["start", "end"])
    parser.feed(_BARE_AMPERSAND.sub("&amp;", document))
    whole: list[Element] = []
    depth = 0
    try:
        events: Iterator[Any] = parser.read_events()
        for event, element in events:
            depth += 1 if event == "start" else -1
            if event == "end" and depth == 1:
                whole.append(element)
    except ParseError as error:
        return whole, error
    return whole, None


def _fields(asked: Element, found: Element | None, damage: ParseError | None) -> Fields:
    if found is None and damage:
        reason = f"the file is cut off or damaged, {ErrorString(damage.code)}"
        raise Damage(f"has no results: {reason}", damage.position[0] - 1)
    if found is None:
        raise ValueError("has no results: the test was stopped before it")
    pairs = found.findall("Thread/Target")
    load = measured.load(_profile(asked), _whole(found, "ThreadCount"), len(pairs))
    if error := found.findtext("Error"):
        is_known = "interrupted before the measurements began" in error
        return load | {"fault": measured.INTERRUPTED if is_known else error[:200]}
    runtime = measured.decimal(found.findtext("TestTimeSeconds") or "")
    if not runtime:
        raise ValueError("has no TestTimeSeconds")
    totals = {name: _total(pairs, *tags, runtime) for name, tags in _COUNTS.items()}
    mean = measured.decimal(found.findtext("Latency/AverageTotalMilliseconds") or "N/A")
    usage = found.findtext("CpuUtilization/Average/UsagePercent")
    fields = (
        load
        | measured.rates(totals)
        | {
            "runtime_seconds": runtime,
            "file_size_bytes": common(_whole(pair, "FileSize") for pair in pairs),
            "cpu_ratio": measured.cpu_ratio(usage or ""),
            **measured.latencies(mean, _distribution(found)),
            "samples": [*_samples(found, load["block_bytes"])],
        }
    )
    return fields | {"fault": measured.fault_of(fields)}


def _total(
    pairs: list[Element], bytes_tag: str, count_tag: str, seconds: float
) -> tuple[int, int, float]:
    byte_count = sum(measured.whole(pair.findtext(bytes_tag) or "") for pair in pairs)
    io_count = sum(measured.whole(pair.findtext(count_tag) or "") for pair in pairs)
    return byte_count, io_count, io_count / seconds


def _distribution(found: Element) -> Iterator[tuple[float, float]]:
    for bucket in found.findall("Latency/Bucket"):
        percentile = float(bucket.findtext("Percentile") or "nan")
        total = measured.decimal(bucket.findtext("TotalMilliseconds") or "N/A")
        if 0 <= percentile <= 100 and total is not None:
            yield round(percentile / 100, 12), total


def _samples(found: Element, block_bytes: int | None) -> Iterator[dict[str, float]]:
    """Rates of the intervals, timed from the warm-up's end; the first one's end is their length."""
    interval = None
    for bucket in found.findall("Iops/Bucket"):
        end = measured.whole(bucket.get("SampleMillisecond", "")) / 1000
        interval = interval or end
        total, read, write = (
            float(measured.whole(bucket.get(name, ""))) for name in ("Total", "Read", "Write")
        )
        sample = {"elapsed_seconds": end, "interval_seconds": interval, "iops": total}
        if block_bytes:
            sample |= {
                "bytes_per_second": total * block_bytes,
                "read_bytes_per_second": read * block_bytes,
                "write_bytes_per_second": write * block_bytes,
            }
        yield sample


def _profile(profile: Element) -> Profile:
    pool = _whole(profile, "ThreadCount")
    engine = measured.ROUTINES if _is_on(profile, "CompletionRoutines") else measured.PORTS
    return Profile(
        duration_seconds=_whole(profile, "Duration"),
        warmup_seconds=_whole(profile, "Warmup"),
        has_pool=bool(pool),
        pool_depth=_whole(profile, "RequestCount"),
        targets=tuple(_target(it, engine, bool(pool)) for it in profile.findall("Targets/Target")),
    )


def _target(target: Element, engine: str, has_pool: bool) -> Target:
    random, spacing = _whole(target, "RandomRatio"), _whole(target, "Random")
    waits = _whole(target, "RequestCount") == 1 and not has_pool
    is_uncached = _is_on(target, "DisableAllCache")
    limit = target.find("Throughput")
    count = 0 if limit is None else measured.whole(limit.text or "")
    unit = "B/ms" if limit is None else limit.get("unit") or "B/ms"
    return Target(
        **{name: _whole(target, tag) for name, tag in _NUMBERS.items()},
        path=target.findtext("Path"),
        random_percent=0 if spacing is None else 100 if random is None else random,
        is_direct=is_uncached or _is_on(target, "DisableOSCache"),
        engine=measured.MAPPED if _is_on(target, "MemoryMappedIo") else None if waits else engine,
        rate_limit=measured.LIMIT.format(count, unit) if count else None,
        has_remote_cache=_is_on(target, "DisableLocalCache"),
        is_write_through=is_uncached or _is_on(target, "WriteThrough"),
        written=_PATTERNS.get(target.findtext("WriteBufferContent/Pattern") or ""),
        is_interlocked=_is_on(target, "InterlockedSequential"),
        spacing_bytes=_whole(target, "StrideSize") if spacing is None else spacing,
        has_distribution=target.find("Distribution") is not None,
        priority=_PRIORITIES.get(target.findtext("IOPriority") or ""),
    )


def _is_on(target: Element, tag: str) -> bool:
    return target.findtext(tag) == "true"


def _whole(element: Element, tag: str) -> int | None:
    found = element.findtext(tag)
    return None if found is None else measured.whole(found)
