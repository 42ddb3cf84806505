"""The processes that read files, and Ctrl-C."""

import os
import signal
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


def test_no_file_is_blamed_if_no_process_can_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_begin", os._exit)
    monkeypatch.setattr(workers.os, "getcwd", lambda: 1)
    refused: list[str] = []
    found = workers.run_batches(
        len, [(name, 1) for name in "abcd"], lambda item, _: refused.append(item), is_apart=True
    )
    with pytest.raises(ChildProcessError, match="end as they start"):
        list(found)
    assert refused == []
