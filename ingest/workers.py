"""Runs batches in one process per core, a few batches ahead of the consumer of the results.

This bounds the memory: a batch has at most 8 MiB of files (or is one larger file), and each process
has at most four batches under way, so that none waits while results are recorded. Larger files run
together up to 512 MiB.
"""

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import forkserver, resource_tracker
from typing import TypeVar

_BATCH_BYTES = 8 << 20
_LARGE_BYTES = 512 << 20
BATCH_COUNT = 400
# Not forked from here: a fork would lack DuckDB's and polars' threads.
_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["__main__", "ingest.reading"])
_KILLED = (
    "the parser was killed while reading this file, perhaps out of memory; "
    "it is retried at the next ingest"
)
_FAILED = "the parser failed on this file, please report it"
Item = TypeVar("Item")
Result = TypeVar("Result")


def in_batches(items: Iterable[tuple[Item, int]]) -> Iterator[tuple[list[Item], int]]:
    """Group items with sizes in bytes into batches of bounded size; yield each with its size."""
    batch: list[Item] = []
    batch_bytes = 0
    for item, size in items:
        if batch and (batch_bytes + size > _BATCH_BYTES or len(batch) >= BATCH_COUNT):
            yield batch, batch_bytes
            batch, batch_bytes = [], 0
        batch.append(item)
        batch_bytes += size
    if batch:
        yield batch, batch_bytes


def start_early() -> None:
    """Let the processes import while this one still looks for files.

    Ctrl-C reaches them, too, but only this process reports it.
    """
    resource_tracker.ensure_running()  # first: its start unblocks the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def run_batches(
    work: Callable[[list[Item]], Result],
    items: Iterable[tuple[Item, int]],
    refuse: Callable[[Item, str], Result],
    *,
    is_apart: bool = False,
) -> Iterator[Result]:
    """The results of `work` for each batch, in their order.

    An item that kills its process goes to `refuse` with the reason and affects no other. Unless
    `is_apart`, a single batch of small items runs in this process, which saves a third of a second.

    Raises:
        ChildProcessError: no process can run.
    """
    waiting = deque(in_batches(items))
    if len(waiting) == 1 and waiting[0][1] <= _BATCH_BYTES and not is_apart:
        yield work(waiting[0][0])
        return
    count = os.cpu_count() or 1
    most_bytes = max(4 * count * _BATCH_BYTES, _LARGE_BYTES)
    while waiting:
        under_way: deque[tuple[list[Item], int, Future[Result]]] = deque()
        try:
            with _pool(count) as pool:
                while waiting or under_way:
                    while waiting and len(under_way) < 4 * count:
                        batch, size = waiting[0]
                        if under_way and size + sum(one for _, one, _ in under_way) > most_bytes:
                            break
                        under_way.append((batch, size, _submit(pool, work, batch)))
                        waiting.popleft()
                    result = under_way[0][2].result()
                    under_way.popleft()
                    yield result
        except Exception:  # run the batches under way again, to find the culprit
            for batch in [batch for batch, *_ in under_way] or [waiting.popleft()[0]]:
                yield from _run_apart(work, batch, refuse)


def _submit(
    pool: ProcessPoolExecutor, work: Callable[[list[Item]], Result], batch: list[Item]
) -> Future[Result]:
    """Delay Ctrl-C until a process has started; an orphaned one would complain."""
    if threading.current_thread() is not threading.main_thread():
        return pool.submit(work, batch)
    interrupts: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: interrupts.append(number))
    try:
        return pool.submit(work, batch)
    finally:
        signal.signal(signal.SIGINT, before)
        if interrupts:
            signal.raise_signal(signal.SIGINT)


def _pool(count: int) -> ProcessPoolExecutor:
    start_early()
    return ProcessPoolExecutor(
        count, mp_context=_CONTEXT, initializer=_begin, initargs=(os.getcwd(),)
    )


def _begin(folder: str) -> None:
    os.chdir(folder)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # ends silently
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End an orphaned worker, which would wait for work for ever."""
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())  # the main thread gets alarms
    parent = multiprocessing.parent_process()
    assert parent
    parent.join()
    os._exit(1)


def _run_apart(
    work: Callable[[list[Item]], Result], batch: list[Item], refuse: Callable[[Item, str], Result]
) -> Iterator[Result]:
    """Run a batch in a process of its own; halve it if that dies, down to the culprit."""
    try:
        with _pool(1) as pool:
            result = _submit(pool, work, batch).result()
    except Exception as error:
        if len(batch) == 1:
            _check_processes()
            is_death = isinstance(error, BrokenProcessPool)
            yield refuse(batch[0], _KILLED if is_death else f"{_FAILED}: {error!r}")
            return
        middle = len(batch) // 2
        for half in (batch[:middle], batch[middle:]):
            yield from _run_apart(work, half, refuse)
    else:
        yield result


def _check_processes() -> None:
    """Check that a process can run: if none can, no source is to blame.

    Raises:
        ChildProcessError: it did not start, or ended before it did anything.
    """
    try:
        with _pool(1) as pool:
            pool.submit(os.getpid).result()
    except (BrokenProcessPool, OSError) as error:
        reason = (
            f"no process can start to read files ({type(error).__name__}): "
            f"is there enough memory, and may this user run {sys.executable}?"
        )
        raise ChildProcessError(reason) from error
