"""vdbench: `flatfile.html`, as it is or exported as CSV, `summary.html`, `totals.html` and
`logfile.html`.

A run definition at one I/O rate is a result: its `avg_N-M` line, the mean of the intervals without
the warm-up, which vdbench leaves out itself. These intervals are its samples. Columns go by their
names, which differ by version (Flat.java, Report.java, FwdStats.java). A flat file has the load but
no date before 5.04.05; the pages have the date, and of the load what their "For loops" name. All
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
from ingest.parsers.vdbench.runs import Row, Run

NAME = "vdbench"
VERSION = 2
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
    """Whether it is of vdbench's output and repeats a run in part, or has no result."""
    return not matches(head) and _OTHER_PAGE.search(head) is not None


def parse(path: Path, data: bytes) -> dict[str, list[tuple[Any, ...]]]:
    """The averages of each run definition and rate, and their intervals.

    Raises:
        InputError: the file has no average.
    """
    precedence, found = runs.read(path, data)
    if not found:
        raise InputError(path, _NO_AVERAGE)
    one_device = _devices_are_one(found)
    for run in found:
        if run.average.get("lunsize") not in one_device:
            run.average.pop("threads", None)
    results = [_result(run, precedence) for run in found]
    return generic.rows(results, (one for at, run in enumerate(found) for one in _samples(at, run)))


def _devices_are_one(found: list[Run]) -> set[str | None]:
    """The `lunsize` of one device: without a rate limit, no more I/Os wait than it has threads.

    Two devices keep twice `threads` waiting. With a limit, fewer wait on any number of devices.
    """
    fits: dict[str | None, bool] = {}
    for run in found:
        number, size = _Numbers(run.average), run.average.get("lunsize")
        waiting = _product(number("rate"), number("resp", 0.001))
        threads, limit = number("threads"), number("reqrate")
        if waiting and threads and limit:
            is_one = waiting <= _SLACK * threads
            if limit >= runs.UNLIMITED or not is_one:
                fits[size] = fits.get(size, True) and is_one
    return {size for size, is_one in fits.items() if is_one}


def _result(run: Run, precedence: int) -> Result:
    row, seconds, number = run.average, run.interval_seconds, _Numbers(run.average)
    is_of_files, used = "Read_rate" in row, number("cpu_used", 0.01)
    rate = number("rate", digits=1 if is_of_files else 2)  # as pages print it
    user, kernel = number("cpu_user", 0.01), number("cpu_kernel", 0.01)
    throughput, read_throughput, write_throughput = _throughput(number)
    return Result(
        position=f"line {run.line} rd={row['Run']}",
        tool_name="vdbench",
        tool_version=row.get("version") if number.is_given("version") else None,
        measured_at_ms=_measured_at_ms(row),
        run_key=None if rate is None else f"{row['Run']} {row['Interval']} {rate:.3g}",
        precedence=precedence,
        block_bytes=_whole(number("xfersize")) or None,
        ramp_seconds=seconds and seconds * (run.first - 1),
        runtime_seconds=seconds and seconds * (run.last - run.first + 1),
        bytes_per_second=throughput,
        read_bytes_per_second=read_throughput,
        write_bytes_per_second=write_throughput,
        # cpu_used of 5.04.05 and 5.04.06 lacks the kernel (Report.java).
        cpu_ratio=round(used + kernel, 6) if used and kernel and used == user else used,
        **(_of_files if is_of_files else _of_devices)(row, number),
    )


def _of_devices(row: Row, number: "_Numbers") -> dict[str, Any]:
    threads = _whole(number("threads"))
    iops, read_ratio = number("rate"), number("rdpct", 0.01)
    observed = number("read%", 0.01)
    return {
        "random_ratio": _share(number("seekpct", 0.01)),
        "read_ratio": _share(number("read%", 0.01, 2) if read_ratio is None else read_ratio),
        "outstanding_io_count": threads,
        "worker_count": threads,
        "file_size_bytes": _whole(number("lunsize", 2**30)),
        "file_count": 1,  # lunsize is the sum of all
        "rate_limit": _rate_limit(number, "IOPS"),
        "condition": _condition(row, number),
        "iops": iops,
        "read_iops": _product(iops, observed),
        "write_iops": _product(iops, _rest(observed)),
        "latency_mean_us": number("resp", 1000) or None,
        "latency_max_us": number("resp_max", 1000) or None,
    }


