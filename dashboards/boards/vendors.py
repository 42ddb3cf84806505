"""What do controllers reach side by side?"""

from dashboards import variables
from dashboards.bars import Bars
from dashboards.board import Board
from dashboards.colours import VENDORS
from dashboards.marts import Column, Query, Rows, Variable, mart
from dashboards.tables import Table

_MEASURED = mart("measurements").where("is_valid")
_CHAIN = variables.chain(
    _MEASURED, "vendor", "controller", "raid_level", "drive_media", suffix="_label"
)
_CHOSEN = _MEASURED.where(*_CHAIN)
_PROFILE = variables.profile(
    _CHOSEN.where("headline_value is not null"),
    "order by count(distinct controller_label) desc, profile_id",
)
_METRIC = variables.metric(_PROFILE)

_OF_PROFILE = _CHOSEN.where(_PROFILE)
_BEST = _OF_PROFILE.where("is_best_of_array")
_VENDOR = Column("vendor_label", "vendor")
_EMPTY = "Nothing was measured for this choice: choose another profile, or All above"


def _arrays(rows: Rows, value: str | Variable | Column, order: str) -> Query:
    shown = ("marked_label", value, "measurement_id", _VENDOR)
    return rows.select(*shown, then=f"order by {order} limit 30")


BEST_OF_EACH_ARRAY = Bars(
    "Best of each array",
    "The highest value that was measured or published of each array at this profile.",
    _arrays(_BEST, _METRIC, "headline_value desc"),
    empty=_EMPTY,
    colour_by={"vendor": VENDORS},
)
PER_DRIVE = Bars(
    "Per drive",
    "The same over the number of drives; without those whose drives are not counted.",
    _arrays(
        _BEST.where("per_drive_headline_value is not null"),
        Column("per_drive_headline_value", _METRIC),
        "per_drive_headline_value desc",
    ),
    empty=_EMPTY,
    colour_by={"vendor": VENDORS},
)
OF_CEILING = Bars(
    "Of ceiling",
    "The share of what links, drives and controller allow in practice; more than 100 % is a "
    "finding.",
    _arrays(_BEST.where("attained_ratio is not null"), "attained_ratio", "attained_ratio desc"),
    empty="No ceiling is known for these arrays: their drives or links are not stated",
    colour_by={"vendor": VENDORS},
)
MEAN_LATENCY = Bars(
    "Mean latency",
    "The mean latency at the highest value; short bars are better.",
    _arrays(_BEST.where("latency_mean_us is not null"), "latency_mean_us", "latency_mean_us"),
    empty="No source states a latency for these arrays at this profile",
    colour_by={"vendor": VENDORS},
)
SOURCES = Table(
    "Sources",
    "Every measurement behind this choice that counts, with its paper and page, or its file; who "
    "paid for a paper is named.",
    _OF_PROFILE.select(
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
        _VENDOR,
        then="order by headline_value desc nulls last, measurement_id limit 500",
    ),
    empty=_EMPTY,
    coloured={"vendor": VENDORS},
)

BOARD = Board(
    "headroom-vendors",
    "Vendors",
    "**What does each controller reach at one load profile?** The best of each array; IOPS below "
    "64 KiB, throughput from there. ≈ is approximate, ≥ at least, ≤ at most what is shown. Across "
    "profiles only *of ceiling* can be compared.",
    [
        (13, [(24, BEST_OF_EACH_ARRAY)]),
        (12, [(24, OF_CEILING)]),
        (12, [(24, PER_DRIVE)]),
        (8, [(24, MEAN_LATENCY)]),
        (11, [(24, SOURCES)]),
    ],
    variables=[*_CHAIN, _PROFILE, _METRIC],
)
