-- What could be built, by prediction, and what was measured, in one shape.
select * exclude (drive, saturating_drive_count, tested_number_count, shown_measurement_id)
from {{ ref('fct_predictions') }}
union all by name
select
    'measured' as evidence,
    controller_id,
    controller,
    raid_level,
    drive_id,
    drive_count,
    profile_id,
    iops,
    bytes_per_second,
    latency_mean_us,
    binding_ceiling,
    measurement_id,
    value_qualifier,
    as_printed,
    source_label,
from {{ ref('measurements') }}
where
    is_valid
    and not is_derived
    and drive_count is not null
    and coalesce(iops, bytes_per_second) is not null
    and is_superseded is not true
