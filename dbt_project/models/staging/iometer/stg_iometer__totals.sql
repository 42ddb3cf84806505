-- The ALL rows sum up all others of their block. The companion file repeats them, as its totals.
-- Both megabytes are rounded to six decimals; the decimal one, where there is one, loses less.
with totals as (
    select * from {{ source('raw', 'iometer_results') }}
    union all by name
    select * from {{ source('raw', 'iometer_updates') }}
)

select
    -- ids
    file_id,
    line,
    block_index,
    access_spec_index,

    -- categories
    access_spec_name,

    -- measures
    iops,
    read_iops,
    write_iops,
    coalesce(
        {{ to_base_unit('mb_per_second', "'MB/s'", 10) }},
        {{ to_base_unit('mib_per_second', "'MB/s'", 2) }}
    ) as bytes_per_second,
    coalesce(
        {{ to_base_unit('read_mb_per_second', "'MB/s'", 10) }},
        {{ to_base_unit('read_mib_per_second', "'MB/s'", 2) }}
    ) as read_bytes_per_second,
    coalesce(
        {{ to_base_unit('write_mb_per_second', "'MB/s'", 10) }},
        {{ to_base_unit('write_mib_per_second', "'MB/s'", 2) }}
    ) as write_bytes_per_second,
    -- Iometer prints 0 where there was no I/O to take a time of, and six decimals of a millisecond
    round({{ to_base_unit('nullif(response_time_mean_ms, 0)', "'ms'", 10) }}, 3) as latency_mean_us,
    round({{ to_base_unit('nullif(response_time_max_ms, 0)', "'ms'", 10) }}, 3) as latency_max_us,
    read_io_count + write_io_count as io_count,
    error_count,
    worker_count,
    -- the queue depth is that of each target of each worker, and targets are counted by worker
    queue_depth * target_count as outstanding_io_count,
from totals
where row_type = 'ALL'
