"""Mutation testing: which small changes of the code no test detects. See docs/tests.md."""

import argparse
import sys
from pathlib import Path

from tests.mutation import code


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    known = ("check_queries", "models", *code.GROUPS)
    options.add_argument("groups", nargs="*", metavar="GROUP", help=", ".join(known))
    options.add_argument("--most", type=int, default=45, help="changes of each group; 0 for all")
    options.add_argument("--warehouse", type=Path, required=True, help="that of the tests")
    chosen = options.parse_args()
    most = chosen.most or sys.maxsize
    groups = chosen.groups or known
    if forked := [name for name in groups if name in code.GROUPS]:
        code.prepare()
        for name in forked:
            code.mutate(name, most)
    from tests.mutation import queries  # DuckDB's threads do not survive a fork

    for name in groups:
        if name in queries.MUTATIONS:
            queries.MUTATIONS[name](chosen.warehouse, most)


if __name__ == "__main__":
    main()
