-- How much a controller is known to do at a RAID level and load profile: what it, or its twin, was
-- measured to reach at that level or at one that costs it more.
select
    twins.controller_id,
    levels.raid_level,
    points.profile_id,
    max(coalesce(points.bytes_per_second, points.min_bytes_per_second)) as bytes_per_second,
from {{ ref('int_measurements') }} as points
inner join {{ ref('int_controller_twins') }} as twins
    on points.controller_id = twins.twin_controller_id
inner join {{ ref('raid_levels') }} as measured on points.raid_level = measured.raid_level
inner join {{ ref('raid_levels') }} as levels
    on
        measured.raid_level = levels.raid_level
        or {{ does_less_work('levels', 'measured') }}
where
    points.is_valid
    and not points.is_derived
    and points.value_qualifier != 'at_most'
    and points.has_own_processor is not true
group by twins.controller_id, levels.raid_level, points.profile_id
