"""`python -m tests.fuzz_trees --trees 1000`: many hostile trees per night, on a small warehouse."""

import argparse
import shutil
import tempfile
from pathlib import Path

from headroom.warehouse import Warehouse
from tests.conftest import emptied
from tests.fuzz_trees import Report, grow, night


def main() -> int:
    """Exit code 1 if a good file was lost, a bad one not named, or a night broke or hung."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--trees", type=int, default=1000)
    options.add_argument("--at-once", type=int, default=25, help="trees of one night")
    options.add_argument("--seed", type=int, default=1, help="of the first tree")
    options.add_argument("--warehouse", type=Path, default=Path(".test-warehouse"))
    chosen = options.parse_args()
    report = Report()
    with tempfile.TemporaryDirectory() as scratch:
        empty = emptied(chosen.warehouse, Path(scratch))
        for first in range(chosen.seed, chosen.seed + chosen.trees, chosen.at_once):
            seeds = range(first, min(first + chosen.at_once, chosen.seed + chosen.trees))
            with tempfile.TemporaryDirectory() as folder:
                warehouse = Warehouse(Path(folder))
                shutil.copy(empty, warehouse.building)
                results = Path(folder, "results")
                trees = [grow(results / f"{seed}", seed) for seed in seeds]
                told = len(report.faults)
                night(warehouse, results, trees, report)
            print("\n".join([*report.faults[told:], f"{report}"]), flush=True)
    return 1 if report.faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
