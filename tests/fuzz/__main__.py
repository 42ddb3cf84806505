"""`python -m tests.fuzz fio --seconds 60`: damaged copies of a parser's golden files."""

import argparse
from pathlib import Path

from ingest import parsers
from tests.fuzz import fuzz

GOLDEN = Path(__file__).parents[1] / "golden"
PARSERS = {parser.NAME: parser for parser in parsers.PARSERS if parser.NAME != "white_paper"}


def main() -> int:
    """Exit code 1 if anything crashed."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("parser", choices=PARSERS)
    options.add_argument("--seconds", type=float, default=60.0)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--crashes", type=Path, help="folder for what crashed; else a new one")
    chosen = options.parse_args()
    seeds = [
        path
        for path in sorted((GOLDEN / chosen.parser).iterdir())
        if not path.name.endswith(".golden.json")
    ]
    report = fuzz(PARSERS[chosen.parser], seeds, chosen.seconds, chosen.seed, chosen.crashes)
    print(f"{chosen.parser}: {report}")
    return 1 if report.crashes else 0


if __name__ == "__main__":
    raise SystemExit(main())
