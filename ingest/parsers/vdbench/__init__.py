"""vdbench: `flatfile.html`, as written or exported as CSV, `summary.html`, `totals.html` and
`logfile.html`.

A run definition at one I/O rate is a result: its `avg_N-M` line, the mean of the intervals without
the warm-up, which vdbench leaves out itself. These intervals are its samples. Columns are found by
name; names differ by version (Flat.java, Report.java, FwdStats.java). A flat file has the load but
no date before 5.04.05; the pages have the date, and only the load that their "For loops" name. All
of them print the same run: the flat file takes precedence. Megabytes are 2^20 bytes, times are in
milliseconds, `lunsize` is in units of 2^30 bytes. `threads` are those of each device
(RD_entry.java), and no file says how many devices there are: see `_devices_are_one`.

`rate` is the I/O rate of raw devices and files (`sd=`, `wd=`). Of file systems (`fsd=`, `fwd=`) it
is the rate of the operations that the run asks for, mkdir and getattr as well as reads from the
page cache, so it is no IOPS.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ingest.common.errors import InputError
from ingest.parsers import generic
from ingest.parsers.generic import Result, Sample
from ingest.parsers.values import time_ms
from ingest.parsers.vdbench import runs
from ingest.parsers.vdbench.runs import Row, Run, TornRun, number

NAME = "vdbench"
VERSION = 6
TABLES = generic.TABLES

matches = runs.is_result
_NO_AVERAGE = "has no line avg_N-M: vdbench ended early, or the file is truncated"
_OTHER_PAGE = re.compile(
    r"\A\s{0,9}<title>Vdbench [^\n<]{0,300}</title>|^:vdbench\d{1,9}_\w{1,99}_for_swat"
    r"|\A\s{0,9}<pre>[\s*]{0,9}(?:\S{1,99} ){0,3}(?:vdbench|report|histogram|parameter file)\b",
    re.MULTILINE | re.IGNORECASE,
)
_SLACK = 1.25


def is_other_page(head: str) -> bool:
    """Whether it is another page of vdbench, which repeats part of a run or has no result."""
    return not matches(head) and _OTHER_PAGE.search(head) is not None


def parse(path: Path, data: bytes) -> dict[str, list[tuple[Any, ...]]]:
    """The averages of each run definition and rate, and their intervals.

    Raises:
        InputError: the file has no average.
    """
    precedence, every = runs.read(path, data)
    found = [run for run in every if isinstance(run, Run)]
    if not found:
        raise InputError(path, _NO_AVERAGE, every[-1].line if every else None)
    one_device = _devices_are_one(found)
    for run in found:
        if run.average.get("lunsize") not in one_device:
            run.average.pop("threads", None)
    results = [_result(run, precedence) for run in found]
    results += [_torn(run) for run in every if isinstance(run, TornRun)]
    return generic.rows(results, (one for at, run in enumerate(found) for one in _samples(at, run)))


def _devices_are_one(found: list[Run]) -> set[str | None]:
    """The `lunsize` of one device: without a rate limit, no more I/Os wait than it has threads.

    Two devices keep twice `threads` waiting. With a limit, fewer wait on any number of devices.
    """
    fits: dict[str | None, bool] = {}
    for run in found:
        row, size = run.average, run.average.get("lunsize")
        waiting = (number(row, "rate") or 0) * (number(row, "resp", 0.001) or 0)
        threads, limit = number(row, "threads"), number(row, "reqrate")
        if waiting and threads and limit:
            is_one = waiting <= _SLACK * threads
            if limit >= runs.UNLIMITED or not is_one:
                fits[size] = fits.get(size, True) and is_one
    return {size for size, is_one in fits.items() if is_one}


def _result(run: Run, precedence: int) -> Result:
    row, seconds = run.average, run.interval_seconds
    is_of_files, used = "Read_rate" in row, number(row, "cpu_used", 0.01)
    rate = number(row, "rate", digits=1 if is_of_files else 2)  # as pages print it
    user, kernel = number(row, "cpu_user", 0.01), number(row, "cpu_kernel", 0.01)
    return Result(
        position=f"line {run.line} rd={row['Run']}",
        tool_name="vdbench",
        tool_version=_given(row, "version"),
        measured_at_ms=_measured_at_ms(row),
        run_key=None if rate is None else f"{row['Run']} {row['Interval']} {rate:.3g}",
        precedence=precedence,
        block_bytes=_whole(number(row, "xfersize")) or None,
        ramp_seconds=seconds and seconds * (run.first - 1),
        runtime_seconds=seconds and seconds * (run.last - run.first + 1),
        # cpu_used of 5.04.05 and 5.04.06 lacks the kernel (Report.java).
        cpu_ratio=round(used + kernel, 6) if used and kernel and used == user else used,
        **_throughput(row),
        **(_of_files if is_of_files else _of_devices)(row),
    )


def _torn(run: TornRun) -> Result:
    """A placeholder for a run without its average; other runs of the file are kept."""
    return Result(
        position=f"line {run.line} rd={run.name}",
        tool_name="vdbench",
        fault=f"line {run.line}: rd={run.name} {_NO_AVERAGE}",
    )


def _of_devices(row: Row) -> dict[str, Any]:
    threads, read_ratio = _whole(number(row, "threads")), number(row, "rdpct", 0.01)
    return {
        "random_ratio": _share(number(row, "seekpct", 0.01)),
        "read_ratio": _share(number(row, "read%", 0.01, 2) if read_ratio is None else read_ratio),
        "outstanding_io_count": threads,
        "worker_count": threads,
        "file_size_bytes": _whole(number(row, "lunsize", 2**30)),
        "file_count": 1,  # lunsize is the sum of all
        "rate_limit": _rate_limit(row, "IOPS"),
        "condition": _condition(row),
        "latency_mean_us": number(row, "resp", 1000) or None,
        "latency_max_us": number(row, "resp_max", 1000) or None,
        **_by_direction("iops", number(row, "rate"), number(row, "read%", 0.01)),
    }


def _of_files(row: Row) -> dict[str, Any]:
    """The mean latency is of all operations, so it is used only if all of them transfer data."""
    rate, reads = number(row, "rate") or 0.0, number(row, "Read_rate") or 0.0
    transfers = reads + (number(row, "Write_rate") or 0.0)
    is_all = transfers > 0 and abs(rate - transfers) <= 0.001 * transfers
    return {
        "read_ratio": round(reads / transfers, 2) if transfers else None,
        "rate_limit": _rate_limit(row, "operations per second"),
        "condition": _condition(row, "file system workload"),
        "latency_mean_us": (number(row, "resp", 1000) or None) if is_all else None,
        "fault": None if transfers else "only operations that transfer no data",
        "note": f"{row['rate']} operations per second",
    }


def _rate_limit(row: Row, unit: str) -> str | None:
    rate = number(row, "reqrate")
    return f"{rate:g} {unit}" if rate is not None and rate < runs.UNLIMITED else None


def _given(row: Row, name: str) -> str | None:
    text = row.get(name)
    return None if text == "n/a" else text


def _throughput(row: Row) -> dict[str, Any]:
    """Of all I/Os; of reads and writes if printed, or if all have one size: `read%` counts I/Os."""
    whole, reads = number(row, "MB/sec", 2**20), number(row, "read%", 0.01)
    if _given(row, "MB_read") is None:
        has_one_size = number(row, "xfersize") is not None
        return _by_direction("bytes_per_second", whole, reads if has_one_size else None)
    return {
        "bytes_per_second": whole,
        "read_bytes_per_second": number(row, "MB_read", 2**20),
        "write_bytes_per_second": number(row, "MB_write", 2**20),
    }


def _by_direction(name: str, rate: float | None, reads: float | None) -> dict[str, Any]:
    """A rate, and those of reads and writes if their share is known."""
    if rate is None or reads is None:
        return {name: rate}
    return {name: rate, f"read_{name}": rate * reads, f"write_{name}": rate * (1 - reads)}


def _condition(row: Row, *kind: str) -> str | None:
    """Other differences of the load from reads and writes of the medium."""
    hits = ((name, number(row, column)) for name, column in (("read", "rhpct"), ("write", "whpct")))
    created = ["files are created"] if row["Run"].startswith(("SD_format", "format_for_")) else []
    parts = [*kind, *created, *(f"{share:g} % {name} hits" for name, share in hits if share)]
    ratios = {"compression": number(row, "compratio"), "dedup": number(row, "dedupratio")}
    parts += [f"{name} ratio {ratio:g}" for name, ratio in ratios.items() if ratio and ratio != 1]
    return ", ".join(parts) or None


def _samples(index: int, run: Run) -> Iterator[Sample]:
    if not (seconds := run.interval_seconds):
        return
    for row in run.intervals:
        yield Sample(
            result_index=index,
            elapsed_seconds=(int(row["Interval"]) - run.first + 1) * seconds,
            interval_seconds=seconds,
            iops=None if "Read_rate" in row else number(row, "rate"),
            **_throughput(row),
        )


def _measured_at_ms(row: Row) -> int | None:
    """From a time stamp (07/02/2018-15:27:40-MDT) or a page's date and time; local time."""
    stamp = re.match(r"(\d\d/\d\d/\d{4})-(\d\d:\d\d:\d\d)", row.get("timestamp", ""))
    text = f"{stamp[1]} {stamp[2]}" if stamp else f"{row.get('date')} {row.get('tod', '')[:8]}"
    start_ms = time_ms(text, "%m/%d/%Y %H:%M:%S", "%b %d, %Y %H:%M:%S")
    return None if start_ms is None else start_ms + 86_400_000 * int(row.get("days", 0))


def _share(value: float | None) -> float | None:
    """seekpct=-1 is also sequential (seekpct=eof)."""
    if value is None or value > 1:
        return None
    return max(0.0, value)


def _whole(value: float | None) -> int | None:
    return None if value is None else round(value)
