with percentiles as (
    select
        file_id,
        job_index,
        direction,
        latency_kind,
        latency_unit,
        unnest(percentiles) as percentile,
        unnest(percentile_latencies) as latency,
    from {{ source('raw', 'fio_latencies') }}
    where file_id in (select files.file_id from {{ ref('stg_files') }} as files)
)

select
    -- ids
    file_id,
    job_index,
    direction,

    -- categories
    latency_kind,

    -- measures
    round(percentile / 100, 12) as percentile_ratio,
    {{ to_us('latency', 'latency_unit') }} as latency_us,
from percentiles
