"""Words that sidecars and papers share."""

RAID_LEVELS = (
    "RAID 0", "RAID 1", "RAID 1E", "RAID 5", "RAID 6", "RAID 10", "RAID 50", "RAID 60", "JBOD",
)  # fmt: skip
