"""Measurements of Headroom itself: `make bench`, `make bench-growth` and `make corpus`."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
BENCH = ROOT / ".bench"
"""Labs, warehouses and a peer's environment; git ignores it."""
HEADROOM = Path(sys.executable).with_name("headroom")
