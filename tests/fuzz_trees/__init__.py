"""Random hostile trees of results: after a night, all their good files are measurements.

Good files lie among bad ones of every kind that a stranger, a full disk or a copy may leave. Many
trees make one night, with the models of a small warehouse. `python -m tests.fuzz_trees --trees
1000` tries 1000; a seed repeats its tree, and a tree that breaks the rule becomes a test.
"""

import random
import time
from dataclasses import dataclass, field
from pathlib import Path

from expectations.suite import checks
from headroom.engines.duckdb.build import bring_up_to_date
from headroom.warehouse import Warehouse
from ingest.common.paths import printable
from ingest.find.sources import find_sources
from ingest.load import load
from tests.fuzz_trees.hostile import HOSTILE
from tests.fuzz_trees.tree import Tree

_SLOW_SECONDS = 20.0  # for each tree; a slower night hangs or is quadratic


@dataclass
class Report:
    trees: int = 0
    good: int = 0
    entries: int = 0
    seconds: float = 0.0
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.trees} trees with {self.good} good files among {self.entries} hostile entries "
            f"in {self.seconds:.0f} s: {len(self.faults)} faults"
        )


def grow(folder: Path, seed: int) -> Tree:
    """A tree of good files and some hostile entries."""
    tree = Tree(folder, random.Random(seed), f"{seed}")
    for _ in range(tree.any.randint(1, 4)):
        tree.add_good()
    for _ in range(tree.any.randint(1, 8)):
        add = tree.any.choice(HOSTILE)
        tree.told.append(add.__name__)
        add(tree)
    return tree


def night(warehouse: Warehouse, results: Path, trees: list[Tree], report: Report) -> None:
    """Load the trees and refresh the marts; faults go into the report."""
    started_at = time.monotonic()
    seeds = f"seeds {trees[0].name} to {trees[-1].name}"
    with warehouse.open_building() as connection:
        outcomes = list(load(connection, find_sources([results]), warehouse.archive, is_apart=True))
    if bring_up_to_date(warehouse) is None:
        report.faults.append(f"{seeds}: the models failed")
        return
    with warehouse.open_building() as connection:
        found = {
            row[0]
            for row in connection.execute(
                "select distinct source_path from marts.measurements"
            ).fetchall()
        }
        held = [
            f"{check.check_id} {connection.execute(check.failing_rows).fetchmany(2)}"
            for check in checks()
            if check.severity == "critical" and not check.looks_beyond_results
            if connection.execute(check.failing_rows).fetchall()
        ]
    report.faults += [f"{seeds}: held back by {check}" for check in held]
    unread = ("quarantined", "no result")
    refused = {outcome.path for outcome in outcomes if outcome.status in unread}
    refused |= {printable(error.path) for outcome in outcomes for error in outcome.errors}
    for tree in trees:
        of_tree = [f"{name} is not published" for name in tree.good if name not in found]
        of_tree += [f"{name} is not named" for name in tree.bad if name not in refused]
        report.faults += [f"seed {tree.name}: {fault} ({tree.told})" for fault in of_tree]
    seconds = time.monotonic() - started_at
    if seconds > _SLOW_SECONDS * len(trees):
        report.faults.append(f"{seeds}: slow, {seconds:.0f} s")
    report.trees += len(trees)
    report.good += sum(len(tree.good) for tree in trees)
    report.entries += sum(len(tree.told) for tree in trees)
    report.seconds += seconds
