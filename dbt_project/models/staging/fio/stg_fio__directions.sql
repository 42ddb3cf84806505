select
    directions.file_id,
    directions.job_index,
    directions.direction,
    iops,
    coalesce(bw_bytes_per_second, bw_kib_per_second * 1024) as bytes_per_second,
    total_ios as io_count,
    short_ios as short_io_count,
    drop_ios as dropped_io_count,
    -- the size of each I/O, if the bytes are a power of two for each; before 2.21 they are in KiB
    2 ** round(log2(greatest(coalesce(io_bytes, io_kib * 1024.0) / nullif(total_ios, 0), 1)))
        as power_bytes,
    if(
        power_bytes >= 512 and coalesce(
            power_bytes * total_ios = io_bytes, floor(power_bytes * total_ios / 1024) = io_kib
        ),
        try_cast(power_bytes as bigint), null
    ) as io_size_bytes,
    runtime_ms / 1e3 as runtime_seconds,
    -- fio samples its rates every half second; without samples it prints zeros
    nullif(iops_sample_count, 0) as sample_count,
    if(iops_sample_count > 0, iops_mean, null) as mean_sampled_iops,
    if(iops_sample_count > 0, iops_min, null) as min_sampled_iops,
    if(iops_sample_count > 0, iops_max, null) as max_sampled_iops,
    if(iops_sample_count > 0, iops_stddev, null) as stddev_sampled_iops,
    -- fio prints 0 for latencies that disable_lat or gtod_reduce turned off
    {{ to_us('nullif(whole.latency_mean, 0)', 'whole.latency_unit') }} as latency_mean_us,
    {{ to_us('nullif(whole.latency_min, 0)', 'whole.latency_unit') }} as latency_min_us,
    {{ to_us('nullif(whole.latency_max, 0)', 'whole.latency_unit') }} as latency_max_us,
from {{ source('raw', 'fio_directions') }} as directions
left join {{ source('raw', 'fio_latencies') }} as whole
    on
        directions.file_id = whole.file_id
        and directions.job_index = whole.job_index
        and directions.direction = whole.direction
        and whole.latency_kind = 'lat'
