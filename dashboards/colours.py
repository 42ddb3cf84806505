"""One colour for each vendor and each kind of ceiling, on every board.

All keep a contrast of 3:1 to Grafana's light and dark panels. What has no colour of its own here is
grey: a colour never says anything that a name beside it does not.
"""

GREY = "#8a8f98"

VENDORS = {
    "Fujitsu": "#e0453a",
    "Fusion-io": "#d9822b",
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
    "drives": "#d9822b",
    "host interface": "#2f9e94",
    "attained": "#e0453a",
}

VERDICTS = {
    "confirmed": "#4a9a5b",
    "contradicted": "#e0453a",
    "not decidable": GREY,
}

KNEE = "#d45a8f"

EVIDENCE = {"measured": "#3f7fe0", "theoretical": "#d9822b", "practical": "#4a9a5b"}
