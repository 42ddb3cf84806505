"""The boards, in the order in which they are read."""

from dashboards.boards import (
    block_sizes,
    claims,
    compare,
    data_quality,
    find,
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
        overview, compare, vendors, generations, response_curve, block_sizes,
        raid_levels, headroom, sizing, run,
        sustained, claims, find, data_quality,
    )
]  # fmt: skip
