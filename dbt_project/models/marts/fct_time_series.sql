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
    samples.* exclude (file_id),
    if(logs.quantity = 'iops' and samples.block_bytes is null, samples.logged_value, null) as iops,
    case
        when logs.quantity = 'bandwidth'
            then {{ to_base_unit('samples.logged_value', "'KiB/s'", 2) }}
    end as bytes_per_second,
    case
        when logs.quantity = 'latency' and logs.is_in_ns is not null
            then {{ to_us('samples.logged_value', "if(logs.is_in_ns, 'ns', 'us')") }}
    end as latency_us,
from {{ ref('stg_fio__log_samples') }} as samples
inner join logs using (file_id)
