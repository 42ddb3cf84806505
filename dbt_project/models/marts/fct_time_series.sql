-- Converted here, since only the run beside a log says in which unit its latencies are. Without
-- log_avg_msec each I/O is a line, with its size, and of IOPS there is nothing to say.
select
    runs.measurement_id,
    logs.path as source_path,
    logs.quantity,
    logs.latency_kind,
    logs.job_number,
    samples.direction,
    samples.elapsed_seconds,
    cast(samples.logged_value as double) as logged_value,
    case
        when logs.quantity = 'iops' and samples.block_bytes is null
            then cast(samples.logged_value as double)
    end as iops,
    case
        when logs.quantity = 'bandwidth'
            then {{ to_base_unit('samples.logged_value', "'KiB/s'", 2) }}
    end as bytes_per_second,
    case
        when logs.quantity = 'latency' and runs.is_in_ns is not null
            then {{ to_us('samples.logged_value', "if(runs.is_in_ns, 'ns', 'us')") }}
    end as latency_us,
    samples.block_bytes,
from {{ ref('stg_fio__log_samples') }} as samples
inner join {{ ref('stg_fio__logs') }} as logs using (file_id)
left join {{ ref('int_fio__log_runs') }} as runs using (source_key)
