"""`python -m headroom.engines.duckdb.dbt_process --project-dir DIR ...`: parses, then runs dbt.

Parsing takes some 10 s, while a night loads results. Then one line of JSON on stdin gives dbt's
command: ["build", "--full-refresh"]. dbt ends without a command, and when its parent process ends:
a killed run leaves no dbt behind that holds the warehouse's lock.

It prints the number of nodes, a dot for each finished one, and warnings and errors. dbt's own JSON
log takes a tenth of a build: dbt formats every event, printed or not.
"""

import gc
import json
import logging
import os
import sys
import threading
import time
from functools import partial
from typing import Any

_PAUSE_SECONDS = 1.0


def main() -> None:
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    sys.exit(0 if _run(sys.argv[1:]) else 1)


def _run(options: list[str]) -> bool:
    from dbt.cli.main import dbtRunner  # takes seconds, in which a run may be killed too
    from sqlparse.engine import grouping

    # dbt looks for a unit test's first `with` only; grouping more takes a third of its time.
    grouping.group = lambda query: grouping.group_parenthesis(query) or query
    gc.set_threshold(50_000, 20, 20)  # the default takes a tenth of parsing
    logging.raiseExceptions = False  # no traceback for each log line once the reader is gone
    faults: list[str] = []
    runner = dbtRunner(callbacks=[partial(_report, faults)])
    done = runner.invoke(["--no-write-json", "parse", *options])
    if done.success and (command := sys.stdin.readline()):
        runner.manifest = done.result
        done = runner.invoke([*json.loads(command), *options])
    if not done.success and not faults:  # dbt could not even begin
        print(done.exception)
    return bool(done.success)


def _report(faults: list[str], event: Any) -> None:
    """Print the lines that the parent shows; keep warnings and errors."""
    line = None
    if event.info.name == "ConcurrencyLine":
        line = event.data.node_count
    elif event.info.name == "NodeFinished":
        line = "."
    elif event.info.level in ("warn", "error"):
        line = event.info.msg
        faults.append(line)
    if line is not None:
        print(f"{line}\n", end="", flush=True)  # in one piece: dbt's threads report at once


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_PAUSE_SECONDS)
    os._exit(1)  # in the middle of a query, too


if __name__ == "__main__":
    main()
