select
    -- ids
    file_id,
    job_index,
    direction,

    -- measures
    iops,
    coalesce(bw_bytes_per_second, bw_kib_per_second * 1024) as bytes_per_second,
    total_ios as io_count,
    -- fio prints 0 for latencies that disable_lat or gtod_reduce kept it from taking
    {{ to_us('nullif(lat_mean, 0)', 'latency_unit') }} as latency_mean_us,
    {{ to_us('nullif(lat_max, 0)', 'latency_unit') }} as latency_max_us,
from {{ source('raw', 'fio_directions') }}
where file_id in (select files.file_id from {{ ref('stg_files') }} as files)
