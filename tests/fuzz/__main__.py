"""`python -m tests.fuzz --seconds 60`: damaged copies of each parser's golden files."""

import argparse
from pathlib import Path

from ingest import parsers
from tests.fuzz import fuzz

GOLDEN = Path(__file__).parents[1] / "golden"
PARSERS = {
    parser.NAME: parser
    for parser in parsers.PARSERS
    if parser is not parsers.white_paper and (GOLDEN / parser.NAME).is_dir()
}


def main() -> int:
    """Exit code 1 if anything crashed."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("parsers", nargs="*", help=f"of {', '.join(PARSERS)}; else all")
    options.add_argument("--seconds", type=float, default=60.0)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--crashes", type=Path, help="folder for what crashed; else a new one")
    chosen = options.parse_args()
    if unknown := set(chosen.parsers) - PARSERS.keys():
        options.error(f"no such parser: {', '.join(unknown)}")
    has_crashed = False
    for name in chosen.parsers or PARSERS:
        golden = sorted((GOLDEN / name).iterdir())
        seeds = [path for path in golden if not path.name.endswith(".golden.json")]
        report = fuzz(PARSERS[name], seeds, chosen.seconds, chosen.seed, chosen.crashes)
        print(f"{name}: {report}", flush=True)
        has_crashed |= bool(report.crashes)
    return int(has_crashed)


if __name__ == "__main__":
    raise SystemExit(main())
