with profiles as (
    select distinct
        profile_id,
        profile_name,
        random_ratio,
        read_ratio,
        block_bytes,
        block_option,
    from {{ ref('int_load_profiles') }}
    where document_id is null and access_spec_key is null
),

-- unified_rw_reporting=both prints the mix of the directions beside them: it counts alone only.
directions as (
    select * from {{ ref('stg_fio__directions') }}
    qualify direction != 'mixed' or count(*) over (partition by file_id, job_index) = 1
),

-- One row per job: rates add up over directions, mean latencies weigh by I/Os. Percentiles of two
-- directions cannot be merged, so a mixed job has them in fct_latency_percentiles only.
jobs as (
    select
        file_id,
        job_index,
        sum(iops) as iops,
        max(iops) filter (where direction = 'read') as read_iops,
        max(iops) filter (where direction = 'write') as write_iops,
        sum(bytes_per_second) as bytes_per_second,
        max(bytes_per_second) filter (where direction = 'read') as read_bytes_per_second,
        max(bytes_per_second) filter (where direction = 'write') as write_bytes_per_second,
        case
            when bool_and(latency_mean_us is not null)
                then sum(latency_mean_us * io_count) / sum(io_count)
        end as mixed_latency_mean_us,
        max(latency_mean_us) as single_latency_mean_us,
        max(latency_max_us) as latency_max_us,
        count(*) as direction_count,
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
    'fio-' || left(settings.file_id, 12) || '-' || settings.job_index as measurement_id,
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
    settings.outstanding_io_count,
    settings.worker_count,
    jobs.iops,
    jobs.read_iops,
    jobs.write_iops,
    jobs.bytes_per_second,
    jobs.read_bytes_per_second,
    jobs.write_bytes_per_second,
    case
        when jobs.direction_count = 1 then jobs.single_latency_mean_us
        else jobs.mixed_latency_mean_us
    end as latency_mean_us,
    case when jobs.direction_count = 1 then percentiles.latency_p50_us end as latency_p50_us,
    case when jobs.direction_count = 1 then percentiles.latency_p95_us end as latency_p95_us,
    case when jobs.direction_count = 1 then percentiles.latency_p99_us end as latency_p99_us,
    case when jobs.direction_count = 1 then percentiles.latency_p999_us end as latency_p999_us,
    jobs.latency_max_us,
    'exact' as value_qualifier,
    false as is_derived,
    settings.is_valid and jobs.file_id is not null as is_valid,
    case
        when jobs.file_id is null then concat_ws('; ', settings.validity_note, 'did no I/O')
        else settings.validity_note
    end as validity_note,
    sidecars.note,
from {{ ref('stg_fio__jobs') }} as settings
inner join {{ ref('stg_files') }} as files using (file_id)
left join jobs using (file_id, job_index)
left join percentiles using (file_id, job_index, direction)
left join {{ ref('stg_sidecars') }} as sidecars using (file_id)
left join profiles
    on
        settings.random_ratio is not distinct from profiles.random_ratio
        and settings.read_ratio is not distinct from profiles.read_ratio
        and settings.block_bytes is not distinct from profiles.block_bytes
        and case when settings.block_bytes is null then settings.block_option end
        is not distinct from profiles.block_option
where not settings.is_part_of_another
