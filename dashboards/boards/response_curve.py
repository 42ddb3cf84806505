"""How much load is worth it?"""

from dashboards import variables
from dashboards.board import board
from dashboards.charts import CEILINGS, KNEES, Axis, points
from dashboards.panels import grid, rows

_CHAIN = ("vendor", "controller", "raid_level")
_CURVES = (
    "from marts.rpt_response_curves where profile_id = ${profile:sqlstring} "
    "and array_label = any([${array:sqlstring}]) and worker_label = ${workers:sqlstring}"
)
_TIMED = f"{_CURVES} and ${{latency:raw}} is not null"
_GRID = (
    "from marts.measurements where array_label = ${grid_array:sqlstring} and profile_id = "
    "${profile:sqlstring} and iops is not null and worker_outstanding_io_count is not null"
)
_EMPTY = "No curve for this choice: choose other arrays or workers"
_UNTIMED = "No curve here states this latency: choose another one, another profile or other workers"

LATENCY_OVER_IOPS = points(
    "Latency over IOPS",
    (
        "A line an array and condition; each point has more outstanding I/Os than the one before. "
        "Squares are knees, dashed upright lines ceilings. A point leads to its measurement."
    ),
    (
        "(select iops as x, ${latency:raw} as y, curve_label as curve, measurement_id "
        f"{_TIMED} order by curve_label, outstanding_io_count limit 2000) "
        "union all (select iops, ${latency:raw}, 'knees', measurement_id "
        f"{_TIMED} and is_knee order by iops) "
        "union all (select ceiling_iops, unnest([min(${latency:raw}), max(${latency:raw})]), "
        f"min(ceiling_label), null {_TIMED} and ceiling_iops is not null group by ceiling_iops)"
    ),
    x=Axis("IOPS", "iops", is_logarithmic=True),
    y=Axis("latency", "µs", is_logarithmic=True),
    empty=_UNTIMED,
    looks={"/knees/": KNEES, "/ceiling/": CEILINGS},
    leads_to_run=True,
)
IOPS_OVER_OUTSTANDING_I_OS = points(
    "IOPS over outstanding I/Os",
    (
        "The same arrays, with those of which no latency is stated: what each further outstanding "
        "I/O still brings, and the ceilings as dashed level lines."
    ),
    (
        "(select outstanding_io_count as x, iops as y, curve_label as curve, measurement_id "
        f"{_CURVES} order by curve_label, outstanding_io_count limit 2000) "
        "union all (select unnest([min(outstanding_io_count), max(outstanding_io_count)]), "
        f"ceiling_iops, min(ceiling_label), null {_CURVES} and ceiling_iops is not null "
        "group by ceiling_iops)"
    ),
    x=Axis("outstanding I/Os", "none", is_logarithmic=True),
    y=Axis("IOPS", "iops", is_logarithmic=True),
    empty=_EMPTY,
    looks={"/ceiling/": CEILINGS},
    leads_to_run=True,
)
IOPS_BY_IODEPTH_AND_NUMJOBS = grid(
    "IOPS by iodepth and numjobs",
    (
        "The best of each pair: rows are outstanding I/Os a worker (fio's iodepth), columns "
        "workers (numjobs)."
    ),
    (
        "pivot (select worker_outstanding_label as iodepth, worker_label, iops "
        f"{_GRID}) on worker_label in (${{grid_workers:raw}}) using max(iops) "
        "group by iodepth order by iodepth"
    ),
    row="iodepth",
    unit="short",
    empty="This array was not measured with several depths and workers at this profile",
)
THE_KNEES = rows(
    "The knees",
    (
        "From here on latency grows faster than throughput; a curve without a row has no "
        "knee in what was measured."
    ),
    [
        "curve_label",
        "outstanding_io_count",
        "iops",
        "latency_mean_us",
        "latency_p99_us",
        "ceiling_iops",
        "binding_ceiling",
        "measurement_id",
    ],
    f"{_CURVES} and is_knee order by iops desc, curve_label",
    empty="No knee in what was measured: the load was not driven far enough",
)

BOARD = board(
    "headroom-response-curve",
    "Response curve",
    "**How much load is worth it?** More outstanding I/Os bring more IOPS until the "
    "knee; beyond it latency grows "
    "faster than throughput. Squares are knees, dashed lines the ceilings.",
    [
        (15, [(16, LATENCY_OVER_IOPS), (8, IOPS_OVER_OUTSTANDING_I_OS)]),
        (8, [(24, THE_KNEES)]),
        (10, [(24, IOPS_BY_IODEPTH_AND_NUMJOBS)]),
    ],
    variables=[
        *variables.chain("marts.rpt_response_curves", *_CHAIN),
        variables.one(
            "profile",
            "Load profile",
            (
                "select profile_id as __value, any_value(profile_label) as __text from "
                f"marts.rpt_response_curves where {variables.chosen(*_CHAIN)} "
                "group by profile_id order by count(*) desc, profile_id"
            ),
        ),
        variables.several(
            "array",
            "Arrays",
            (
                "select distinct array_label from marts.rpt_response_curves "
                f"where {variables.chosen(*_CHAIN)} and profile_id = ${{profile:sqlstring}} "
                "order by 1"
            ),
        ),
        variables.one(
            "workers",
            "Workers",
            (
                "select worker_label from marts.rpt_response_curves where array_label = "
                "any([${array:sqlstring}]) and profile_id = ${profile:sqlstring} "
                "group by worker_label order by count(distinct array_label) desc, worker_label"
            ),
        ),
        variables.fixed(
            "latency",
            "Latency",
            (
                "mean : latency_mean_us, p50 : latency_p50_us, p99 : latency_p99_us, p99.9 "
                ": latency_p999_us"
            ),
        ),
        variables.one(
            "grid_array",
            "Array of the grid",
            (
                "select array_label from marts.measurements where array_label = "
                "any([${array:sqlstring}]) and profile_id = ${profile:sqlstring} and "
                "worker_outstanding_io_count is not null group by array_label order by "
                "count(*) desc, array_label"
            ),
        ),
        variables.columns("grid_workers", "worker_label", _GRID),
    ],
)
