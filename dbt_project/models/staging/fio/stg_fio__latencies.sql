select
    -- ids
    file_id,
    job_index,
    direction,

    -- categories
    latency_kind,

    -- measures; fio prints 0 for latencies that disable_lat or gtod_reduce kept it from taking
    {{ to_us('nullif(latency_mean, 0)', 'latency_unit') }} as latency_mean_us,
    {{ to_us('nullif(latency_min, 0)', 'latency_unit') }} as latency_min_us,
    {{ to_us('nullif(latency_max, 0)', 'latency_unit') }} as latency_max_us,
from {{ source('raw', 'fio_latencies') }}
where file_id in (select files.file_id from {{ ref('stg_files') }} as files)
