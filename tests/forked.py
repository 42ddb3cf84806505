"""`headroom` for the tests: each command is a fork of one process that has imported everything.

Importing dbt, Great Expectations and polars takes longer than most commands run. A command is still
a process with its own arguments, folder, environment, terminal and exit code; so is dbt.
Tests of signals and of the installed program start the console script.

Checks run as plain queries here, because Great Expectations takes a third of a small night;
test_nights uses it (`GREAT_EXPECTATIONS`), and test_corruptions compares the two.
"""

import importlib
import json
import multiprocessing.spawn
import os
import runpy
import select
import shutil
import signal
import socket
import subprocess
import sys
import traceback
from contextlib import suppress
from datetime import UTC, datetime
from multiprocessing import forkserver
from pathlib import Path
from typing import Any

import click
import duckdb
import polars as pl

from expectations.suite import CHECK_RESULTS, Check, checks
from headroom.cli import main
from headroom.warehouse import STORAGE
from ingest.workers import start_early

if "HISTORIES" not in os.environ:  # `make torture` sets it; other tests keep all cores busy anyway
    STORAGE["threads"] = 1
_IMPORTED = ("expectations.run", "dbt.cli.main", "dbt.adapters.duckdb")
_PAUSE_SECONDS = 1.0
# Without site-packages, so that it starts at once.
_CLIENT = """#!{python} -IS
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as server:
    server.connect({address!r})
    asked = dict(arguments=sys.argv, folder=os.getcwd(), environment=dict(os.environ))
    socket.send_fds(server, [b"."], [0, 1, 2])
    server.sendall(json.dumps(asked).encode() + b"\\n")
    sys.exit(int(server.recv(9) or b"1"))
"""


def start(folder: Path) -> None:
    """Start the process that forks; it ends with this one. `folder / "headroom"` is the program,
    which starts dbt and the checks by `folder / "python"`."""
    address = str(folder / "socket")
    for name in ("headroom", "python"):
        (folder / name).write_text(_CLIENT.format(python=sys.executable, address=address))
        (folder / name).chmod(0o700)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        command = [sys.executable, "-m", __name__, str(listener.fileno()), folder]
        # Commands exit at once and leave their semaphores to multiprocessing's resource tracker.
        quiet = os.environ | {"PYTHONWARNINGS": "ignore:resource_tracker"}
        root = Path(__file__).parents[1]
        subprocess.Popen(command, pass_fds=[listener.fileno()], cwd=root, env=quiet)


def _serve(listener: socket.socket, folder: str) -> None:
    parent = os.getppid()
    multiprocessing.spawn.set_executable(sys.executable)  # for the parser processes
    sys.executable = f"{folder}/python"
    main.list_commands(click.Context(main))  # imports all commands
    for name in _IMPORTED:
        importlib.import_module(name)
    start_early()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    listener.settimeout(_PAUSE_SECONDS)
    while os.getppid() == parent:
        with suppress(TimeoutError):
            connection, _ = listener.accept()
            if os.fork() == 0:
                listener.close()
                _handle(connection)
            connection.close()
    shutil.rmtree(folder)


def _handle(connection: socket.socket) -> None:
    """Fork the command and return its exit code; it ends with the client."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _, streams, *_ = socket.recv_fds(connection, 1, 3)
    with connection.makefile() as lines:
        asked = json.loads(lines.readline())
    command = os.fork()
    if command == 0:
        connection.close()
        _run(streams, **asked)
    for stream in streams:
        os.close(stream)
    for stream in range(3):
        os.close(stream)
    end = os.pidfd_open(command)
    ready, *_ = select.select([connection, end], [], [])
    if end not in ready:
        os.kill(command, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(os.waitpid(command, 0)[1])
    with suppress(BrokenPipeError):
        connection.sendall(str(code if code >= 0 else 128 - code).encode())
    os._exit(0)


def _run(
    streams: list[int], arguments: list[str], folder: str, environment: dict[str, str]
) -> None:
    code: Any = 0
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin, sys.stdout = os.fdopen(0), os.fdopen(1, "w")
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace")
    # The fork server is a child of this process's parent, so its state cannot be checked here.
    forkserver.ensure_running = forkserver._forkserver.ensure_running = lambda: None  # type: ignore
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = arguments
    if "GREAT_EXPECTATIONS" not in environment:
        sys.modules["expectations.run"].run_checks = _run_queries  # type: ignore
    try:
        if arguments[0].endswith("/python"):
            sys.argv = arguments[3:]  # after -P -m
            runpy.run_module(arguments[3], run_name="__main__", alter_sys=True)
        else:
            importlib.import_module("headroom.cli").main(prog_name="headroom")
    except SystemExit as exit:
        code = exit.code or 0
    except BaseException:
        traceback.print_exc()
        code = 1
    try:
        sys.stdout.flush()
    finally:
        os._exit(code if isinstance(code, int) else 1)


def _run_queries(
    database: Path, run_id: str | None = None, docs: Path | None = None
) -> pl.DataFrame:
    """Like `run_checks`, without Great Expectations and its Data Docs."""
    with duckdb.connect(database, read_only=True) as connection:
        rows = [_checked(connection, check) for check in checks()]
    return pl.DataFrame(rows, schema=CHECK_RESULTS).sort("severity", maintain_order=True)


def _checked(connection: duckdb.DuckDBPyConnection, check: Check) -> dict[str, Any]:
    found = connection.execute(check.failing_rows)
    names = [column[0] for column in found.description]
    failing = [dict(zip(names, row, strict=True)) for row in found.fetchall()]
    sample = json.dumps(failing[:5], default=str, ensure_ascii=False)
    return {
        "check_id": check.check_id,
        "table_name": check.table,
        "description": check.description,
        "severity": check.severity,
        "is_passed": not failing,
        "observed": str(len(failing)),
        "failing_row_count": len(failing),
        "sample_rows": sample if failing else None,
        "bound": check.bound,
        "checked_at": datetime.now(UTC).replace(tzinfo=None),
    }


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])), sys.argv[2])
