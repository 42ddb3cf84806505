-- fio takes percentiles of the completion latency (clat); with lat_percentiles=1 of the whole one
-- (lat), which the mean is of: those go before.
select
    -- ids
    directions.file_id,
    directions.job_index,
    directions.direction,

    -- measures
    directions.iops,
    coalesce(directions.bw_bytes_per_second, directions.bw_kib_per_second * 1024)
        as bytes_per_second,
    directions.total_ios as io_count,
    directions.short_ios as short_io_count,
    directions.drop_ios as dropped_io_count,
    directions.runtime_ms / 1e3 as runtime_seconds,
    -- fio samples its rates every half second; without samples it prints zeros
    if(directions.iops_sample_count > 0, directions.iops_min, null) as min_sampled_iops,
    if(directions.iops_sample_count > 0, directions.iops_max, null) as max_sampled_iops,
    if(directions.iops_sample_count > 0, directions.iops_stddev, null) as stddev_sampled_iops,
    -- fio prints 0 for latencies that disable_lat or gtod_reduce kept it from taking
    {{ to_us('nullif(whole.latency_mean, 0)', 'whole.latency_unit') }} as latency_mean_us,
    {{ to_us('nullif(whole.latency_min, 0)', 'whole.latency_unit') }} as latency_min_us,
    {{ to_us('nullif(whole.latency_max, 0)', 'whole.latency_unit') }} as latency_max_us,
    coalesce({{ fio_percentile_us('whole', 50) }}, {{ fio_percentile_us('completion', 50) }})
        as latency_p50_us,
    coalesce({{ fio_percentile_us('whole', 95) }}, {{ fio_percentile_us('completion', 95) }})
        as latency_p95_us,
    coalesce({{ fio_percentile_us('whole', 99) }}, {{ fio_percentile_us('completion', 99) }})
        as latency_p99_us,
    coalesce({{ fio_percentile_us('whole', 99.9) }}, {{ fio_percentile_us('completion', 99.9) }})
        as latency_p999_us,
from {{ source('raw', 'fio_directions') }} as directions
left join {{ source('raw', 'fio_latencies') }} as whole
    on
        directions.file_id = whole.file_id
        and directions.job_index = whole.job_index
        and directions.direction = whole.direction
        and whole.latency_kind = 'lat'
left join {{ source('raw', 'fio_latencies') }} as completion
    on
        directions.file_id = completion.file_id
        and directions.job_index = completion.job_index
        and directions.direction = completion.direction
        and completion.latency_kind = 'clat'
