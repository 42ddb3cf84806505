-- The coarse histogram that every result has: the percentage of all I/Os of a job, reads and writes
-- together, that completed below each edge and above the one before (io_u.c io_u_mark_latency).
with units as (
    select
        jobs.file_id,
        jobs.job_index,
        units.us_per_unit,
        jobs.latency_histogram_percent -> units.unit as histogram,
    from {{ source('raw', 'fio_jobs') }} as jobs
    cross join (values ('ns', 1e-3), ('us', 1.0), ('ms', 1e3)) as units (unit, us_per_unit)
    where jobs.file_id in (select files.file_id from {{ ref('stg_files') }} as files)
),

edges as (
    select
        *,
        unnest(json_keys(histogram)) as edge,
    from units
),

bins as (
    select
        file_id,
        job_index,
        case when not starts_with(edge, '>=') then cast(edge as double) * us_per_unit end
            as upper_us,
        cast(histogram ->> edge as double) / 100 as io_ratio,
    from edges
)

select
    -- ids
    file_id,
    job_index,

    -- measures
    coalesce(
        lag(upper_us) over (partition by file_id, job_index order by upper_us nulls last), 0
    ) as lower_us,
    upper_us,
    io_ratio,
from bins
