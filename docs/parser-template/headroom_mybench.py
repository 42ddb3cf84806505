"""Reads the results of mybench, a CSV with a line for each run:

mybench 1.2
rw,block,depth,seconds,iops,mean_us
read,4096,32,60,183250.5,174.6
"""

import csv
from pathlib import Path
from typing import Any

from ingest.common.errors import InputError
from ingest.parsers import generic

NAME = "mybench"  # of the format: `source_format`, and the beginning of measurement ids
VERSION = 1  # raise it with every change: files that an earlier version read are read again
TABLES = generic.TABLES


def matches(head: str) -> bool:
    """Whether a file that begins so is a result of mybench."""
    return head.startswith("mybench ")


def parse(path: Path, data: bytes) -> dict[str, list[tuple[Any, ...]]]:
    """A result for each line; raises InputError with the line that cannot be read."""
    first, *lines = data.decode().splitlines()
    results = []
    for number, row in enumerate(csv.DictReader(lines), start=3):
        try:
            results.append(_result(row, number, first.removeprefix("mybench ")))
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(path, f"{error}: truncated file?", line=number) from error
    return generic.rows(results)


def _result(row: dict[str, str], number: int, version: str) -> generic.Result:
    iops, block_bytes = float(row["iops"]), int(row["block"])
    return generic.Result(
        position=f"line {number} {row['rw']}",
        tool_name="mybench",
        tool_version=version,
        random_ratio=1.0,
        read_ratio={"read": 1.0, "write": 0.0}[row["rw"]],
        block_bytes=block_bytes,
        outstanding_io_count=int(row["depth"]),
        runtime_seconds=float(row["seconds"]),
        iops=iops,
        bytes_per_second=iops * block_bytes,
        latency_mean_us=float(row["mean_us"]),
    )
