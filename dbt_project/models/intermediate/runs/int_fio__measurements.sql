-- The rate of processes that ran at once is their I/Os over the longest runtime, as with
-- group_reporting.
with directions as (
    select
        coalesce(runtime_seconds / nullif(max(runtime_seconds) over alike, 0), 1)
            as runtime_share_ratio,
        * replace (
            iops * runtime_share_ratio as iops,
            bytes_per_second * runtime_share_ratio as bytes_per_second
        ),
    from {{ ref('int_fio__directions') }}
    where is_of_load
    window alike as (partition by measurement_id, direction)
),

-- Rates add up over directions and processes, mean latencies weigh by I/Os.
results as (
    select
        measurement_id,
        sum(iops) as iops,
        sum(iops) filter (where direction = 'read') as read_iops,
        sum(iops) filter (where direction = 'write') as write_iops,
        sum(bytes_per_second) as bytes_per_second,
        sum(bytes_per_second) filter (where direction = 'read') as read_bytes_per_second,
        sum(bytes_per_second) filter (where direction = 'write') as write_bytes_per_second,
        case
            when count(*) = 1 then max(latency_mean_us)
            when bool_and(latency_mean_us is not null)
                then sum(latency_mean_us * io_count) / sum(io_count)
        end as latency_mean_us,
        if(bool_and(latency_min_us is not null), min(latency_min_us), null) as latency_min_us,
        max(latency_max_us) as latency_max_us,
        {% for measure in ['min_sampled_iops', 'max_sampled_iops', 'stddev_sampled_iops'] -%}
            if(count(*) = 1, max({{ measure }}), null) as {{ measure }},
        {% endfor -%}
        sum(short_io_count) as short_io_count,
        sum(dropped_io_count) as dropped_io_count,
    from directions
    group by measurement_id
)

select
    jobs.measurement_id,
    'fio' as source_format,
    jobs.file_id,
    jobs.source_position,
    'fio' as tool_name,
    jobs.fio_version as tool_version,
    jobs.measured_at,
    profiles.profile_id,
    profiles.profile_name,
    jobs.condition,
    jobs.outstanding_io_count,
    jobs.worker_count,
    jobs.requested_outstanding_io_count,
    jobs.io_depth_reached_ratio,
    jobs.io_engine,
    jobs.defaulted_settings,
    jobs.runtime_seconds,
    jobs.requested_runtime_seconds,
    jobs.file_size_bytes,
    jobs.is_steady_state_attained,
    disks.device_names,
    disks.device_busy_ratio,
    results.* exclude (measurement_id, short_io_count, dropped_io_count),
    jobs.is_valid and results.measurement_id is not null as is_valid,
    nullif(concat_ws(
        '; ',
        jobs.validity_note,
        if(results.measurement_id is null, 'did no I/O', null),
        nullif(results.short_io_count, 0) || ' I/Os were short',
        nullif(results.dropped_io_count, 0) || ' I/Os were dropped'
    ), '') as validity_note,
from {{ ref('int_fio__jobs') }} as jobs
left join results using (measurement_id)
left join {{ ref('int_fio__profiles') }} as profiles using (file_id, job_index)
left join {{ ref('stg_fio__disks') }} as disks
    on
        jobs.file_id = disks.file_id
        and jobs.document_line = disks.document_line
        and jobs.hostname is not distinct from disks.hostname
where not jobs.is_part_of_another
