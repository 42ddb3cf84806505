-- The coarse histogram that every result has: the percentage of all I/Os of a job, reads and writes
-- together, that completed below each edge and above the one before (io_u.c io_u_mark_latency).
with bins as (
    select
        jobs.file_id,
        jobs.job_index,
        units.us_per_unit,
        jobs.latency_histogram_percent -> units.unit as histogram,
        unnest(json_keys(histogram)) as edge,
    from {{ source('raw', 'fio_jobs') }} as jobs
    cross join (values ('ns', 1e-3), ('us', 1.0), ('ms', 1e3)) as units (unit, us_per_unit)
)

select
    -- ids
    file_id,
    job_index,

    -- measures
    if(starts_with(edge, '>='), null, cast(edge as double) * us_per_unit) as upper_us,
    coalesce(
        lag(upper_us) over (partition by file_id, job_index order by upper_us nulls last), 0
    ) as lower_us,
    cast(histogram ->> edge as double) / 100 as io_ratio,
from bins
