-- Rates add up over directions and processes; mean latencies are weighted by I/Os.
with results as (
    select
        measurement_id,
        {% for rate in ['iops', 'bytes_per_second'] -%}
            {{ ordered_sum(rate) }} as {{ rate }},
            {{ ordered_sum(rate, "direction = 'read'") }} as read_{{ rate }},
            {{ ordered_sum(rate, "direction = 'write'") }} as write_{{ rate }},
        {% endfor -%}
        case
            when count(*) = 1 then max(latency_mean_us)
            when bool_and(latency_mean_us is not null)
                then {{ ordered_sum('latency_mean_us * io_count') }} / sum(io_count)
        end as latency_mean_us,
        if(bool_and(latency_min_us is not null), min(latency_min_us), null) as latency_min_us,
        max(latency_max_us) as latency_max_us,
        {% for measure in ['min_sampled_iops', 'max_sampled_iops', 'stddev_sampled_iops'] -%}
            if(count(*) = 1, max({{ measure }}), null) as {{ measure }},
        {% endfor -%}
        sum(short_io_count) as short_io_count,
        sum(dropped_io_count) as dropped_io_count,
        sum(io_count) as io_count,
    from {{ ref('int_fio__directions') }}
    where is_of_load
    group by measurement_id
),

impossible as (
    select
        parts.measurement_id,
        string_agg(distinct percentiles.latency_kind, ', ' order by percentiles.latency_kind)
            as latency_kinds,
    from {{ ref('int_fio__directions') }} as parts
    inner join {{ ref('stg_fio__percentiles') }} as percentiles
        using (file_id, job_index, direction)
    where percentiles.is_impossible
    group by parts.measurement_id
),

-- the devices of each host, and the share of time that the busiest was busy
disks as (
    select
        file_id,
        document_line,
        hostname,
        string_agg(distinct disk, '; ' order by disk) as device_names,
        max(util_percent) / 100 as device_busy_ratio,
    from {{ source('raw', 'fio_disks') }}
    group by all
)

select
    jobs.measurement_id,
    'fio' as source_format,
    jobs.file_id,
    jobs.source_id,
    jobs.source_position,
    'fio' as tool_name,
    jobs.fio_version as tool_version,
    jobs.measured_at,
    jobs.condition,
    jobs.outstanding_io_count,
    jobs.worker_count,
    jobs.requested_outstanding_io_count,
    jobs.io_depth_reached_ratio,
    jobs.io_engine,
    jobs.defaulted_settings,
    jobs.restored_settings as note,
    jobs.runtime_seconds,
    jobs.requested_runtime_seconds,
    jobs.file_size_bytes,
    jobs.is_steady_state_attained,
    disks.device_names,
    -- of all groups together
    if(jobs.has_several_groups, null, disks.device_busy_ratio) as device_busy_ratio,
    results.* exclude (measurement_id, short_io_count, dropped_io_count, io_count),
    {{ too_few_ios('results.io_count', 'jobs.runtime_seconds') }} as evidence_note,
    jobs.is_valid and results.measurement_id is not null and evidence_note is null as is_valid,
    nullif(concat_ws(
        '; ',
        jobs.validity_note,
        if(results.measurement_id is null, 'did no I/O', null),
        evidence_note,
        nullif(results.short_io_count, 0) || ' I/Os were short',
        nullif(results.dropped_io_count, 0) || ' I/Os were dropped',
        'percentiles of ' || impossible.latency_kinds
        || ' are above the mean or maximum latency of whole I/Os: left out'
    ), '') as validity_note,
from {{ ref('int_fio__jobs') }} as jobs
left join results using (measurement_id)
left join impossible using (measurement_id)
left join disks
    on
        jobs.file_id = disks.file_id
        and jobs.document_line = disks.document_line
        and jobs.hostname is not distinct from disks.hostname
where not jobs.is_part_of_another
