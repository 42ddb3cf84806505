"""`python -m expectations DATABASE RUN_ID RESULTS DOCS`: check a DuckDB file.

The results are written as Parquet, the site of Data Docs into a folder.

A process of its own: what Great Expectations imports, 300 MB in 6 s, ends with it.
"""

import sys
from pathlib import Path

from expectations.run import run_checks

database, run_id, results, docs = sys.argv[1:]
run_checks(Path(database), run_id, Path(docs)).write_parquet(results)
