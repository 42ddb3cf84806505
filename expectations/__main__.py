"""`python -m expectations DATABASE RESULTS`: check a DuckDB file, write the results as Parquet.

A process of its own, because Great Expectations keeps the file open until its process ends.
"""

import sys
from pathlib import Path

from expectations.run import run_checks

run_checks(Path(sys.argv[1])).write_parquet(sys.argv[2])
