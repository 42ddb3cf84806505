"""Runs a command and measures wall seconds, CPU seconds and peak memory of all its processes.

Memory is the sum of the processes' resident pages, so pages that they share count several times:
an upper bound. CPU seconds and memory are read from /proc every 100 ms, so Linux only.
"""

import os
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_INTERVAL_SECONDS = 0.1


@dataclass(frozen=True)
class Cost:
    """`output` is the last line of the command's output."""

    seconds: float
    cpu_seconds: float
    peak_bytes: int
    output: str


@dataclass
class Watch:
    """CPU time and peak memory of a session so far: commands start process groups of their own."""

    session: int
    ticks: dict[int, int] = field(default_factory=dict)
    peak_bytes: int = 0

    @property
    def cpu_seconds(self) -> float:
        return sum(self.ticks.values()) / _TICKS_PER_SECOND

    def look(self) -> None:
        resident = 0
        for entry in os.listdir("/proc"):
            if entry.isdigit() and (found := _usage(int(entry), self.session)):
                self.ticks[int(entry)], pages = found
                resident += pages * _PAGE_BYTES
        self.peak_bytes = max(self.peak_bytes, resident)


@contextmanager
def watched(session: int) -> Iterator[Watch]:
    """Sample a session's processes until the block ends."""
    watch, is_done = Watch(session), threading.Event()

    def keep_looking() -> None:
        while not is_done.wait(_INTERVAL_SECONDS):
            watch.look()

    watcher = threading.Thread(target=keep_looking)
    watcher.start()
    try:
        yield watch
    finally:
        is_done.set()
        watcher.join()


def _usage(pid: int, session: int) -> tuple[int, int] | None:
    """CPU ticks and resident pages of a process of the session."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return None
    is_of_session = int(fields[3]) == session
    return (int(fields[11]) + int(fields[12]), int(fields[21])) if is_of_session else None


def run(command: Sequence[str | Path]) -> Cost:
    """Flush earlier writes to disk, then run a command until it exits.

    Raises:
        RuntimeError: its exit code is not 0; with the end of its output.
    """
    os.sync()
    started_at = time.perf_counter()
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, start_new_session=True,
    )  # fmt: skip
    with watched(process.pid) as watch:
        output, _ = process.communicate()
        seconds = time.perf_counter() - started_at
    if process.returncode:
        raise RuntimeError(f"{command[0]}: {output[-2000:]}")
    last_line = output.strip().rpartition("\n")[2]
    return Cost(seconds, watch.cpu_seconds, watch.peak_bytes, last_line)
