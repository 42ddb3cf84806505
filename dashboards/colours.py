"""One colour for each vendor and each kind of ceiling, on every board.

All keep a contrast of 3:1 to Grafana's light and dark panels. What has no colour of its own here is
grey: a colour never says anything that a name beside it does not.
"""

GREY = "#8a8f98"

# From little to much, by Grafana's names, for each theme has its own shades of them.
SHADES = ("super-light-blue", "light-blue", "blue", "semi-dark-blue", "dark-blue")

VENDORS = {
    "Fujitsu": "#e0453a",
    "Fusion-io": "#cf7620",
    "HGST": "#4a9a5b",
    "HP": "#1f97b5",
    "HighPoint": "#8e6fd8",
    "IBM": "#3f7fe0",
    "Intel": "#2f9e94",
    "LSI": "#b0841e",
    "Seagate": "#739b2c",
    "Toshiba": "#d45a8f",
}

CEILINGS = {
    "controller": "#8e6fd8",
    "disk interface": "#3f7fe0",
    "drives": "#cf7620",
    "host interface": "#2f9e94",
    "attained": "#e0453a",
}

VERDICTS = {
    "confirmed": "#4a9a5b",
    "contradicted": "#e0453a",
    "insufficient data": GREY,
}

PLAIN = "#3f7fe0"

RAID_LEVELS = {
    "RAID 0": "#4a9a5b",
    "RAID 10": "#b0841e",
    "RAID 5": "#3f7fe0",
    "RAID 6": "#8e6fd8",
}

DIRECTIONS = {"read": "#3f7fe0", "write": "#cf7620", "trim": GREY}

KNEE = "#d45a8f"

NIGHT_COLOURS = {
    "check_passed_count": "#4a9a5b",
    "check_failed_count": "#e0453a",
    "file_loaded_count": "#3f7fe0",
    "file_quarantined_count": "#cf7620",
}

EVIDENCE = {"measured": "#3f7fe0", "theoretical": "#cf7620", "practical": "#4a9a5b"}
