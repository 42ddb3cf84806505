with profiles as (
    select
        runs.file_id,
        runs.job_index,
        names.profile_id,
        names.profile_name,
    from {{ ref('int_fio__profiles') }} as runs
    inner join {{ ref('int_load_profiles') }} as names using (run_profile_key)
),

-- unified_rw_reporting=both prints the mix of the directions beside them: it counts alone only.
-- Syncs are no I/O of the load, and what a write job reads to verify comes after it. Of processes
-- that ran at once those that ended early count for the time they ran: as with group_reporting the
-- rate of all is their I/Os over the longest runtime.
directions as (
    select
        directions.* exclude (job_index),
        settings.first_job_index as job_index,
        coalesce(
            directions.runtime_seconds / nullif(
                max(directions.runtime_seconds) over (
                    partition by
                        directions.file_id, settings.first_job_index, directions.direction
                ), 0
            ), 1
        ) as runtime_share_ratio,
        latencies.latency_mean_us,
        latencies.latency_min_us,
        latencies.latency_max_us,
    from {{ ref('stg_fio__directions') }} as directions
    left join {{ ref('stg_fio__latencies') }} as latencies
        on
            directions.file_id = latencies.file_id
            and directions.job_index = latencies.job_index
            and directions.direction = latencies.direction
            and latencies.latency_kind = 'lat'
    inner join {{ ref('stg_fio__jobs') }} as settings
        on
            directions.file_id = settings.file_id
            and directions.job_index = settings.job_index
    where
        directions.direction != 'sync'
        and not (directions.direction = 'read' and coalesce(settings.has_verify_reads, false))
    qualify
        directions.direction != 'mixed'
        or count(*) over (partition by directions.file_id, directions.job_index) = 1
),

-- One row per job: rates add up over directions and processes, mean latencies weigh by I/Os.
-- Percentiles cannot be merged: a mixed job has them in fct_latency_percentiles only.
jobs as (
    select
        file_id,
        job_index,
        sum(iops * runtime_share_ratio) as iops,
        sum(iops * runtime_share_ratio) filter (where direction = 'read') as read_iops,
        sum(iops * runtime_share_ratio) filter (where direction = 'write') as write_iops,
        sum(bytes_per_second * runtime_share_ratio) as bytes_per_second,
        sum(bytes_per_second * runtime_share_ratio) filter (where direction = 'read')
            as read_bytes_per_second,
        sum(bytes_per_second * runtime_share_ratio) filter (where direction = 'write')
            as write_bytes_per_second,
        case
            when bool_and(latency_mean_us is not null)
                then sum(latency_mean_us * io_count) / sum(io_count)
        end as mixed_latency_mean_us,
        max(latency_mean_us) as single_latency_mean_us,
        case when bool_and(latency_min_us is not null) then min(latency_min_us) end
            as latency_min_us,
        max(latency_max_us) as latency_max_us,
        case when count(*) = 1 then max(min_sampled_iops) end as min_sampled_iops,
        case when count(*) = 1 then max(max_sampled_iops) end as max_sampled_iops,
        case when count(*) = 1 then max(stddev_sampled_iops) end as stddev_sampled_iops,
        sum(short_io_count) as short_io_count,
        sum(dropped_io_count) as dropped_io_count,
        count(*) as part_count,
        any_value(direction) as direction,
    from directions
    group by file_id, job_index
),

-- fio takes percentiles of the completion latency (clat); with lat_percentiles=1 of the whole
-- (lat), which the mean is of: those go before.
percentiles as (
    select
        file_id,
        job_index,
        direction,
        max(latency_us) filter (where percentile_ratio = 0.5) as latency_p50_us,
        max(latency_us) filter (where percentile_ratio = 0.95) as latency_p95_us,
        max(latency_us) filter (where percentile_ratio = 0.99) as latency_p99_us,
        max(latency_us) filter (where percentile_ratio = 0.999) as latency_p999_us,
    from {{ ref('stg_fio__percentiles') }}
    where latency_kind in ('lat', 'clat')
    group by file_id, job_index, direction, latency_kind
    qualify
        row_number() over (
            partition by file_id, job_index, direction order by latency_kind desc
        ) = 1
)

select
    {{ fio_measurement_id('settings.file_id', 'settings.job_index') }} as measurement_id,
    'fio' as source_format,
    settings.file_id,
    files.path as source_path,
    settings.source_position,
    'fio' as tool_name,
    settings.fio_version as tool_version,
    settings.measured_at,
    sidecars.server,
    sidecars.vendor,
    sidecars.controller,
    sidecars.controller_generation,
    sidecars.raid_level,
    sidecars.drive,
    sidecars.drive_count,
    sidecars.drive_media,
    sidecars.drive_interface,
    sidecars.stripe_bytes,
    profiles.profile_id,
    profiles.profile_name,
    nullif(settings.conditions, '') as condition,
    coalesce(sidecars.outstanding_io_count, settings.outstanding_io_count)
        as outstanding_io_count,
    coalesce(sidecars.worker_count, settings.worker_count) as worker_count,
    settings.requested_outstanding_io_count,
    settings.io_depth_reached_ratio,
    settings.io_engine,
    settings.defaulted_settings,
    settings.runtime_seconds,
    settings.requested_runtime_seconds,
    settings.file_size_bytes,
    settings.is_steady_state_attained,
    jobs.min_sampled_iops,
    jobs.max_sampled_iops,
    jobs.stddev_sampled_iops,
    jobs.iops,
    jobs.read_iops,
    jobs.write_iops,
    jobs.bytes_per_second,
    jobs.read_bytes_per_second,
    jobs.write_bytes_per_second,
    case
        when jobs.part_count = 1 then jobs.single_latency_mean_us
        else jobs.mixed_latency_mean_us
    end as latency_mean_us,
    case when jobs.part_count = 1 then percentiles.latency_p50_us end as latency_p50_us,
    case when jobs.part_count = 1 then percentiles.latency_p95_us end as latency_p95_us,
    case when jobs.part_count = 1 then percentiles.latency_p99_us end as latency_p99_us,
    case when jobs.part_count = 1 then percentiles.latency_p999_us end as latency_p999_us,
    jobs.latency_min_us,
    jobs.latency_max_us,
    'exact' as value_qualifier,
    false as is_derived,
    settings.is_valid and jobs.file_id is not null as is_valid,
    nullif(
        concat_ws(
            '; ',
            settings.validity_note,
            case when jobs.file_id is null then 'did no I/O' end,
            nullif(jobs.short_io_count, 0) || ' I/Os were short',
            nullif(jobs.dropped_io_count, 0) || ' I/Os were dropped'
        ), ''
    ) as validity_note,
    sidecars.note,
from {{ ref('stg_fio__jobs') }} as settings
inner join {{ ref('stg_files') }} as files using (file_id)
left join jobs using (file_id, job_index)
left join percentiles using (file_id, job_index, direction)
left join {{ ref('stg_sidecars') }} as sidecars using (file_id)
left join profiles using (file_id, job_index)
where not settings.is_part_of_another
