"""Limits of a query, so that one does not slow everything else on its machine.

HEADROOM_QUERY_MEMORY and HEADROOM_QUERY_DISK (4GB, 10GB) bound what DuckDB keeps in memory and what
it spills; HEADROOM_QUERY_SECONDS (300) how long a query runs.
"""

import os
import re
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

from ingest.errors import InputError

Settings = dict[str, str | bool | int | float | list[str]]
_SIZE = re.compile(r"\d+(\.\d+)? *[KMGT]i?B", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(\.\d+)?")


@contextmanager
def limited() -> Iterator[Settings]:
    """DuckDB's settings for a connection that asks; what it spills is gone afterwards.

    Raises:
        InputError: a limit is not a size.
    """
    memory = _limit("HEADROOM_QUERY_MEMORY", "4GB", _SIZE, "size")
    disk = _limit("HEADROOM_QUERY_DISK", "10GB", _SIZE, "size")
    with tempfile.TemporaryDirectory(prefix="headroom-") as folder:
        yield {
            "memory_limit": memory,
            "temp_directory": folder,
            "max_temp_directory_size": disk,
        }


@contextmanager
def in_time(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Stop what the connection runs once its time is over.

    Raises:
        InputError: the limit is not a number of seconds.
        TimeoutError: it was stopped.
    """
    text = _limit("HEADROOM_QUERY_SECONDS", "300", _NUMBER, "number of seconds")
    ended = threading.Event()

    def stop() -> None:
        is_over = ended.wait(float(text))
        while not is_over:  # DuckDB forgets an interrupt that comes before the query runs
            connection.interrupt()
            is_over = ended.wait(0.1)

    threading.Thread(target=stop, daemon=True).start()
    try:
        yield
    except duckdb.InterruptException as error:
        raise TimeoutError(
            f"the query was stopped after {text} s; set HEADROOM_QUERY_SECONDS to allow more"
        ) from error
    finally:
        ended.set()


def _limit(name: str, default: str, form: re.Pattern[str], kind: str) -> str:
    text = os.environ.get(name, default)
    if not form.fullmatch(text):
        raise InputError(name, f"{text!r} is not a {kind}, such as {default}")
    return text