def _of_files(row: Row, number: "_Numbers") -> dict[str, Any]:
    """The mean latency is of all operations, so it is taken if all transfer data."""
    rate, reads = number("rate") or 0.0, number("Read_rate") or 0.0
    transfers = reads + (number("Write_rate") or 0.0)
    is_all = transfers > 0 and abs(rate - transfers) <= 0.001 * transfers
    return {
        "read_ratio": round(reads / transfers, 2) if transfers else None,
        "rate_limit": _rate_limit(number, "operations per second"),
        "condition": _condition(row, number, "file system workload"),
        "latency_mean_us": (number("resp", 1000) or None) if is_all else None,
        "fault": None if transfers else "only operations that transfer no data",
        "note": f"{row['rate']} operations per second",
    }


def _rate_limit(number: "_Numbers", unit: str) -> str | None:
    rate = number("reqrate")
    return f"{rate:g} {unit}" if rate is not None and rate < runs.UNLIMITED else None


class _Numbers:
    """Numbers of a row by column, in other units; None for n/a and for a column it lacks."""

    def __init__(self, row: Row) -> None:
        self._row = row

    def is_given(self, name: str) -> bool:
        return self._row.get(name, "n/a") != "n/a"

    def __call__(self, name: str, factor: float = 1, digits: int = 6) -> float | None:
        text, sign = self._row.get(name, ""), "-?" if name == "seekpct" else ""
        if not re.fullmatch(sign + r"\d{1,15}(?:\.\d{1,9})?", text):
            return None
        return round(float(text) * factor, digits)


def _throughput(number: _Numbers) -> tuple[float | None, float | None, float | None]:
    """Of all I/Os, reads and writes; of these two if they have one size: `read%` counts I/Os."""
    if number.is_given("MB_read"):
        return number("MB/sec", 2**20), number("MB_read", 2**20), number("MB_write", 2**20)
    whole, reads = number("MB/sec", 2**20), number("read%", 0.01)
    if number("xfersize") is None:
        reads = None
    return whole, _product(whole, reads), _product(whole, _rest(reads))


def _condition(row: Row, number: _Numbers, *kind: str) -> str | None:
    """What else sets the load apart from reads and writes of the medium."""
    hits = ((name, number(column)) for name, column in (("read", "rhpct"), ("write", "whpct")))
    created = ["files are created"] if row["Run"].startswith(("SD_format", "format_for_")) else []
    parts = [*kind, *created, *(f"{share:g} % {name} hits" for name, share in hits if share)]
    ratios = {"compression": number("compratio"), "dedup": number("dedupratio")}
    parts += [f"{name} ratio {ratio:g}" for name, ratio in ratios.items() if ratio and ratio != 1]
    return ", ".join(parts) or None


def _samples(index: int, run: Run) -> Iterator[Sample]:
    if not (seconds := run.interval_seconds):
        return
    for row in run.intervals:
        number = _Numbers(row)
        throughput, read_throughput, write_throughput = _throughput(number)
        yield Sample(
            result_index=index,
            elapsed_seconds=(int(row["Interval"]) - run.first + 1) * seconds,
            interval_seconds=seconds,
            iops=None if "Read_rate" in row else number("rate"),
            bytes_per_second=throughput,
            read_bytes_per_second=read_throughput,
            write_bytes_per_second=write_throughput,
        )


def _measured_at_ms(row: Row) -> int | None:
    """Of a time stamp (07/02/2018-15:27:40-MDT) or a page's date and time; local time."""
    stamp = re.match(r"(\d\d/\d\d/\d{4})-(\d\d:\d\d:\d\d)", row.get("timestamp", ""))
    text = f"{stamp[1]} {stamp[2]}" if stamp else f"{row.get('date')} {row.get('tod', '')[:8]}"
    start_ms = time_ms(text, "%m/%d/%Y %H:%M:%S", "%b %d, %Y %H:%M:%S")
    return None if start_ms is None else start_ms + 86_400_000 * int(row.get("days", 0))


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
