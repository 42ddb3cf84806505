"""`python -m expectations`: check a DuckDB file when told to.

One line of JSON on stdin names the file, the run, where the results go as Parquet, and the folder
of Data Docs. Without a line there is nothing to do.

A process of its own: what Great Expectations imports, 300 MB in 6 s, ends with it, and a night has
it imported beside the build.
"""

import json
import sys
from pathlib import Path

from expectations.run import duckdb_file, run_checks

if order := sys.stdin.readline():
    database, run_id, results, docs = json.loads(order)
    run_checks(duckdb_file(Path(database)), run_id, Path(docs)).write_parquet(results)
