"""How much load is worth it?"""

import functools

from grafana_foundation_sdk.models import units

from dashboards import variables
from dashboards.board import Board
from dashboards.charts import CEILINGS, KNEES, LITTLE_ROOM, MOST_CURVES, NUMBERED, Axis, Points
from dashboards.columns import IOPS
from dashboards.marts import Column, mart, run_link, wide
from dashboards.tables import Grid, Table

_POINTS = mart("rpt_response_curves").where("is_example is not true")
_CHAIN = variables.chain(_POINTS, "vendor", "controller", "raid_level")
_MEDIA = variables.several(
    "drive_media",
    "Media",
    "drive_media",
    _POINTS.where(*_CHAIN),
    first="SSD",
    always="is_own and drive_media = 'not reported'",
)
_CHOSEN = _POINTS.where(*_CHAIN, _MEDIA)
_PROFILE = variables.profile(_CHOSEN, "count(*) desc, profile_id")
_ARRAYS = variables.several("array", "Arrays", "array_label", _CHOSEN.where(_PROFILE))
_WORKERS = variables.one(
    "workers",
    "Workers",
    "worker_label",
    _POINTS.where(_ARRAYS, _PROFILE).each(
        "worker_label", "count(distinct array_label) desc, worker_label"
    ),
)
_LATENCY = variables.fixed(
    "latency",
    "Latency",
    {
        "mean": "latency_mean_us",
        "p50": "latency_p50_us",
        "p99": "latency_p99_us",
        "p99.9": "latency_p999_us",
    },
)
_MEASURED = mart("rpt_measurements").where("is_valid", "not is_superseded")
_STEPPED = "worker_outstanding_io_count is not null"
_GRID_ARRAY = variables.one(
    "grid_array",
    "Array of the grid",
    "setup_label",
    _MEASURED.where(_ARRAYS, _PROFILE, _STEPPED).each("setup_label", "count(*) desc, setup_label"),
)
_GRID = _MEASURED.where(_GRID_ARRAY, _PROFILE, "iops is not null", _STEPPED)
_GRID_WORKERS = variables.columns("grid_workers", "worker_label", _GRID)

_CURVES = _POINTS.where(_PROFILE, _ARRAYS, _WORKERS)
# Draws the first MOST_CURVES curves by letter. With only letters up to J chosen, each letter keeps
# its colour; else colours go by rank, so that no two drawn curves share one.
_DRAWN_COLUMNS = (
    "curve_number, curve_letter, lettered_label, knee_sentence, is_knee, outstanding_io_count, "
    "iops, ceiling_iops, ceiling_label, measurement_id"
)
_POINT = ("x", "y", "curve", "measurement_id")
_UNSEEN = ("colour_number", "part", "along", "beyond")
_CEILING = "ceiling_label || ': ' || string_agg(distinct curve_letter, ', ' order by curve_letter)"
_EMPTY = "No curve for this choice: choose other arrays or workers"


def _drawn(*more: str) -> str:
    return (
        f"with drawn as (select {', '.join((_DRAWN_COLUMNS, *more))}, "
        f"if(max(curve_number) over (order by curve_number desc) <= {MOST_CURVES}, curve_number, "
        f"dense_rank() over (order by curve_number)) as colour_number {_CURVES} "
        f"qualify dense_rank() over (order by curve_number) <= {MOST_CURVES}) "
    )


def _bound(part: int, column: str, words: str) -> str:
    return (
        f"union all select iops, {column}, lettered_label || ', {words}', measurement_id, "
        f"colour_number, {part}, curve_number, outstanding_io_count from drawn "
        f"where {column} is not null "
    )


