"""Times the parsers of text formats against a bare reading of the same bytes.

    python -m benchmarks.parsers FILE...

The bare reading decodes a file, splits its lines at blanks and commas and converts the numbers, as
any reader of the format has to. Each file is parsed for a second.
"""

import re
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from ingest.common.text_files import as_utf8
from ingest.find.identify import identify

_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_SECONDS = 1.0


def bare(data: bytes) -> int:
    count = 0
    for line in data.decode(errors="replace").splitlines():
        for cell in line.replace(",", " ").replace('"', " ").split():
            if _NUMBER.fullmatch(cell):
                float(cell)
                count += 1
    return count


def seconds(function: Callable[[], object]) -> float:
    """The shortest time of a call, of as many calls as fit into a second."""
    best, end = float("inf"), time.perf_counter() + _SECONDS
    while time.perf_counter() < end or best == float("inf"):
        started_at = time.perf_counter()
        function()
        best = min(best, time.perf_counter() - started_at)
    return best


def main(paths: list[Path]) -> None:
    totals: dict[str, list[float]] = defaultdict(lambda: [0, 0, 0, 0])
    for path in paths:
        data = as_utf8(path.read_bytes())
        parser = identify(path, data)
        parse = seconds(lambda p=parser, at=path, d=data: p.parse(at, d))  # type: ignore[misc]
        found = (1, len(data) / 1e6, parse, seconds(lambda d=data: bare(d)))  # type: ignore[misc]
        totals[parser.NAME] = [a + b for a, b in zip(totals[parser.NAME], found, strict=True)]
    print("| parser | files | MB | MB/s | bare, MB/s | to bare |\n|---|--:|--:|--:|--:|--:|")
    for name, (count, size, parse, least) in sorted(totals.items()):
        rates = f"{size / parse:.1f} | {size / least:.1f} | {parse / least:.1f}"
        print(f"| {name} | {count:.0f} | {size:.2f} | {rates} |")


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]])
