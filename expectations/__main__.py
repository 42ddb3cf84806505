"""`python -m expectations`: check a DuckDB file.

One line of JSON on stdin names the file, the run, the Parquet file for the results, and the folder
of the Data Docs. Its own process imports Great Expectations (300 MB, 6 s) during the build.
"""

import json
import sys
from pathlib import Path

from expectations.run import run_checks

if order := sys.stdin.readline():
    database, run_id, results, docs = json.loads(order)
    run_checks(Path(database), run_id, Path(docs)).write_parquet(results)