_points = functools.partial(
    Points,
    looks=NUMBERED | KNEES | CEILINGS,
    numbered="colour_number",
    order=("part", "along", "beyond"),
    unseen=_UNSEEN,
)
LATENCY_OVER_IOPS = _points(
    "Latency over IOPS",
    "One line per array and condition, with the outstanding I/Os, IOPS and mean latency of its "
    "knee; outstanding I/Os rise from point to point. If percentiles cannot be merged, two lines "
    "bound the latency (at least, at most). Grey squares are knees, dashed vertical lines ceilings "
    "with the letters of their curves. A point names its curve and opens its measurement.",
    _CURVES.ask(
        _drawn(
            f"{_LATENCY.raw} as latency_us",
            f"min_{_LATENCY.raw} as least_us",
            f"max_{_LATENCY.raw} as most_us",
        )
        + "(select iops as x, latency_us as y, "
        "concat_ws('; ', lettered_label, knee_sentence) as curve, measurement_id, colour_number, "
        "1 as part, curve_number as along, outstanding_io_count as beyond "
        "from drawn where latency_us is not null "
        "order by curve_number, outstanding_io_count limit 2000) "
        f"{_bound(2, 'least_us', 'at least')}{_bound(3, 'most_us', 'at most')}"
        "union all select iops, latency_us, 'knees', measurement_id, null, 4, iops, null "
        "from drawn where is_knee and latency_us is not null "
        "union all select ceiling_iops, unnest(ends), ceiling, null, null, "
        "5, ceiling_iops, unnest(ends) "
        f"from (select ceiling_iops, {_CEILING} as ceiling, "
        "[min(latency_us), max(latency_us)] as ends from drawn "
        "where ceiling_iops is not null and latency_us is not null "
        "group by ceiling_iops, ceiling_label)",
        *_POINT,
        *_UNSEEN,
    ),
    empty="No curve of these arrays reports this latency: choose another latency, load profile, "
    "number of workers or media",
    x=Axis("IOPS", f"si:{LITTLE_ROOM}", is_logarithmic=True),
    y=Axis("latency", units.Microseconds, is_logarithmic=True),
)
IOPS_OVER_OUTSTANDING_I_OS = _points(
    "IOPS over outstanding I/Os",
    "The same arrays, and those without a reported latency: the gain from each further "
    "outstanding I/O, and the ceilings as dashed horizontal lines.",
    _CURVES.ask(
        f"{_drawn()}(select outstanding_io_count as x, iops as y, lettered_label as curve, "
        "measurement_id, colour_number, 1 as part, curve_number as along, "
        "outstanding_io_count as beyond from drawn "
        "order by curve_number, outstanding_io_count limit 2000) "
        "union all select outstanding_io_count, iops, 'knees', measurement_id, null, 2, iops, null "
        "from drawn where is_knee "
        "union all select unnest(ends), ceiling_iops, ceiling, null, null, "
        "3, ceiling_iops, unnest(ends) "
        f"from (select ceiling_iops, {_CEILING} as ceiling, "
        "[min(outstanding_io_count), max(outstanding_io_count)] as ends from drawn "
        "where ceiling_iops is not null group by ceiling_iops, ceiling_label)",
        *_POINT,
        *_UNSEEN,
    ),
    empty=_EMPTY,
    x=Axis("outstanding I/Os", f"suffix:{LITTLE_ROOM}", is_logarithmic=True, log=2),
    y=Axis("IOPS", IOPS, is_logarithmic=True),
)
IOPS_BY_IODEPTH_AND_NUMJOBS = Grid(
    "IOPS by iodepth and numjobs",
    "The best run of each combination, all with one I/O engine: rows are outstanding I/Os per "
    "worker (fio's iodepth), columns workers (numjobs).",
    _GRID.ask(
        f"from (pivot (select worker_outstanding_label as iodepth, worker_label, iops {_GRID}) "
        f"on worker_label in ({_GRID_WORKERS.raw}) using max(iops) "
        "group by iodepth) order by iodepth",
        Column("worker_outstanding_label", "iodepth"),
        _GRID_WORKERS,
    ),
    empty="This setup was not measured with several depths and workers at this profile",
)
THE_KNEES = Table(
    "The knees",
    "Beyond the knee latency grows faster than throughput; a curve without a row has no knee in "
    "the measured range.",
    _CURVES.where("is_knee").select(
        wide(270, "lettered_label"),
        "outstanding_io_count",
        "iops",
        "latency_mean_us",
        "latency_p99_us",
        wide(110, "latency_p99_range"),
        "ceiling_iops",
        "binding_ceiling",
        run_link(60),
        then="order by iops desc, lettered_label",
    ),
    empty="No curve for this choice has a knee in its measured range",
)

BOARD = Board(
    "headroom-response-curve",
    "Response curve",
    "**How does latency rise with load, and where is the knee?** More outstanding I/Os bring "
    "more IOPS up to the knee; beyond it latency grows faster than throughput. Each curve keeps "
    f"its letter. At most {MOST_CURVES} curves are drawn: choose arrays to see others.",
    [
        (17, [(24, LATENCY_OVER_IOPS)]),
        (14, [(24, IOPS_OVER_OUTSTANDING_I_OS)]),
        (12, [(24, THE_KNEES)]),
    ],
    folded_title="IOPS by iodepth and numjobs",
    folded=[(12, [(24, IOPS_BY_IODEPTH_AND_NUMJOBS)])],
    variables=[*_CHAIN, _MEDIA, _PROFILE, _ARRAYS, _WORKERS, _LATENCY, _GRID_ARRAY, _GRID_WORKERS],
)
