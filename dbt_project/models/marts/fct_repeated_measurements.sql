-- Runs of the same system, profile, load, engine, size, runtime and job: only like is compared. A
-- system that no headroom.yml describes is the place of its files, without numbers of four digits
-- and more: dates, times, build numbers.
with runs as (
    select
        facts.measurement_id,
        facts.source_path,
        facts.measured_at,
        facts.server,
        facts.array_id,
        coalesce(facts.controller_id, facts.drive_id) is not null as is_array_known,
        arrays.raid_level,
        facts.profile_id,
        facts.outstanding_io_count,
        facts.worker_count,
        facts.io_engine,
        facts.condition,
        facts.file_size_bytes,
        facts.requested_runtime_seconds,
        regexp_replace(facts.source_position, '^line [0-9]+ ', '') as job,
        regexp_replace(facts.source_path, '[0-9]{4,}([-_.:T/]?[0-9]{2})*', '*', 'g') as place,
        facts.iops,
        facts.bytes_per_second,
        facts.latency_p99_us,
    from {{ ref('measurements') }} as facts
    inner join {{ ref('dim_arrays') }} as arrays using (array_id)
    where facts.is_valid and facts.document_id is null and facts.measured_at is not null
),

named as (
    select
        *,
        concat_ws(
            ', ',
            server,
            case when is_array_known then array_id when server is null then place end,
            case when not is_array_known then raid_level end,
            profile_id,
            outstanding_io_count || ' outstanding I/Os',
            job
        ) as series_name,
    from runs
),

identified as (
    select
        *,
        md5(
            cast(
                row(
                    series_name, worker_count, io_engine, condition, file_size_bytes,
                    requested_runtime_seconds
                ) as varchar
            )
        ) as series_id,
    from named
),

points as (
    unpivot identified
    on iops, bytes_per_second, latency_p99_us
    into name metric value value
)

select
    series_id,
    series_name,
    metric,
    measured_at,
    cast(value as double) as value,
    measurement_id,
    source_path,
from points
qualify
    min(measured_at) over (partition by series_id, metric)
    < max(measured_at) over (partition by series_id, metric)
order by series_id, metric, measured_at, measurement_id
