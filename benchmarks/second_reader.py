"""Reads fio's results a second way: by fio's HOWTO with Python's own modules, no code of ingest.

`differences` compares these values with those of ingest in `raw` and of the models in `marts`.
Where they differ, one of the two is wrong.
"""

import bz2
import gzip
import io
import json
import lzma
import math
import os
import re
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb

WHAT = """\
`benchmarks/second_reader.py` reads the same files by fio's HOWTO with Python's own modules, no code
of ingest. Compared are IOPS, bytes per second, mean and p99 latencies of each job and direction,
the count and the sum of each log's samples, and the measurements that are one job.
"""
Json = dict[str, Any]
Values = tuple[float | None, ...]
"""IOPS, bytes per second, mean latency and 99th percentiles of lat and clat in microseconds; for a
log the number of its samples and their sum."""
_UNPACK: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.decompress,
    ".xz": lzma.decompress,
    ".bz2": bz2.decompress,
}
_TAR = re.compile(r"\.(?:tar|tgz|tar\.\w+)$")
_NO_RESULT = (".c", ".go", ".htm", ".html", ".ipynb", ".md", ".py", ".rst", ".sh")
_DOCUMENT = re.compile(r'\{\s*"fio version"')
_NO_NUMBER = re.compile(r"(?<=:) *-?(?:nan|inf)\b", re.IGNORECASE)
_LOG = re.compile(r".+_(?:bw|iops|lat|clat|slat)(?:\.\d+)?\.log")
_DECODER = json.JSONDecoder(strict=False)
_POSITION = re.compile(r"(?:line (\d+) )?jobs\[(\d+)(?:\.\.(\d+))?\] ")
_RAW = """
    with latencies as (
        select
            file_id, job_index, direction,
            max(latency_mean / if(latency_unit = 'ns', 1000, 1))
                filter (latency_kind = 'lat') as mean,
            max(p99) filter (latency_kind = 'lat') as lat_p99,
            max(p99) filter (latency_kind = 'clat') as clat_p99
        from raw.fio_latencies
        cross join lateral (
            select list_extract(percentile_latencies, list_position(percentiles, 99.0))
                / if(latency_unit = 'ns', 1000, 1) as p99
        )
        group by all
    )
    select
        path, document_line, document_job_index, direction, iops,
        coalesce(bw_bytes_per_second, bw_kib_per_second * 1024), mean, lat_p99, clat_p99
    from raw.sources
    inner join raw.fio_jobs using (file_id)
    inner join raw.fio_directions using (file_id, job_index)
    left join latencies using (file_id, job_index, direction)
    where is_current and direction != 'sync'
"""
_RAW_LOGS = """
    select path, count(value), coalesce(sum(value), 0)
    from raw.sources inner join raw.files using (file_id)
    left join raw.fio_log_samples using (file_id)
    where is_current and parser = 'fio_log' and path not like '%clat_hist%' group by path
"""
_MARTS = """
    select
        path, source_position, iops, bytes_per_second, latency_mean_us, latency_p99_us
    from marts.measurements inner join raw.sources using (file_id)
    where is_current and source_format = 'fio' and iops is not null
"""


def contents(folder: Path) -> Iterator[tuple[str, bytes]]:
    """All files below a folder and in its archives, without hidden files."""
    for top, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(top, name)
            if not name.startswith(".") and path.is_file():
                yield from _unpacked(f"{path.relative_to(folder.parent)}", path.read_bytes())


