-- json+ prints the middle of each bin: exact below 128 units, then 64 bins for each power of two
-- (stat.c plat_idx_to_val), so that a bin is as wide as its middle's power of two over 64.
with fine as (
    select
        *,
        unnest(bin_latencies) as middle,
        unnest(bin_counts) as io_count,
        if(middle < 128, 1, 2 ** (floor(log2(middle)) - 6)) as width,
    from {{ source('raw', 'fio_latencies') }}
),

-- The coarse histogram that every result has: the percentage of all I/Os of a job, reads and writes
-- together, that completed below each edge and above the one before (io_u.c io_u_mark_latency).
coarse as (
    select
        file_id,
        job_index,
        units.us_per_unit,
        latency_histogram_percent -> units.unit as histogram,
        unnest(json_keys(histogram)) as edge,
    from {{ source('raw', 'fio_jobs') }}
    cross join (values ('ns', 1e-3), ('us', 1.0), ('ms', 1e3)) as units (unit, us_per_unit)
)

select
    file_id,
    job_index,
    direction,
    latency_kind,
    {{ to_us('middle', 'latency_unit') }} as latency_us,
    {{ to_us('greatest(middle - width / 2, 0)', 'latency_unit') }} as lower_us,
    {{ to_us('(middle + width / 2)', 'latency_unit') }} as upper_us,
    io_count,
from fine
union all by name
select
    file_id,
    job_index,
    'mixed' as direction,
    'clat' as latency_kind,
    if(starts_with(edge, '>='), null, try_cast(edge as double) * us_per_unit) as upper_us,
    coalesce(
        lag(upper_us) over (partition by file_id, job_index order by upper_us nulls last), 0
    ) as lower_us,
    try_cast(histogram ->> edge as double) / 100 as io_ratio,
from coarse
