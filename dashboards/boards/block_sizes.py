"""At which block size does bandwidth become the limit instead of IOPS?"""

from grafana_foundation_sdk.models import units

from dashboards import variables
from dashboards.board import Board
from dashboards.charts import CROSSOVERS, ROOM, Axis, Points
from dashboards.columns import IOPS
from dashboards.marts import Column, mart

_POINTS = mart("rpt_block_sizes")
_ACCESS = variables.one(
    "access",
    "Access",
    "access_label",
    _POINTS.each("access_label", "max(block_size_count) desc, count(*) desc, 1"),
)
_ARRAYS = variables.several(
    "array",
    "Arrays",
    "array_label",
    _POINTS.where(_ACCESS).each(
        "array_label", "max(block_size_count) desc, max(bytes_per_second) desc, 1"
    ),
)
_CHOSEN = _POINTS.where(_ACCESS, _ARRAYS)
_BLOCK = Axis("block size in KiB", f"suffix:{ROOM}", is_logarithmic=True, log=2)


def _over_block_size(quantity: str, description: str, column: str, unit: str) -> Points:
    return Points(
        f"{quantity} over block size",
        f"{description} A grey square is the crossover, which the legend names: the smallest block "
        "with nine tenths of the highest throughput of three or more block sizes. A point opens "
        "its measurement.",
        _CHOSEN.ask(
            f"select block_bytes / 1024 as x, {column} as y, curve_label as curve, measurement_id, "
            f"1 as part {_CHOSEN} union all select block_bytes / 1024, {column}, 'crossover', "
            f"measurement_id, 2 {_CHOSEN} and is_crossover",
            "x",
            "y",
            "curve",
            "measurement_id",
            Column("part", "part"),
        ),
        order=("part", "curve", "x"),
        unseen=("part",),
        empty="No array with more than one block size for this choice",
        x=_BLOCK,
        y=Axis(quantity, unit, is_logarithmic=True),
        looks=CROSSOVERS,
    )


THROUGHPUT = _over_block_size(
    "Throughput",
    "It rises with the block size until a link or the drives carry no more.",
    "bytes_per_second",
    units.BytesPerSecondSI,
)
IOPS_OVER_BLOCK_SIZE = _over_block_size(
    "IOPS",
    "Level while operations are the limit; beyond the crossover it falls as blocks grow.",
    "iops",
    IOPS,
)

BOARD = Board(
    "headroom-block-sizes",
    "Block sizes",
    "**At which block size does bandwidth become the limit instead of IOPS?** At the crossover, "
    "the grey square. Each point is the highest value over all outstanding I/Os; everything else "
    "is the same along a curve.",
    [(13, [(24, THROUGHPUT)]), (13, [(24, IOPS_OVER_BLOCK_SIZE)])],
    variables=[_ACCESS, _ARRAYS],
)
