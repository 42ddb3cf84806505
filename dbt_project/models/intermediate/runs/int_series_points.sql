-- Runs of the same system, profile, load, engine, size, runtime and job: only like is compared. A
-- system that no headroom.yml describes is the place of its files, without numbers of four digits
-- and more: dates, times, build numbers.
select
    concat_ws(
        ', ',
        server,
        case
            when coalesce(controller_id, drive_id) is not null then array_id
            when server is null
                then regexp_replace(source_path, '[0-9]{4,}([-_.:T/]?[0-9]{2})*', '*', 'g')
        end,
        case when coalesce(controller_id, drive_id) is null then raid_level end,
        profile_id,
        outstanding_io_count || ' outstanding I/Os',
        regexp_replace(source_position, '^line [0-9]+ ', '')
    ) as series_name,
    md5(
        cast(
            row(
                series_name, worker_count, io_engine, condition, file_size_bytes,
                requested_runtime_seconds
            ) as varchar
        )
    ) as series_id,
    measured_at,
    measurement_id,
    source_path,
    iops,
    bytes_per_second,
    latency_p99_us,
    tool_version,
    controller_firmware,
    drive_firmware,
    filesystem,
    os_name,
    os_kernel,
    bios_version,
from {{ ref('measurements') }}
where is_valid and document_id is null and measured_at is not null and is_superseded is not true
