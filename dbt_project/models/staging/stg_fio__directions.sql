select
    -- ids
    file_id,
    job_index,
    direction,

    -- measures
    iops,
    bw_bytes_per_second as bytes_per_second,
    io_bytes,
    total_ios as io_count,
    runtime_ms / 1e3 as runtime_seconds,
    -- fio prints 0 for latencies that disable_lat or gtod_reduce kept it from taking
    nullif(lat_mean_ns, 0) / 1e3 as latency_mean_us,
    nullif(lat_max_ns, 0) / 1e3 as latency_max_us,
from {{ source('raw', 'fio_directions') }}
where file_id in (select files.file_id from {{ ref('stg_files') }} as files)
