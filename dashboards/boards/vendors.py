"""What do controllers reach side by side?"""

from grafana_foundation_sdk.models import units

from dashboards import variables
from dashboards.board import Board
from dashboards.colours import GREY, MEASURED, RUN_VERDICTS, VENDORS
from dashboards.columns import Look
from dashboards.marts import Column, mart, run_link, source, wide
from dashboards.tables import Table, bar_of

_ARRAYS = mart("rpt_array_results").where("not is_example")
_CHAIN = variables.chain(
    _ARRAYS, "vendor", "controller", "raid_level", "drive_media", suffix="_label"
)
_CHOSEN = _ARRAYS.where(*_CHAIN)
_PROFILE = variables.profile(_CHOSEN, "count(distinct controller_label) desc, profile_id")
_THROUGHPUT = variables.throughput()

_TRUST = variables.trust(_CHOSEN.where(_PROFILE))
_OF_PROFILE = _CHOSEN.where(_PROFILE, _TRUST)
_VENDOR = wide(90, "vendor", of="vendor_label")
_EMPTY = "Nothing was measured for this choice: choose another profile, or all above"


EACH_ARRAY = Table(
    "Each array",
    "The value of each array at its best load, all in one unit: the median of repeated runs; the "
    "table in Details has their range.",
    _OF_PROFILE.select(
        wide(220, "array_label", grows=True),
        _VENDOR,
        wide(110, "value_text", "value", of=f"{_THROUGHPUT.raw}_label", wraps=False),
        bar_of("headline_value", 380),
        run_link(50),
        then="order by headline_value desc, array_label limit 30",
    ),
    empty=_EMPTY,
    bars={"headline_value_bar": MEASURED},
    coloured={"vendor": VENDORS},
)
THE_ARRAYS = Table(
    "The arrays",
    "The same values with the range of repeated runs, latency, % of ceiling, the verdict on our "
    "own run, and the source: the value as printed, paper and page, or file.",
    _OF_PROFILE.select(
        wide(140, "array_label", grows=True),
        wide(100, "value_label"),
        wide(95, "as_printed", of="split_part(as_printed, '; ', 1)"),
        wide(95, "attained_label"),
        wide(85, "run_verdict"),
        wide(100, "outstanding_io_count", wraps=False),
        wide(70, "latency_mean_us", wraps=False),
        run_link(50),
        source(165),
        _VENDOR,
        then="order by headline_value desc, array_label limit 500",
    ),
    empty=_EMPTY,
    coloured={"run_verdict": RUN_VERDICTS, "vendor": VENDORS},
)
OF_CEILING = Table(
    "% of ceiling",
    "The share of the practical limit of links, drives and controller, highest first. In grey, "
    "with ≥: at least this share, since an unknown limit may be lower. A value that its document "
    "calls the limit stands by its share of the next limit. More than 100 % is a finding.",
    _OF_PROFILE.where("attained_label is not null").select(
        wide(220, "array_label", grows=True),
        wide(
            230,
            "attained_label",
            of="if(next_attained_label is null, attained_label, "
            "'the document calls it the limit; ' || next_attained_label)",
        ),
        Column(
            "coalesce(shown_attained_ratio, next_attained_ratio)",
            "share_bar",
            Look(width=180, heading=" ", unit=units.PercentUnit),
        ),
        wide(110, "binding_ceiling"),
        wide(200, "unknown_limits"),
        run_link(50),
        then="order by coalesce(shown_attained_ratio, next_attained_ratio) desc nulls last, "
        "array_label limit 100",
    ),
    empty="No ceiling is known here: drives and links are not reported",
    bars={"share_bar": MEASURED},
    patterns={"attained_label": {"^(≥|no|the document) ": GREY}},
)
PER_DRIVE = Table(
    "Per drive",
    "The value divided by the number of drives, if reported.",
    _OF_PROFILE.where("per_drive_headline_value is not null").select(
        wide(160, "array_label", grows=True),
        wide(100, "value_text", "per drive", of=f"per_drive_{_THROUGHPUT.raw}_label"),
        bar_of("per_drive_headline_value", 130),
        run_link(50),
        then="order by per_drive_headline_value desc, array_label limit 30",
    ),
    empty=_EMPTY,
    bars={"per_drive_headline_value_bar": MEASURED},
)
MEAN_LATENCY = Table(
    "Mean latency",
    "The mean latency at that load, lowest first.",
    _OF_PROFILE.where("latency_mean_us is not null").select(
        wide(200, "marked_label", grows=True),
        wide(120, "latency_mean_us", wraps=False),
        run_link(50),
        then="order by latency_mean_us, array_label limit 30",
    ),
    empty="No source reports a latency for these arrays at this profile",
)

BOARD = Board(
    "headroom-vendors",
    "Vendors",
    "**What does each controller reach at one load profile?** Medians of repeated runs; IOPS for "
    "blocks below 64 KiB, throughput from 64 KiB. ≈ is approximate, ≥ at least, ≤ at most. "
    "Across profiles compare only *% of ceiling*.",
    [
        (16, [(24, EACH_ARRAY)]),
        (14, [(24, OF_CEILING)]),
    ],
    folded=[
        (14, [(24, THE_ARRAYS)]),
        (12, [(12, PER_DRIVE), (12, MEAN_LATENCY)]),
    ],
    variables=[*_CHAIN, _PROFILE, _TRUST, _THROUGHPUT],
)
