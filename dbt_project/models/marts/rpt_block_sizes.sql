-- IOPS and throughput over the block size, for one array, mix of reads and writes, condition, I/O
-- engine and number of workers: at each block size the highest throughput over all outstanding
-- I/Os. Each array and mix keeps its curve with the most block sizes, of equal ones the fastest.
-- Small blocks are limited by operations, large ones by bytes: the crossover is the smallest block
-- with nine tenths of the highest throughput, on a curve of three or more.
with loads as (
    select
        points.measurement_id,
        points.array_id,
        points.array_label,
        profiles.block_bytes,
        coalesce(profiles.access_pattern, 'random or sequential not reported')
        || ', ' || {{ percent_label('profiles.read_ratio') }} || ' % read' as access_label,
        concat_ws(
            ', ', points.array_label, points.condition, points.io_engine,
            {{ counted('points.worker_count', 'worker') }}, points.source
        ) as curve_label,
        coalesce(points.bytes_per_second, points.iops * profiles.block_bytes)
            as load_bytes_per_second,
    from {{ ref('rpt_measurements') }} as points
    inner join {{ ref('dim_load_profiles') }} as profiles using (profile_id)
    where
        points.is_valid
        and not points.is_derived
        and points.is_superseded is not true
        and points.is_example is not true
        and profiles.block_bytes is not null
        and profiles.read_ratio is not null
        and load_bytes_per_second is not null
),

points as (
    select
        array_id,
        array_label,
        access_label,
        curve_label,
        block_bytes,
        max(load_bytes_per_second) as bytes_per_second,
        max_by(measurement_id, (load_bytes_per_second, measurement_id)) as measurement_id,
    from loads
    group by all
),

curves as (
    select
        *,
        bytes_per_second / block_bytes as iops,
        count(*) over curve as block_size_count,
        max(bytes_per_second) over curve as highest_bytes_per_second,
    from points
    window curve as (partition by array_id, access_label, curve_label)
),

marked as (
    select
        * exclude (highest_bytes_per_second),
        coalesce(
            block_size_count > 2
            and block_bytes = min(block_bytes)
            filter (where bytes_per_second >= 0.9 * highest_bytes_per_second)
                over (partition by array_id, access_label, curve_label), false
        ) as is_crossover,
    from curves
    where block_size_count > 1
    qualify
        (block_size_count, highest_bytes_per_second, curve_label)
        = max((block_size_count, highest_bytes_per_second, curve_label))
            over (partition by array_id, access_label)
),

crossed as (
    select
        *,
        min(block_bytes) filter (where is_crossover) over (partition by array_id, access_label)
            as crossover_bytes,
    from marked
)

select
    * exclude (crossover_bytes) replace (
        concat_ws('; ', curve_label, 'crossover at ' || {{ size_label('crossover_bytes') }})
            as curve_label
    ),
from crossed
