"""Words that sidecars, papers and SQL share: dbt's seeds and variables have them."""

import csv
import re

import yaml

from ingest.project import project_folder

_DBT = project_folder("dbt_project")


def _seed(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader((_DBT / f"seeds/{name}.csv").read_text().splitlines()))


_QUANTITIES = yaml.safe_load((_DBT / "dbt_project.yml").read_text())["vars"]["quantities"]
UNITS_BY_QUANTITY: dict[str, tuple[str, ...]] = {
    name: tuple(quantity["units"]) for name, quantity in _QUANTITIES.items()
}
# Quantities also printed bare: "over 200K" of IOPS, a quotient of "70.71", a count of "8".
BARE_UNIT: dict[str, str] = {
    name: quantity["bare"] for name, quantity in _QUANTITIES.items() if "bare" in quantity
}
RAID_LEVELS = tuple(row["raid_level"] for row in _seed("dim_raid_levels"))
LINE_RATES: dict[str, float] = {
    row["interface"]: float(row["line_rate_hertz"]) for row in _seed("interfaces")
}
"""Bits a second of one lane, by interface."""
# What changes how sources are read.
WORDS = repr((_QUANTITIES, RAID_LEVELS, LINE_RATES)).encode()
_RAID_LEVEL = re.compile(r"(?:raid|r)?[-_ ]?(\d\+\d|\d+e?)", re.IGNORECASE)


def read_raid_level(text: str) -> str | None:
    """The level in other spellings: '5', 'raid5', 'RAID-5', 'r5' and '1+0'; None if it is none."""
    match = _RAID_LEVEL.fullmatch(text.strip())
    level = f"RAID {match[1].upper().replace('+', '')}" if match else text.strip().upper()
    return level if level in RAID_LEVELS else None


def slug(name: str) -> str:
    """A name in whatever spelling as one id, as the macro `slug` makes it: 'praid-ep420i'."""
    return re.sub("[^a-z0-9]+", "-", name.lower()).strip("-")
