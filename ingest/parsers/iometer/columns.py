"""The columns of Iometer's results, by header.

The four headers are those of Iometer's sources (ManagerList.cpp, GalileoView.cpp); 1.1.0-rc1 and
1.1.0 both call themselves `1.1.0`, so a header is identified by its names, never by a version.
Units: `MBps` of the 56 columns and `MBps (Binary)`, `MiBps (Binary)` are 2^20 bytes/s, `(Decimal)`
10^6; response, transaction and connection times are ms; raw times are timer ticks; `Processor
Speed` is the ticks per second, not the clock of a CPU; sectors have 512 bytes.
"""

from dataclasses import dataclass

import polars as pl

_INT, _FLOAT = pl.Int64(), pl.Float64()
_DIRECTIONS = ("", "Read ", "Write ")
_TIMES = ("Response", "Read Response", "Write Response", "Transaction", "Connection")
_RAW_TIMES = ("Read Response", "Write Response", "Transaction", "Connection")


def _snake(words: str) -> str:
    return words.strip().lower().replace(" ", "_")


def _directed(header: str, column: str) -> dict[str, str]:
    return {f"{way}{header}": f"{_snake(way)}_{column}".lstrip("_") for way in _DIRECTIONS}


_COUNTS = {"# Managers": "manager_count", "# Workers": "worker_count", "# Disks": "target_count"}
_RATES = _directed("IOps", "iops")
_MIB = _directed("MiBps (Binary)", "mib_per_second")
_MB = _directed("MBps (Decimal)", "mb_per_second")
_LATENCIES = (
    {
        "Transactions per Second": "transactions_per_second",
        "Connections per Second": "connections_per_second",
    }
    | {f"Average {time} Time": f"{_snake(time)}_time_mean_ms" for time in _TIMES}
    | {f"Maximum {time} Time": f"{_snake(time)}_time_max_ms" for time in _TIMES}
)
_COUNTERS = _directed("Errors", "error_count") | {
    "Bytes Read": "read_bytes",
    "Bytes Written": "written_bytes",
    "Read I/Os": "read_io_count",
    "Write I/Os": "write_io_count",
    "Connections": "connection_count",
    "Transactions per Connection": "transactions_per_connection_count",
}
_TICKS = (
    {f"Total Raw {time} Time": f"{_snake(time)}_time_total_ticks" for time in _RAW_TIMES}
    | {f"Maximum Raw {time} Time": f"{_snake(time)}_time_max_ticks" for time in _RAW_TIMES}
    | {"Total Raw Run Time": "run_time_ticks"}
)
_SETTINGS = {
    "Starting Sector": "starting_sector",
    "Maximum Size": "maximum_size_sectors",
    "Queue Depth": "queue_depth",
}
_SYSTEM = {
    "% CPU Utilization": "cpu_percent",
    "% User Time": "cpu_user_percent",
    "% Privileged Time": "cpu_privileged_percent",
    "% DPC Time": "cpu_dpc_percent",
    "% Interrupt Time": "cpu_interrupt_percent",
    "Processor Speed": "tick_frequency_hz",
    "Interrupts per Second": "interrupts_per_second",
    "CPU Effectiveness": "iops_per_cpu_percent",
    "Packets/Second": "packets_per_second",
    "Packet Errors": "packet_error_count",
    "Segments Retransmitted/Second": "segments_retransmitted_per_second",
}
_GROUPS: tuple[tuple[dict[str, str], pl.DataType], ...] = (
    (_COUNTS, _INT),
    (_RATES, _FLOAT),
    (_MIB, _FLOAT),
    (_MB, _FLOAT),
    (_LATENCIES, _FLOAT),
    (_COUNTERS, _INT),
    (_TICKS, _INT),
    (_SETTINGS, _INT),
    (_SYSTEM, _FLOAT),
)
NUMBERS: dict[str, pl.DataType] = {
    column: kind for group, kind in _GROUPS for column in group.values()
}
COLUMN_NAMES = tuple(NUMBERS)
HEADER_BY_COLUMN = {column: header for group, _ in _GROUPS for header, column in group.items()}
TICK_COLUMNS = tuple(_TICKS.values())
MB_COLUMNS = tuple(_MB.values())

BIN_HEADERS = (
    "0 to 50 uS", "50 to 100 uS", "100 to 200 uS", "200 to 500 uS", "0.5 to 1 mS", "1 to 2 mS",
    "2 to 5 mS", "5 to 10 mS", "10 to 15 mS", "15 to 20 mS", "20 to 30 mS", "30 to 50 mS",
    "50 to 100 mS", "100 to 200 mS", "200 to 500 mS", "0.5 to 1 S", "1 to 2 s", "2 to 4.7 s",
    "4.7 to 5 s", "5 to 10 s", ">= 10 s",
)  # fmt: skip
# IOGrunt.cpp divides a second by 67 and by 33 where the header says 15 and 30 ms, and takes 4 s
# where it says 4.7. It never counts into the last bin: I/Os of 10 s or longer are in no bin.
_BIN_EDGES_US = (
    0.0, 50.0, 100.0, 200.0, 500.0, 1e3, 2e3, 5e3, 10e3, 1e6 / 67, 20e3, 1e6 / 33, 50e3, 100e3,
    200e3, 500e3, 1e6, 2e6, 4e6, 5e6, 10e6, None,
)  # fmt: skip
BINS = (tuple(range(len(BIN_HEADERS))), _BIN_EDGES_US[:-1], _BIN_EDGES_US[1:])
"""Index, lower and upper edge of each, the upper one excluded."""


@dataclass(frozen=True)
class Layout:
    """A header: its names, and the place of each column's cell, after the time if it has one."""

    name: str
    headers: tuple[str, ...]
    cell_by_column: tuple[int | None, ...]
    has_mb: bool
    first_bin: int | None
    has_time: bool = False

    @property
    def width(self) -> int:
        """Cells in a row, without its time."""
        return len(self.headers) - self.has_time


_FIRST_HEADERS = ("Target Type", "Target Name", "Access Specification Name")
FIRST_NUMBER = len(_FIRST_HEADERS)


def _layout(name: str, mib: str, *, has_mb: bool, has_bins: bool, has_time: bool = False) -> Layout:
    headers = [*_FIRST_HEADERS]
    cells: list[int | None] = []
    for group, _ in _GROUPS:
        is_there = has_mb or group is not _MB
        cells += [len(headers) + at if is_there else None for at in range(len(group))]
        if group is _MIB:
            headers += [f"{way}{mib}" for way in _DIRECTIONS]
        elif is_there:
            headers += group
    first_bin = len(headers) if has_bins else None
    headers += BIN_HEADERS if has_bins else ()
    start_headers = ("TimeStamp",) if has_time else ()
    return Layout(name, (*start_headers, *headers), tuple(cells), has_mb, first_bin, has_time)


LAYOUTS = (
    _layout("H1", "MBps", has_mb=False, has_bins=False),
    _layout("H2", "MBps (Binary)", has_mb=True, has_bins=False),
    _layout("H3", "MiBps (Binary)", has_mb=True, has_bins=True),
    _layout("H4", "MBps (Binary)", has_mb=True, has_bins=True, has_time=True),
)
