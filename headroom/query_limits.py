"""Limits of a query, so that it does not slow down everything else on its machine.

HEADROOM_QUERY_MEMORY (4GB) and HEADROOM_QUERY_DISK (10GB) limit DuckDB's memory and spilled files,
HEADROOM_QUERY_SECONDS (300) the time of a query. DuckDB applies them, except while it folds
constants such as `repeat('z', 99)` and within one value. So ad-hoc queries run in a child process
with limits of the kernel.
"""

import ctypes
import os
import re
import resource
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

from ingest.common.errors import InputError

Settings = dict[str, str | bool | int | float | list[str]]
_SIZE = re.compile(r"(\d+(?:\.\d+)?) *([KMGT])(i?)B", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(\.\d+)?")
_GRACE_SECONDS = 2.0
_PROGRAM_BYTES = 1 << 30  # for the program, and the answer before it is printed
_STACK_BYTES = 16 << 20  # per thread; DuckDB has one for each core
_PR_SET_PDEATHSIG = 1


@contextmanager
def limited() -> Iterator[Settings]:
    """DuckDB's settings for a reading connection; spilled files are removed afterwards."""
    memory = _limit("HEADROOM_QUERY_MEMORY", "4GB", _SIZE, "size")
    disk = _limit("HEADROOM_QUERY_DISK", "10GB", _SIZE, "size")
    with tempfile.TemporaryDirectory(prefix="headroom-") as folder:
        yield {
            "memory_limit": memory,
            "temp_directory": folder,
            "max_temp_directory_size": disk,
        }


def continue_in_child(*, is_prompt: bool) -> None:
    """Continue in a child process; this one waits for it and exits with its code.

    Ctrl-C ends both, unless the child prompts. Raises TimeoutError if a query could not be
    interrupted in time, duckdb.Error if it crashed the child.
    """
    memory = _bytes(_limit("HEADROOM_QUERY_MEMORY", "4GB", _SIZE, "size"))
    most = memory + _PROGRAM_BYTES + _STACK_BYTES * (os.cpu_count() or 1)
    folder = tempfile.mkdtemp(prefix="headroom-")  # removed below: a killed child would leave it
    duckdb.default_connection().close()  # a fork does not copy its thread
    listen = signal.signal(signal.SIGINT, signal.SIG_IGN)
    child = os.fork()
    if bool(child) != is_prompt:
        signal.signal(signal.SIGINT, listen)
    if child:
        try:
            _, status = os.waitpid(child, 0)
        except KeyboardInterrupt:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            raise
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        _exit_like(status)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    tempfile.tempdir = folder


def _exit_like(status: int) -> None:
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        os._exit(code)  # nothing is left to do
    if code == -signal.SIGALRM:
        raise _out_of_time()
    raise duckdb.Error(f"the query ended its process ({signal.Signals(-code).name})")


def _out_of_time() -> TimeoutError:
    seconds = _limit("HEADROOM_QUERY_SECONDS", "300", _NUMBER, "number of seconds")
    return TimeoutError(
        f"the query was stopped after {seconds} s; set HEADROOM_QUERY_SECONDS to allow more"
    )


@contextmanager
def in_time(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Interrupt the query after the time limit, with TimeoutError; SIGALRM if that fails."""
    seconds = float(_limit("HEADROOM_QUERY_SECONDS", "300", _NUMBER, "number of seconds"))
    ended = threading.Event()

    def stop() -> None:
        is_over = ended.wait(seconds)
        while not is_over:  # DuckDB forgets an interrupt that comes before the query runs
            connection.interrupt()
            is_over = ended.wait(0.1)

    threading.Thread(target=stop, daemon=True).start()
    signal.setitimer(signal.ITIMER_REAL, seconds + _GRACE_SECONDS)
    try:
        yield
    except duckdb.InterruptException as error:
        raise _out_of_time() from error
    except (MemoryError, duckdb.OutOfMemoryException) as error:
        text = "the query takes too much memory; set HEADROOM_QUERY_MEMORY to allow more"
        raise duckdb.OutOfMemoryException(text) from error
    finally:
        ended.set()
        signal.setitimer(signal.ITIMER_REAL, 0)


def _bytes(size: str) -> int:
    """As DuckDB reads it: 1 KB is 1000 bytes."""
    ((number, unit, binary),) = _SIZE.findall(size)
    return int(float(number) * (1024 if binary else 1000) ** ("KMGT".index(unit.upper()) + 1))


def _limit(name: str, default: str, form: re.Pattern[str], kind: str) -> str:
    text = os.environ.get(name, default)
    if not form.fullmatch(text):
        raise InputError(name, f"{text!r} is not a {kind}, such as {default}")
    return text
