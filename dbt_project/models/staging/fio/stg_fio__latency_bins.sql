-- json+ prints the middle of each bin; the last has no upper edge.
with fine as (
    select
        *,
        unnest(bin_latencies) as middle,
        unnest(bin_counts) as io_count,
        {{ is_last_fio_bin('middle', 'latency_unit') }} as is_last,
        {{ fio_lower_edge('middle') }} as lower_edge,
    from {{ ref('stg_fio__latencies') }}
    where bin_latencies is not null
),

-- The coarse histogram that every result has: the percentage of all I/Os of a job, reads and writes
-- together, that completed below each edge and above the one before (io_u.c io_u_mark_latency).
coarse as (
    select
        file_id,
        job_index,
        units.us_per_unit,
        unnest(map_entries(
            try_cast(latency_histogram_percent -> units.unit as map (varchar, varchar))
        )) as bin,
    from {{ source('raw', 'fio_jobs') }}
    cross join (values ('ns', 1e-3), ('us', 1.0), ('ms', 1e3)) as units (unit, us_per_unit)
),

edges as (
    select
        file_id,
        job_index,
        if(starts_with(bin.key, '>='), null, try_cast(bin.key as double) * us_per_unit) as upper_us,
        coalesce(
            lag(upper_us) over (partition by file_id, job_index order by upper_us nulls last), 0
        ) as lower_us,
        try_cast(bin.value as double) / 100 as io_ratio,
    from coarse
),

longest as (
    select
        file_id,
        job_index,
        if(
            bool_and(is_possible), max({{ to_us('longest_latency', 'latency_unit') }}), 0
        ) as longest_us,
    from {{ ref('stg_fio__latencies') }}
    where latency_kind = 'clat'
    group by all
)

select
    file_id,
    job_index,
    direction,
    latency_kind,
    if(is_last, null, {{ to_us('middle', 'latency_unit') }}) as latency_us,
    {{ to_us('greatest(lower_edge, 0)', 'latency_unit') }} as lower_us,
    if(is_last, null, {{ to_us('(2 * middle - lower_edge)', 'latency_unit') }}) as upper_us,
    io_count,
from fine
union all by name
select
    edges.*,
    'mixed' as direction,
    'clat' as latency_kind,
from edges
left join longest using (file_id, job_index)
qualify coalesce(
    max(lower_us) filter (where io_ratio > 0) over (partition by file_id, job_index) <= longest_us,
    true
)
