-- What a point of a series is made of; while it is unchanged, a night skips the series.
select
    series_name,
    series_id,
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
from {{ ref('fct_measurements') }}
where is_valid and document_id is null and measured_at is not null and is_superseded is not true
