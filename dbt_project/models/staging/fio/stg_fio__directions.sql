select
    -- ids
    file_id,
    job_index,
    direction,

    -- measures
    iops,
    coalesce(bw_bytes_per_second, bw_kib_per_second * 1024) as bytes_per_second,
    total_ios as io_count,
    short_ios as short_io_count,
    drop_ios as dropped_io_count,
    runtime_ms / 1e3 as runtime_seconds,
    -- fio samples its rates every half second; without samples it prints zeros
    case when iops_sample_count > 0 then iops_min end as min_sampled_iops,
    case when iops_sample_count > 0 then iops_max end as max_sampled_iops,
    case when iops_sample_count > 0 then iops_stddev end as stddev_sampled_iops,
    case when iops_sample_count > 0 then iops_sample_count end as iops_sample_count,
from {{ source('raw', 'fio_directions') }}
where file_id in (select files.file_id from {{ ref('stg_files') }} as files)
