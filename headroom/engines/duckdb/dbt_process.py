"""`python -m headroom.engines.duckdb.dbt_process build ...`: dbt that ends with its parent process.

So a killed run leaves no dbt behind that holds the warehouse's lock.
"""

import logging
import os
import threading
import time

_PAUSE_SECONDS = 1.0


def main() -> None:
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    from dbt.cli.main import cli  # takes seconds, in which a run may be killed too
    from sqlparse.engine import grouping

    # dbt looks for the first `with` of a unit test's query: more groups take a third of its time.
    grouping.group = lambda query: grouping.group_parenthesis(query) or query
    logging.raiseExceptions = False  # no traceback for each line that nobody is left to read
    cli()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_PAUSE_SECONDS)
    os._exit(1)  # in the middle of a query, too


if __name__ == "__main__":
    main()
