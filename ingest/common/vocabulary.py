"""Words that sidecars, papers and SQL share; RAID levels and interfaces are seeds of dbt."""

import csv
import re

from ingest.common.project_folder import project_folder


def _seed(name: str) -> list[dict[str, str]]:
    path = project_folder("dbt_project") / f"seeds/{name}.csv"
    return list(csv.DictReader(path.read_text().splitlines()))


# The units allowed in raw; dbt's variable `quantities` has the same units with their factors.
UNITS_BY_QUANTITY: dict[str, tuple[str, ...]] = {
    "io_rate": ("IO/s", "IOPS"),
    "data_rate": ("B/s", "KiB/s", "MiB/s", "GiB/s", "MB/s", "GB/s"),
    "time": ("ns", "us", "ms", "s", "minutes", "hours"),
    "size": ("B", "byte", "bytes", "KiB", "MiB", "GiB", "TiB", "kB", "MB", "GB", "TB"),
    "frequency": ("MHz", "GHz"),
    "rotation_rate": ("rpm", "krpm"),
    "ratio": ("%", "times"),
    "count": (),
}
# Quantities also printed without a unit: "over 200K" IOPS, a quotient "70.71", a count "8".
BARE_UNIT = {"io_rate": "IO/s", "ratio": "times", "count": "count"}
RAID_LEVELS = tuple(row["raid_level"] for row in _seed("dim_raid_levels"))
VERDICT_RULES = tuple(row["rule"] for row in _seed("dim_verdict_rules"))
LINE_RATES = {row["interface"]: float(row["line_rate_hertz"]) for row in _seed("interfaces")}
"""Bits per second of one lane, by interface."""
_RAID_LEVEL = re.compile(r"(?:raid|r)?[-_ ]?(\d\+\d|\d+e?)", re.IGNORECASE)


def read_raid_level(text: str) -> str | None:
    """The level from any spelling: '5', 'raid5', 'RAID-5', 'r5' and '1+0'; None if unknown."""
    match = _RAID_LEVEL.fullmatch(text.strip())
    level = f"RAID {match[1].upper().replace('+', '')}" if match else text.strip().upper()
    return level if level in RAID_LEVELS else None


def slug(name: str) -> str:
    """One id for all spellings of a name, equal to the macro `slug`: 'praid-ep420i'."""
    return re.sub("[^a-z0-9]+", "-", name.lower()).strip("-")
