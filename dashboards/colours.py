"""Colours and their meanings, the same on all boards and for every choice of values.

All keep a contrast of 3:1 to Grafana's light and dark panels. A value without a colour here is
grey. A colour never says anything that a name beside it does not.
"""

GREY = "#8a8f98"
MEASURED = "#3f7fe0"

# Two arrays among others.
SIDES = {"A": "#0f8a6a", "B": "#e06a1b"}

# From low to high, by Grafana's names: each theme has its own shades of them.
SHADES = ("super-light-blue", "light-blue", "blue", "semi-dark-blue", "dark-blue")

VENDORS = {
    "Fujitsu": "#c26a4a",
    "Fusion-io": "#a8892b",
    "HGST": "#6f9a4a",
    "HP": "#3a93a8",
    "HighPoint": "#7f78d6",
    "IBM": "#5479c9",
    "Intel": "#3d9c86",
    "LSI": "#a47d3f",
    "Seagate": "#86983a",
    "Toshiba": "#c0688f",
}

CEILINGS = {
    "controller": "#8e6fd8",
    "disk interface": "#1f97b5",
    "drives": "#b0841e",
    "host interface": "#d45a8f",
}

LIMITS = CEILINGS | {"attained": MEASURED, "this measurement": MEASURED}

# Colours of verdicts, confidence and verdicts on runs are at least 0.09 apart in OKLab, also for
# the colour-blind; tests/test_board_colours.py checks this.
VERDICTS = {
    "contradicted": "#d92626",
    "confirmed": "#367d59",
    "consistent": "#4792f5",
    "insufficient data": GREY,
}

RATING_VERDICTS = {
    "exceeded": VERDICTS["consistent"],
    "reached": VERDICTS["confirmed"],
    "not reached": GREY,
}

CONFIDENCE = {"high": VERDICTS["confirmed"], "medium": MEASURED, "low": "#b8860b"}

RUN_VERDICTS = {
    "trusted": "#009643",
    "too short": "#6565b4",
    "cached": "#945077",
    "not steady": "#9822fb",
    "host-limited": "#5091fa",
    "doubtful": "#f5422a",
    "insufficient data": GREY,
}

RULE_VERDICTS = {
    "failed": RUN_VERDICTS["doubtful"],
    "insufficient data": GREY,
    "passed": RUN_VERDICTS["trusted"],
}

# Curves of a chart, at most this many; distinct from each other, from ceilings and from grey.
CURVES = (
    "#206bb6",
    "#dc7938",
    "#36a176",
    "#a63fa3",
    "#d10505",
    "#4d7326",
    "#26736b",
    "#fb5656",
    "#916446",
    "#879504",
)

DIRECTIONS = {"read": "#2f9e94", "write": "#cf7620", "trim": GREY}

NIGHT_COLOURS = {
    "check_passed_count": VERDICTS["confirmed"],
    "check_failed_count": VERDICTS["contradicted"],
    "file_loaded_count": "#5b8aa8",
    "file_quarantined_count": "#b8801a",
}

EVIDENCE = {"measured": MEASURED, "theoretical": GREY, "practical": "#5f8a3a"}
