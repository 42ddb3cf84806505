-- Values that a controller or its twin reached with a number of drives at a RAID level, or at one
-- that costs it more. An upper bound is not a reached value.
select
    twins.twin_controller_id as controller_id,
    twins.cheaper_raid_level as raid_level,
    points.drive_id,
    points.drive_count,
    points.profile_id,
    points.measurement_id,
    coalesce(points.bytes_per_second, points.min_bytes_per_second) as bytes_per_second,
    points.iops,
    1 + coalesce(points.rounding_ratio, 0) as high_factor,
from {{ ref('fct_measurements') }} as points
inner join {{ ref('int_controller_twins') }} as twins using (controller_id, raid_level)
where
    points.is_valid
    and not points.is_derived
    and points.value_qualifier != 'at_most'
    and points.has_own_processor is not true
    and points.is_example is not true
