"""The boards, in the order in which they are read."""

from dashboards.boards import (
    claims,
    compare,
    data_quality,
    generations,
    headroom,
    overview,
    raid_levels,
    response_curve,
    run,
    sizing,
    sustained,
    vendors,
)

BOARDS = [
    module.BOARD
    for module in (
        overview, compare, vendors, generations, response_curve, raid_levels, headroom, sizing, run,
        sustained, claims, data_quality,
    )
]  # fmt: skip
