"""What do controllers reach side by side?"""

from dashboards import variables
from dashboards.bars import bars
from dashboards.board import board
from dashboards.colours import VENDORS
from dashboards.panels import rows

_CHAIN = ("vendor", "controller", "raid_level", "drive_media")
_CHOSEN = f"from marts.measurements where {variables.chosen(*_CHAIN, suffix='_label')}"
_OF_PROFILE = f"{_CHOSEN} and profile_id = ${{profile:sqlstring}}"
_BEST = f"{_OF_PROFILE} and is_best_of_array"
_EMPTY = "Nothing was measured for this choice: choose another profile, or All above"
_VENDOR = ("vendor_label as vendor", VENDORS)

BEST_OF_EACH_ARRAY = bars(
    "Best of each array",
    "The highest value that was measured or published of each array at this profile.",
    label="marked_label",
    values=["${metric:raw}"],
    source=f"{_BEST} order by headline_value desc limit 30",
    empty=_EMPTY,
    run="measurement_id",
    colour_by=_VENDOR,
)
PER_DRIVE = bars(
    "Per drive",
    "The same over the number of drives; without those whose drives are not counted.",
    label="marked_label",
    values=["per_drive_headline_value as ${metric:raw}"],
    source=(
        f"{_BEST} and per_drive_headline_value is not null order by per_drive_headline_value "
        "desc limit 30"
    ),
    empty=_EMPTY,
    run="measurement_id",
    colour_by=_VENDOR,
)
OF_CEILING = bars(
    "Of ceiling",
    (
        "The share of what links, drives and controller allow in practice; more than 100 % "
        "is a finding."
    ),
    label="marked_label",
    values=["attained_ratio"],
    source=f"{_BEST} and attained_ratio is not null order by attained_ratio desc limit 30",
    empty="No ceiling is known for these arrays: their drives or links are not stated",
    run="measurement_id",
    colour_by=_VENDOR,
)
MEAN_LATENCY = bars(
    "Mean latency",
    "The mean latency at the highest value; short bars are better.",
    label="marked_label",
    values=["latency_mean_us"],
    source=f"{_BEST} and latency_mean_us is not null order by latency_mean_us limit 30",
    empty="No source states a latency for these arrays at this profile",
    run="measurement_id",
    colour_by=_VENDOR,
)
SOURCES = rows(
    "Sources",
    (
        "Every measurement behind this choice, with its paper and page, or its file; who "
        "paid for a paper is named."
    ),
    [
        "marked_label",
        "iops",
        "bytes_per_second",
        "attained_ratio",
        "latency_mean_us",
        "measurement_id",
        "source_label",
        "commissioned_by",
        "as_printed",
        "outstanding_io_count",
        "condition",
        "binding_ceiling",
        "vendor_label as vendor",
    ],
    f"{_OF_PROFILE} order by headline_value desc nulls last, measurement_id limit 500",
    empty=_EMPTY,
    coloured={"vendor": VENDORS},
)

BOARD = board(
    "headroom-vendors",
    "Vendors",
    "**What does each controller reach at one load profile?** The best of each array; "
    "IOPS below 64 KiB, "
    "throughput from there. ≈ is approximate, ≥ at least, ≤ at most what is shown. "
    "Across profiles only *of ceiling* can be compared.",
    [
        (13, [(24, BEST_OF_EACH_ARRAY)]),
        (12, [(24, OF_CEILING)]),
        (12, [(24, PER_DRIVE)]),
        (8, [(24, MEAN_LATENCY)]),
        (11, [(24, SOURCES)]),
    ],
    variables=[
        *variables.chain("marts.measurements", *_CHAIN, suffix="_label"),
        variables.one(
            "profile",
            "Load profile",
            (
                "select profile_id as __value, any_value(profile_label) as __text "
                f"{_CHOSEN} and headline_value is not null "
                "group by profile_id order by count(distinct controller_label) desc, profile_id"
            ),
        ),
        variables.metric(),
    ],
)