def _unpacked(place: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    suffix = Path(place).suffix
    if _TAR.search(place):
        with tarfile.open(fileobj=io.BytesIO(data)) as tar:
            for info in tar:
                if (file := tar.extractfile(info)) and "/." not in f"/{info.name[2:]}":
                    yield f"{place}/{info.name.removeprefix('./')}", file.read()
    elif suffix == ".zip":
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            for name in packed.namelist():
                if not name.endswith("/"):
                    yield f"{place}/{name}", packed.read(name)
    elif suffix in _UNPACK:
        yield f"{place}/{Path(place).stem}", _UNPACK[suffix](data)
    else:
        yield place, data


def documents(text: str) -> Iterator[tuple[int, Json]]:
    """fio's JSON documents with the lines in which they start; text around them is skipped."""
    at = 0
    while start := _DOCUMENT.search(text, at):
        try:
            document, at = _DECODER.raw_decode(text, start.start())
        except ValueError:
            at = start.end()
        else:
            yield text.count("\n", 0, start.start()) + 1, document


def results(document: Json) -> Iterator[tuple[int, str, Values]]:
    """The values of each job and direction that did I/O."""
    for index, job in enumerate(document.get("jobs") or document.get("client_stats") or ()):
        for direction in ("read", "write", "trim", "mixed"):
            found = job.get(direction) or {}
            if found.get("io_bytes") or found.get("total_ios"):
                yield index, direction, _values(found)


def _values(found: Json) -> Values:
    """Since 2.99 fio prints nanoseconds, and bytes beside KiB."""
    unit, divisor = ("_ns", 1000) if "clat_ns" in found else ("", 1)
    lat, clat = (found.get(f"{kind}{unit}", {}) for kind in ("lat", "clat"))
    p99s = (one.get("percentile", {}).get("99.000000") or None for one in (lat, clat))
    micros = (None if value is None else value / divisor for value in (lat.get("mean"), *p99s))
    return (found["iops"], found.get("bw_bytes", found["bw"] * 1024), *micros)


@dataclass
class Reading:
    """Values read from a folder, by place, line of the document, job and direction."""

    results: dict[tuple[str, int, int, str], Values] = field(default_factory=dict)
    logs: dict[tuple[str], Values] = field(default_factory=dict)


def read(folder: Path) -> Reading:
    found = Reading()
    for place, data in contents(folder):
        name = place.rpartition("/")[2]
        if _LOG.fullmatch(name):
            with suppress(ValueError, IndexError):  # a log with a broken line is left out
                samples = [int(line.split(b",")[1]) for line in data.splitlines()]
                found.logs[place,] = (len(samples), sum(samples))
        elif not name.endswith(_NO_RESULT) and b'"fio version"' in data:
            text = _NO_NUMBER.sub("null", data.decode("utf-8-sig", errors="replace"))
            for line, document in documents(text):
                for index, direction, values in results(document):
                    found.results[place, line, index, direction] = values
    return found


def differences(connection: duckdb.DuckDBPyConnection, folder: Path) -> tuple[Json, list[str]]:
    """Compare a folder's values; returns the counts of compared values and each difference."""
    second = read(folder)
    told: list[str] = []
    of_folder = f"and starts_with(path, '{folder.name}/')"
    raw = {tuple(row[:4]): row[4:] for row in connection.execute(f"{_RAW} {of_folder}").fetchall()}
    query = _RAW_LOGS.replace("group by", f"{of_folder} group by")
    logs = {(row[0],): row[1:] for row in connection.execute(query).fetchall()}
    told += [*_unlike("raw", second.results, raw), *_unlike("logs", second.logs, logs)]
    at_raw = len(told)
    compared = 0
    for path, position, *values in connection.execute(f"{_MARTS} {of_folder}").fetchall():
        wanted = _of_measurement(second, path, position)
        if wanted:
            compared += 1
            pairs = zip(wanted, values, strict=True)
            if not all(_is_like(*pair) for pair in pairs if None not in pair):
                told.append(f"marts {path} {position}: {wanted} != {values}")
    counts = {
        "files with results": len({key[0] for key in second.results}),
        "rows": len(second.results),
        "logs": len(second.logs),
        "samples": int(sum(count or 0 for count, _ in second.logs.values())),
        "differences in raw": at_raw,
        "measurements of one job": compared,
        "differences in marts": len(told) - at_raw,
    }
    return counts, told


def _of_measurement(second: Reading, path: str, position: str) -> Values | None:
    """Values of a one-job measurement: the sum of rates; latencies only of a single direction."""
    match = _POSITION.match(position)
    if not match or match[3]:
        return None
    place = (path, int(match[1] or 1), int(match[2]))
    found = [second.results.get((*place, one)) for one in ("read", "write", "trim", "mixed")]
    rows = [values for values in found if values]
    if len(rows) == 1:
        iops, rate, mean, lat_p99, clat_p99 = rows[0]
        return iops, rate, mean, clat_p99 if lat_p99 is None else lat_p99
    rates = [sum(values[at] or 0 for values in rows) for at in (0, 1)]
    return (*rates, None, None) if rows else None


def _unlike(what: str, wanted: dict[Any, Values], found: dict[Any, Values]) -> Iterator[str]:
    for key in {**wanted, **found}:
        one, other = wanted.get(key), found.get(key)
        if one is None or other is None:
            yield f"{what} {key}: only {'headroom' if one is None else 'the second reader'} has it"
        elif not all(_is_like(*pair) for pair in zip(one, other, strict=True)):
            yield f"{what} {key}: {one} != {other}"


def _is_like(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=1e-9)
