"""The processes that read files, and Ctrl-C."""

import os
import signal
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any

import pytest

from ingest import workers


def test_ctrl_c_waits_until_a_process_has_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that is abandoned while it starts would print a traceback."""
    started: list[bool] = []

    class Slow(ProcessPoolExecutor):
        def submit(self, *work: Any, **named: Any) -> Future[Any]:
            signal.raise_signal(signal.SIGINT)
            future = super().submit(*work, **named)
            started.append(True)
            return future

    monkeypatch.setattr(workers, "ProcessPoolExecutor", Slow)
    with pytest.raises(KeyboardInterrupt):
        list(workers.run_batches(len, [("item", 1)], lambda *_: 0, is_apart=True))
    assert started == [True]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def _end_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_begin", os._exit)
    monkeypatch.setattr(workers.os, "getcwd", lambda: 1)


def _never_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """As for a user who may not run this Python."""

    class Refused(ProcessPoolExecutor):
        def submit(self, *_: Any, **__: Any) -> Future[Any]:
            raise ConnectionRefusedError(111, "Connection refused")

    monkeypatch.setattr(workers, "ProcessPoolExecutor", Refused)


@pytest.mark.parametrize("fail", [_end_at_once, _never_start])
def test_no_file_is_blamed_if_no_process_can_run(
    monkeypatch: pytest.MonkeyPatch, fail: Callable[[pytest.MonkeyPatch], None]
) -> None:
    fail(monkeypatch)
    refused: list[str] = []
    found = workers.run_batches(
        len, [(name, 1) for name in "abcd"], lambda item, _: refused.append(item), is_apart=True
    )
    with pytest.raises(ChildProcessError, match="no process can start to read files"):
        list(found)
    assert refused == []
