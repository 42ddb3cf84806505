"""Words that sidecars and papers share."""

import re

RAID_LEVELS = (
    "RAID 0", "RAID 1", "RAID 1E", "RAID 5", "RAID 6", "RAID 10", "RAID 50", "RAID 60", "JBOD",
)  # fmt: skip
_RAID_LEVEL = re.compile(r"(?:raid|r)?[-_ ]?(\d\+\d|\d+e?)", re.IGNORECASE)


def read_raid_level(text: str) -> str | None:
    """The level in other spellings: '5', 'raid5', 'RAID-5', 'r5' and '1+0'; None if it is none."""
    match = _RAID_LEVEL.fullmatch(text.strip())
    level = f"RAID {match[1].upper().replace('+', '')}" if match else text.strip().upper()
    return level if level in RAID_LEVELS else None
