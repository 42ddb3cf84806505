select
    -- ids
    file_id,
    job_index,
    direction,

    -- categories
    latency_kind,

    -- measures
    percentile / 100 as percentile_ratio,
    latency_ns / 1e3 as latency_us,
from {{ source('raw', 'fio_percentiles') }}
where file_id in (select files.file_id from {{ ref('stg_files') }} as files)
