"""`python -m tests.fuzz.fuzz_iometer --seconds 60`: damaged Iometer files."""

from pathlib import Path

from ingest.parsers import iometer
from tests.fuzz import main

SEEDS = sorted((Path(__file__).parents[1] / "golden/iometer").glob("*.csv"))

if __name__ == "__main__":
    raise SystemExit(main(iometer, SEEDS))
