"""Runs batches in as many processes as there are cores, a few ahead of whom takes their results.

What is in memory at once is bounded: a batch has at most 8 MiB of files (or is one larger file),
and at most two batches for each process are under way.
"""

import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import forkserver
from typing import TypeVar

from ingest.errors import InputError

_BATCH_BYTES = 8 << 20
BATCH_COUNT = 400
# Not forked from here: DuckDB's and polars' threads would not come along.
_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["__main__", "ingest.reading"])
Item = TypeVar("Item")
Result = TypeVar("Result")


def in_batches(items: Iterable[tuple[Item, int]]) -> Iterator[list[Item]]:
    """Items with their sizes in bytes, as batches of bounded size."""
    batch: list[Item] = []
    batch_bytes = 0
    for item, size in items:
        if batch and (batch_bytes + size > _BATCH_BYTES or len(batch) >= BATCH_COUNT):
            yield batch
            batch, batch_bytes = [], 0
        batch.append(item)
        batch_bytes += size
    if batch:
        yield batch


def start_early() -> None:
    """Let the processes' imports begin while this one still looks for what they will do."""
    forkserver.ensure_running()


def run_batches(
    work: Callable[[list[Item]], Result], batches: Sequence[list[Item]]
) -> Iterator[Result]:
    """The results of `work` in the batches' order; of a single batch in this process."""
    if len(batches) < 2:
        yield from map(work, batches)
        return
    count = os.cpu_count() or 1
    try:
        with ProcessPoolExecutor(
            count, mp_context=_CONTEXT, initializer=os.chdir, initargs=(os.getcwd(),)
        ) as pool:
            under_way: deque[Future[Result]] = deque()
            for batch in batches:
                under_way.append(pool.submit(work, batch))
                if len(under_way) >= 2 * count:
                    yield under_way.popleft().result()
            while under_way:
                yield under_way.popleft().result()
    except BrokenProcessPool as error:
        reason = "a worker process was killed, perhaps for want of memory; run it again"
        raise InputError("ingest", f"{reason}: what is loaded stays") from error
