"""What do controllers reach side by side?"""

from grafana_foundation_sdk.models import units

from dashboards import variables
from dashboards.bars import Bars
from dashboards.board import Board
from dashboards.colours import GREY, SCOPES, VENDORS
from dashboards.columns import Look
from dashboards.marts import Column, Query, Rows, Variable, mart
from dashboards.tables import Table

_ARRAYS = mart("rpt_array_results")
_CHAIN = variables.chain(
    _ARRAYS, "vendor", "controller", "raid_level", "drive_media", suffix="_label"
)
_CHOSEN = _ARRAYS.where(*_CHAIN)
_PROFILE = variables.profile(
    _CHOSEN,
    "order by count(distinct controller_label) desc, profile_id",
)
_THROUGHPUT = variables.throughput()
_METRIC = variables.metric(_PROFILE)

_OF_PROFILE = _CHOSEN.where(_PROFILE)
_VENDOR = Column("vendor_label", "vendor")
_EMPTY = "Nothing was measured for this choice: choose another profile, or All above"


def _arrays(rows: Rows, value: str | Variable | Column, order: str) -> Query:
    shown = ("marked_label", value, "measurement_id", _VENDOR)
    return rows.select(*shown, then=f"order by {order} limit 30")


EACH_ARRAY = Bars(
    "Each array",
    "What each array does at this profile: the median where runs were repeated, at the load where "
    "it is highest; the table below has their range.",
    _arrays(_OF_PROFILE, _METRIC, "headline_value desc"),
    empty=_EMPTY,
    colour_by={"vendor": VENDORS},
)
THE_ARRAYS = Table(
    "The arrays",
    "The same with the range of repeated runs, latency and share of the ceiling at that load, and "
    "who says so: the value as printed, paper and page, or file.",
    _OF_PROFILE.select(
        "array_label",
        "value_label",
        "as_printed",
        "attained_label",
        "outstanding_io_count",
        "latency_mean_us",
        "measurement_id",
        "source_label",
        _VENDOR,
        then="order by headline_value desc, array_label limit 500",
    ),
    empty=_EMPTY,
    coloured={"vendor": VENDORS},
)
OF_CEILING = Bars(
    "% of ceiling",
    "The share of what links, drives and controller allow in practice, ranked where all limits are "
    "known. Grey below: at least this share, since an unknown limit may be lower. More "
    "than 100 % is a finding; what has no share says why in the table above.",
    _OF_PROFILE.where(
        "coalesce(comparable_attained_ratio, least_attained_ratio) is not null"
    ).select(
        "marked_label",
        Column("comparable_attained_ratio", "all limits known", Look(unit=units.PercentUnit)),
        Column(
            "least_attained_ratio",
            "at least, some limits unknown",
            Look(unit=units.PercentUnit),
        ),
        "measurement_id",
        then="order by comparable_attained_ratio desc nulls last, array_label limit 30",
    ),
    empty="No share of a ceiling is known here: a value is itself the limit that its source "
    "prints, or drives and links are not stated",
    colours=SCOPES,
    is_stacked=True,
)
PER_DRIVE = Bars(
    "Per drive",
    "The value divided by the number of drives, where that is reported.",
    _arrays(
        _OF_PROFILE.where("per_drive_headline_value is not null"),
        Column(f"{_METRIC.raw} / drive_count", _METRIC),
        "per_drive_headline_value desc",
    ),
    empty=_EMPTY,
    colour_by={"vendor": VENDORS},
)
MEAN_LATENCY = Bars(
    "Mean latency",
    "The mean latency at that load; short bars are better.",
    _arrays(_OF_PROFILE.where("latency_mean_us is not null"), "latency_mean_us", "latency_mean_us"),
    empty="No source states a latency for these arrays at this profile",
    colour_by={"vendor": VENDORS},
)

BOARD = Board(
    "headroom-vendors",
    "Vendors",
    "**What does each controller reach at one load profile?** Medians of repeated runs; IOPS below "
    "64 KiB, throughput from there. ≈ is approximate, ≥ at least, ≤ at most what is shown. Across "
    "profiles only *% of ceiling* can be compared.",
    [
        (13, [(24, EACH_ARRAY)]),
        (12, [(24, THE_ARRAYS)]),
        (11, [(24, OF_CEILING)]),
        (11, [(12, PER_DRIVE), (12, MEAN_LATENCY)]),
    ],
    variables=[*_CHAIN, _PROFILE, _THROUGHPUT, _METRIC],
    legend=VENDORS | {"others": GREY},
)
