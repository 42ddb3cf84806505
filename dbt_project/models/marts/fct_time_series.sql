-- A copy of a log, in a folder that was moved or read twice, counts once. Units are converted here,
-- because only the run beside a log says which unit its latencies have. Without log_avg_msec each
-- line is one I/O with its size, and there are no IOPS.
with logs as (
    select distinct on (file_id, measurement_id, quantity, latency_kind, job_number) *
    from {{ ref('int_fio__logs') }}
    order by path
)

select
    logs.measurement_id,
    logs.path as source_path,
    logs.quantity,
    logs.latency_kind,
    logs.job_number,
    samples.direction,
    samples.elapsed_ms / 1e3 as elapsed_seconds,
    cast(samples.value as double) as logged_value,
    nullif(samples.block_bytes, 0) as block_bytes,  -- 0: the average of several I/Os
    case
        when logs.quantity = 'iops' and nullif(samples.block_bytes, 0) is null then logged_value
    end as iops,
    case
        when logs.quantity = 'bandwidth' then {{ to_base_unit('logged_value', "'KiB/s'", 2) }}
    end as bytes_per_second,
    case
        when logs.quantity = 'latency' and logs.is_in_ns is not null
            then {{ to_us('logged_value', "if(logs.is_in_ns, 'ns', 'us')") }}
    end as latency_us,
from {{ source('raw', 'fio_log_samples') }} as samples
inner join logs using (file_id)
