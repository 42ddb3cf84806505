-- How each of our own runs was done, as far as its verdict depends on it. If processes share fewer
-- processors, `cpu_ratio` is the share of those processors. Without a `filename` each process has
-- its own file. `written_bytes` includes the earlier runs in the folder on the same server, devices
-- and file; for hosts added up it is unknown.
with jobs as (
    select
        measurement_id,
        bool_and(is_direct) as is_direct,
        bool_or(has_think_time or has_latency_target or rate_limit is not null) as is_limited,
        bool_or(io_engine in ('libaio', 'io_uring', 'posixaio') and not is_direct)
            as is_buffered_queue,
        min(ramp_seconds) as ramp_seconds,
        max(cpu_ratio * greatest(1, process_count / allowed_cpu_count)) as cpu_ratio,
        max(if(options ->> 'filename' is null, coalesce(process_count, worker_count), 1))
            as file_count,
        min(options ->> 'filename') as file_name,
    from {{ ref('int_fio__jobs') }}
    group by measurement_id
    union all by name
    select
        measurement_id,
        is_direct,
        is_limited,
        ramp_seconds,
        cpu_ratio,
        file_count,
    from {{ ref('int_generic__measurements') }}
),

counts as (
    select
        measurement_id,
        sum(io_count) as io_count,
    from {{ ref('int_fio__directions') }}
    where is_of_load
    group by measurement_id
    union all by name
    select
        measurement_id,
        io_count,
    from {{ ref('int_generic__measurements') }}
),

-- apart, since a window sorts all columns of its rows
writes as (
    select
        measurement_id,
        {{ folder('points.source_path') }} as folder,
        sum(points.write_bytes_per_second * points.runtime_seconds) over (
            partition by
                folder, points.server, measured.device_names, jobs.file_name,
                if(points.measured_at is null, measurement_id, null)
            order by points.measured_at, measurement_id
        ) as written_bytes,
    from {{ ref('measurements') }} as points
    inner join {{ ref('fct_measurements') }} as measured using (measurement_id)
    left join jobs using (measurement_id)
    where points.document_id is null and measured.part_count is null
)

select
    points.*,
    writes.* exclude (measurement_id),
    measured.is_steady_state_attained,
    measured.device_busy_ratio,
    jobs.* exclude (measurement_id),
    counts.io_count,
    points.file_size_bytes::double
    * if(jobs.measurement_id is null, points.worker_count, jobs.file_count) as span_bytes,
    controllers.cache_bytes,
    files.memory_bytes,
    files.write_cache,
    files.array_state,
    files.link_state,
    files.thermal_state,
    files.muted_rules,
    drives.capacity_bytes::double * points.drive_count as capacity_bytes,
from {{ ref('measurements') }} as points
left join writes using (measurement_id)
inner join {{ ref('fct_measurements') }} as measured using (measurement_id)
left join {{ ref('stg_files') }} as files
    on points.file_id = files.file_id and points.source_path = files.path
left join jobs using (measurement_id)
left join counts using (measurement_id)
left join {{ ref('dim_controllers') }} as controllers
    on points.controller_id = controllers.controller_id
left join {{ ref('dim_drives') }} as drives on points.drive_id = drives.drive_id
where points.document_id is null
